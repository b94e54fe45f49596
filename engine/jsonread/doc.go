// Package jsonread reads JSON strictly and without loss: RFC 8259 to the
// letter, in a given byte slice that is never copied or encoded anew. Each
// value keeps its place, numbers keep their text, members keep their order and
// doubled names stay. A text that is no JSON is described by the first byte
// where it breaks.
//
// The package knows nothing of JSON-RPC, of schemas or of terminals.
package jsonread

import (
	"iter"
	"strconv"
	"strings"
)

// Kind says what a value is. The zero Kind is that of a value that is not
// there: absent, null and "" are three things.
type Kind byte

// The kinds of values.
const (
	Absent Kind = iota
	Null
	False
	True
	Number
	String
	Array
	Object
)

// String names the kind as a sentence needs it: "a number", "an object".
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case False:
		return "false"
	case True:
		return "true"
	case Number:
		return "a number"
	case String:
		return "a string"
	case Array:
		return "a list"
	case Object:
		return "an object"
	}
	return "absent"
}

// Flags of a node, in the low bits of its up.
const (
	flagEscaped uint32 = 1 << iota // a string that holds a backslash
	flagOdd                        // a string with a lone surrogate escape; a number that a double may not hold

	flagBits = iota
	flags    = 1<<flagBits - 1
)

// none is the parent of the root.
const none = ^uint32(0) >> flagBits

// node is one value, or one member name: an object's children are name, value,
// name, value, and follow it. What kind it is the source says by its first
// byte. An array or object takes two nodes, itself and its bounds: a text may be
// of half a million numbers, and each is to be small.
type node struct {
	start, end uint32 // in the source; end is exclusive
	up         uint32 // the parent and, in the low bits, flags
}

// A bounds node stands behind the node of an array or object.
const (
	scalarWidth    = 1
	containerWidth = 2
)

func bounds(next, count uint32) node { return node{start: next, end: count} }
func (b *node) behind() uint32       { return b.start } // the first node behind all children
func (b *node) children() uint32     { return b.end }   // elements or members
func (n *node) parent() uint32       { return n.up >> flagBits }
func (n *node) has(flag uint32) bool { return n.up&flag != 0 }

// Doc is a parsed JSON text. It is never changed after Parse and may be read
// by several goroutines. It keeps the source, which must not be changed.
type Doc struct {
	src   []byte
	nodes []node
	about about
}

// about is what is known of a text once it was read.
type about struct {
	depth      int
	blanks     int // bytes of white space between the tokens
	firstBlank int
	odd        int // nodes with flagOdd
	crowded    int // objects of two members and more
}

func kindAt(src []byte, n *node) Kind {
	switch src[n.start] {
	case '"':
		return String
	case '{':
		return Object
	case '[':
		return Array
	case 't':
		return True
	case 'f':
		return False
	case 'n':
		return Null
	}
	return Number
}

// next is the first node behind node i and its children.
func (d *Doc) next(i uint32) uint32 {
	if c := d.src[d.nodes[i].start]; c == '{' || c == '[' {
		return d.nodes[i+1].behind()
	}
	return i + scalarWidth
}

// Root is the value that the text holds.
func (d *Doc) Root() Value { return Value{d, 0} }

// Source is the text that was parsed, white space around the value included.
func (d *Doc) Source() []byte { return d.src }

// Depth is the deepest nesting of arrays and objects: 0 for a scalar.
func (d *Doc) Depth() int { return d.about.depth }

// Blanks counts the white space outside strings, in bytes, around the value
// too, and says where the first of it is.
func (d *Doc) Blanks() (n, first int) { return d.about.blanks, d.about.firstBlank }

// Value is a value of a Doc, or a member name, or absent (the zero Value). It
// is small and passed by value. Every method may be called on an absent value.
type Value struct {
	doc *Doc
	i   uint32
}

func (v Value) node() *node { return &v.doc.nodes[v.i] }

// IsZero reports whether the value is absent.
func (v Value) IsZero() bool { return v.doc == nil }

// Kind says what the value is; Absent when it is not there.
func (v Value) Kind() Kind {
	if v.doc == nil {
		return Absent
	}
	return kindAt(v.doc.src, v.node())
}

// Raw is the value's text as it stands in the source, quotes included; nil
// when absent. It must not be changed.
func (v Value) Raw() []byte {
	if v.doc == nil {
		return nil
	}
	n := v.node()
	return v.doc.src[n.start:n.end:n.end]
}

// Start is the offset of the value's first byte in the source.
func (v Value) Start() int {
	if v.doc == nil {
		return 0
	}
	return int(v.node().start)
}

// End is the offset behind the value's last byte.
func (v Value) End() int {
	if v.doc == nil {
		return 0
	}
	return int(v.node().end)
}

// Len is the number of elements of an array or members of an object (doubled
// names counted), else 0.
func (v Value) Len() int {
	if k := v.Kind(); k != Array && k != Object {
		return 0
	}
	return int(v.doc.nodes[v.i+1].children())
}

// Text is the decoded text of a string. A lone surrogate escape, which no Go
// string can hold, becomes U+FFFD. False when the value is no string.
func (v Value) Text() (string, bool) {
	if v.Kind() != String {
		return "", false
	}
	n := v.node()
	body := v.doc.src[n.start+1 : n.end-1]
	if !n.has(flagEscaped) {
		return string(body), true
	}
	return string(unescape(make([]byte, 0, len(body)), body)), true
}

// String is the decoded text of a string and the JSON text of any other value;
// "" when absent. Where both must be told apart use Text.
func (v Value) String() string {
	if s, ok := v.Text(); ok {
		return s
	}
	return string(v.Raw())
}

// Is reports whether the value is a string with this decoded text.
func (v Value) Is(text string) bool {
	return v.doc != nil && v.fits(len(text), len(text)) && v.is(text)
}

// fits says of a plain string how long it is, in bytes, between two lengths;
// of every other value it is true.
func (v Value) fits(shortest, longest int) bool {
	n := &v.doc.nodes[v.i]
	length := int(n.end-n.start) - 2
	return length >= shortest && length <= longest || n.has(flagEscaped)
}

func (v Value) is(text string) bool {
	if v.Kind() != String {
		return false
	}
	n := v.node()
	if !n.has(flagEscaped) {
		return string(v.doc.src[n.start+1:n.end-1]) == text
	}
	s, _ := v.Text()
	return s == text
}

// Fold reports whether the value is a string that is this text when case is
// folded, as strings.EqualFold has it, and not the text itself.
func (v Value) Fold(text string) bool {
	const widest = 3 // K (KELVIN SIGN) is three bytes, and folds to k
	return v.doc != nil && v.fits(len(text), widest*len(text)) && v.fold(text)
}

func (v Value) fold(text string) bool {
	if v.Kind() != String {
		return false
	}
	own := v.text()
	return string(own) != text && strings.EqualFold(string(own), text)
}

// LoneSurrogate reports whether the value is a string with a lone surrogate
// escape, such as \ud800.
func (v Value) LoneSurrogate() bool {
	return v.Kind() == String && v.node().has(flagOdd)
}

// Members are the names and values of an object, in their order, doubled names
// included. Empty for every other value.
func (v Value) Members() iter.Seq2[Value, Value] {
	return func(yield func(Value, Value) bool) {
		if v.Kind() != Object {
			return
		}
		end := v.doc.next(v.i)
		for i := v.i + containerWidth; i < end; {
			value := i + scalarWidth
			if !yield(Value{v.doc, i}, Value{v.doc, value}) {
				return
			}
			i = v.doc.next(value)
		}
	}
}

// Elements are the values of an array with their indexes. Empty for every
// other value.
func (v Value) Elements() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		if v.Kind() != Array {
			return
		}
		end := v.doc.next(v.i)
		for i, n := v.i+containerWidth, 0; i < end; i, n = v.doc.next(i), n+1 {
			if !yield(n, Value{v.doc, i}) {
				return
			}
		}
	}
}

// Get returns the member with exactly this name, or an absent value. Of
// doubled names the last one counts, as most readers in the field have it
// (JavaScript, Python, Go); RFC 8259 leaves it open.
func (v Value) Get(name string) Value {
	if v.Kind() != Object {
		return Value{}
	}
	d, found := v.doc, uint32(0)
	end := d.next(v.i)
	for i := v.i + containerWidth; i < end; {
		n := &d.nodes[i]
		if n.has(flagEscaped) && (Value{d, i}).Is(name) ||
			int(n.end-n.start) == len(name)+2 && string(d.src[n.start+1:n.end-1]) == name && !n.has(flagEscaped) {
			found = i + scalarWidth
		}
		i = d.next(i + scalarWidth)
	}
	if found == 0 {
		return Value{}
	}
	return Value{d, found}
}

// GetAll is Get of several names at once: an object of many members is walked
// through once.
func (v Value) GetAll(names ...string) []Value {
	found := make([]Value, len(names))
	shortest, longest := len(v.Raw()), 0
	for _, name := range names {
		shortest, longest = min(shortest, len(name)), max(longest, len(name))
	}
	for name, value := range v.Members() {
		if !name.fits(shortest, longest) {
			continue
		}
		for i := range names {
			if name.Is(names[i]) {
				found[i] = value
			}
		}
	}
	return found
}

// Index returns an element of an array, or an absent value.
func (v Value) Index(i int) Value {
	if i < 0 || i >= v.Len() {
		return Value{}
	}
	for n, e := range v.Elements() {
		if n == i {
			return e
		}
	}
	return Value{}
}

// At follows a JSON pointer (RFC 6901) from this value; "" is the value
// itself. A pointer that leads nowhere gives an absent value.
func (v Value) At(pointer string) Value {
	for pointer != "" && !v.IsZero() {
		if pointer[0] != '/' {
			return Value{}
		}
		token, rest := pointer[1:], ""
		if i := strings.IndexByte(token, '/'); i >= 0 {
			token, rest = token[:i], token[i:]
		}
		pointer = rest
		switch v.Kind() {
		case Object:
			v = v.Get(unescapeToken(token))
		case Array:
			v = v.Index(arrayIndex(token))
		default:
			return Value{}
		}
	}
	return v
}

// Name is the name of the member that this value is in its object; absent for
// an element, the root and a name.
func (v Value) Name() Value {
	if v.doc == nil {
		return Value{}
	}
	parent := v.node().parent()
	if parent == none || kindAt(v.doc.src, &v.doc.nodes[parent]) != Object {
		return Value{}
	}
	for name, value := range (Value{v.doc, parent}).Members() {
		if value.i == v.i {
			return name
		}
	}
	return Value{}
}

// Pointer is the value's JSON pointer (RFC 6901) from the root. A member
// name's is that of its value.
func (v Value) Pointer() string {
	if v.doc == nil {
		return ""
	}
	return string(v.doc.appendPointer(nil, v.i, none))
}

// PointerFrom is the value's JSON pointer from one that it lies in, its own
// beginning there: of many values in one it saves the way from the root. From a
// value that it does not lie in it is that from the root.
func (v Value) PointerFrom(within Value) string {
	if v.doc == nil {
		return ""
	}
	top := none
	if within.doc == v.doc {
		top = within.i
	}
	return string(v.doc.appendPointer(nil, v.i, top))
}

// appendPointer walks up to top without recursion and writes the tokens
// downwards.
func (d *Doc) appendPointer(dst []byte, i, top uint32) []byte {
	var tokens []string
	for i != top {
		parent := d.nodes[i].parent()
		if parent == none {
			break
		}
		tokens = append(tokens, d.token(parent, i))
		i = parent
	}
	for n := len(tokens) - 1; n >= 0; n-- {
		dst = append(append(dst, '/'), tokens[n]...)
	}
	return dst
}

// token is the pointer token of child i below parent.
func (d *Doc) token(parent, i uint32) string {
	if kindAt(d.src, &d.nodes[parent]) == Array {
		n := 0
		for c := parent + containerWidth; c < i; c = d.next(c) {
			n++
		}
		return strconv.Itoa(n)
	}
	name := parent + containerWidth
	for {
		value := name + scalarWidth
		if name == i || value >= i {
			break
		}
		name = d.next(value)
	}
	return escapeToken(Value{d, name}.String())
}

func escapeToken(s string) string {
	if !strings.ContainsAny(s, "~/") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1")
}

func unescapeToken(s string) string {
	if !strings.Contains(s, "~") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "~1", "/"), "~0", "~")
}

// arrayIndex reads an index token: digits without a leading zero; else -1.
func arrayIndex(token string) int {
	if len(token) > 1 && token[0] == '0' {
		return -1
	}
	for _, c := range []byte(token) {
		if c < '0' || c > '9' {
			return -1
		}
	}
	n, err := strconv.Atoi(token)
	if err != nil {
		return -1
	}
	return n
}

// Package jsonview shows JSON as text that people read: one value a line,
// indented, with parts that fold. What it shows is what was sent: names,
// numbers and strings stand as they are in the source, never encoded anew. Text
// that is no JSON is shown line by line.
//
// The package knows lines and tokens, and nothing of colours, keys or cells.
package jsonview

import (
	"fmt"
	"sort"
	"strings"

	"perch/engine/jsonread"
	"perch/engine/units"
)

// Class says what a token is.
type Class uint8

// The classes of tokens.
const (
	Plain   Class = iota // text that is no JSON, and blanks
	Key                  // a member's name
	String               // a string
	Number               // a number
	Keyword              // true, false, null
	Punct                // brackets, colons, commas
	Note                 // our words in place of what is folded
	Wrong                // not JSON at all
)

// Token is a piece of a line.
type Token struct {
	Text  string
	Class Class
}

// Fold says whether a line can be folded.
type Fold uint8

// The states of folding.
const (
	Leaf   Fold = iota // nothing to fold
	Open               // unfolded
	Folded             // the line stands for all that is within
)

// Line is one line as it is shown.
type Line struct {
	Tokens []Token
	Depth  int // of nesting; the root's line has 0
	Fold   Fold
	Start  int // first byte in the source
	End    int // byte after the last; of a folded line the end of all within
}

// Text is the line's text, without its indent.
func (l Line) Text() string {
	var b strings.Builder
	for _, t := range l.Tokens {
		b.WriteString(t.Text)
	}
	return b.String()
}

// Doc is a text and what of it is folded. It is for one goroutine at a time.
type Doc struct {
	src     string
	json    *jsonread.Doc
	err     *jsonread.Error
	rows    []mark
	folded  map[int]bool
	visible []int32 // rows that are shown; nil: all of them
	lines   []int32 // starts of the lines of text that is no JSON
}

// flatLen is how long a list of scalars may be, in bytes of its source, to
// stand in one line.
const flatLen = 56

// New reads src, which must not be changed afterwards. It reads all of it once;
// what it does later depends on what is in sight alone. Text that is no JSON
// is taken line by line, and Err says why.
func New(src []byte) *Doc {
	d := &Doc{src: string(src), folded: map[int]bool{}}
	d.json, d.err = jsonread.Parse(src)
	if d.err != nil {
		d.lines = []int32{0}
		for i := 0; i < len(d.src); i++ {
			if d.src[i] == '\n' && i+1 < len(d.src) {
				d.lines = append(d.lines, int32(i+1))
			}
		}
		return d
	}
	// Every row but the first follows a comma or a bracket; more of them may
	// stand in strings.
	most := 1 + strings.Count(d.src, ",") + 2*strings.Count(d.src, "{") + 2*strings.Count(d.src, "[")
	d.makeRows(min(most, len(d.src)/2+1))
	return d
}

// Err says why the text is no JSON; nil when it is.
func (d *Doc) Err() *jsonread.Error { return d.err }

// JSON is the parsed text; nil when it is no JSON.
func (d *Doc) JSON() *jsonread.Doc { return d.json }

// Source is the text as it came.
func (d *Doc) Source() string { return d.src }

// preview is the first member of an object when it is short and tells
// something: "name": "shout".
func preview(v jsonread.Value) (from, to int) {
	for name, value := range v.Members() {
		if k := value.Kind(); k != jsonread.Array && k != jsonread.Object && value.End()-name.Start() <= 40 {
			return name.Start(), value.End()
		}
		break
	}
	return 0, 0
}

// shown is the number of the row that line i shows.
func (d *Doc) shown(i int) int {
	if d.visible == nil {
		return i
	}
	return int(d.visible[i])
}

// Len is how many lines there are with what is folded now.
func (d *Doc) Len() int {
	switch {
	case d.err != nil:
		return len(d.lines)
	case d.visible != nil:
		return len(d.visible)
	}
	return len(d.rows)
}

// Line is line i, from 0.
func (d *Doc) Line(i int) Line {
	if d.err != nil {
		return d.plainLine(i)
	}
	return d.rowLine(d.shown(i), true)
}

func (d *Doc) plainLine(i int) Line {
	start, end := int(d.lines[i]), len(d.src)
	if i+1 < len(d.lines) {
		end = int(d.lines[i+1])
	}
	text := strings.TrimSuffix(d.src[start:end], "\n")
	return Line{Tokens: []Token{{Text: text}}, Start: start, End: start + len(text)}
}

func (d *Doc) rowLine(n int, folds bool) Line {
	m, v := d.rows[n], d.value(n)
	kind := v.Kind()
	l := Line{Depth: int(m.about >> depthBit), Start: d.start(n), End: v.End()}
	if name := d.nameOf(v); !name.IsZero() && !m.closes() {
		l.Tokens = append(l.Tokens, Token{d.src[name.Start():name.End()], Key}, Token{": ", Punct})
	}
	opening, closing := "[", "]"
	if kind == jsonread.Object {
		opening, closing = "{", "}"
	}
	switch {
	case m.closes():
		l.Tokens = append(l.Tokens, Token{closing, Punct})
	case m.opens() && folds && d.folded[n]:
		l.Fold = Folded
		l.Tokens = append(l.Tokens, d.summary(v, opening, closing)...)
	case m.opens():
		l.Fold, l.End = Open, v.Start()+1
		l.Tokens = append(l.Tokens, Token{opening, Punct})
		return l
	case kind == jsonread.Array && v.Len() > 0: // flat
		l.Tokens = append(l.Tokens, spaced(Tokens(d.src[v.Start():v.End()]))...)
	case kind == jsonread.Array || kind == jsonread.Object:
		l.Tokens = append(l.Tokens, Token{opening + closing, Punct})
	default:
		l.Tokens = append(l.Tokens, Token{d.src[v.Start():v.End()], classOf(kind)})
	}
	if !v.Last() {
		l.Tokens = append(l.Tokens, Token{",", Punct})
	}
	return l
}

// spaced puts one blank after each comma and colon.
func spaced(tokens []Token) []Token {
	out := tokens[:0]
	var last Token
	for _, t := range tokens {
		if t.Class == Plain {
			continue // the white space of the source
		}
		if last.Text == "," || last.Text == ":" {
			t.Text = " " + t.Text
		}
		out = append(out, t)
		last = t
	}
	return out
}

// summary is what stands for a folded list or object.
func (d *Doc) summary(v jsonread.Value, opening, closing string) []Token {
	out := []Token{{opening + " ", Punct}}
	left := v.Len()
	if from, to := preview(v); to > from && d.nameOf(v).IsZero() {
		out = append(out, spaced(Tokens(d.src[from:to]))...)
		if left--; left == 0 {
			return append(out, Token{" " + closing, Punct})
		}
		out = append(out, Token{", ", Punct}, Token{countOf(left, true, v.Kind()), Note})
		return append(out, Token{" " + closing, Punct})
	}
	note := countOf(left, false, v.Kind()) + ", " + units.Size(v.End()-v.Start())
	return append(out, Token{note, Note}, Token{" " + closing, Punct})
}

func countOf(n int, more bool, kind jsonread.Kind) string {
	word := "item"
	if kind == jsonread.Object {
		word = "member"
	}
	if n != 1 {
		word += "s"
	}
	if more {
		word = "more " + word
	}
	return commas(n) + " " + word
}

func commas(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func classOf(k jsonread.Kind) Class {
	switch k {
	case jsonread.String:
		return String
	case jsonread.Number:
		return Number
	}
	return Keyword
}

// Pointer is the JSON pointer (RFC 6901) of the value that line i shows; of a
// closing bracket that of the list or object. It is "" for the root and for
// text that is no JSON.
func (d *Doc) Pointer(i int) string { return d.Value(i).Pointer() }

// Value is the value that line i shows; absent for text that is no JSON.
func (d *Doc) Value(i int) jsonread.Value {
	if d.err != nil {
		return jsonread.Value{}
	}
	return d.value(d.shown(i))
}

// LineAt is the line that shows the byte at offset, or the folded line that
// hides it. Bytes between values belong to the line before them.
func (d *Doc) LineAt(offset int) int {
	if d.err != nil {
		return max(sort.Search(len(d.lines), func(i int) bool { return int(d.lines[i]) > offset })-1, 0)
	}
	n := sort.Search(d.Len(), func(i int) bool { return d.start(d.shown(i)) > offset })
	return max(n-1, 0)
}

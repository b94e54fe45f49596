package compare

import (
	"bytes"
	"hash/maphash"
	"strconv"
	"strings"

	"perch/engine/jsonread"
)

// Change is a difference of two JSON values.
type Change struct {
	Kind    Kind
	Pointer string         // in the first value; of what was added, in the second
	A, B    jsonread.Value // absent on the side that has none
}

// JSON compares two values of two texts and lists at most so many changes, in
// the order of the first value; more is how many are not listed. Elements of
// lists are matched by what they say, so that one inserted at the front is one
// change. Time and memory grow with the texts alone.
func JSON(a, b jsonread.Value, most int) (changes []Change, more int) {
	d := differ{most: most, seed: maphash.MakeSeed()}
	d.todo = []pair{{a, b, nil}}
	for len(d.todo) > 0 {
		p := d.todo[len(d.todo)-1]
		d.todo = d.todo[:len(d.todo)-1]
		d.pair(p)
	}
	return d.changes, d.more
}

// path is the way to a value, from it upwards.
type path struct {
	up   *path
	name string // of a member
	at   int    // of an element
	list bool
}

func (p *path) String() string {
	var tokens []string
	for ; p != nil; p = p.up {
		if p.list {
			tokens = append(tokens, strconv.Itoa(p.at))
		} else {
			tokens = append(tokens, strings.NewReplacer("~", "~0", "/", "~1").Replace(p.name))
		}
	}
	var b strings.Builder
	for i := len(tokens) - 1; i >= 0; i-- {
		b.WriteByte('/')
		b.WriteString(tokens[i])
	}
	return b.String()
}

type pair struct {
	a, b jsonread.Value
	path *path
}

type differ struct {
	most    int
	todo    []pair // the last one is next
	changes []Change
	more    int
	seed    maphash.Seed
	a, b    map[int]uint64 // hashes of lists and objects by their start, when wanted
}

func (d *differ) add(k Kind, p *path, a, b jsonread.Value) {
	if len(d.changes) >= d.most {
		d.more++
		return
	}
	d.changes = append(d.changes, Change{k, p.String(), a, b})
}

func (d *differ) pair(p pair) {
	a, b := p.a, p.b
	switch {
	case a.IsZero() && b.IsZero():
	case a.IsZero():
		d.add(Added, p.path, a, b)
	case b.IsZero():
		d.add(Removed, p.path, a, b)
	case bytes.Equal(a.Raw(), b.Raw()):
	case a.Kind() == jsonread.Object && b.Kind() == jsonread.Object:
		d.objects(p)
	case a.Kind() == jsonread.Array && b.Kind() == jsonread.Array:
		d.lists(p)
	case a.Kind() == b.Kind() && a.Equal(b):
		d.add(Respelled, p.path, a, b)
	case moving(p.path, a, b):
		d.add(Moving, p.path, a, b)
	default:
		d.add(Changed, p.path, a, b)
	}
}

// objects compares members by name; of doubled names the last one counts.
func (d *differ) objects(p pair) {
	inB := make(map[string]int, p.b.Len())
	var names []string
	var values []jsonread.Value
	for name, v := range p.b.Members() {
		text := name.String()
		if i, ok := inB[text]; ok {
			values[i] = v
			continue
		}
		inB[text] = len(values)
		names, values = append(names, text), append(values, v)
	}
	lastA := make(map[string]jsonread.Value, p.a.Len())
	for name, v := range p.a.Members() {
		lastA[name.String()] = v
	}
	from := len(d.todo)
	last, moved := -1, false
	for name, v := range p.a.Members() {
		text := name.String()
		if lastA[text] != v {
			continue
		}
		child := &path{up: p.path, name: text}
		i, ok := inB[text]
		if !ok {
			d.todo = append(d.todo, pair{v, jsonread.Value{}, child})
			continue
		}
		moved = moved || i < last
		last = i
		if !bytes.Equal(v.Raw(), values[i].Raw()) {
			d.todo = append(d.todo, pair{v, values[i], child})
		}
	}
	for i, name := range names {
		if _, ok := lastA[name]; !ok {
			d.todo = append(d.todo, pair{jsonread.Value{}, values[i], &path{up: p.path, name: name}})
		}
	}
	d.turn(from)
	if moved {
		d.add(Reordered, p.path, p.a, p.b)
	}
}

// turn puts what was added last in the order in which it is to be taken.
func (d *differ) turn(from int) {
	for i, j := from, len(d.todo)-1; i < j; i, j = i+1, j-1 {
		d.todo[i], d.todo[j] = d.todo[j], d.todo[i]
	}
}

// maxEdits is how many edits are looked for between two lists or texts, before
// what lies between their equal ends counts as replaced.
const maxEdits = 1_000

// lists matches the elements of two lists by their hashes. What stands between
// two matches is held against each other one by one.
func (d *differ) lists(p pair) {
	a, b := elements(p.a), elements(p.b)
	if d.a == nil {
		d.a, d.b = map[int]uint64{}, map[int]uint64{}
	}
	from := len(d.todo)
	doneA, doneB := 0, 0
	gap := func(toA, toB int) {
		for doneA < toA || doneB < toB {
			q := pair{path: &path{up: p.path, list: true}}
			if doneB < toB {
				q.b, q.path.at = b[doneB], doneB
				doneB++
			}
			if doneA < toA {
				q.a, q.path.at = a[doneA], doneA
				doneA++
			}
			d.todo = append(d.todo, q)
		}
	}
	matches, _ := align(d.ids(a, d.a), d.ids(b, d.b), maxEdits)
	for _, m := range matches {
		gap(m.a, m.b)
		for i := range m.n {
			if x, y := a[m.a+i], b[m.b+i]; !bytes.Equal(x.Raw(), y.Raw()) {
				d.todo = append(d.todo, pair{x, y, &path{up: p.path, at: m.a + i, list: true}})
			}
		}
		doneA, doneB = m.a+m.n, m.b+m.n
	}
	gap(len(a), len(b))
	d.turn(from)
}

func elements(v jsonread.Value) []jsonread.Value {
	all := make([]jsonread.Value, 0, v.Len())
	for _, e := range v.Elements() {
		all = append(all, e)
	}
	return all
}

func (d *differ) ids(all []jsonread.Value, known map[int]uint64) []uint64 {
	ids := make([]uint64, len(all))
	for i, v := range all {
		ids[i] = d.hash(v, known)
	}
	return ids
}

// hash is the same for values that say the same. Nobody can bring about that it
// is the same for others, as its seed is new each time; where it is by chance,
// they are compared all the same.
func (d *differ) hash(v jsonread.Value, known map[int]uint64) uint64 {
	if h, ok := known[v.Start()]; ok {
		return h
	}
	var h maphash.Hash
	h.SetSeed(d.seed)
	h.WriteByte(byte(v.Kind()))
	switch v.Kind() {
	case jsonread.Number:
		h.Write(v.AppendNumber(nil))
	case jsonread.String:
		h.WriteString(v.String())
	case jsonread.Array:
		for _, e := range v.Elements() {
			writeSum(&h, d.hash(e, known))
		}
	case jsonread.Object:
		sum := uint64(0) // of its members, in whatever order
		for name, e := range v.Members() {
			var m maphash.Hash
			m.SetSeed(d.seed)
			m.WriteString(name.String())
			writeSum(&m, d.hash(e, known))
			sum += m.Sum64()
		}
		writeSum(&h, sum)
	default:
		return h.Sum64()
	}
	sum := h.Sum64()
	if v.Kind() == jsonread.Array || v.Kind() == jsonread.Object {
		known[v.Start()] = sum
	}
	return sum
}

func writeSum(h *maphash.Hash, n uint64) {
	var b [8]byte
	for i := range b {
		b[i] = byte(n >> (8 * i))
	}
	h.Write(b[:])
}

// moving reports whether two values are such as differ in every call: both a
// time, or both a UUID. That they are is our reading of how they look.
func moving(p *path, a, b jsonread.Value) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case jsonread.String:
		x, y := a.String(), b.String()
		return isTime(x) && isTime(y) || isUUID(x) && isUUID(y)
	case jsonread.Number:
		return p != nil && !p.list && namesTime(p.name) && isEpoch(a) && isEpoch(b)
	}
	return false
}

// isTime reports whether a text is a date with a time, as RFC 3339 has it.
func isTime(s string) bool {
	const form = "dddd-dd-ddTdd:dd"
	return len(s) >= len(form) && len(s) <= 40 && like(s[:len(form)], form)
}

func isUUID(s string) bool {
	const form = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"
	return len(s) == len(form) && like(s, form)
}

// like holds a text against a form: d is a digit, x a hexadecimal one, T a T or
// a blank.
func like(s, form string) bool {
	for i := range len(form) {
		c := s[i]
		digit := c >= '0' && c <= '9'
		ok := c == form[i]
		switch form[i] {
		case 'd':
			ok = digit
		case 'x':
			ok = digit || c|0x20 >= 'a' && c|0x20 <= 'f'
		case 'T':
			ok = c == 'T' || c == 't' || c == ' '
		}
		if !ok {
			return false
		}
	}
	return true
}

func namesTime(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "time") || strings.Contains(name, "date") || strings.Contains(name, "stamp") ||
		name == "ts" || strings.HasSuffix(name, "_at") || name == "now"
}

// isEpoch reports whether a number can be a moment of this time, in seconds or
// in thousandths of them.
func isEpoch(v jsonread.Value) bool {
	whole, _, _ := strings.Cut(string(v.Raw()), ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	const from, to = 1_500_000_000, 4_000_000_000
	return err == nil && (n >= from && n < to || n >= from*1000 && n < to*1000)
}

package result

import (
	"sort"
	"strings"

	"perch/inspect/jsonview"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/find"
	"perch/ui/syntax"
)

// body is a text of any length as rows of a width: it is read once, and drawing
// costs what is in sight.
type body struct {
	text string
	role themes.Role
	json bool  // it looks like JSON, and is coloured so
	rows []row // in order
	w    int
	all  hits // what is searched for in it
}

// row is where a row begins: the start of a line, or the place where one that is
// too long is broken.
type row struct {
	at     int32
	broken bool // it goes on with the line of the row before
	quoted bool // it begins within a string of JSON
}

// newBody breaks a text at w cells. Characters are never split.
func newBody(k *cell.Look, text string, w int, role themes.Role, colour bool) *body {
	b := &body{text: text, role: role, w: max(w, 2)}
	if colour {
		trimmed := strings.TrimLeft(text, " \t\r\n")
		b.json = strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[")
	}
	for at := 0; ; {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			b.line(k, at, len(text))
			return b
		}
		b.line(k, at, at+end)
		at += end + 1
	}
}

// line adds the rows of a line.
func (b *body) line(k *cell.Look, from, to int) {
	b.rows = append(b.rows, row{at: int32(from)})
	if to-from <= b.w && plain(b.text[from:to]) {
		return
	}
	cells, start := 0, from
	var in inString
	for u := range k.Text.Units(b.text[from:to]) {
		if at := from + u.Start; cells+u.Width > b.w && at > start {
			b.rows = append(b.rows, row{at: int32(at), broken: true, quoted: b.json && bool(in)})
			cells, start = 0, at
		}
		cells += u.Width
		if b.json {
			in.take(u.Text, b.text, from+u.Start)
		}
	}
}

// inString says whether a place is within a string of JSON.
type inString bool

func (in *inString) take(shown, text string, at int) {
	if shown != `"` {
		return
	}
	slashes := 0
	for i := at - 1; i >= 0 && text[i] == '\\'; i-- {
		slashes++
	}
	if slashes%2 == 0 {
		*in = !*in
	}
}

// plain reports whether each byte of a text is one cell.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// part is the text of a row.
func (b *body) part(i int) (from, to int) {
	from, to = int(b.rows[i].at), len(b.text)
	if i+1 < len(b.rows) {
		if to = int(b.rows[i+1].at); !b.rows[i+1].broken {
			to-- // the line feed
		}
	}
	return from, to
}

// draw adds a row to a line.
func (b *body) draw(l *cell.Line, i int) {
	from, to := b.part(i)
	part := b.text[from:to]
	if !b.json {
		b.all.add(l, cell.Fg(b.role), part, from)
		return
	}
	st := cell.Fg(syntax.JSON(jsonview.String))
	if b.rows[i].quoted {
		n := closing(part)
		b.all.add(l, st, part[:n], from)
		part, from = part[n:], from+n
	}
	for _, t := range jsonview.Tokens(part) {
		b.all.add(l, cell.Fg(syntax.JSON(t.Class)), t.Text, from)
		from += len(t.Text)
	}
}

// closing is the length of the rest of a string of JSON.
func closing(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// rowOf is the row of a byte.
func (b *body) rowOf(at int) int {
	return max(sort.Search(len(b.rows), func(i int) bool { return int(b.rows[i].at) > at })-1, 0)
}

// hits are the places in a text that match, in order and apart.
type hits [][2]int32

// maxHits is how many matches of one text are known.
const maxHits = 100_000

// search looks through the text.
func (b *body) search(f *find.Finder) { b.all = places(b.text, f) }

// places are where a text matches what is looked for.
func places(text string, f *find.Finder) (out hits) {
	if f.Matcher == nil {
		return nil
	}
	src := []byte(text)
	for at := 0; at < len(src) && len(out) < maxHits; {
		from, to := f.Matcher(src[at:])
		if from < 0 || to <= from {
			break
		}
		out = append(out, [2]int32{int32(at + from), int32(at + to)})
		at += to
	}
	return out
}

// within are the matches in a part of the text, counted from its start.
func (h hits) within(from, to int) (out [][2]int) {
	i := sort.Search(len(h), func(i int) bool { return int(h[i][1]) > from })
	for ; i < len(h) && int(h[i][0]) < to; i++ {
		out = append(out, [2]int{max(int(h[i][0]), from) - from, min(int(h[i][1]), to) - from})
	}
	return out
}

// add adds a part of the text, which begins at a byte, with its matches marked.
func (h hits) add(l *cell.Line, st cell.Style, part string, from int) {
	if at := h.within(from, from+len(part)); len(at) > 0 {
		l.Marked(st, part, at, cell.Fg(themes.Match).With(themes.Reverse))
		return
	}
	l.Text(st, part)
}

// bodyRows is a text as the rows of a list.
type bodyRows struct{ *body }

// Len implements list.Source.
func (r bodyRows) Len() int { return len(r.rows) }

// Row implements list.Source.
func (r bodyRows) Row(i, _ int) cell.Line {
	var l cell.Line
	r.draw(&l, i)
	return l
}

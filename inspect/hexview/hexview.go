// Package hexview shows bytes as rows of an offset, hexadecimal digits and
// text, with a row of ^^ below the bytes that something points at. It reads
// what is in sight and nothing else.
//
// The package knows rows and bytes, and nothing of colours, keys or cells.
package hexview

import (
	"fmt"
	"io"
	"sort"
	"strings"
)

// Source has the bytes.
type Source interface {
	io.ReaderAt
	// Size is their number.
	Size() int64
}

// Range is bytes of the source, from From to before To.
type Range struct{ From, To int64 }

// View is a source cut into rows.
type View struct {
	src   Source
	base  int64
	per   int64
	marks []Range // in order, apart
	under []span  // rows that have a row of ^^ below, in order, apart
}

// span is rows of bytes from first to last; before is how many there are in the
// spans before it.
type span struct{ first, last, before int64 }

// New views src. base is what the first byte's offset is said to be: where the
// source stands in something larger.
func New(src Source, base int64) *View { return &View{src: src, base: base, per: 8} }

// PerRow is how many bytes stand in a row of a pane of w cells: 8, 16 from 76
// cells on, 32 from 140 on.
func PerRow(w int) int {
	switch {
	case w >= 140:
		return 32
	case w >= 76:
		return 16
	}
	return 8
}

// SetWidth chooses the bytes a row for a pane of w cells.
func (v *View) SetWidth(w int) {
	v.per = int64(PerRow(w))
	for v.per > 8 && v.Cells() > w {
		v.per /= 2 // the offsets are long ones
	}
	v.index()
}

// Cells is how many cells a row takes: a blank, the offset, two blanks, the
// digits, three blanks, the text.
func (v *View) Cells() int { return 1 + v.digits() + 2 + int(v.per)*3 - 1 + 3 + int(v.per) }

// Bytes is how many bytes stand in a row.
func (v *View) Bytes() int { return int(v.per) }

// Mark points at ranges of bytes, counted from the source's start. Ranges that
// are outside of it are ignored.
func (v *View) Mark(ranges []Range) {
	v.marks = nil
	sorted := append([]Range(nil), ranges...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].From < sorted[j].From })
	for _, r := range sorted {
		r.From, r.To = max(r.From, 0), min(r.To, v.src.Size())
		if r.From >= r.To {
			continue
		}
		if n := len(v.marks); n > 0 && r.From <= v.marks[n-1].To {
			v.marks[n-1].To = max(v.marks[n-1].To, r.To)
			continue
		}
		v.marks = append(v.marks, r)
	}
	v.index()
}

// index finds the rows that are marked, so that none is looked for again.
func (v *View) index() {
	v.under = v.under[:0]
	for _, m := range v.marks {
		first, last := m.From/v.per, (m.To-1)/v.per
		n := len(v.under)
		if n > 0 && first <= v.under[n-1].last+1 {
			v.under[n-1].last = max(v.under[n-1].last, last)
			continue
		}
		before := int64(0)
		if n > 0 {
			u := v.under[n-1]
			before = u.before + u.last - u.first + 1
		}
		v.under = append(v.under, span{first, last, before})
	}
}

// rows are the rows of bytes.
func (v *View) rows() int64 { return (v.src.Size() + v.per - 1) / v.per }

// markedBefore is how many of the rows before row n have a row of ^^ below.
func (v *View) markedBefore(n int64) int64 {
	i := sort.Search(len(v.under), func(i int) bool { return v.under[i].first >= n })
	if i == 0 {
		return 0
	}
	u := v.under[i-1]
	return u.before + min(u.last, n-1) - u.first + 1
}

// Len is how many rows there are, those of ^^ included.
func (v *View) Len() int {
	n := v.rows()
	return int(n + v.markedBefore(n))
}

// row is the row of bytes that line i shows, or stands below.
func (v *View) row(i int) (n int64, marks bool) {
	// Lines before row n are n and the marked ones among them, which grow
	// together: search for the last row that begins at or before line i.
	n = int64(sort.Search(int(v.rows()), func(n int) bool {
		return int64(n)+v.markedBefore(int64(n)) > int64(i)
	})) - 1
	return n, n+v.markedBefore(n) != int64(i)
}

// LineAt is the line that shows the byte at an offset from the source's start.
func (v *View) LineAt(offset int64) int {
	n := max(min(offset/v.per, v.rows()-1), 0)
	return int(n + v.markedBefore(n))
}

// Byte is one byte of a row.
type Byte struct {
	Value  byte
	Text   string // as text, one cell: the character, ␊ ␍ ␉ ␛, or ·
	Marked bool
}

// Row is one line.
type Row struct {
	Start  int64  // of its first byte, from the source's start
	Offset string // of its first byte, in hexadecimal
	Bytes  []Byte
	Marks  bool  // a row of ^^ below the bytes; they are those of the row above
	Err    error // the bytes could not be read
}

// digits is how wide the offset is: at least 5.
func (v *View) digits() int {
	return max(len(fmt.Sprintf("%x", v.base+max(v.src.Size()-1, 0))), 5)
}

// Row is line i, from 0.
func (v *View) Row(i int) Row {
	n, marks := v.row(i)
	start := n * v.per
	r := Row{Start: start, Marks: marks, Offset: fmt.Sprintf("%0*x", v.digits(), v.base+start)}
	buf := make([]byte, min(v.per, v.src.Size()-start))
	got, err := v.src.ReadAt(buf, start)
	if got < len(buf) {
		r.Err = fmt.Errorf("reading %d bytes at %d: %w", len(buf), start, err)
	}
	for k, c := range buf[:got] {
		r.Bytes = append(r.Bytes, Byte{Value: c, Text: text(c), Marked: v.marked(start + int64(k))})
	}
	return r
}

func (v *View) marked(offset int64) bool {
	k := sort.Search(len(v.marks), func(i int) bool { return v.marks[i].To > offset })
	return k < len(v.marks) && v.marks[k].From <= offset
}

// text is a byte as one cell of text.
func text(c byte) string {
	switch {
	case c == '\n':
		return "␊"
	case c == '\r':
		return "␍"
	case c == '\t':
		return "␉"
	case c == 0x1b:
		return "␛"
	case c >= ' ' && c < 0x7f:
		return string(rune(c))
	}
	return "·"
}

// Hex is a row's digits, or its ^^, without the offset and the text.
func (r Row) Hex() string {
	var b strings.Builder
	for i, c := range r.Bytes {
		if i > 0 {
			b.WriteByte(' ')
		}
		switch {
		case !r.Marks:
			fmt.Fprintf(&b, "%02x", c.Value)
		case c.Marked:
			b.WriteString("^^")
		default:
			b.WriteString("  ")
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// Text is a row's bytes as text; "" for a row of ^^.
func (r Row) Text() string {
	if r.Marks {
		return ""
	}
	var b strings.Builder
	for _, c := range r.Bytes {
		b.WriteString(c.Text)
	}
	return b.String()
}

// Head names the columns: the offsets within a row.
func (v *View) Head() string {
	var b strings.Builder
	for i := range v.per {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%2x", i)
	}
	return b.String()
}

package findings

import (
	"fmt"
	"io"
	"strings"

	"perch/engine/event"
	"perch/inspect/hexview"
	"perch/inspect/record"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/excerpt"
	"perch/ui/list"
	"perch/ui/words"
)

// Bytes are what a finding points at: the line, or the file, and the places in
// it.
type Bytes struct {
	Source hexview.Source // the whole line, or file
	Base   int64          // offset of its first byte in the stream or file
	Name   string         // what it is: "line 2 on stdout", "module.wasm"
	Line   int            // number of the first line, 0: it has none
	Binary bool           // it is no text
	Role   themes.Role
	Marks  []hexview.Range // in Source, the finding's own place first
}

// files are at most so long that they are shown as text.
const maxText = 1 << 20

// At finds the bytes that a finding points at. run is the run that it is of,
// nil for none; file gives the bytes of a file of the package by its name, nil
// when they are not at hand.
func At(f rules.Finding, run *record.Run, file func(name string) []byte) (Bytes, bool) {
	w := f.Where
	if w.Stream == event.File {
		return inFile(f, file)
	}
	if run == nil || run.ID() != f.RunID {
		return Bytes{}, false
	}
	if w.Stream == "" {
		return inRequest(f, run)
	}
	s := run.Stream(w.Stream)
	if w.Offset > s.Len() {
		return Bytes{}, false
	}
	b := Bytes{Base: w.Offset, Line: w.Line, Role: roleOf(w.Stream)}
	end := max(w.End, w.Offset)
	l, ok := s.Line(int64(w.Line))
	if ok {
		b.Base, end = min(l.Offset, w.Offset), max(end, l.Offset+l.Len)
		if l.Newline {
			end = max(end, l.Offset+l.Len+1)
		}
	}
	end = min(end, s.Len())
	b.Name = string(w.Stream)
	if w.Line > 0 {
		b.Name = fmt.Sprintf("line %s on %s", words.Count(w.Line), w.Stream)
	}
	b.Source = part{s, b.Base, end - b.Base}
	b.mark(f)
	return b, b.Source.Size() > 0
}

func inFile(f rules.Finding, file func(string) []byte) (Bytes, bool) {
	if file == nil {
		return Bytes{}, false
	}
	all := file(f.Where.File)
	if len(all) == 0 || f.Where.Offset > int64(len(all)) {
		return Bytes{}, false
	}
	b := Bytes{Source: excerpt.Bytes(all), Name: f.Where.File, Line: 1, Role: themes.File,
		Binary: len(all) > maxText || !strings.HasSuffix(f.Where.File, ".json")}
	if w := &f.Where; w.Pointer != "" && w.End <= w.Offset+1 && w.Offset < int64(len(all)) && !b.Binary {
		w.End = w.Offset + tokenLen(all[w.Offset:]) // the member as a whole
	}
	b.mark(f)
	return b, true
}

func roleOf(s event.Stream) themes.Role {
	switch s {
	case event.Stdin:
		return themes.ToModule
	case event.Stderr:
		return themes.Stderr
	}
	return themes.FromModule
}

// mark marks the finding's places that lie in the bytes.
func (b *Bytes) mark(f rules.Finding) {
	n := b.Source.Size()
	for _, w := range append([]event.Where{f.Where}, f.Also...) {
		from, to := w.Offset-b.Base, w.End-b.Base
		if w.Stream == f.Where.Stream && w.File == f.Where.File && from >= 0 && from <= n {
			b.Marks = append(b.Marks, hexview.Range{From: from, To: min(max(to, from), n)})
		}
	}
}

// part is a part of a stream.
type part struct {
	s      *record.Stream
	off, n int64
}

func (p part) Size() int64 { return p.n }

func (p part) ReadAt(b []byte, off int64) (int, error) {
	if off >= p.n {
		return 0, io.EOF
	}
	short := off+int64(len(b)) > p.n
	if short {
		b = b[:p.n-off]
	}
	n, err := p.s.ReadAt(b, p.off+off)
	if err == nil && short {
		err = io.EOF
	}
	return n, err
}

// around is how many bytes before and behind a place an excerpt shows at most,
// and aroundLines how many lines.
const (
	around      = 200
	aroundLines = 3
)

// Excerpt is the part of the bytes around the place, for w cells: text with ^
// below the bytes, or some rows in hexadecimal.
func (b Bytes) Excerpt(k *cell.Look, caption string, w int) []cell.Line {
	if b.Source == nil || b.Source.Size() == 0 {
		return nil
	}
	if b.Binary {
		return b.hexRows(k, w)
	}
	first := int64(0)
	if len(b.Marks) > 0 {
		first = b.Marks[0].From
	}
	from, to := max(first-around, 0), b.Source.Size()
	if len(b.Marks) > 0 {
		to = min(to, max(min(b.Marks[0].To, first+maxMarked), first)+around)
	}
	text := make([]byte, to-from)
	n, _ := b.Source.ReadAt(text, from) // what is no longer kept is not shown
	text = text[:n]
	cutFront, cutEnd := from > 0, to < b.Source.Size()
	var marks []excerpt.Mark
	for i, m := range b.Marks {
		if m.To < from || m.From > to {
			continue
		}
		mark := excerpt.Mark{From: int(m.From - from), To: int(min(m.To, to) - from)}
		if i == 0 {
			mark.Caption = caption
		}
		marks = append(marks, mark)
	}
	return drawLines(k, b.Role, string(text), marks, cutFront, cutEnd, w)
}

// maxMarked is how many marked bytes an excerpt shows at most.
const maxMarked = 1 << 10

// drawLines draws a text of several lines: those around the first mark alone.
func drawLines(k *cell.Look, role themes.Role, text string, marks []excerpt.Mark, cutFront, cutEnd bool, w int) []cell.Line {
	lines := strings.SplitAfter(text, "\n")
	if n := len(lines); n > 1 && lines[n-1] == "" {
		lines = lines[:n-1]
	}
	at, hit := 0, 0
	if len(marks) > 0 {
		for i, pos := 0, 0; i < len(lines); i++ {
			if marks[0].From >= pos {
				hit = i
			}
			pos += len(lines[i])
		}
	}
	var out []cell.Line
	for i, line := range lines {
		body, ended := strings.CutSuffix(line, "\n")
		var here []excerpt.Mark
		for _, m := range marks {
			if m.From <= at+len(line) && m.To >= at && (m.From < at+len(line) || i == len(lines)-1) {
				here = append(here, excerpt.Mark{From: max(m.From-at, 0), To: m.To - at, Caption: m.Caption})
			}
		}
		at += len(line)
		if len(marks) > 0 && (i < hit-aroundLines || i > hit+aroundLines && len(here) == 0) {
			continue
		}
		if i == 0 && cutFront {
			body, here = shift(body, here)
		}
		if i == len(lines)-1 && cutEnd {
			body += "…"
		}
		out = append(out, excerpt.Text{Look: k, Role: role, W: w, Marks: here}.Rows(body, ended)...)
	}
	return out
}

// shift puts … in front of a text that is cut there.
func shift(text string, marks []excerpt.Mark) (string, []excerpt.Mark) {
	for len(text) > 0 && text[0]&0xC0 == 0x80 { // not within a character
		text = text[1:]
		for i := range marks {
			marks[i].From, marks[i].To = max(marks[i].From-1, 0), max(marks[i].To-1, 0)
		}
	}
	for i := range marks {
		marks[i].From, marks[i].To = marks[i].From+len("…"), marks[i].To+len("…")
	}
	return "…" + text, marks
}

// hexRows are the rows around the place, with those of ^^.
func (b Bytes) hexRows(k *cell.Look, w int) []cell.Line {
	const above, below = 1, 4
	body, _, first := b.Hex(k, w)
	var out []cell.Line
	for i := max(first-above, 0); i < min(first+below, body.Len()); i++ {
		out = append(out, body.Row(i, w))
	}
	return out
}

// Hex are all the bytes in hexadecimal for a pane of w cells: the rows, the row
// above them, and the row to be seen first.
func (b Bytes) Hex(k *cell.Look, w int) (body list.Source, head cell.Line, first int) {
	marks := make([]hexview.Range, len(b.Marks))
	for i, m := range b.Marks {
		marks[i] = hexview.Range{From: m.From, To: max(m.To, m.From+1)}
	}
	return excerpt.Hex(k, b.Source, b.Base, marks, w)
}

// Part is the line around the place, at most some KiB of it, and the offset of
// its first byte, for reports.
func (b Bytes) Part() (line []byte, at int64, ok bool) {
	const most = 4 << 10
	first := int64(0)
	if len(b.Marks) > 0 {
		first = b.Marks[0].From
	}
	from := max(first-most/2, 0)
	line = make([]byte, min(b.Source.Size()-from, most))
	n, _ := b.Source.ReadAt(line, from)
	line = line[:n]
	if i := strings.LastIndexByte(string(line[:min(first-from, int64(n))]), '\n'); i >= 0 {
		line, from = line[i+1:], from+int64(i)+1
	}
	if i := strings.IndexByte(string(line), '\n'); i >= 0 {
		line = line[:i]
	}
	return line, b.Base + from, n > 0
}

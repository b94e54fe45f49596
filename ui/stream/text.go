package stream

import (
	"fmt"
	"io"
	"unicode/utf8"

	"perch/engine/event"
	"perch/inspect/jsonview"
	"perch/inspect/record"
	"perch/inspect/safe"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/excerpt"
	"perch/ui/list"
	"perch/ui/prose"
	"perch/ui/syntax"
	"perch/ui/words"
)

// Limits of what a detail reads of one row, in bytes.
const (
	textWindow = excerpt.Window // of a text, around what is pointed at
	maxPretty  = 8 << 20        // of a text that is shown as JSON
	maxEager   = 256 << 10      // the same while the row is chosen by following
)

// section is a part of a stream as bytes for hex.
type section struct {
	s   *record.Stream
	off int64
	n   int64
}

func (s section) ReadAt(p []byte, off int64) (int, error) {
	if off >= s.n {
		return 0, io.EOF
	}
	short := off+int64(len(p)) > s.n
	if short {
		p = p[:s.n-off]
	}
	n, err := s.s.ReadAt(p, s.off+off)
	if err == nil && short {
		err = io.EOF
	}
	return n, err
}

func (s section) Size() int64 { return s.n }

// unfolded is how many lines of JSON are shown before folding begins.
const unfolded = 400

// jsonBody is a list or an object as JSON that folds; nil when a text is none,
// or is longer than most bytes.
func jsonBody(b []byte, most int) *jsonview.Doc {
	if len(b) > most || !looksJSON(b) {
		return nil
	}
	d := jsonview.New(b)
	if d.Err() != nil {
		return nil
	}
	d.Fit(unfolded)
	return d
}

// looksJSON reports whether a text may be a list or an object of JSON.
func looksJSON(b []byte) bool {
	for _, c := range b {
		switch c {
		case ' ', '\t', '\r', '\n':
			continue
		}
		return c == '{' || c == '['
	}
	return false
}

// air stays free between what wraps and the scroll bar.
const air = 1

// label is a row of a name in its column of 12 cells and a text that wraps
// behind it.
func label(k *cell.Look, name string, role themes.Role, text string, w int) []cell.Line {
	const at = 12
	var l cell.Line
	l.Own(cell.Fg(themes.Muted), name)
	return prose.Hanging(k, l, min(at, max(w/2, 1)), role, text, w-air)
}

// sentences are words of ours in rows.
func sentences(k *cell.Look, role themes.Role, text string, w int) []cell.Line {
	var out []cell.Line
	for _, l := range prose.Text(k, role, text, w+1-air) {
		out = append(out, dedent(l))
	}
	return out
}

// dedent takes the blank off that prose puts in front: a list has a cell for
// its sign there.
func dedent(l cell.Line) cell.Line {
	if len(l.Spans) > 0 && l.Spans[0].Text == "" && l.Spans[0].Width == 1 {
		l.Spans = l.Spans[1:]
	}
	return l
}

// lineSize is the size of a line as a detail tells it.
func lineSize(n int64, newline bool) string {
	if newline {
		return words.Bytes(n) + " and ␊"
	}
	return words.Bytes(n) + ", no newline"
}

// columnSize is a size that fits into 8 cells.
func columnSize(n int64) string {
	s := words.Size(n)
	if len(s) > 8 {
		for _, u := range []struct {
			size int64
			name string
		}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
			if n >= u.size {
				return fmt.Sprintf("%d %s", n/u.size, u.name)
			}
		}
	}
	return s
}

// head is the start of a text, at most n bytes, not within a character.
func headOf(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// lineReader reads the lines of a stream one after the other at little cost:
// it keeps a window of lines and of their bytes.
type lineReader struct {
	s     *record.Stream
	lines []record.Line
	buf   []byte
	off   int64 // of buf in the stream
}

const (
	readLines = 256
	readBytes = 256 << 10
)

// line is the line with a number, from 1; more than one call in a row costs
// little when the numbers grow.
func (r *lineReader) line(number int64) (record.Line, bool) {
	if n := len(r.lines); n > 0 && number >= r.lines[0].Number && number <= r.lines[n-1].Number {
		if l := r.lines[number-r.lines[0].Number]; l.Newline {
			return l, true
		}
	}
	r.lines = r.lines[:0]
	r.s.Range(number, func(l record.Line) bool {
		r.lines = append(r.lines, l)
		return len(r.lines) < readLines
	})
	if len(r.lines) == 0 || r.lines[0].Number != number {
		return record.Line{}, false
	}
	return r.lines[0], true
}

// bytes are at most n bytes of the stream from off; they are valid until the
// next call.
func (r *lineReader) bytes(off, n int64) []byte {
	if _, gone := r.s.Dropped(); off < gone {
		return nil
	}
	if off < r.off || off+n > r.off+int64(len(r.buf)) {
		r.off, r.buf = off, r.s.Bytes(off, int(max(n, readBytes)))
		if len(r.buf) == 0 {
			return nil
		}
	}
	from := off - r.off
	return r.buf[from:min(from+n, int64(len(r.buf)))]
}

// sectionOf is a line of a stream as a section.
func sectionOf(run *record.Run, s event.Stream, off, n int64) section {
	return section{run.Stream(s), off, n}
}

// jsonRows are the rows of a document.
func jsonRows(d *jsonview.Doc) list.Source { return syntax.JSONRows{Doc: d} }

// safeText is bytes as text that can be pasted into a terminal.
func safeText(b []byte) string { return safe.Text(string(b)) }

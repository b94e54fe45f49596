package stream

import (
	"fmt"
	"strings"
	"unicode/utf8"

	difference "perch/inspect/compare"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/excerpt"
	"perch/ui/list"
	"perch/ui/prose"
	"perch/ui/words"
)

// Was is a file as it was before a run.
type Was struct {
	Known bool // it is known whether there was such a file
	There bool // there was
	Size  int64
	Data  []byte
	Kept  bool // Data is its content
}

// before is a file as it was before the run that is shown.
func (c *files) before(s *fileState) Was {
	if c.Before == nil || c.run == nil || s.folder {
		return Was{}
	}
	return c.Before(c.run.ID(), s.path)
}

// diffable reports whether there may be a difference to show.
func (c *files) diffable(s *fileState) bool {
	return !s.folder && s.sign() != " " && c.before(s).Known
}

// maxDiff is how many bytes of a file are compared line by line in the time of
// a key.
const maxDiff = 256 << 10

// diffBody shows what the run changed in a file, line by line.
func (c *files) diffBody(d *document, s *fileState, a ask) {
	was := c.before(s)
	w := a.w - 3
	if why := c.noDiff(s, was); why != "" {
		d.note(a.look, why, w)
		return
	}
	var after []byte
	if !s.removed {
		b, size, why := c.after(s)
		switch {
		case why != "":
			d.note(a.look, why, w)
			return
		case size > maxDiff || len(b) > maxDiff:
			d.note(a.look, "It has "+words.Bytes(size)+", too much to compare as it is shown. After and Before show both.", w)
			return
		}
		after = b
	}
	if !utf8.Valid(was.Data) || !utf8.Valid(after) {
		d.note(a.look, fmt.Sprintf("It is no text: %s before, %s after. Hex shows the bytes after, Before those before.",
			words.Bytes(len(was.Data)), words.Bytes(len(after))), w)
		return
	}
	t := difference.Lines(string(was.Data), string(after))
	if t.Added()+t.Removed() == 0 {
		d.note(a.look, "Its content is as it was: "+words.Bytes(len(after))+".", w)
		return
	}
	var l cell.Line
	l.Blank(1).Own(cell.Fg(themes.DiffAdd), "+"+words.Count(t.Added())).Blank(1).Own(cell.Fg(themes.DiffDel), "-"+words.Count(t.Removed())).
		Own(cell.Fg(themes.Muted), fmt.Sprintf(" lines · %s before, %s after", words.Bytes(len(was.Data)), words.Bytes(len(after))))
	d.head = append(d.head, l)
	f := t.Folded(3)
	number := len(words.Count(max(f.Row(f.Len()-1).A, f.Row(f.Len()-1).B, t.Len())))
	d.body = list.Func{N: f.Len(), Draw: func(i, _ int) cell.Line { return diffRow(f.Row(i), number) }}
}

// noDiff says why there is nothing to compare, "" when there is.
func (c *files) noDiff(s *fileState, was Was) string {
	switch {
	case s.folder:
		return "This is a folder."
	case !was.Known:
		return "What it held before the call is not kept. Writes has what was written."
	case !was.There && s.removed:
		return "The call made it and removed it again. Writes has what was written."
	case was.There && !was.Kept:
		return "It had " + words.Bytes(was.Size) + " before the call, too much to be kept."
	case was.Size > maxDiff:
		return "It had " + words.Bytes(was.Size) + " before the call, too much to compare as it is shown. After and Before show both."
	}
	return ""
}

// diffRow is a row of a difference: its sign, the line's number and text.
func diffRow(r difference.Line, number int) cell.Line {
	var l cell.Line
	if r.Gap > 0 {
		return *l.Blank(number+3).Own(cell.Fg(themes.Faint), "… "+words.Plural(r.Gap, "line")+" as before")
	}
	sign, role, n := " ", themes.Text, r.B
	switch r.Kind {
	case difference.Added:
		sign, role = "+", themes.DiffAdd
	case difference.Removed:
		sign, role, n = "-", themes.DiffDel, r.A
	}
	l.Own(cell.Fg(role), sign).Blank(1).NumberIn(cell.Fg(themes.Faint), words.Count(n), number).Blank(1)
	l.Pinned()
	l.Text(cell.Fg(role), headOf(r.Text, 4096))
	if r.NoNewline && r.Kind != difference.Same {
		l.Own(cell.Fg(themes.Faint), " (no line feed at the end)")
	}
	return l
}

// beforeBody shows a file as it was before the run.
func (c *files) beforeBody(d *document, s *fileState, a ask) {
	switch was := c.before(s); {
	case s.folder:
		d.note(a.look, "This is a folder.", a.w-3)
	case !was.Known:
		d.note(a.look, "What it held before the call is not kept.", a.w-3)
	case !was.There:
		d.note(a.look, "It was not there before the call.", a.w-3)
	case !was.Kept:
		d.note(a.look, "It had "+words.Bytes(was.Size)+" before the call, too much to be kept.", a.w-3)
	default:
		d.bytes(a, was.Data, was.Size)
	}
}

// bytes shows a file's content: text as text, other bytes in hexadecimal.
func (d *document) bytes(a ask, b []byte, size int64) {
	head := words.Bytes(size)
	if int64(len(b)) < size {
		head += ", the first " + words.Bytes(len(b)) + " are shown"
	}
	d.head = append(d.head, prose.Indent(cell.Own(themes.Muted, head), 1))
	switch {
	case len(b) == 0:
		d.note(a.look, "The file is empty.", a.w-3)
	case utf8.Valid(b):
		d.body = list.Lines(textLines(a, string(b), themes.Text))
	default:
		d.hexBytes(a, b)
	}
}

func (d *document) hexBytes(a ask, b []byte) {
	var head cell.Line
	d.body, head, _ = excerpt.Hex(a.look, excerpt.Bytes(b), 0, nil, a.w)
	d.head, d.hex = append(d.head, head), true
}

// doneTo is what was done to a file in one line: how often it was written and
// read, and through what.
func (c *files) doneTo(s *fileState) string {
	var parts []string
	if s.writes > 0 {
		parts = append(parts, words.Plural(s.writes, "write"))
	}
	if s.reads > 0 {
		parts = append(parts, words.Plural(s.reads, "read"))
	}
	if s.fd != 0 {
		parts = append(parts, fmt.Sprintf("fd %d", s.fd))
	}
	if s.http != 0 {
		parts = append(parts, fmt.Sprintf("http %d", s.http))
	}
	return strings.Join(parts, " · ")
}

// Held is a file that is in the volume now.
type Held struct {
	Name string // below the folder
	Size int64
}

// maxHeld is how many files of a mount are listed.
const maxHeld = 200

// heldLines list what is below a mount now: between runs a person may put files
// there, and what no call touched has no row of its own.
func (c *files) heldLines(m *mountState, a ask) []cell.Line {
	if c.Holds == nil || m.ReadOnly || !m.mounted {
		return nil
	}
	all, n, _ := c.Holds(m.Guest, maxHeld)
	if n == 0 {
		return append([]cell.Line{{}}, sentences(a.look, themes.Muted, "It is empty now. "+a.look.Key("files.add", "a")+" puts a file into it.", a.w-3)...)
	}
	out := []cell.Line{{}, cell.Own(themes.Muted, "in it now, "+words.Plural(n, "file"))}
	for _, f := range all {
		var l cell.Line
		l.Blank(2).NumberIn(cell.Fg(themes.Muted), columnSize(f.Size), 9).Blank(2).Text(cell.Fg(themes.File), f.Name)
		out = append(out, l)
	}
	if n > len(all) {
		out = append(out, cell.Own(themes.Faint, "  … "+words.Count(n-len(all))+" more"))
	}
	return out
}

// heldSeen is a number that changes with what the volume holds.
func (c *files) heldSeen() uint64 {
	if c.Holds == nil {
		return 0
	}
	_, _, seen := c.Holds("", 0)
	return seen
}

// FileRow is what can be acted on of a row of Files.
type FileRow struct {
	Path    string // in the guest
	Mount   bool   // it is a mount, and no file
	Folder  bool
	Removed bool
}

// FileIn is the file or mount that is selected in a pane of Files; false in
// another pane, and on what was only tried.
func FileIn(p Pane) (FileRow, bool) {
	panel, ok := p.(*panel)
	if !ok {
		return FileRow{}, false
	}
	c, ok := panel.c.(*files)
	if !ok || c.run == nil {
		return FileRow{}, false
	}
	row, ok := panel.rows.Selected()
	if !ok || row >= len(c.rows) {
		return FileRow{}, false
	}
	switch r := c.rows[row]; {
	case r.mount != nil:
		return FileRow{Path: r.mount.Guest, Mount: true}, true
	case r.file != nil:
		return FileRow{Path: r.file.path, Folder: r.file.folder, Removed: r.file.removed}, true
	}
	return FileRow{}, false
}

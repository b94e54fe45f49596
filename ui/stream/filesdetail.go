package stream

import (
	"fmt"
	"strings"
	"time"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wasi"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/list"
	"perch/ui/prose"
	"perch/ui/words"
)

// maxAfter is how many bytes of a file are read to be shown.
const maxAfter = 1 << 20

func (c *files) about(row int, a ask) document {
	if row >= len(c.rows) {
		return document{}
	}
	switch r := c.rows[row]; {
	case r.mount != nil:
		return c.aboutMount(r.mount, a)
	case r.file != nil:
		return c.aboutFile(r.file, hostNotes(c.foundIn(row), "", a), a)
	default:
		return c.aboutTried(*r.tried, hostNotes(c.foundIn(row), "", a), a)
	}
}

func (c *files) aboutMount(m *mountState, a ask) document {
	d := document{of: m.Guest, title: cell.Text(themes.File, m.Guest)}
	text := ""
	switch {
	case !m.mounted && m.Guest == abi.VolumeData:
		text = "Not mounted in this run: --data gives a folder for it."
	case !m.mounted && m.Guest == abi.SkillsDir:
		text = "Not mounted in this run: the package has no skills."
	case !m.mounted:
		text = "Not mounted in this run."
	case m.ReadOnly:
		text = fmt.Sprintf("Mounted read-only on fd %d. A write below it answers EPERM (our reading).", m.FD)
	default:
		text = fmt.Sprintf("Mounted on fd %d. The module may read and write below it, %s in one call.", m.FD, words.Limit(int64(c.begin().Budget)))
	}
	lines := sentences(a.look, themes.Text, text, a.w-3)
	if m.mounted && len(m.files) == 0 {
		lines = append(lines, sentences(a.look, themes.Muted, "Nothing below it was touched.", a.w-3)...)
	}
	lines = append(lines, c.heldLines(m, a)...)
	d.body = list.Lines(lines)
	return d
}

func (c *files) aboutTried(t attempt, notes []cell.Line, a ask) document {
	d := document{of: "tried", title: cell.Text(themes.File, headOf(t.path, 4096))}
	text := "The attempt answered " + t.errno.String()
	if t.note != "" {
		text += ": " + t.note
	}
	lines := sentences(a.look, themes.Text, text+".", a.w-3)
	if t.count > 1 {
		lines = append(lines, sentences(a.look, themes.Muted, "It was tried "+words.Count(t.count)+" times.", a.w-3)...)
	}
	d.body = list.Lines(append(lines, notes...))
	return d
}

func (c *files) aboutFile(s *fileState, notes []cell.Line, a ask) document {
	d := document{of: s.became(), title: cell.Text(themes.File, headOf(s.path, 4096)), apart: a.w < 76}
	d.tabs = []string{"Diff", "After", "Before", "Hex", "Writes"}
	tab := a.tab
	if tab == "" && !c.diffable(s) {
		tab = "Writes"
	}
	d.tab = tabOf(d.tabs, tab)
	switch d.tabs[d.tab] {
	case "Diff":
		if done := c.doneTo(s); done != "" && c.diffable(s) {
			d.head = append(d.head, prose.Indent(cell.Own(themes.Muted, done), 1))
		}
		c.diffBody(&d, s, a)
	case "Before":
		c.beforeBody(&d, s, a)
	case "Writes":
		c.effectsBody(&d, s, a)
	default:
		c.afterBody(&d, s, a)
	}
	if len(notes) > 0 && (d.tabs[d.tab] == "Diff" || d.tabs[d.tab] == "Writes") {
		d.body = stacked{d.body, list.Lines(notes[1:])}
	}
	return d
}

// afterBody shows a file as the run left it.
func (c *files) afterBody(d *document, s *fileState, a ask) {
	b, size, why := c.after(s)
	switch {
	case why != "":
		d.note(a.look, why, a.w-3)
	case d.tabs[d.tab] == "Hex" && len(b) > 0:
		d.head = append(d.head, prose.Indent(cell.Own(themes.Muted, words.Bytes(size)), 1))
		d.hexBytes(a, b)
	default:
		d.bytes(a, b, size)
	}
}

// after reads a file as the run left it; why says why it cannot be shown.
func (c *files) after(s *fileState) (b []byte, size int64, why string) {
	switch {
	case s.removed:
		return nil, 0, "The run removed it."
	case s.folder:
		return nil, 0, "This is a folder."
	case c.ReadFile == nil:
		return nil, 0, "Its content is not kept in a record. Writes has what was written."
	}
	b, size, err := c.ReadFile(c.run.ID(), s.path, maxAfter)
	if err != nil {
		return nil, 0, "It cannot be read now: " + err.Error() + "."
	}
	return b, size, ""
}

// effectsBody lists what was done to a file, each row read when it is in sight.
func (c *files) effectsBody(d *document, s *fileState, a ask) {
	effects, more := s.effects, s.more
	d.body = list.Func{N: len(effects) + min(more, 1), Draw: func(i, w int) cell.Line {
		if i == len(effects) {
			return cell.Own(themes.Faint, "… "+words.Count(more)+" more are in Events")
		}
		e, ok := c.run.Event(effects[i])
		f, is := e.Body.(event.FileEffect)
		if !ok || !is {
			return cell.Own(themes.Faint, "no longer kept")
		}
		var l cell.Line
		c.addTime(&l, e.Time, func() (time.Duration, bool) {
			if i == 0 {
				return 0, false
			}
			before, ok := c.run.Event(effects[i-1])
			return before.Time, ok
		})
		l.Pinned()
		addEffect(&l, f)
		return l
	}}
}

// addEffect adds what an effect did, without the file's name.
func addEffect(l *cell.Line, f event.FileEffect) {
	text := string(f.Op)
	switch f.Op {
	case event.FileWrite, event.FileRead:
		text = fmt.Sprintf("%s %s–%s, %s", f.Op, words.Count(f.Offset), words.Count(max(f.Offset+f.Bytes-1, f.Offset)), words.Bytes(f.Bytes))
		if f.Bytes == 0 {
			text = fmt.Sprintf("%s at %s, nothing", f.Op, words.Count(f.Offset))
		}
	case event.FileTruncate:
		text = "set to " + words.Bytes(f.Bytes)
	case event.FileRefused:
		text = "refused, " + wasi.Errno(f.Errno).String()
	}
	l.Own(cell.Fg(themes.Text), text)
	if f.NewPath != "" {
		l.Own(cell.Fg(themes.Muted), " → ").Text(cell.Fg(themes.File), headOf(f.NewPath, 4096))
	}
	if f.HTTP != 0 {
		l.Own(cell.Fg(themes.Muted), fmt.Sprintf("  http %d", f.HTTP))
	} else if f.FD != 0 {
		l.Own(cell.Fg(themes.Muted), fmt.Sprintf("  fd %d", f.FD))
	}
	if f.Note != "" {
		l.Text(cell.Fg(themes.Muted), "  "+f.Note)
	}
	if n := len(f.Data); n > 0 {
		l.Blank(2).Text(cell.Fg(themes.Faint), headOf(strings.ToValidUTF8(string(f.Data[:min(n, preview)]), "\ufffd"), preview))
	}
}

package stream

import (
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/words"
)

// fileColumns are the cells of the columns, 0 for those without room.
type fileColumns struct{ path, size, became, fd int }

func (c *files) fit(room int) fileColumns {
	p := fileColumns{size: 10, became: 15, fd: 6}
	rest := func() int { return room - p.size - p.became - p.fd }
	for _, drop := range []func(){func() { p.fd = 0 }, func() { p.size = 0 }, func() { p.became = 0 }} {
		if rest() >= 18 {
			break
		}
		drop()
	}
	p.path = max(rest(), 1)
	return p
}

func (c *files) columns(w int) []cell.Line {
	p := c.fit(w - 2)
	var l cell.Line
	faint := cell.Fg(themes.Faint)
	l.Blank(1).OwnIn(faint, "path", p.path)
	if p.size > 0 {
		l.NumberIn(faint, "size", p.size)
	}
	if p.became > 0 {
		l.Blank(2).OwnIn(faint, "this call", p.became-2)
	}
	if p.fd > 0 {
		l.OwnIn(faint, "fd", p.fd)
	}
	return []cell.Line{l}
}

// Row implements list.Source.
func (c *files) Row(i, w int) cell.Line {
	if i >= len(c.rows) {
		return cell.Line{}
	}
	p := c.fit(w)
	switch r := c.rows[i]; {
	case r.mount != nil:
		return c.mountRow(r.mount, p)
	case r.file != nil:
		return c.fileRow(r.file, p)
	default:
		return triedRow(*r.tried)
	}
}

func (c *files) mountRow(m *mountState, p fileColumns) cell.Line {
	var l cell.Line
	sign := "▾"
	if m.folded {
		sign = "▸"
	}
	if len(m.files) == 0 {
		sign = " "
	}
	l.Own(cell.Fg(themes.Muted), sign).TextIn(cell.Fg(themes.File), m.Guest, p.path-1, cell.CutPath)
	if !m.mounted {
		text := "not mounted"
		if m.Guest == abi.VolumeData {
			text += ": --data"
		}
		return *l.Blank(2).Own(cell.Fg(themes.Faint), text)
	}
	var size int64
	counts := map[string]int{}
	for _, s := range m.files {
		counts[s.sign()]++
		if !s.removed {
			size += s.size
		}
	}
	if p.size > 0 {
		text := ""
		if size > 0 {
			text = columnSize(size)
		}
		l.NumberIn(cell.Fg(themes.Muted), text, p.size)
	}
	var parts []string
	for _, s := range []string{"+", "~", "-"} {
		if counts[s] > 0 {
			parts = append(parts, s+words.Count(counts[s]))
		}
	}
	if m.ReadOnly {
		parts = append(parts, "read-only")
	}
	c.addRest(&l, strings.Join(parts, " "), fmt.Sprint(m.FD), p)
	return l
}

func (c *files) addRest(l *cell.Line, became, fd string, p fileColumns) {
	if p.became > 0 {
		l.Blank(2).TextIn(cell.Fg(themes.Muted), became, p.became-3, cell.CutEnd).Blank(1)
	}
	if p.fd > 0 {
		l.Own(cell.Fg(themes.Muted), fd)
	}
}

func (c *files) fileRow(s *fileState, p fileColumns) cell.Line {
	var l cell.Line
	name := s.path
	if s.mount != nil {
		name = strings.TrimPrefix(strings.TrimPrefix(s.path, s.mount.Guest), "/")
	}
	if name == "" {
		name = "."
	}
	if s.folder {
		name += "/"
	}
	l.Blank(1).OwnIn(cell.Fg(s.role()), s.sign(), 1).Blank(1)
	var text cell.Line
	c.find.Add(&text, cell.Fg(themes.Text), name)
	if n := c.look.Width(text); len(text.Spans) > 1 && n <= p.path-3 {
		l.Add(text)
		l.Blank(p.path - 3 - n)
	} else {
		l.TextIn(cell.Fg(themes.Text), name, p.path-3, cell.CutPath)
	}
	if p.size > 0 {
		size := ""
		if !s.removed && !s.folder && (s.known || s.size > 0) {
			size = columnSize(s.size)
		}
		l.NumberIn(cell.Fg(themes.Muted), size, p.size)
	}
	fd := fmt.Sprint(s.fd)
	switch {
	case s.http > 0:
		fd = fmt.Sprintf("http %d", s.http)
	case s.fd == 0:
		fd = ""
	}
	became := s.became()
	if was := c.before(s); s.changed && became == "changed" && was.There && !s.removed {
		became = "was " + columnSize(was.Size)
	}
	c.addRest(&l, became, fd, p)
	return l
}

func triedRow(t attempt) cell.Line {
	var l cell.Line
	l.Own(cell.Fg(themes.Muted), "· tried: ").Text(cell.Fg(themes.Text), headOf(t.path, 4096)).
		Own(cell.Fg(themes.Warning), "  → "+t.errno.String())
	if t.note != "" {
		l.Text(cell.Fg(themes.Muted), ", "+t.note)
	}
	if t.count > 1 {
		l.Own(cell.Fg(themes.Faint), "  ×"+words.Count(t.count))
	}
	return l
}

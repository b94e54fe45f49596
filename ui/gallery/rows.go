package gallery

import (
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/memory"
	"perch/ui/prose"
	"perch/ui/words"
)

// lines are the rows below the inputs, and the entry of each: -1 for those that
// cannot be chosen.
func (v *View) lines(k *cell.Look, w int) ([]cell.Line, []int) {
	var out []cell.Line
	var entryOf []int
	add := func(l cell.Line, entry int) {
		out, entryOf = append(out, l), append(entryOf, entry)
	}
	head := func(title string) {
		if len(out) > 0 {
			add(cell.Line{}, -1)
		}
		add(prose.Indent(cell.Own(themes.Muted, title), 1), -1)
	}
	all := v.entries()
	for i, e := range all {
		switch {
		case e.sample != nil && i == 0:
			title := "Samples, inside perch: nothing to install"
			if len(title)+2 > w {
				title = "Samples"
			}
			head(title)
		case e.recent != nil && (i == 0 || all[i-1].recent == nil):
			head("Recent")
		}
		l := v.recentLine
		if e.sample != nil {
			l = v.sampleLine
		}
		add(v.selectable(l(e, w), i+1), i+1)
	}
	if len(all) == 0 {
		var l cell.Line
		l.Blank(1).Own(cell.Fg(themes.Muted), "Nothing matches ").Text(cell.Fg(themes.Text), v.filter.Text()).
			Own(cell.Fg(themes.Muted), ". esc shows all again.")
		add(l, -1)
	}
	return out, entryOf
}

func (v *View) selectable(l cell.Line, entry int) cell.Line {
	var out cell.Line
	switch {
	case entry == v.selected && v.typing != v.path:
		out.Own(cell.Fg(themes.BorderFocus), "❯")
		out.Fill = cell.Style{Fg: themes.Text, Bg: themes.Selection}
	default:
		out.Blank(1)
	}
	return *out.Add(l)
}

func (v *View) sampleLine(e entry, w int) cell.Line {
	s := e.sample
	var l cell.Line
	l.OwnIn(cell.Fg(themes.Text), s.Name, 10).Blank(1)
	if w >= 50 {
		l.OwnIn(cell.Fg(themes.Muted), s.Language, 5)
		size := ""
		if s.Size > 0 {
			size = words.Size(s.Size)
		}
		l.NumberIn(cell.Fg(themes.Muted), size, 10).Blank(2)
	}
	l.Own(cell.Fg(themes.Text), s.Description)
	return l
}

func (v *View) recentLine(e entry, w int) cell.Line {
	r := e.recent
	var l cell.Line
	l.TextIn(cell.Fg(themes.Text), r.Name, 10, cell.CutEnd).Blank(1)
	l.TextIn(cell.Fg(themes.Muted), r.Path, min(max(w/3-2, 10), 40), cell.CutPath).Blank(2)
	if v.gone[r.Path] {
		l.Own(cell.Fg(themes.Faint), "· gone  nothing is there any more")
		return l
	}
	if w >= 70 {
		made := r.Toolchain
		if made == "" {
			made = words.Size(r.Size)
		}
		l.TextIn(cell.Fg(themes.Muted), made, 14, cell.CutEnd).Blank(2)
	}
	if r.Outcome != "" {
		l.Text(cell.Fg(themes.Text), r.Outcome).Own(cell.Fg(themes.Muted), ", ")
	}
	l.Own(cell.Fg(themes.Muted), words.Ago(v.now().Sub(r.When)))
	return l
}

func toolchain(r *memory.Recent) string {
	size := words.Size(r.Size)
	if r.Toolchain == "" {
		return size
	}
	return r.Toolchain + ", " + size
}

// Beside is what is told of the selected package, below a title.
func (v *View) Beside(k *cell.Look, w, h int) cell.Block {
	all := v.entries()
	if v.selected == 0 || v.selected-1 >= len(all) {
		return k.Lines(prose.Own(k, themes.Muted, "Type a path, or drop a file on the terminal: most of them type its path.", w-1), w, h)
	}
	var out []cell.Line
	fact := func(name, text string) {
		if text != "" {
			var label cell.Line
			label.Blank(1).OwnIn(cell.Fg(themes.Muted), name, 9)
			out = append(out, prose.Hanging(k, label, 10, themes.Text, text, w-1)...)
		}
	}
	var tools []string
	e := all[v.selected-1]
	if s := e.sample; s != nil {
		out = append(out, prose.Own(k, themes.Text, s.Description, w-1)...)
		out = append(out, cell.Line{})
		fact("language", s.Language)
		fact("built by", s.Build)
		fact("opens as", s.Open)
		tools = s.Tools
	} else {
		r := e.recent
		fact("path", r.Path)
		fact("module", toolchain(r))
		fact("last", r.Outcome)
		tools = r.Tools
	}
	if len(tools) > 0 {
		out = append(out, cell.Line{}, prose.Indent(cell.Own(themes.Muted, words.Plural(len(tools), "tool")), 1))
		for i, t := range tools {
			if len(out) >= h-1 && i < len(tools)-1 {
				out = append(out, prose.Indent(cell.Own(themes.Faint, "… "+words.Count(len(tools)-i)+" more"), 3))
				break
			}
			out = append(out, prose.Indent(cell.Text(themes.Text, t), 3))
		}
	}
	return k.Lines(out, w, h)
}

// BesideTitle is the title of what stands beside the list.
func (v *View) BesideTitle() cell.Title {
	name := "Package"
	all := v.entries()
	var l cell.Line
	if v.selected > 0 && v.selected-1 < len(all) {
		if e := all[v.selected-1]; e.sample != nil {
			name = e.sample.Name
		} else {
			name = e.recent.Name
		}
	}
	l.Text(cell.Style{}, name)
	return cell.Title{Name: l}
}

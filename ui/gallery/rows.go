package gallery

import (
	"os"
	"strings"

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
		var l cell.Line
		if e.sample != nil {
			l = v.sampleLine(e, w)
		} else {
			l = v.recentLine(k, e, w)
		}
		add(v.selectable(l, i+1), i+1)
		if i+1 == v.selected && v.typing != v.path && k.Width(l)+1 > w { // it is cut: here is all of it
			for _, more := range prose.Text(k, themes.Muted, v.whole(e), w-4) {
				add(prose.Indent(more, 3), i+1)
			}
		}
	}
	if len(v.recent) == 0 && v.filter == nil {
		head("Recent")
		for _, l := range prose.Own(k, themes.Faint, "None yet. "+k.Key("package.open", "P")+" opens a package of yours by its path; then it stands here.", w-1) {
			add(l, -1)
		}
	}
	if len(all) == 0 {
		var l cell.Line
		l.Blank(1).Own(cell.Fg(themes.Muted), "Nothing matches ").Text(cell.Fg(themes.Text), v.filter.Text()).
			Own(cell.Fg(themes.Muted), ". "+k.Key("nav.out", "esc")+" shows all again.")
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
	if w >= 76 { // else all of the description
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

// whole is what a row says, where it is cut.
func (v *View) whole(e entry) string {
	if e.sample != nil {
		return e.sample.Description
	}
	return short(e.recent.Path) + " " + v.last(e.recent)
}

// columns are the widths of the recent packages' columns, the same in each
// row: what is said of the last run is never cut, the path is.
type columns struct{ name, path, made int }

func (v *View) columns(k *cell.Look, w int) columns {
	c := columns{name: 10}
	tail := 0
	for i := range v.recent {
		r := &v.recent[i]
		c.path = max(c.path, k.Measure(short(r.Path)))
		c.made = max(c.made, k.Measure(toolchain(r)))
		tail = max(tail, k.Measure(v.last(r)))
	}
	c.made = min(c.made, 24)
	const frame, least = 1 + 1 + 2 + 2, 16
	if room := w - c.name - tail - c.made - frame - 1; room >= least {
		c.path = min(c.path, room)
		return c
	}
	c.made = 0
	c.path = min(c.path, max(w-c.name-tail-frame+1, 8))
	return c
}

// last is what is said of the last run.
func (v *View) last(r *memory.Recent) string {
	switch ago := words.Ago(v.now().Sub(r.When)); {
	case v.gone[r.Path]:
		return "· gone: nothing is there"
	case r.Outcome != "":
		return r.Outcome + ", " + ago
	default:
		return ago
	}
}

func (v *View) recentLine(k *cell.Look, e entry, w int) cell.Line {
	r := e.recent
	c := v.columns(k, w)
	role := themes.Text
	if v.gone[r.Path] {
		role = themes.Faint
	}
	var l cell.Line
	l.TextIn(cell.Fg(role), r.Name, c.name, cell.CutEnd).Blank(1)
	l.TextIn(cell.Fg(themes.Muted), short(r.Path), c.path, cell.CutPath).Blank(2)
	if c.made > 0 {
		l.TextIn(cell.Fg(themes.Muted), toolchain(r), c.made, cell.CutEnd).Blank(2)
	}
	if v.gone[r.Path] {
		return *l.Own(cell.Fg(themes.Faint), v.last(r))
	}
	if r.Outcome != "" {
		prose.Mixed(&l, cell.Fg(themes.Text), r.Outcome)
		l.Own(cell.Fg(themes.Muted), ", ")
	}
	return *l.Own(cell.Fg(themes.Muted), words.Ago(v.now().Sub(r.When)))
}

// short is a path with ~ for the home folder.
func short(path string) string {
	home, err := os.UserHomeDir()
	if err != nil || home == "" || home == string(os.PathSeparator) {
		return path
	}
	if rest, is := strings.CutPrefix(path, home); is && (rest == "" || os.IsPathSeparator(rest[0])) {
		return "~" + rest
	}
	return path
}

// toolchain is what made a module, and its size.
func toolchain(r *memory.Recent) string {
	switch {
	case r.Size == 0:
		return r.Toolchain
	case r.Toolchain == "":
		return words.Size(r.Size)
	}
	return r.Toolchain + ", " + words.Size(r.Size)
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

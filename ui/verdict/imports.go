package verdict

import (
	"fmt"

	"perch/themes"
	"perch/ui/cell"
	"perch/ui/list"
	"perch/ui/prose"
	"perch/ui/words"
)

// SideTitle is the title of the table of imports.
func (v *View) SideTitle(focused bool) cell.Title {
	t := cell.Title{Focused: focused && v.beside, Name: cell.Own(themes.None, "Imports and features")}
	if v.readable() {
		t.Facts = cell.Own(themes.Muted, words.Count(len(v.module.Imports)))
	}
	return t
}

// DrawSide draws the table of imports below its title.
func (v *View) DrawSide(k *cell.Look, w, h int, focused bool) cell.Block {
	if !v.readable() {
		text := "There is no module to read."
		if v.module != nil {
			text = "These bytes cannot be read as a module, so its imports and features are not known."
		}
		return k.Lines(prose.Own(k, themes.Muted, text, w-1), w, h)
	}
	if v.side == nil || v.sideW != w {
		v.sideW = w
		old := 0
		if v.side != nil {
			old, _ = v.side.Selected()
		}
		v.side = list.New(list.Lines(v.table(w - 3)))
		v.side.Select(old)
	}
	return v.side.View(k, w, h, focused && v.beside)
}

// table is everything that the module imports and uses, and what it exports.
func (v *View) table(w int) []cell.Line {
	m := v.module
	var out []cell.Line
	head := func(text string) {
		if len(out) > 0 {
			out = append(out, cell.Line{})
		}
		out = append(out, cell.Own(themes.Muted, text))
	}
	if tool := m.Toolchain.String(); tool != "" {
		head("Made by")
		out = append(out, mark(true, tool, m.Toolchain.Evidence, w))
	}
	head(words.Plural(len(m.Imports), "import"))
	for _, imp := range m.Imports {
		right := imp.Type
		if imp.Why != "" {
			right = imp.Why
		}
		out = append(out, mark(imp.Allowed, imp.Module+"."+imp.Name, right, w))
	}
	if len(m.Imports) == 0 {
		out = append(out, cell.Own(themes.Faint, "none"))
	}
	head("Features used")
	for _, f := range m.Features {
		out = append(out, mark(f.Allowed, f.Name, fmt.Sprintf("%s in %s", words.Plural(f.Count, "place"), words.Plural(f.Functions, "function")), w))
	}
	if len(m.Features) == 0 {
		out = append(out, cell.Own(themes.Faint, "none beyond the first WebAssembly"))
	}
	head(words.Plural(len(m.Exports), "export"))
	for i, e := range m.Exports {
		if i == 200 {
			out = append(out, cell.Own(themes.Faint, "… "+words.Count(len(m.Exports)-i)+" more"))
			break
		}
		out = append(out, mark(true, e.Name, e.Kind.String()+" "+e.Type, w))
	}
	return out
}

func mark(ok bool, name, right string, w int) cell.Line {
	var l cell.Line
	if ok {
		l.Own(cell.Fg(themes.OK), "✓ ")
	} else {
		l.Own(cell.Fg(themes.Error), "✗ ")
	}
	l.TextIn(cell.Fg(themes.Text), name, min(max(w/2, 10), 44), cell.CutMiddle).Blank(2)
	l.Text(cell.Fg(themes.Muted), right)
	return l
}

// Package module puts what a check of a module found in it into lines: what it
// was made by, what it imports and uses, and what it exports. It knows nothing
// of where they are shown.
package module

import (
	"fmt"

	"perch/engine/wasm"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/words"
)

// maxRows is how many rows of one kind are told.
const maxRows = 200

// Readable reports whether the parts of a module are known: of bytes that are
// none, nothing is said.
func Readable(m *wasm.Report) bool {
	return m != nil && len(m.Sections)+len(m.Imports)+len(m.Exports) > 0
}

// Table is everything that a module imports and uses, and what it exports, for
// w cells.
func Table(m *wasm.Report, w int) []cell.Line {
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
	for i, imp := range m.Imports {
		if i == maxRows {
			out = append(out, cell.Own(themes.Faint, "… "+words.Count(len(m.Imports)-i)+" more"))
			break
		}
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
		if i == maxRows {
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

// Sections are the sections of a module and their sizes, for w cells.
func Sections(m *wasm.Report, w int) []cell.Line {
	out := []cell.Line{cell.Own(themes.Muted, words.Plural(len(m.Sections), "section"))}
	for i, x := range m.Sections {
		if i == maxRows {
			return append(out, cell.Own(themes.Faint, "… "+words.Count(len(m.Sections)-i)+" more"))
		}
		var l cell.Line
		l.Blank(2).TextIn(cell.Fg(themes.Text), x.Label, min(max(w/2, 10), 44), cell.CutMiddle).Blank(2)
		l.NumberIn(cell.Fg(themes.Muted), words.Size(x.Bytes), 10)
		out = append(out, l)
	}
	return out
}

package tools

import (
	"strings"
	"unicode/utf8"

	"perch/engine/jsonread"
	"perch/engine/wire"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/budget"
	"perch/ui/cell"
	"perch/ui/findings"
	"perch/ui/prose"
	"perch/ui/words"
)

// infoCache keeps what is told of a tool at a width.
type infoCache struct {
	index, width int
	look         *cell.Look
	lines        []cell.Line
	limits       int // how many of the last lines are the limits
}

// maxShown is how many members of a schema are told; the Schema tab has all.
const maxShown = 24

// maxDescription is how many bytes of a description are told at most: a tool
// that breaks the limit is still one that people look at.
const maxDescription = 8 << 10

// describe is what a tool says of itself, for w cells.
func (p *Pane) describe(k *cell.Look, t wire.Tool, w int) []cell.Line {
	c := &p.info
	if c.lines != nil && c.index == t.Index && c.width == w && c.look == k {
		return c.lines
	}
	*c = infoCache{index: t.Index, width: w, look: k}
	if t.HasDescription {
		c.lines = append(c.lines, prose.Text(k, themes.Text, shorten(t.Description, maxDescription), w-1)...)
	} else {
		c.lines = append(c.lines, prose.Indent(cell.Own(themes.Faint, "no description"), 1))
	}
	c.lines = append(c.lines, cell.Line{})
	fields := Fields(t.InputSchema, maxShown)
	for _, f := range fields {
		c.lines = append(c.lines, prose.Indent(f.line(fields), 1))
	}
	if len(fields) == 0 && t.InputSchema.Kind() != jsonread.Absent {
		c.lines = append(c.lines, prose.Indent(cell.Own(themes.Faint, "names no fields"), 1))
	}
	if gives := Fields(t.OutputSchema, maxShown); len(gives) > 0 {
		var names []string
		for _, f := range gives {
			names = append(names, f.Name)
		}
		var l cell.Line
		l.Own(cell.Fg(themes.Muted), "gives ").Text(cell.Fg(themes.Key), strings.Join(names, ", "))
		c.lines = append(c.lines, prose.Indent(l, 1))
	}
	limits := p.limits(t, w)
	c.limits = len(limits)
	c.lines = append(append(c.lines, cell.Line{}), limits...)
	return c.lines
}

// fit draws what there is room for: the limits are the last to go.
func (p *Pane) fit(k *cell.Look, lines []cell.Line, w, h int) cell.Block {
	if len(lines) > h {
		head, tail := lines[:len(lines)-p.info.limits], lines[len(lines)-p.info.limits:]
		room := h - len(tail)
		if room < 2 {
			tail, room = nil, h
		}
		if len(head) > room { // the last row in sight says that there is more
			head = append(append([]cell.Line(nil), head[:room-1]...), prose.Indent(cell.Own(themes.Faint, "…"), 1))
		}
		lines = append(append([]cell.Line(nil), head...), tail...)
	}
	return prose.Margin(k, lines, w, h)
}

// limits are what was found about a tool, how its last call went, and how much
// of the upload limits it uses, in w cells.
func (p *Pane) limits(t wire.Tool, w int) []cell.Line {
	out := p.states(t, w)
	for _, b := range rules.ToolBudgets(t) {
		out = append(out, budget.Lines(b, w)...)
	}
	for _, b := range p.budgets {
		if b.Name == "all tools" || budget.Tight(b) && b.Limit > 1 {
			out = append(out, budget.Lines(b, w)...)
		}
	}
	return out
}

// states say in words what the signs of the tool's row mean.
func (p *Pane) states(t wire.Tool, w int) []cell.Line {
	var out []cell.Line
	add := func(name string, role themes.Role, text string) {
		if len(name)+len(text)+3 > w {
			name = ""
		}
		var l cell.Line
		l.Blank(1).Own(cell.Fg(themes.Faint), name).Gap().Own(cell.Fg(role), text)
		out = append(out, l)
	}
	if m := p.marks[t.Index]; m.Count > 0 {
		sign, word, role := findings.Severity(m.Severity)
		add("found", role, sign+" "+words.Plural(m.Count, word))
	}
	if o, ok := p.last[t.Name]; ok {
		add("last call", findings.OutcomeRole(o), words.Outcome(o))
	}
	return out
}

// Field is a member of a schema's properties in a few words.
type Field struct {
	Name     string
	Required bool
	Type     string // string, number[], dark · light
}

func (f Field) line(all []Field) cell.Line {
	wide := 0
	for _, g := range all {
		wide = max(wide, min(utf8.RuneCountInString(g.Name)+2, 12))
	}
	var l cell.Line
	star := " "
	if f.Required {
		star = "*"
	}
	l.TextIn(cell.Fg(themes.Key), f.Name, max(wide-2, 1), cell.CutEnd)
	l.Blank(1).Own(cell.Fg(themes.Accent), star).Blank(1)
	return *prose.Mixed(&l, cell.Fg(themes.Muted), f.Type)
}

// Fields are the first n named fields of a schema, in its order.
func Fields(schema jsonread.Value, n int) []Field {
	required := map[string]bool{}
	for _, r := range schema.Get("required").Elements() {
		if len(required) < 1000 {
			required[r.String()] = true
		}
	}
	var out []Field
	for name, v := range schema.Get("properties").Members() {
		if len(out) == n {
			out = append(out, Field{Name: "…", Type: words.Count(schema.Get("properties").Len()-n) + " more"})
			break
		}
		out = append(out, Field{Name: name.String(), Required: required[name.String()], Type: typeOf(schema, v, 0)})
	}
	return out
}

// typeOf says in a few words what a schema takes; references are looked up in
// root.
func typeOf(root, v jsonread.Value, depth int) string {
	v = target(root, v)
	if enum := v.Get("enum"); enum.Len() > 0 {
		return choices(enum)
	}
	if c := v.Get("const"); c.Kind() != jsonread.Absent {
		return "always " + shorten(string(c.Raw()), 40)
	}
	switch t := v.Get("type"); t.Kind() {
	case jsonread.String:
		if t.Is("array") && depth < 3 {
			if item := v.Get("items"); item.Kind() == jsonread.Object {
				return typeOf(root, item, depth+1) + "[]"
			}
		}
		return shorten(t.String(), 40)
	case jsonread.Array:
		var names []string
		for i, e := range t.Elements() {
			if i == 4 {
				break
			}
			names = append(names, shorten(e.String(), 20))
		}
		return strings.Join(names, " | ")
	}
	for _, word := range []string{"oneOf", "anyOf"} {
		if n := v.Get(word).Len(); n > 0 {
			if types := typesOf(root, v.Get(word), depth); types != "" {
				return types
			}
			return words.Plural(n, "form")
		}
	}
	if v.Get("properties").Kind() == jsonread.Object {
		return "object"
	}
	return "any"
}

// target is the schema that a reference within root names, and v itself where it
// names none: these are a few words, nothing is fetched or searched.
func target(root, v jsonread.Value) jsonread.Value {
	for range 4 {
		pointer, ok := strings.CutPrefix(v.Get("$ref").String(), "#")
		if !ok || pointer != "" && pointer[0] != '/' {
			break
		}
		to := root.At(pointer)
		if to.IsZero() {
			break
		}
		v = to
	}
	return v
}

// typesOf are the types of two or three branches, "" where they are not but
// types: "string | null".
func typesOf(root, branches jsonread.Value, depth int) string {
	if branches.Len() > 3 || depth > 1 {
		return ""
	}
	var names []string
	for _, b := range branches.Elements() {
		name := typeOf(root, b, depth+1)
		if name == "any" || name == "object" || len(name) > 20 {
			return ""
		}
		names = append(names, name)
	}
	return strings.Join(names, " | ")
}

func choices(enum jsonread.Value) string {
	var parts []string
	for i, e := range enum.Elements() {
		if i == 6 {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, shorten(e.String(), 20))
	}
	return strings.Join(parts, " · ")
}

// shorten keeps the first n bytes of a text, no character split.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

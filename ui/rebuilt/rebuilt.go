// Package rebuilt puts into lines what became of a package's tools when it was
// built again, and what its build wrote. It knows nothing of runs or keys.
package rebuilt

import (
	"strings"
	"time"

	"perch/inspect/build"
	"perch/inspect/compare"
	"perch/inspect/rules"
	"perch/inspect/toolsdiff"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/prose"
	"perch/ui/words"
)

// Counts says in a few words what became of the tools: "1 tool new, 1 changed,
// 1 gone"; "tools unchanged".
func Counts(d toolsdiff.Diff) string {
	var parts []string
	for _, x := range []struct {
		n    int
		word string
	}{{d.New, "new"}, {d.Changed, "changed"}, {d.Gone, "gone"}} {
		if x.n == 0 {
			continue
		}
		text := words.Count(x.n) + " " + x.word
		if len(parts) == 0 {
			text = words.Plural(x.n, "tool") + " " + x.word
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return "tools unchanged"
	}
	return strings.Join(parts, ", ")
}

// mostNamed is how many tools and fields a sentence names.
const mostNamed = 4

// Sentences says what became of each tool, as far as there are few: `bar has a
// new field "title"`, "pie is gone". Names are the module's.
func Sentences(d toolsdiff.Diff) []string {
	var out []string
	for _, t := range d.Tools {
		if len(out) == mostNamed {
			return append(out, words.Plural(len(d.Tools)-mostNamed, "tool")+" more")
		}
		out = append(out, sentence(t))
	}
	return out
}

func sentence(t toolsdiff.Tool) string {
	name := short(t.Name)
	switch t.Kind {
	case toolsdiff.New:
		return name + " is new"
	case toolsdiff.Gone:
		return name + " is gone"
	}
	f := t.FieldsOf()
	var parts []string
	for _, x := range []struct {
		names     []string
		one, more string
	}{{f.New, "has a new field ", "has new fields "}, {f.Changed, "changed the field ", "changed the fields "}, {f.Gone, "has no longer the field ", "has no longer the fields "}} {
		if len(x.names) == 0 {
			continue
		}
		word := x.one
		if len(x.names) > 1 {
			word = x.more
		}
		parts = append(parts, word+named(x.names))
	}
	for _, c := range t.Changes {
		if c.Pointer == "/description" {
			parts = append(parts, "has another description")
		}
	}
	if len(parts) == 0 {
		return name + " changed"
	}
	return name + " " + strings.Join(parts, ", ")
}

func named(names []string) string {
	var out []string
	for i, n := range names {
		if i == mostNamed {
			out = append(out, words.Count(len(names)-i)+" more")
			break
		}
		out = append(out, `"`+short(n)+`"`)
	}
	return strings.Join(out, ", ")
}

// short is a name as a sentence has room for it.
func short(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// Subject is what the page is about.
type Subject struct {
	When  time.Time // that the package took its place
	Diff  toolsdiff.Diff
	Lost  int    // drafts with fields that are named no longer
	Fault string // why what lies on disk now was not taken; "": it was
	Known bool   // there is a diff
}

// Lines are the page in lines of w cells.
func Lines(k *cell.Look, s Subject, w int) []cell.Line {
	var out []cell.Line
	add := func(role themes.Role, text string) {
		out = append(out, prose.Hanging(k, cell.Line{}, 0, role, text, w)...)
	}
	if s.Fault != "" {
		var sign cell.Line
		sign.Own(cell.Fg(themes.Error), "✗ ")
		out = append(out, prose.Hanging(k, sign, 2, themes.Error, "What lies on disk now was not taken: "+s.Fault, w)...)
		add(themes.Muted, "The package that was open stays open. As soon as what lies on disk is whole, it is taken.")
		out = append(out, cell.Line{})
	}
	if !s.Known {
		return out
	}
	d := s.Diff
	text := "Rebuilt at " + s.When.Format("15:04:05") + ": " + Counts(d)
	if d.Kept > 0 && !d.Same() {
		text += ", " + words.Count(d.Kept) + " as before"
	}
	add(themes.Text, text+". Drafts, presets and the history are kept.")
	if s.Lost > 0 {
		verb := " have fields that their schema no longer names"
		if s.Lost == 1 {
			verb = " has fields that its schema no longer names"
		}
		add(themes.Notice, "◇ "+words.Plural(s.Lost, "draft")+verb+"; they stay in the text as they were written.")
	}
	if d.Reordered {
		add(themes.Muted, "The tools are listed in another order.")
	}
	if d.OldModel != d.NowModel {
		add(themes.Muted, "Of all tools the model is given "+words.Bytes(d.NowModel)+"; it was "+words.Bytes(d.OldModel)+".")
	}
	for i, b := range d.NowTotal {
		if i < len(d.OldTotal) && d.OldTotal[i].Used != b.Used {
			out = append(out, budgetLine(d.OldTotal[i], b))
		}
	}
	for _, t := range d.Tools {
		out = append(out, cell.Line{})
		out = append(out, tool(k, t, w)...)
	}
	return out
}

func role(kind toolsdiff.Kind) themes.Role {
	switch kind {
	case toolsdiff.New:
		return themes.OK
	case toolsdiff.Gone:
		return themes.Error
	}
	return themes.Changed
}

func tool(k *cell.Look, t toolsdiff.Tool, w int) []cell.Line {
	var head cell.Line
	word := map[toolsdiff.Kind]string{toolsdiff.New: "new", toolsdiff.Changed: "changed", toolsdiff.Gone: "gone"}[t.Kind]
	head.Own(cell.Fg(role(t.Kind)).With(themes.Bold), t.Kind.Sign()+" ")
	name := t.Name
	if name == "" {
		name = "(no name)"
	}
	head.TextIn(cell.Fg(themes.Key).With(themes.Bold), name, max(min(w-len(word)-6, k.Measure(name)), 1), cell.CutEnd)
	head.Gap().Own(cell.Fg(role(t.Kind)), word).Blank(1)
	out := []cell.Line{head}
	switch t.Kind {
	case toolsdiff.New:
		out = append(out, value(k, "description", t.Now.Description, w)...)
		out = append(out, value(k, "inputSchema", string(t.Now.InputSchema.Raw()), w)...)
		return out
	case toolsdiff.Gone:
		return append(out, value(k, "was", t.Old.Description, w)...)
	}
	if t.Big {
		out = append(out, prose.Indent(cell.Own(themes.Muted, "too large to be compared member by member"), 2))
	}
	for _, c := range t.Changes {
		out = append(out, change(k, c, w)...)
	}
	if t.More > 0 {
		out = append(out, prose.Indent(cell.Own(themes.Muted, words.Count(t.More)+" more"), 2))
	}
	for _, b := range t.Budgets {
		out = append(out, prose.Indent(budgetLine(b.Old, b.Now), 2))
	}
	return out
}

// change is one difference of a tool: where, what was, what is.
func change(k *cell.Look, c compare.Change, w int) []cell.Line {
	sign, r := "~", themes.Changed
	switch c.Kind {
	case compare.Added:
		sign, r = "+", themes.OK
	case compare.Removed:
		sign, r = "-", themes.Error
	}
	var l cell.Line
	l.Blank(2).Own(cell.Fg(r), sign+" ").TextIn(cell.Fg(themes.Accent), strings.TrimPrefix(c.Pointer, "/"), max(w-5, 1), cell.CutPath)
	out := []cell.Line{l}
	if !c.A.IsZero() {
		out = append(out, value(k, "was", string(c.A.Raw()), w)...)
	}
	if !c.B.IsZero() {
		out = append(out, value(k, "now", string(c.B.Raw()), w)...)
	}
	return out
}

// mostValue is how many bytes of a value are shown.
const mostValue = 1 << 10

// value is a labelled text, wrapped.
func value(k *cell.Look, label, text string, w int) []cell.Line {
	if text == "" {
		return nil
	}
	if len(text) > mostValue {
		text = strings.ToValidUTF8(text[:mostValue], "") + "…"
	}
	var l cell.Line
	l.Blank(4).Own(cell.Fg(themes.Muted), label+"  ")
	return prose.Hanging(k, l, 4+max(len(label), 3)+2, themes.Text, text, w)
}

func budgetLine(old, now rules.Budget) cell.Line {
	var l cell.Line
	st := cell.Fg(themes.Muted)
	if now.Over() {
		st = cell.Fg(themes.Error)
	}
	was := now
	was.Used = old.Used
	before, _, _ := strings.Cut(was.Text(), "/")
	text := now.Name + " " + before + " before, now " + now.Text()
	if now.Unit == rules.Characters {
		text += " characters"
	}
	return *l.Own(st, text)
}

// Output are the lines that a build wrote, the places of its faults marked.
func Output(k *cell.Look, command, state string, bad bool, text string, w int) []cell.Line {
	var l cell.Line
	l.Own(cell.Fg(themes.Muted), "$ ")
	out := prose.Hanging(k, l, 2, themes.Accent, command, w)
	r := themes.Muted
	if bad {
		r = themes.Error
	}
	out = append(out, prose.Hanging(k, cell.Line{}, 0, r, state, w)...)
	out = append(out, cell.Line{})
	marked := map[int]bool{}
	for _, p := range build.Places(text) {
		marked[p.Row] = true
	}
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return append(out, cell.Own(themes.Muted, "It has written nothing."))
	}
	for row, line := range strings.Split(text, "\n") {
		r := themes.Text
		if marked[row] {
			r = themes.Error
		}
		out = append(out, prose.Hanging(k, cell.Line{}, 0, r, strings.TrimRight(line, "\r"), w)...)
	}
	return out
}

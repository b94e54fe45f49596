package history

import (
	"fmt"
	"strconv"
	"strings"

	"perch/engine/jsonread"
	"perch/engine/quote"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/findings"
	"perch/ui/list"
	"perch/ui/prose"
	"perch/ui/words"
)

// beside is the width from which the list and what is told of a run stand side
// by side.
const beside = 100

// label stands before the filter.
const label = " filter "

// Title implements the app's page.
func (v *View) Title() cell.Title {
	t := cell.Title{Focused: true, Name: cell.Own(themes.None, "History of ")}
	t.Name.Text(cell.Style{}, v.name)
	text := words.Plural(len(v.all), "run") + " of this session"
	if len(v.rows) != len(v.all) {
		text = words.Count(len(v.rows)) + " of " + words.Plural(len(v.all), "run")
	}
	if v.typing {
		text = "typing   " + text
	}
	t.Facts = cell.Own(themes.Muted, text)
	return t
}

// Draw implements the app's page.
func (v *View) Draw(k *cell.Look, w, h int) cell.Block {
	if i, ok := v.list.Selected(); ok && h != v.h {
		v.list.Select(i) // it stays in sight
	}
	v.w, v.h, v.split = w, h, w
	if w >= beside {
		v.split = w / 2
	}
	switch {
	case w < beside && v.inside:
		return v.drawBeside(k, w, h, true)
	case w < beside:
		return v.drawList(k, w, h)
	}
	return k.Beside("", v.drawList(k, v.split, h), v.drawBeside(k, w-v.split-1, h, v.inside))
}

func (v *View) drawList(k *cell.Look, w, h int) cell.Block {
	var out cell.Block
	if v.bar != nil && h > 2 {
		row := k.Row(cell.Own(themes.Muted, label), min(len(label), w))
		out = append(out, row+v.bar.View(k, w-len(label), 1, v.typing)[0])
	}
	if len(v.rows) == 0 {
		v.top = len(out)
		return append(out, k.Lines(prose.Text(k, themes.Muted, v.empty(), w-1), w, h-len(out))...)
	}
	if h-len(out) > 3 {
		var head cell.Line
		head.Blank(1)
		c := v.columns(w - 2)
		out = append(out, k.Row(*c.line(&head, cell.Fg(themes.Muted), "#", "time", "tool", "arguments", "outcome", "took", "answers", "findings"), w))
	}
	v.top = len(out)
	h -= v.top
	var foot cell.Block
	if text := v.foot(k); text != "" && h > 6 {
		foot = k.Lines([]cell.Line{{}, cell.Own(themes.Muted, text)}, w, 2)
		h -= 2
	}
	return append(append(out, v.list.View(k, w, h, !v.inside)...), foot...)
}

func (v *View) empty() string {
	if v.bar != nil && !v.bar.Empty() {
		return "No run has these words: " + v.bar.Text() + ". esc shows all."
	}
	return "Nothing was run yet."
}

// foot says what c does.
func (v *View) foot(k *cell.Look) string {
	if m, ok := v.entry(v.marked); ok {
		return " • marked: " + k.Key("history.compare", "c") + " compares " + m.name() + " with the selected one"
	}
	return ""
}

// columns are the widths of the columns of the list; 0 leaves one out.
type columns struct{ n, time, tool, args, outcome, took, size, found int }

// columns gives a room of w cells to the columns: what tells calls apart
// first.
func (v *View) columns(w int) columns {
	c := columns{n: v.numberWidth(), tool: 6, outcome: 12, took: 7}
	for _, e := range v.all {
		c.tool = max(c.tool, min(len(e.Tool), 16))
	}
	const gap = 2
	left := w - c.n - gap - c.tool - gap - c.outcome - gap - c.took - gap
	if left >= 22 {
		c.time, left = 8, left-8-gap
	}
	if left >= 34 {
		c.found, left = 10, left-10-gap
	}
	if left >= 34 {
		c.size, left = 9, left-9-gap
	}
	if c.args = left; left < 4 {
		c.args = max(left+c.took+gap, 0)
		c.took = 0
	}
	return c
}

// line puts texts of ours into the columns.
func (c columns) line(l *cell.Line, st cell.Style, n, time, tool, args, outcome, took, size, found string) *cell.Line {
	l.NumberIn(st, n, c.n)
	gap(l, c.time).OwnIn(st, time, c.time)
	gap(l, c.tool).OwnIn(st, tool, c.tool)
	gap(l, c.args).OwnIn(st, args, c.args)
	gap(l, c.outcome).OwnIn(st, outcome, c.outcome)
	gap(l, c.took).NumberIn(st, took, c.took)
	gap(l, c.size).NumberIn(st, size, c.size)
	gap(l, c.found).OwnIn(st, found, c.found)
	return l
}

// gap is the room before a column that is there.
func gap(l *cell.Line, w int) *cell.Line {
	if w > 0 {
		l.Blank(2)
	}
	return l
}

// Len implements list.Source.
func (v *View) Len() int { return len(v.rows) }

// Mark implements list.Marker.
func (v *View) Mark(i int) list.Mark {
	if v.marked != 0 && v.all[v.rows[i]].ID == v.marked {
		return list.Marked
	}
	return 0
}

// Row implements list.Source.
func (v *View) Row(i, w int) cell.Line {
	e := &v.all[v.rows[i]]
	c := v.columns(w)
	quiet, text := cell.Fg(themes.Muted), cell.Fg(themes.Text)
	var l cell.Line
	number, tool := strconv.Itoa(e.N), e.Tool
	if e.N == 0 {
		number = ""
		if e.short == "" {
			e.short = "discover, list"
		}
	} else if e.short == "" {
		e.short = Short(e.Args)
	}
	if v.marked == e.ID {
		l.NumberIn(cell.Fg(themes.Accent).With(themes.Bold), number, c.n)
	} else {
		l.NumberIn(text, number, c.n)
	}
	gap(&l, c.time).OwnIn(quiet, e.When.Format("15:04:05"), c.time)
	gap(&l, c.tool)
	if e.N == 0 {
		l.OwnIn(quiet, "upload", c.tool)
	} else {
		l.TextIn(cell.Fg(themes.Key), tool, c.tool, cell.CutMiddle)
	}
	gap(&l, c.args).TextIn(text, e.short, c.args, cell.CutEnd)
	role := findings.OutcomeRole(e.Outcome)
	if e.Live {
		role = themes.Notice
	}
	gap(&l, c.outcome).OwnIn(cell.Fg(role), e.outcome(), c.outcome)
	took, size := "", ""
	if !e.Live {
		took, size = words.Duration(e.Usage.Time), words.Size(e.Usage.Stdout)
	}
	gap(&l, c.took).NumberIn(quiet, took, c.took)
	gap(&l, c.size).NumberIn(quiet, size, c.size)
	if c.found > 0 {
		l.Blank(2).Add(e.Found)
	}
	return l
}

// shortOf is how many members of arguments are told in a row.
const shortOf = 8

// Short is arguments in a row: name "Ada"  style "warm". It is bounded.
func Short(args []byte) string {
	doc, err := jsonread.Parse(args)
	if err != nil || doc.Root().Kind() != jsonread.Object {
		return quote.Pointer(string(args[:min(len(args), 400)]))
	}
	var parts []string
	for name, value := range doc.Root().Members() {
		if len(parts) == shortOf {
			parts = append(parts, "…")
			break
		}
		text := quote.Value(value)
		if raw := value.Raw(); len(raw) <= 48 {
			text = quote.Pointer(string(jsonread.Compact(nil, raw)))
		}
		parts = append(parts, quote.Pointer(name.String())+" "+text)
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, "  ")
}

// drawBeside draws what stands beside the list: how two runs differ, or what is
// known of the selected one.
func (v *View) drawBeside(k *cell.Look, w, h int, focused bool) cell.Block {
	if v.pair != nil {
		return v.drawPair(k, w, h, focused)
	}
	e, ok := v.Selected()
	if !ok {
		v.about = nil
		return k.Blank(w, h)
	}
	a, _, _ := v.Partner()
	if key := (made{e.ID, e.Live, a.ID, w, k}); v.about == nil || v.made != key {
		v.about, v.made = list.New(list.Lines(v.tell(k, e, w-list.Frame))), key
	}
	v.about.Bare(!focused)
	return v.about.View(k, w, h, focused)
}

// maxTold is how many lines of arguments are told of a run.
const maxTold = 400

// tell is what is known of a run.
func (v *View) tell(k *cell.Look, e Entry, w int) []cell.Line {
	var head cell.Line
	bold := cell.Fg(themes.Text).With(themes.Bold)
	if e.N == 0 {
		head.Own(bold, "Upload run")
	} else {
		head.Own(bold, "Call "+words.Count(e.N)+" of ").Text(cell.Fg(themes.Key), k.Text.Cut(k.Text.Line(e.Tool), max(w-30, 8)))
	}
	role := findings.OutcomeRole(e.Outcome)
	if e.Live {
		role = themes.Notice
	}
	head.Blank(3).Own(cell.Fg(role), e.outcome())
	out := []cell.Line{head, {}}
	fact := func(name, text string) {
		var l cell.Line
		out = append(out, *l.OwnIn(cell.Fg(themes.Muted), name, 10).Own(cell.Fg(themes.Text), text))
	}
	fact("began", e.When.Format("15:04:05"))
	if !e.Live {
		u := e.Usage
		fact("took", words.Duration(u.Time))
		fact("stdout", words.Bytes(u.Stdout))
		fact("stderr", words.Bytes(u.Stderr))
		fact("written", words.Bytes(u.Written))
		fact("HTTP", words.Plural(u.HTTP, "request"))
		fact("memory", words.Size(u.MemoryPeak))
	}
	if len(e.Found.Spans) > 0 {
		row := cell.Line{}
		row.OwnIn(cell.Fg(themes.Muted), "findings", 10).Add(e.Found)
		out = append(out, row)
	}
	if e.N > 0 {
		out = append(out, cell.Line{}, cell.Own(themes.Muted, fmt.Sprintf("arguments, %s", words.Bytes(len(e.Args)))))
		for i, row := range strings.SplitN(indented(e.Args), "\n", maxTold+1) {
			if i == maxTold {
				out = append(out, cell.Own(themes.Muted, "… "+k.Key("copy.value", "y")+" copies all of it"))
				break
			}
			out = append(out, cell.Text(themes.ToModule, row))
		}
		out = append(out, cell.Line{})
		a, _, why := v.Partner()
		c := k.Key("history.compare", "c")
		text := c + " compares it with " + a.name() + ", the call before of this tool."
		switch {
		case why != "":
			text = c + ": " + why + "."
		case v.marked != 0:
			text = c + " compares it with " + a.name() + ", the marked one."
		}
		out = append(out, prose.Text(k, themes.Muted, text, w)...)
	}
	return out
}

// indented is a JSON text with a line for each value.
func indented(args []byte) string {
	doc, err := jsonread.Parse(args)
	if err != nil {
		return string(args)
	}
	return string(jsonread.Indent(nil, doc.Root().Raw()))
}

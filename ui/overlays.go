package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"perch/themes"
	"perch/ui/box"
	"perch/ui/cell"
	"perch/ui/prose"
)

// overlay is a box that lies over the panes, and what its choices do.
type overlay struct {
	box    *box.Box
	choose func(*App, box.Item) tea.Cmd
	moved  func(*App, box.Item)  // the selection moved
	closed func(*App) tea.Cmd    // without a choice
	keep   bool                  // a choice leaves it open
	build  func(*App, int)       // makes the text for a width
	keys   map[string]func(*App) // of this box alone
	typed  func(*App) tea.Cmd    // the text of its input changed
	// offered takes paths that were looked for.
	offered func([]string)
}

// look tells whoever wants to know that another row is selected.
func (o *overlay) look(a *App) {
	if it, ok := o.box.Selected(); ok && o.moved != nil {
		o.moved(a, it)
	}
}

func (a *App) push(o *overlay) { a.over = append(a.over, o) }

func (a *App) pop() *overlay {
	top := a.over[len(a.over)-1]
	a.over = a.over[:len(a.over)-1]
	return top
}

// overKey is a key while a box is open.
func (a *App) overKey(name, text string) tea.Cmd {
	top := a.over[len(a.over)-1]
	a.status.touch()
	input := top.box.Input()
	if input != nil && text != "" {
		input.Key(name, text)
		return a.changed()
	}
	if do := top.keys[name]; do != nil {
		do(a)
		if n := len(a.over); n > 0 && a.over[n-1] == top && top.typed != nil {
			return top.typed(a)
		}
		return nil
	}
	if it, ok := top.box.Letter(name); ok && input == nil {
		return a.overChoose(it)
	}
	if c, ok := a.lookup(name); ok {
		if c.ctx == ctxAny && (c.id == "app.palette" || c.id == "app.help") {
			return tea.Batch(a.overClose(), a.run(c, name)) // one box gives way to another
		}
		return a.run(c, name)
	}
	if input != nil && input.Key(name, "") {
		return a.changed()
	}
	switch name { // twins of the arrows, where letters are not text
	case "k":
		return a.overMove(-1)
	case "j":
		return a.overMove(1)
	case "q", "?":
		return a.overClose()
	}
	return a.say(toast{text: name + " does nothing here · esc closes", brief: true})
}

func (a *App) overMove(n int) tea.Cmd {
	top := a.over[len(a.over)-1]
	top.box.Move(n)
	top.look(a)
	return nil
}

func (a *App) overPage(n int) tea.Cmd {
	top := a.over[len(a.over)-1]
	top.box.Page(n)
	top.look(a)
	return nil
}

func (a *App) overDo() tea.Cmd {
	it, ok := a.over[len(a.over)-1].box.Selected()
	if !ok {
		return a.overClose()
	}
	return a.overChoose(it)
}

func (a *App) overChoose(it box.Item) tea.Cmd {
	top := a.over[len(a.over)-1]
	if it.Disabled != "" {
		return a.say(toast{text: it.Disabled, brief: true})
	}
	if !top.keep {
		a.pop()
	}
	if top.choose == nil {
		return nil
	}
	return top.choose(a, it)
}

func (a *App) overClose() tea.Cmd {
	top := a.pop()
	if top.closed != nil {
		return top.closed(a)
	}
	return nil
}

// drawOver draws the topmost box over the rows and says where the caret is.
func (a *App) drawOver(rows cell.Block) (cell.Block, int, int, bool) {
	top := a.over[len(a.over)-1]
	w := min(top.box.Width, a.w)
	if top.build != nil {
		top.build(a, w-4)
	}
	block := top.box.View(a.look, w, a.h-2)
	if len(block) == 0 {
		return rows, 0, 0, false
	}
	x, y := max((a.w-w)/2, 0), max((a.h-len(block))/3, 1)
	a.hits.over = rect{X: x, Y: y, W: w, H: len(block)}
	cx, cy, ok := top.box.Cursor()
	return cell.Overlay(rows, block, x, y), x + cx, y + cy, ok
}

// answer is one answer to a question.
type answer struct {
	letter, label string
	do            func(*App) tea.Cmd
}

// question is asked only where something would be lost or granted. Its first
// answer is the harmless one.
type question struct {
	title, text string
	answers     []answer
}

func (a *App) ask(q question) {
	b := &box.Box{Title: q.title, Sign: "?", Width: 60, Foot: "↑↓ or the letter   enter, esc: the first",
		Items: func(string) []box.Item {
			var out []box.Item
			for i, x := range q.answers {
				out = append(out, box.Item{Letter: x.letter, Label: x.label, Value: i})
			}
			return out
		}}
	a.push(&overlay{box: b,
		build: func(a *App, w int) { b.Text = paragraphs(a.look, q.text, w) },
		choose: func(a *App, it box.Item) tea.Cmd {
			i, _ := it.Value.(int)
			if do := q.answers[i].do; do != nil {
				return do(a)
			}
			return nil
		}})
}

// card tells of something that went wrong: what happened, and what to do.
type card struct {
	title, text, do string
	meant           string // a package that was most likely meant, "" none
	try             string // a command for a shell, "" none
	again           func(*App) tea.Cmd
}

func (a *App) show(c card) {
	items := []box.Item{{Letter: "b", Label: "back", Value: "back"}}
	if c.meant != "" {
		items = append(items, box.Item{Letter: "o", Label: "open ", Name: c.meant, Value: "meant"})
	}
	if c.again != nil {
		items = append(items, box.Item{Letter: "r", Label: "try again", Value: "again"})
	}
	if c.try != "" {
		items = append(items, box.Item{Letter: "c", Label: "copy the command", Value: "command"})
	}
	items = append(items, box.Item{Letter: "y", Label: "copy this text", Value: "copy"})
	b := &box.Box{Title: c.title, Sign: "✗", Error: true, Width: 64, Foot: "enter back   esc back",
		Items: func(string) []box.Item { return items }}
	text := c.text
	if c.do != "" {
		text += "\n\n" + c.do
	}
	if c.try != "" {
		text += "\n\nThis says more:\n  " + c.try
	}
	a.push(&overlay{box: b,
		build: func(a *App, w int) { b.Text = paragraphs(a.look, text, w) },
		choose: func(a *App, it box.Item) tea.Cmd {
			switch it.Value {
			case "again":
				return c.again(a)
			case "meant":
				return a.openPackage(c.meant)
			case "command":
				return a.copyText(c.try)
			case "copy":
				return a.copyText(text)
			}
			return nil
		}})
}

// paragraphs are a text and an empty row below it. The text may name things
// that are not ours.
func paragraphs(k *cell.Look, text string, w int) []cell.Line {
	var out []cell.Line
	for _, p := range strings.Split(text, "\n") {
		if p == "" {
			out = append(out, cell.Line{})
			continue
		}
		for _, l := range prose.Text(k, themes.Text, p, w+1) {
			l.Spans = l.Spans[1:] // the box has its own margin
			out = append(out, l)
		}
	}
	return append(out, cell.Line{})
}

package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"perch/ui/arguments"
	"perch/ui/box"
	"perch/ui/edit"
	"perch/ui/words"
)

// arguing are the commands of the pane Arguments.
func arguing() []command {
	return []command{
		{id: "args.form_json", ctx: ctxArguments, keys: keys("ctrl+f"), title: "Form or JSON", foot: "JSON", says: (*App).saysOtherTab, rank: 4, run: here("args.form_json")},
		{id: "args.sample", ctx: ctxArguments, keys: keys("s"), title: "Fill in arguments at hand", foot: "fill in", rank: 7, why: (*App).whyNoTool, run: on((*App).openSets)},
		{id: "args.editor", ctx: ctxArguments, keys: keys("o"), title: "Edit in $EDITOR", why: (*App).whyNoTool, run: on((*App).openOutside)},
		{id: "args.preset", ctx: ctxArguments, keys: keys("S"), title: "Save as a preset", why: (*App).whyNoTool, run: on((*App).openPreset)},
		{id: "args.presets", ctx: ctxArguments, keys: keys("L"), title: "Presets: fill in, rename, remove", why: (*App).whyNoTool, run: on((*App).openPresets)},
		{id: "args.leave_out", ctx: ctxArguments, keys: keys("x", "backspace", "delete"), title: "Leave out; remove the row", foot: "leave out", says: (*App).saysLeaveOut, rank: 6, run: here("args.leave_out")},
		{id: "args.null", ctx: ctxArguments, keys: keys("n"), title: "Value null", run: here("args.null")},
		{id: "args.empty", ctx: ctxArguments, keys: keys("e"), title: `Empty value: "" [] {}`, run: here("args.empty")},
		{id: "args.default", ctx: ctxArguments, keys: keys("u"), title: "Fill in the default", run: here("args.default")},
		{id: "args.add", ctx: ctxArguments, keys: keys("a"), title: "Add a row, a key", run: here("args.add")},
		{id: "args.duplicate", ctx: ctxArguments, keys: keys("D"), title: "Duplicate the row", run: here("args.duplicate")},
		{id: "args.move_down", ctx: ctxArguments, keys: keys("J"), title: "Move the row down", run: here("args.move_down")},
		{id: "args.move_up", ctx: ctxArguments, keys: keys("K"), title: "Move the row up", run: here("args.move_up")},
		{id: "type.undo", ctx: ctxArguments, keys: keys("ctrl+z"), title: "Undo", run: here("type.undo")},
		{id: "type.redo", ctx: ctxArguments, keys: keys("ctrl+y"), title: "Redo", run: here("type.redo")},

		{id: "type.next_field", ctx: ctxField, keys: keys("tab"), title: "Next field", foot: "next", rank: 9, run: here("type.next_field")},
		{id: "type.prev_field", ctx: ctxField, keys: keys("shift+tab"), title: "Field before it", run: here("type.prev_field")},
		{id: "type.suggest", ctx: ctxField, keys: keys("ctrl+n"), title: "Values to choose from", run: on((*App).openChoice)},
		{id: "args.form_json", ctx: ctxField, keys: keys("ctrl+f"), title: "Form or JSON", run: here("args.form_json")},
		{id: "type.suggest", ctx: ctxEditor, keys: keys("ctrl+n"), title: "Suggestions", run: here("type.suggest")},
		{id: "args.form_json", ctx: ctxEditor, keys: keys("ctrl+f"), title: "Form or JSON", run: here("args.form_json")},
	}
}

// onArguments reports whether the pane Arguments has the focus.
func (a *App) onArguments() bool {
	return a.at == inExplore && a.page == nil && a.focus == paneArguments
}

// argsSaid shows what the pane Arguments had to say, and asks what it leaves
// open.
func (a *App) argsSaid() tea.Cmd {
	a.askBare()
	if text := a.args.Said(); text != "" {
		return a.say(toast{text: text, brief: true})
	}
	return nil
}

// askBare asks what becomes of an object whose last member was left out.
func (a *App) askBare() {
	path, name, ok := a.args.Bare()
	if !ok {
		return
	}
	if name = a.look.Text.Cut(a.look.Text.Line(name), 40); name == "" {
		name = `""`
	}
	a.ask(question{title: "Nothing is left within", text: name + " has no members now. It is sent as {} unless it is left out too.", answers: []answer{
		{"k", "keep {}", nil},
		{"x", "leave it out", func(a *App) tea.Cmd { a.args.LeaveOut(path); return a.argsSaid() }},
	}})
}

// askLineEnds asks which line ends a text that was pasted into a field shall
// have, where it came with pairs of carriage return and line feed.
func (a *App) askLineEnds(ed *edit.Editor, text string, pairs int) {
	if pairs == 0 || !a.onArguments() || !a.args.InField() || len(a.over) > 0 {
		return
	}
	a.ask(question{title: "Line ends of the pasted text", text: "It came with " + words.Plural(pairs, "line end") + " of CR LF; LF alone went in.", answers: []answer{
		{"l", "LF alone, as it is now", nil},
		{"c", "CR LF, as it came", func(a *App) tea.Cmd {
			if a.input() != ed || !ed.Undo() {
				return nil
			}
			ed.Put(strings.NewReplacer("\r\n", "\r\n", "\r", "\n").Replace(text)) // a CR alone is how terminals send LF
			return a.changed()
		}},
	}})
}

// asked does what the pane Arguments asks for.
func (a *App) asked(what arguments.Ask) tea.Cmd {
	said := a.argsSaid()
	switch what {
	case arguments.Run:
		cmd := a.do("run.call")
		if a.session != nil && a.session.live != nil {
			a.setFocus(paneResult)
		}
		return cmd
	case arguments.Choose:
		return a.openChoice()
	}
	return said
}

// toggleRow is space without a caret.
func (a *App) toggleRow() tea.Cmd {
	if !a.onArguments() || a.args.Tab() != arguments.Form {
		return a.here("nav.toggle", "space")
	}
	return a.asked(a.args.Toggle())
}

// openChoice opens what the selected field offers to choose from.
func (a *App) openChoice() tea.Cmd {
	m, ok := a.args.Menu()
	if !ok {
		return a.say(toast{text: "there is nothing to choose from here", brief: true})
	}
	title := "Choose"
	if name := a.look.Text.Cut(a.look.Text.Line(m.Title), 40); name != "" {
		title = name
	}
	foot := "↑↓ choose   enter takes it   letters filter   esc"
	if m.Many {
		foot = "↑↓ choose   enter ticks   letters filter   esc closes"
	}
	b := &box.Box{Title: title, Sign: "▾", Prompt: "filter", Width: 56, Height: 14, Foot: foot,
		Items: func(query string) []box.Item {
			now, _ := a.args.Menu()
			return matching(choiceItems(now), query)
		}}
	a.push(&overlay{box: b, keep: m.Many, choose: func(a *App, it box.Item) tea.Cmd {
		now, _ := a.args.Menu()
		i, ok := it.Value.(int)
		if !ok || i >= len(now.Items) {
			return nil
		}
		o := now.Items[i]
		if m.Many && !o.Many {
			a.pop()
		}
		a.args.Take(o)
		b.Refresh()
		return a.argsSaid()
	}})
	for i, o := range m.Items {
		if o.Picked && o.Text != "" && !o.Many {
			b.Select(i)
			break
		}
	}
	return nil
}

// choiceItems are the rows of a menu; each has its index as its value.
func choiceItems(m arguments.Menu) []box.Item {
	var out []box.Item
	for i, o := range m.Items {
		it := box.Item{Head: o.Head, Label: o.Own, Name: o.Text, Right: o.Note}
		if !o.Head {
			it.Value, it.Mark = i, " "
		}
		switch {
		case o.Many && o.Picked:
			it.Mark = "✓"
		case o.Many:
			it.Mark = "·"
		case o.Picked:
			it.Mark = "•"
		}
		out = append(out, it)
	}
	return out
}

func (a *App) saysOtherTab() string {
	switch _, has := a.tools.Selected(); {
	case !has:
		return ""
	case a.args.Tab() == arguments.Form:
		return "JSON"
	}
	return "form"
}

func (a *App) saysLeaveOut() string {
	if a.args.Tab() != arguments.Form || a.args.OnRun() || !a.args.IsSet() {
		return ""
	}
	return "leave out"
}

func (a *App) whyNoTool() string {
	if _, ok := a.tools.Selected(); !ok || a.session == nil {
		return "no tool is chosen"
	}
	return ""
}

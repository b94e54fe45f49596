package ui

import (
	"bytes"
	"encoding/json"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"perch/engine/wire"
	"perch/inspect/schema/sample"
	"perch/ui/box"
)

// set is a set of arguments that can be filled in.
type set struct {
	name string // not ours
	own  string // ours
	text string // JSON
}

// openSets offers the arguments at hand: those that came with the package, the
// last call's, and samples that fit the schema.
func (a *App) openSets() tea.Cmd {
	t, _ := a.tools.Selected()
	items, sets := a.setItems(t)
	b := &box.Box{Title: "Fill in arguments", Sign: "s", Width: 64, Height: 14, Foot: "enter fills in, ctrl+z takes it back   esc",
		Items: func(string) []box.Item { return items }}
	a.push(&overlay{box: b, choose: func(a *App, it box.Item) tea.Cmd {
		text := "{}"
		if i, _ := it.Value.(int); i >= 0 && i < len(sets) {
			text = sets[i].text
		}
		a.args.Fill(text)
		return nil
	}})
	return nil
}

// onOneLine is JSON without the blanks between its tokens.
func onOneLine(text string) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(text)) != nil {
		return text
	}
	return b.String()
}

// setItems are the rows of the menu of samples; each has the index of its set
// as its value.
func (a *App) setItems(t wire.Tool) ([]box.Item, []set) {
	var items []box.Item
	var all []set
	section := func(head string, sets []set) {
		if len(sets) == 0 {
			return
		}
		items = append(items, box.Item{Head: true, Label: head})
		for _, s := range sets {
			it := box.Item{Label: s.own, Name: s.name, Value: len(all), Note: onOneLine(s.text)}
			if len(all) < 9 {
				it.Letter = fmt.Sprint(len(all) + 1)
			} else {
				it.Label = "   " + it.Label
			}
			items, all = append(items, it), append(all, s)
		}
	}
	var came, saved, made, last []set
	for _, s := range a.session.presets[t.Name] {
		saved = append(saved, set{name: s.Name, text: string(s.Args)})
	}
	for _, s := range a.session.sets[t.Name] {
		came = append(came, set{name: s.Name, text: string(s.Value)})
	}
	if text, ok := a.session.sent[t.Name]; ok {
		last = []set{{own: "what was sent last", text: string(text)}}
	}
	for _, s := range sample.All(t.InputSchema) {
		made = append(made, set{name: s.Name, text: string(s.JSON)})
	}
	section("With the package", came)
	section("Saved", saved)
	section("Last call", last)
	section("Made from the schema", made)
	items = append(items, box.Item{Letter: "0", Label: "nothing: {}", Value: -1})
	return items, all
}

package arguments

import (
	"perch/engine/jsonread"
	"perch/inspect/form"
)

// Menu is what the selected row offers to choose from.
type Menu struct {
	Title string // the field, as the module named it
	Many  bool   // several may be ticked: it stays open
	Items []Offer
}

// Offer is a row of a menu.
type Offer struct {
	Head   bool   // a heading in our words
	Own    string // our words
	Text   string // words that are not ours
	Note   string // not ours either
	Picked bool
	Many   bool // it is ticked beside others
	Other  bool // a value that is not listed is to be typed
	out    bool // the field is left out
	do     func(f *form.Form) error
}

// hasMenu reports whether a row has something to choose from.
func hasMenu(r form.Row) bool {
	return r.Kind == form.Picker || r.Kind == form.Field &&
		(r.Type == form.Choice || len(r.Branches) > 1 || len(r.Items) > 0 || len(r.Types) > 1 || len(r.Examples) > 0 && !r.Group)
}

// Menu is the menu of the selected row; ok is false where there is nothing to
// choose from.
func (p *Pane) Menu() (m Menu, ok bool) {
	if p.now == nil || p.now.tab != Form || p.onRun {
		return Menu{}, false
	}
	r, ok := p.now.selected()
	if !ok || !hasMenu(r) {
		return Menu{}, false
	}
	m.Title = r.Label
	if r.Kind == form.Picker {
		m.Title = "one of these"
	}
	section := func(head string, offers []Offer) {
		if len(offers) == 0 {
			return
		}
		if head != "" {
			m.Items = append(m.Items, Offer{Head: true, Own: head})
		}
		m.Items = append(m.Items, offers...)
	}
	section("", p.optionOffers(r))
	section("", p.itemOffers(r))
	m.Many = len(r.Items) > 0
	section(headIf(len(m.Items) > 0, "its form"), p.branchOffers(r))
	section(headIf(len(m.Items) > 0, "its type"), typeOffers(r))
	section(headIf(len(m.Items) > 0, "examples"), exampleOffers(r))
	section(headIf(len(m.Items) > 0, "or"), stateOffers(r))
	return m, true
}

func headIf(yes bool, text string) string {
	if yes {
		return text
	}
	return ""
}

func (p *Pane) optionOffers(r form.Row) []Offer {
	if r.Type != form.Choice {
		return nil
	}
	var out []Offer
	for i, o := range r.Options {
		note := o.Title
		if o.Raw == r.Default {
			note = joined(note, "default")
		}
		out = append(out, Offer{Text: cutText(o.Raw, 200), Note: note, Picked: r.Picked == i,
			do: func(f *form.Form) error { return f.Pick(r.Path, i) }})
	}
	return append(out, Offer{Own: "other value …", Other: true})
}

func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + " · " + b
}

func (p *Pane) itemOffers(r form.Row) []Offer {
	var there jsonread.Value
	if doc, err := jsonread.Parse(p.now.form.Raw(r.Path)); err == nil {
		there = doc.Root()
	}
	var out []Offer
	for i, o := range r.Items {
		out = append(out, Offer{Text: cutText(o.Raw, 200), Note: o.Title, Many: true, Picked: holds(there, o.Raw),
			do: func(f *form.Form) error { return f.PickItem(r.Path, i) }})
	}
	return out
}

// holds reports whether a list has an element.
func holds(list jsonread.Value, raw string) bool {
	if list.Kind() != jsonread.Array {
		return false
	}
	doc, err := jsonread.Parse([]byte(raw))
	if err != nil {
		return false
	}
	for _, v := range list.Elements() {
		if v.Equal(doc.Root()) {
			return true
		}
	}
	return false
}

// branchOffers are the branches of the picker that the row is. Of several at
// one place it is told apart by what it offers.
func (p *Pane) branchOffers(r form.Row) []Offer {
	if len(r.Branches) < 2 {
		return nil
	}
	picker := 0
	if r.Kind == form.Picker {
		picker = p.pickerIndex(r)
	}
	var out []Offer
	for i, name := range r.Branches {
		out = append(out, Offer{Text: name, Picked: i == r.Branch,
			do: func(f *form.Form) error { return f.Branch(r.Path, picker, i) }})
	}
	return out
}

// pickerIndex is which of the pickers at its place a row is: rows of one place
// follow each other, the first may be the field's own.
func (p *Pane) pickerIndex(r form.Row) int {
	d := p.now
	at := d.find()
	n := 0
	for i := at - 1; i >= 0; i-- {
		before := d.form.Row(i)
		if before.Path != r.Path {
			break
		}
		if before.Kind == form.Picker || len(before.Branches) > 0 {
			n++
		}
	}
	return n
}

func typeOffers(r form.Row) []Offer {
	if len(r.Types) < 2 || r.Type == form.Choice {
		return nil
	}
	var out []Offer
	for i, name := range r.Types {
		out = append(out, Offer{Text: name, Picked: i == r.TypeAt,
			do: func(f *form.Form) error { return f.SwitchType(r.Path, i) }})
	}
	return out
}

func exampleOffers(r form.Row) []Offer {
	if r.Type == form.Choice {
		return nil
	}
	var out []Offer
	for _, e := range r.Examples {
		out = append(out, Offer{Text: cutText(e, 200), do: func(f *form.Form) error { return f.SetRaw(r.Path, []byte(e)) }})
	}
	return out
}

func stateOffers(r form.Row) []Offer {
	if r.Kind != form.Field {
		return nil
	}
	var out []Offer
	if r.Null {
		out = append(out, Offer{Own: "∅ null", Picked: r.State == form.IsNull,
			do: func(f *form.Form) error { return f.SetNull(r.Path) }})
	}
	return append(out, Offer{Own: "· left out", Picked: r.State == form.LeftOut, out: true})
}

// Take does what an offer of the selected row's menu stands for. While typing
// the caret goes on to the next field.
func (p *Pane) Take(o Offer) {
	switch {
	case p.now == nil:
	case o.Other:
		p.typeHere()
		p.fresh = false
	case o.out || o.do != nil:
		was := p.typing
		switch {
		case o.do != nil:
			p.act(o.do(p.now.fields()))
		case p.IsSet():
			p.LeaveOut(p.now.at)
		}
		switch {
		case was && !o.Many:
			p.nextField(1)
		case was:
			p.retype()
		}
	}
}

// IsSet reports whether the selected field is sent.
func (p *Pane) IsSet() bool {
	r, ok := p.Selected()
	return ok && r.Kind == form.Field && r.State != form.LeftOut
}

// Selected is the selected field or row of the form.
func (p *Pane) Selected() (r form.Row, ok bool) {
	if p.now == nil || p.now.tab != Form || p.OnRun() {
		return form.Row{}, false
	}
	return p.now.selected()
}

// Says is what enter does now, in a word.
func (p *Pane) Says() string {
	switch d := p.now; {
	case d == nil:
		return ""
	case p.search:
		return "keep it"
	case d.tab != Form:
		return "type"
	case p.typing:
		return "next"
	}
	r, ok := p.now.selected()
	switch {
	case !ok:
		return ""
	case r.Kind == form.AddRow, r.Kind == form.AddKey:
		return "add"
	case r.Kind == form.Picker, r.Type == form.Choice, r.Group && (len(r.Branches) > 1 || len(r.Items) > 0):
		return "choose"
	case r.Group:
		return "fold"
	case r.Type == form.Boolean:
		return "tick"
	}
	return "type"
}

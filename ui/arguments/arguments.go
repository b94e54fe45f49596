// Package arguments is the pane in which the arguments of a call are written:
// for each tool a draft of JSON, as a form of the schema's fields or as text,
// the schema to read beside it, and below them what would be sent, byte for
// byte. It knows nothing of runs, of keys or of the rest of the screen.
package arguments

import (
	"bytes"
	"encoding/json"

	"perch/engine/jsonread"
	"perch/engine/wire"
	"perch/inspect/form"
	"perch/inspect/jsonview"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/edit"
	"perch/ui/list"
	"perch/ui/syntax"
)

// Tab is what the pane shows.
type Tab uint8

// The tabs.
const (
	Form Tab = iota
	JSON
	Schema
	tabs
)

// Ask is what the pane wants of who uses it.
type Ask uint8

// What may be asked.
const (
	Nothing Ask = iota
	Run         // the row Run was entered
	Choose      // the menu of the selected row is to be opened, see Menu
)

// Pane is the state of the pane. Use New.
type Pane struct {
	drafts map[string]*draft
	tool   wire.Tool
	has    bool // a tool is shown
	now    *draft
	back   Tab // the tab that the schema was opened from
	typing bool
	field  *edit.Editor // the input of a field while typing in the form
	fresh  bool         // nothing was typed into it yet
	search bool         // the caret is in the filter
	onRun  bool         // the row Run is selected
	edH    int          // rows of the editor or the form when it was drawn last
	h      int
	runY   int
	shown  shown
	said   string          // what an act had to say
	bare   string          // the object that the last act left without members
	reason string          // why Run cannot be done, "" when it can
	kept   map[string]Kept // how tools were looked at before that were not shown yet
	none   string          // what stands here without a tool
}

// New is a pane without a tool.
func New() *Pane { return &Pane{drafts: map[string]*draft{}} }

// Show shows the draft for a tool. A new one begins with first.
func (p *Pane) Show(t wire.Tool, first func() string) {
	if p.has && p.tool.Name == t.Name && p.now != nil {
		p.now.take(t)
		p.tool = t
		if p.typing && p.now.tab == Form && p.now.kind == form.Field && p.now.fields().Find(p.now.at) < 0 {
			p.stop() // the field is gone
		}
		return
	}
	p.tool, p.has, p.onRun, p.back = t, true, false, Form
	p.stop()
	d := p.drafts[t.Name]
	if d == nil {
		d = newDraft(t, first())
		p.drafts[t.Name] = d
	}
	d.take(t)
	p.now = d
	p.reopen(t.Name)
}

// None shows no tool.
func (p *Pane) None() {
	p.has, p.now = false, nil
	p.stop()
}

// Forget drops all drafts, for another package.
func (p *Pane) Forget() {
	p.drafts, p.kept = map[string]*draft{}, nil
	p.None()
}

// Put makes a draft of a text kept from before, for a tool that has none yet.
func (p *Pane) Put(tool, text string) {
	if p.drafts[tool] == nil {
		d := newDraft(wire.Tool{Name: tool}, text)
		d.first, d.raw = "", true
		p.drafts[tool] = d
	}
}

// Drafts are the texts that a person wrote, by tool.
func (p *Pane) Drafts() map[string]string {
	out := map[string]string{}
	for name, d := range p.drafts {
		if text := d.ed.Text(); text != d.first {
			out[name] = text
		}
	}
	return out
}

// Fill replaces the draft by other arguments; it can be undone.
func (p *Pane) Fill(text string) {
	if p.now == nil {
		return
	}
	p.now.ed.SetText(Pretty([]byte(text)))
	p.now.fields()
	p.retype()
	if p.now.tab == Schema {
		p.now.tab = p.back
	}
}

// Pretty is JSON on several lines where it is not empty; its tokens stay as
// they are. What is no JSON stays as it is too.
func Pretty(raw []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, bytes.TrimSpace(raw), "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}

// Text is the draft.
func (p *Pane) Text() string {
	if p.now == nil {
		return ""
	}
	return p.now.ed.Text()
}

// Sends is what a run would send; the error says why nothing can be sent.
func (p *Pane) Sends() ([]byte, error) {
	if p.now == nil {
		return nil, nil
	}
	s := p.now.sends.of(p.now.ed)
	return s.text, s.err
}

// ToFault puts the caret at the byte that keeps the draft from being sent. It
// reports whether there is one.
func (p *Pane) ToFault() bool {
	if p.now == nil {
		return false
	}
	s := p.now.sends.of(p.now.ed)
	if s.err == nil {
		return false
	}
	typed := p.typing
	p.stop()
	p.now.tab, p.onRun, p.typing = JSON, false, typed
	p.now.ed.MoveTo(s.at)
	return true
}

// Empty says what stands here when no tool is chosen.
func (p *Pane) Empty(text string) { p.none = text }

// Disable says why Run cannot be done now, "" when it can.
func (p *Pane) Disable(reason string) { p.reason = reason }

// Said is what the last act had to say, once.
func (p *Pane) Said() string {
	text := p.said
	p.said = ""
	return text
}

// Bare is the object that the last act left without members, and that may be
// left out as well: its pointer, for LeaveOut, and its name. It is told once.
func (p *Pane) Bare() (path, name string, ok bool) {
	path, p.bare = p.bare, ""
	return path, lastName(path), path != ""
}

// LeaveOut leaves a field out, so that it is not sent.
func (p *Pane) LeaveOut(path string) {
	d := p.now
	if d == nil {
		return
	}
	bare, err := d.fields().LeaveOut(path)
	p.act(err)
	if err != nil {
		return
	}
	p.bare = bare
	p.retype()
}

// OnRun reports whether the row Run is selected.
func (p *Pane) OnRun() bool { return p.onRun && !p.typing && !p.search }

// SelectRun selects the row Run.
func (p *Pane) SelectRun() {
	p.stop()
	p.onRun = true
	if p.now != nil && p.now.tab == Schema {
		p.now.tab = p.back
	}
}

// Input is where the caret is, nil when there is none.
func (p *Pane) Input() *edit.Editor {
	switch {
	case p.now == nil:
		return nil
	case p.search:
		return p.now.filter
	case !p.typing:
		return nil
	case p.now.tab == JSON:
		return p.now.ed
	}
	return p.field
}

// InField reports whether the caret is in a field of the form, or in its
// filter, which are inputs of one line.
func (p *Pane) InField() bool { return p.Input() != nil && (p.search || p.now.tab == Form) }

// Tab is what is shown.
func (p *Pane) Tab() Tab {
	if p.now == nil {
		return Form
	}
	return p.now.tab
}

// Type puts the caret into the draft: in the form into the selected field, in
// the text at first where there is something to write.
func (p *Pane) Type() {
	if p.now == nil {
		return
	}
	if p.now.tab == Schema {
		p.now.tab = p.back
	}
	if p.now.tab == Form {
		if !p.typeHere() {
			p.nextField(1)
		}
		return
	}
	p.typing, p.onRun, p.search = true, false, false
	p.now.fields()
	if !p.now.typed {
		p.now.typed = true
		if p.now.ed.Offset() == 0 {
			p.now.ed.MoveTo(firstValue(p.now.ed))
		}
	}
}

// TypeFirst puts the caret into the first field that must be filled in; where
// there is none, into the first of all at first, and selects the row Run
// later. In the text it is Type.
func (p *Pane) TypeFirst() {
	if p.now == nil {
		return
	}
	if p.now.tab == JSON {
		p.Type()
		return
	}
	p.now.tab = Form
	f := p.now.fields()
	if _, err := f.Fault(); err == nil {
		first := !p.now.entered
		p.now.entered = true
		if path, ok := f.FirstToFill(); ok {
			p.now.choose(path)
			if p.typeHere() {
				return
			}
		}
		if first && p.firstField() {
			return
		}
	}
	p.SelectRun()
}

// firstField goes to the first field, or to the picker that stands before all,
// and reports whether there is one.
func (p *Pane) firstField() bool {
	f := p.now.fields()
	for i := range min(f.Len(), 16) { // pickers of the root stand before its fields
		switch r := f.Row(i); {
		case r.Kind == form.Field:
			p.now.pick(i)
			if !p.typeHere() {
				p.nextField(1)
			}
			return true
		case r.Kind == form.Picker && f.Len() == 1:
			p.now.pick(i)
			p.onRun = false
			return true
		}
	}
	return false
}

// firstValue is the byte of a draft at which people begin: behind the text of
// the first member's value, in an object without members between its brackets.
func firstValue(ed *edit.Editor) int {
	doc, err := ed.Check()
	if err != nil {
		return err.Offset
	}
	root := doc.Root()
	for _, v := range root.Members() {
		switch v.Kind() {
		case jsonread.String:
			return v.End() - 1
		case jsonread.Array, jsonread.Object:
			return v.Start() + 1
		}
		return v.End()
	}
	return root.Start() + 1
}

// Out undoes the latest step in and reports whether there was one.
func (p *Pane) Out() bool {
	switch d := p.now; {
	case d == nil:
		return false
	case p.typing && d.tab == JSON && d.ed.Escape():
	case p.typing || p.search:
		p.stop()
	case d.tab == Form && d.filter != nil && !d.filter.Empty():
		d.filter = nil
		d.fields().SetFilter("")
	case d.tab == Schema:
		d.tab = p.back
	default:
		return false
	}
	return true
}

// stop takes the caret away.
func (p *Pane) stop() {
	if p.typing && p.now != nil && p.now.form != nil {
		p.now.form.Settle()
		p.now.tell()
	}
	p.typing, p.search, p.field = false, false, nil
}

// Reads reports whether the schema is in sight, where nothing is typed.
func (p *Pane) Reads() bool { return p.now != nil && p.now.tab == Schema }

// Title is the pane's title. With hidden the tool's name stands in it, since
// the list of tools is not on the screen.
func (p *Pane) Title(focused, hidden bool) cell.Title {
	name := cell.Own(themes.None, "2 Arguments")
	if hidden && p.has {
		name = cell.Line{}
		name.Text(cell.Style{}, p.tool.Name)
		name.Own(cell.Style{}, " › Arguments")
	}
	tab := p.Tab()
	t := cell.Title{Focused: focused, Name: name, Tabs: []cell.Tab{{Name: "Form", Current: tab == Form},
		{Name: "JSON", Current: tab == JSON}, {Name: "Schema", Current: tab == Schema}}}
	if p.typing || p.search {
		t.Facts, t.Keep = cell.Own(themes.Accent, "typing"), true
	}
	return t
}

// SetTab chooses a tab.
func (p *Pane) SetTab(i int) {
	if p.now == nil || i < 0 || i >= int(tabs) || Tab(i) == p.now.tab {
		return
	}
	was, typed := p.now.tab, p.typing
	p.stop()
	if was != Schema {
		p.back = was
	}
	p.now.tab = Tab(i)
	switch p.now.tab {
	case JSON:
		p.openText()
		p.onRun = false
		if typed {
			p.Type()
		}
	case Form:
		p.now.fields()
		if was == JSON {
			if at, ok := p.now.ed.Pointer(); ok && at != "" && p.now.form.Find(at) >= 0 {
				p.now.choose(at)
			}
			if typed {
				p.typeHere()
			}
		}
	}
}

// openText shows the text: on several lines unless it was written by hand, the
// caret at the field that was selected.
func (p *Pane) openText() {
	d := p.now
	f := d.fields()
	if !d.raw && d.ed.Lines() == 1 {
		d.ed.Become(Pretty([]byte(d.ed.Text())))
		d.fields()
	}
	if raw := f.Raw(d.at); d.at != "" && raw != nil && d.ed.MoveToPointer(d.at) && raw[0] == '"' {
		d.ed.MoveTo(d.ed.Offset() + len(raw) - 1)
	}
	d.tell()
}

// schemaRows is the schema, read when it is looked at.
func (p *Pane) schemaRows() *list.List {
	d := p.now
	if d.schema == nil {
		raw := p.tool.InputSchema.Raw()
		d.schema = jsonview.New(raw)
		d.rows = list.New(syntax.JSONRows{Doc: d.schema})
	}
	return d.rows
}

// Package arguments is the pane in which the arguments of a call are written:
// a draft of JSON for each tool, the schema to read beside it, and below both
// what would be sent, byte for byte. It knows nothing of runs, of keys or of
// the rest of the screen.
package arguments

import (
	"bytes"
	"encoding/json"

	"perch/engine/jsonread"
	"perch/engine/wire"
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
	JSON Tab = iota
	Schema
)

// Draft is what is being written for one tool.
type draft struct {
	ed     *edit.Editor
	first  string // what it began with
	schema *jsonview.Doc
	rows   *list.List
	sends  sends
	typed  bool // the caret was in it
}

// Pane is the state of the pane. Use New.
type Pane struct {
	drafts map[string]*draft
	tool   wire.Tool
	has    bool // a tool is shown
	now    *draft
	tab    Tab
	typing bool
	onRun  bool // the row Run is selected
	edH    int  // rows of the editor when it was drawn last
	h      int
	runY   int
	reason string // why Run cannot be done, "" when it can
	none   string // what stands here without a tool
}

// New is a pane without a tool.
func New() *Pane { return &Pane{drafts: map[string]*draft{}} }

// Show shows the draft for a tool. A new one begins with first.
func (p *Pane) Show(t wire.Tool, first func() string) {
	if p.has && p.tool.Name == t.Name && p.now != nil {
		if !bytes.Equal(p.tool.Raw, t.Raw) {
			p.now.schema = nil
		}
		p.tool = t
		return
	}
	p.tool, p.has, p.onRun, p.typing = t, true, false, false
	d := p.drafts[t.Name]
	if d == nil {
		text := first()
		d = &draft{ed: edit.New(text), first: text}
		p.drafts[t.Name] = d
	}
	p.now = d
}

// None shows no tool.
func (p *Pane) None() { p.has, p.now, p.typing = false, nil, false }

// Forget drops all drafts, for another package.
func (p *Pane) Forget() {
	p.drafts = map[string]*draft{}
	p.None()
}

// Put makes a draft of a text kept from before, for a tool that has none yet.
func (p *Pane) Put(tool, text string) {
	if p.drafts[tool] == nil {
		p.drafts[tool] = &draft{ed: edit.New(text)}
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
	if p.now != nil {
		p.now.ed.SetText(Pretty([]byte(text)))
		p.tab = JSON
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
	p.tab, p.onRun = JSON, false
	p.now.ed.MoveTo(s.at)
	return true
}

// Empty says what stands here when no tool is chosen.
func (p *Pane) Empty(text string) { p.none = text }

// Disable says why Run cannot be done now, "" when it can.
func (p *Pane) Disable(reason string) { p.reason = reason }

// OnRun reports whether the row Run is selected.
func (p *Pane) OnRun() bool { return p.onRun && !p.typing }

// SelectRun selects the row Run.
func (p *Pane) SelectRun() { p.onRun, p.typing = true, false }

// Input is where the caret is, nil when there is none.
func (p *Pane) Input() *edit.Editor {
	if !p.typing || p.now == nil {
		return nil
	}
	return p.now.ed
}

// Type puts the caret into the draft: at first where there is something to
// write.
func (p *Pane) Type() {
	if p.now == nil {
		return
	}
	p.typing, p.onRun, p.tab = true, false, JSON
	if !p.now.typed {
		p.now.typed = true
		if p.now.ed.Offset() == 0 {
			p.now.ed.MoveTo(firstValue(p.now.ed))
		}
	}
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
	switch {
	case p.typing:
		p.typing = false
	case p.tab != JSON:
		p.tab = JSON
	default:
		return false
	}
	return true
}

// Reads reports whether the schema is in sight, where nothing is typed.
func (p *Pane) Reads() bool { return p.now != nil && p.tab == Schema }

// Title is the pane's title. With hidden the tool's name stands in it, since
// the list of tools is not on the screen.
func (p *Pane) Title(focused, hidden bool) cell.Title {
	name := cell.Own(themes.None, "2 Arguments")
	if hidden && p.has {
		name = cell.Line{}
		name.Text(cell.Style{}, p.tool.Name)
		name.Own(cell.Style{}, " › Arguments")
	}
	t := cell.Title{Focused: focused, Name: name, Tabs: []cell.Tab{
		{Name: "JSON", Current: p.tab == JSON}, {Name: "Schema", Current: p.tab == Schema}}}
	if p.typing {
		t.Facts, t.Keep = cell.Own(themes.Accent, "typing"), true
	}
	return t
}

// SetTab chooses a tab.
func (p *Pane) SetTab(i int) {
	if i == int(JSON) || i == int(Schema) {
		p.tab = Tab(i)
		p.typing = p.typing && p.tab == JSON
	}
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

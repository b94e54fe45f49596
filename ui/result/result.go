// Package result is the pane of what came of a run: the outcome in words and
// what the model is shown, the answer as JSON, and the line as it came; while a
// run lives, what the module is doing. It computes nothing about a run but how
// to show it, and knows nothing of keys or of the rest of the screen.
package result

import (
	"time"

	"perch/engine/event"
	"perch/engine/wire"
	"perch/inspect/jsonview"
	"perch/inspect/model"
	"perch/inspect/record"
	"perch/inspect/rules"
	"perch/samples"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/find"
	"perch/ui/list"
	"perch/ui/picture"
	"perch/ui/prose"
	"perch/ui/syntax"
	"perch/ui/words"
)

// Tab is what the pane shows.
type Tab uint8

// The tabs.
const (
	Model Tab = iota
	JSON
	Raw
	Table
	tabs
)

// Call is what is known of a run.
type Call struct {
	Run      *record.Run
	Ended    bool
	Model    []model.Block
	Findings []rules.Finding
}

// Pane is the state of the pane. Use New.
type Pane struct {
	tab  Tab
	tool wire.Tool
	has  bool
	sets []samples.Arguments
	none string // what stands here without a tool

	call    Call
	elapsed time.Duration // of a run that lives
	live    live

	rows   *list.List // of the tab Model
	items  []item
	starts []int // the first row of each item, and their end
	look   *cell.Look
	width  int
	stale  bool // the items are to be made anew

	doc     *jsonview.Doc
	docRows *list.List
	raw     *list.List
	whole   *body // the answer as it came, for a width
	jq      jq
	find    find.Finder
	hex     *inHex // nil: not in hexadecimal
	opened  *opened

	first    int // the row that was selected for the person
	pictures *picture.Viewer
	readFile func(run uint32, path string, most int64) ([]byte, int64, error)
	sheet    sheet
	series   *Series
	top      int // rows above the list, as drawn last
	barY     int // the row of the find bar, -1: none
	rawLook  *cell.Look
}

// New is a pane without a run.
func New() *Pane { return &Pane{} }

// Rest says which tool a run would call, and what could be filled in for it.
func (p *Pane) Rest(t wire.Tool, has bool, sets []samples.Arguments) {
	p.tool, p.has, p.sets = t, has, sets
	if p.call.Run == nil {
		p.items, p.starts = nil, nil
	}
}

// Empty says what stands here when there is neither a tool nor a run.
func (p *Pane) Empty(text string) { p.none = text }

// Show shows a run; the zero Call none. It goes to the top.
func (p *Pane) Show(c Call) {
	if c.Run != p.call.Run {
		p.live = live{}
	}
	same := p.call.Run != nil && c.Run != nil && p.call.Run.Begin().Tool == c.Run.Begin().Tool && p.call.Run.Begin().Kind == c.Run.Begin().Kind
	p.call, p.items, p.starts, p.doc, p.docRows, p.raw = c, nil, nil, nil, nil, nil
	p.rows, p.sheet, p.hex, p.opened = nil, sheet{}, nil, nil
	p.find.Close()
	p.filterNext(same)
}

// Shown is the run that is shown.
func (p *Pane) Shown() Call { return p.call }

// Sync takes what came since the last frame of a run that lives.
func (p *Pane) Sync(elapsed time.Duration) {
	if p.call.Run != nil && !p.call.Ended {
		p.elapsed = elapsed
		p.live.sync(p.call.Run)
	}
}

func (p *Pane) running() bool { return p.call.Run != nil && !p.call.Ended }

// Title is the pane's title.
func (p *Pane) Title(focused bool) cell.Title {
	t := cell.Title{Focused: focused, Name: cell.Own(themes.None, "3 Result")}
	for i, name := range []string{"Model", "JSON", "Raw", "Table"} {
		t.Tabs = append(t.Tabs, cell.Tab{Name: name, Current: p.tab == Tab(i)})
	}
	switch {
	case focused && p.Input() != nil:
		t.Facts = cell.Own(themes.Accent, "typing")
	case p.call.Run != nil && p.call.Run.Begin().Kind == event.Call:
		t.Facts = cell.Text(themes.Muted, p.call.Run.Begin().Tool)
	}
	return t
}

// SetTab chooses a tab.
func (p *Pane) SetTab(i int) {
	if i >= 0 && i < int(tabs) {
		p.turn(Tab(i))
	}
}

// View draws the pane below its title.
func (p *Pane) View(k *cell.Look, w, h int, focused bool) cell.Block {
	p.top, p.barY = 0, -1
	head := p.seriesHead(k, w, h)
	switch {
	case p.running():
		return append(head, prose.Margin(k, p.viewLive(k, w, h-len(head)), w, h-len(head))...)
	case p.call.Run == nil:
		return prose.Margin(k, p.viewRest(k, w), w, h)
	case p.tab != Model:
		head = nil
	}
	rest := h - len(head)
	if p.find.Bar == nil || rest < 2 {
		return append(head, p.viewTab(k, w, rest, len(head), focused)...)
	}
	p.barY = h - 1
	out := append(head, p.viewTab(k, w, rest-1, len(head), focused)...)
	return append(out, p.bar(k, w))
}

// viewTab draws the tab that is chosen, below so many rows.
func (p *Pane) viewTab(k *cell.Look, w, h, above int, focused bool) cell.Block {
	var out cell.Block
	switch {
	case p.hex != nil:
		out = p.viewHex(k, w, h, focused)
	case p.opened != nil:
		out = p.viewOpened(k, w, h, focused)
	case p.tab == Model:
		out = p.modelRows(k, w).View(k, w, h, focused)
	default:
		out = p.viewAnswer(k, w, h, focused)
	}
	p.top += above
	return out
}

// viewAnswer draws the answer as JSON, as it came, or as a table.
func (p *Pane) viewAnswer(k *cell.Look, w, h int, focused bool) cell.Block {
	rows := p.answerRows()
	switch {
	case rows == nil:
		return k.Lines(p.noAnswer(k, w), w, h)
	case p.tab == Table:
		return p.viewTable(k, w, h, focused)
	case p.tab == JSON:
		return p.viewJSON(k, rows, w, h, focused)
	}
	return p.viewRaw(k, w, h, focused)
}

// viewRaw draws the line as it came.
func (p *Pane) viewRaw(k *cell.Look, w, h int, focused bool) cell.Block {
	if p.whole == nil || p.whole.w != max(w-list.Frame, 2) || p.rawLook != k {
		at := 0
		if i, ok := p.raw.Selected(); ok && p.whole != nil {
			at = int(p.whole.rows[i].at)
		}
		p.whole, p.rawLook = newBody(k, p.doc.Source(), w-list.Frame, themes.FromModule, false), k
		p.raw.SetSource(bodyRows{p.whole})
		p.raw.Select(p.whole.rowOf(at))
		p.searchAnew(Raw)
	}
	return p.raw.View(k, w, h, focused)
}

// viewJSON draws the answer as JSON, or what the filter gave of it, and below
// it where the selected value stands.
func (p *Pane) viewJSON(k *cell.Look, rows *list.List, w, h int, focused bool) cell.Block {
	var out cell.Block
	if p.jq.bar != nil {
		out = p.filterHead(k, w, focused)
		out = out[:min(len(out), max(h-2, 1))]
	}
	p.top = len(out)
	foot := h-p.top >= 6
	n := h - p.top
	if foot {
		n--
	}
	out = append(out, rows.View(k, w, n, focused)...)
	if foot {
		out = append(out, k.Row(p.place(), w))
	}
	return out
}

// place says where the selected value stands, and how long it is.
func (p *Pane) place() cell.Line {
	var l cell.Line
	i, ok := p.answerRows().Selected()
	v := p.shownDoc().Value(i)
	if !ok || v.IsZero() {
		return l
	}
	at, placed := v.Pointer(), true
	if p.jq.doc != nil {
		at, placed = p.jq.origin(v)
	}
	l.Blank(1)
	switch {
	case !placed:
		l.Own(cell.Fg(themes.Muted), "made by the filter").Blank(2)
	case at == "":
		l.Own(cell.Fg(themes.Muted), "the whole answer").Blank(2)
	default:
		l.Text(cell.Fg(themes.Key), at).Blank(2)
	}
	return *l.Own(cell.Fg(themes.Muted), words.Bytes(len(v.Raw())))
}

// answerRows is the answer as JSON or as it came; nil when there is none.
func (p *Pane) answerRows() *list.List {
	if p.docRows == nil {
		line, _, ok := model.Answer(p.call.Run)
		if !ok {
			return nil
		}
		p.doc = jsonview.New(line)
		p.doc.Fit(400)
		p.docRows = list.New(jsonRows{p, p.doc})
		p.raw = list.New(nil)
	}
	switch {
	case p.tab == Raw:
		return p.raw
	case p.tab == JSON && p.jq.rows != nil:
		return p.jq.rows
	}
	return p.docRows
}

// shownDoc is the JSON in sight.
func (p *Pane) shownDoc() *jsonview.Doc {
	if p.jq.doc != nil {
		return p.jq.doc
	}
	return p.doc
}

// current is the list in sight; nil when none is.
func (p *Pane) current() *list.List {
	switch {
	case p.call.Run == nil || p.running():
		return nil
	case p.hex != nil:
		return p.hex.rows
	case p.opened != nil:
		return p.opened.rows
	case p.tab == Model:
		return p.rows
	case p.tab == Table:
		if v := p.table(); v != nil {
			return v.List()
		}
		return nil
	}
	return p.answerRows()
}

// Do does what a command means here.
func (p *Pane) Do(id string) bool {
	switch id {
	case "tab.prev":
		p.turn((p.tab + tabs - 1) % tabs)
		return true
	case "tab.next":
		p.turn((p.tab + 1) % tabs)
		return true
	}
	if p.doFind(id) || p.doHex(id) || p.doFilter(id) || id == "nav.in" && p.open() {
		return true
	}
	rows := p.current()
	switch {
	case rows == nil:
		return false
	case p.hex != nil, p.opened != nil:
		return rows.Do(id, false)
	case p.tab == JSON:
		return syntax.Fold(rows, p.shownDoc(), id)
	case p.tab == Table:
		if done := p.doTable(id); done {
			if id == "nav.toggle" {
				p.searchAnew(Table)
			}
			return true
		}
		return false
	}
	return rows.Do(id, false)
}

// Click selects what is at a place.
func (p *Pane) Click(x, y int) bool {
	rows := p.current()
	switch {
	case y == p.barY && p.find.Bar != nil:
		p.find.Typing = true
		return true
	case rows == nil:
		return false
	case p.hex != nil, p.opened != nil:
		return y >= p.top && rows.Click(y-p.top)
	case p.tab == Table:
		return p.table().Click(x, y-p.top)
	case p.tab == JSON && p.jq.bar != nil && y == 0:
		return p.openFilter()
	}
	return y >= p.top && rows.Click(y-p.top)
}

// Wheel scrolls what is in sight.
func (p *Pane) Wheel(_, dy int) {
	if rows := p.current(); rows != nil {
		rows.Scroll(dy)
	}
}

// Cursor is the place of the selected row.
func (p *Pane) Cursor() (x, y int, ok bool) {
	if p.find.Typing && p.barY >= 0 {
		return p.find.Cursor(), p.barY, true
	}
	if ed := p.Input(); ed != nil {
		x, y = ed.Cursor()
		return x + len(" jq "), y, true
	}
	if rows := p.current(); rows != nil {
		y, ok = rows.SelectedY()
		y += p.top
		if p.tab == Table && p.hex == nil {
			y++ // the names of the columns
		}
	}
	return 0, y, ok
}

// Folds reports whether rows fold here.
func (p *Pane) Folds() bool { return p.tab == JSON && p.hex == nil && p.current() != nil }

// Finding is the finding of the selected row.
func (p *Pane) Finding() (rules.Finding, bool) {
	if p.tab != Model || p.rows == nil || p.hex != nil || p.opened != nil {
		return rules.Finding{}, false
	}
	i, ok := p.rows.Selected()
	it, _ := p.item(i)
	if !ok || it.finding == nil {
		return rules.Finding{}, false
	}
	return *it.finding, true
}

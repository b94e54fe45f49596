package ui

import (
	tea "charm.land/bubbletea/v2"

	"perch/engine/abi"
	"perch/ui/about"
	"perch/ui/cell"
	"perch/ui/edit"
	"perch/ui/rulebook"
)

// page lies over the view, between header and footer, until it is closed.
type page interface {
	Title() cell.Title
	SetTab(i int)
	// Draw draws the page below its title rule, in exactly h rows of w cells.
	Draw(k *cell.Look, w, h int) cell.Block
	// Do does what a command means here and reports whether it means anything.
	Do(id string) bool
	// Enters reports whether enter does something on the selected row.
	Enters() bool
	// Filters reports whether / filters here.
	Filters() bool
	// Out undoes the latest step in, and reports whether there was one.
	Out() bool
	Input() *edit.Editor
	Changed()
	Click(x, y int) bool
	Wheel(x, dy int)
	Cursor() (x, y int, ok bool)
	Copy() (string, bool)
}

// drawPage draws the page that is open.
func (a *App) drawPage() cell.Block {
	r := rect{X: 0, Y: 1, W: a.w, H: a.bodyHeight() - 2}
	inner := rect{X: 0, Y: 2, W: a.w, H: a.bodyHeight() - 3}
	a.syncHistory()
	body := a.page.Draw(a.look, inner.W, inner.H)
	row, tabs := a.look.Title(a.page.Title(), r.W)
	x, y, ok := a.page.Cursor()
	a.place(inner, x, y, ok)
	a.hits.add(spot{at: inner, jump: true, row: true,
		click: func(a *App, x, y int, double bool) tea.Cmd {
			if a.page != nil && a.page.Click(x, y) && double {
				return a.enter()
			}
			return nil
		}})
	for _, at := range []rect{{X: 0, Y: 2, W: a.w / 2, H: inner.H}, {X: a.w / 2, Y: 2, W: a.w - a.w/2, H: inner.H}} {
		a.hits.add(spot{at: at, wheel: func(a *App, _, dy int) { a.page.Wheel(at.X, dy) }})
	}
	a.hits.tabs(rect{X: 0, Y: 1, W: a.w, H: 1}, tabs, func(a *App, i int) { a.page.SetTab(i) })
	return append(cell.Block{row}, body...)
}

// openPage shows a page. It is drawn once so that it knows its room: what its
// keys do depends on that.
func (a *App) openPage(p page) tea.Cmd {
	a.page = p
	p.Draw(a.look, a.w, max(a.bodyHeight()-3, 0))
	return nil
}

// openRules opens the page of all rules.
func (a *App) openRules() tea.Cmd {
	return a.openPage(a.rules(""))
}

// openRule opens the page of the rules at that of the selected finding.
func (a *App) openRule() tea.Cmd {
	f, ok := a.selectedFinding()
	if !ok {
		return a.say(toast{text: "no finding is selected", brief: true})
	}
	return a.openPage(a.rules(f.Rule))
}

// rules is the page of the rules. Its second tab has the keys that count where
// it was opened: on a finding ? leads here in place of them.
func (a *App) rules(at abi.RuleID) *rulebook.View {
	var all []rulebook.Key
	for _, it := range a.helpItems(a.contexts(), "") {
		all = append(all, rulebook.Key{Text: it.Label, Head: it.Head, Why: it.Disabled})
	}
	return rulebook.New(at, all)
}

func (a *App) whyNoDebug() string {
	return "this perch has no debugger; Wire and Stderr show what was written, and Events when"
}

func (a *App) whyNoPackage() string {
	if a.session == nil || a.session.bench == nil {
		return "open a package first"
	}
	return ""
}

// openInfo opens the page of the package: at what changed, when that was not
// looked at yet.
func (a *App) openInfo() tea.Cmd {
	s := a.session
	v := a.info(s)
	if r := &s.reload; !r.seen && (r.diff != nil && !r.diff.Same() || r.fault != nil) {
		r.seen = true
		v.Show(changesTab)
	}
	return a.openPage(v)
}

// info is the page of the package.
func (a *App) info(s *session) *about.View {
	return about.New(about.Subject{Name: s.bench.Package.Name, Tools: s.upload.Tools, Module: s.bench.Session.Report(), Extra: a.extraTabs(s)})
}

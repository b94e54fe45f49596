package ui

import (
	"perch/ui/arguments"
	"perch/ui/layout"
	"perch/ui/sheet"
)

// What the footer says of enter, which does nothing in some places: a key that
// is offered does something.

func (a *App) saysTools() string {
	if _, ok := a.tools.Selected(); !ok {
		return ""
	}
	return "arguments"
}

func (a *App) saysArguments() string {
	switch _, has := a.tools.Selected(); {
	case !has:
		return ""
	case a.args.OnRun():
		if a.whyNoCall() != "" {
			return ""
		}
		return "run"
	case a.args.Reads():
		return "fold"
	}
	return a.args.Says()
}

func (a *App) saysResult() string {
	if _, ok := a.result.Finding(); ok {
		return "go to it"
	}
	if a.result.Folds() {
		return "fold"
	}
	return a.result.Opens()
}

func (a *App) saysStream() string {
	if _, ok := a.pane().Selected(); !ok || a.detail {
		return ""
	}
	return "detail"
}

// saysFindings is what enter does on what was found.
func (a *App) saysFindings() string {
	f, ok := a.pane().Finding()
	switch {
	case !ok:
		return ""
	case a.runOf(f.RunID) == nil && a.detail:
		return "" // its bytes are here
	case f.Where.Stream == "":
		return "go to it"
	}
	return "to its bytes"
}

func (a *App) saysPage() string {
	if !a.page.Enters() {
		return ""
	}
	if p, ok := a.page.(*sheet.View); ok {
		r, _ := p.Selected()
		return r.Says
	}
	return "read it"
}

func (a *App) saysCheck() string {
	if a.check.Beside() {
		return ""
	}
	if _, ok := a.check.Finding(); ok {
		return "bytes"
	}
	if a.check.Foldable() {
		return "fold"
	}
	return ""
}

func (a *App) saysZoom() string {
	switch {
	case a.class() == layout.Narrow:
		return "" // one pane has all the room already
	case a.zoom:
		return "zoom back"
	}
	return "zoom"
}

func (a *App) saysAccept() string {
	if a.at == inOpen {
		if a.page == nil && a.open.Picks() {
			return "go in"
		}
		return "open it"
	}
	if a.onArguments() && a.args.InField() {
		if says := a.args.Says(); says != "next" {
			return says
		}
		return "" // tab says it
	}
	return "keep it"
}

// saysEscape is what escape does while there is a caret.
func (a *App) saysEscape() string {
	if a.page != nil {
		return "close"
	}
	if a.at == inOpen && !a.open.Completing() || a.at == inExplore && a.focus == paneTools {
		return "show all"
	}
	return "commands"
}

// saysFind is what / does: short lists are filtered, streams are searched.
func (a *App) saysFind() string {
	switch {
	case a.page != nil && !a.page.Filters():
		return ""
	case a.page != nil, a.at == inOpen, a.at == inExplore && a.focus == paneTools:
		return "filter"
	case a.onArguments() && a.args.Tab() == arguments.Form:
		return "filter"
	case a.at == inExplore && a.focus >= paneWire, a.at == inExplore && a.focus == paneResult && a.result.Searches():
		return "find"
	}
	return ""
}

// saysFollow is what f does, "" where there is nothing to follow.
func (a *App) saysFollow() string {
	p := a.pane()
	if _, ok := p.Selected(); !ok || p.Digit() == paneFiles || p.Digit() == paneFindings {
		return ""
	}
	if p.Following() {
		return "stay"
	}
	return "follow"
}

// saysZoomOut is empty where all of the run is in sight.
func (a *App) saysZoomOut() string {
	if z, ok := a.pane().(interface{ Zoomed() bool }); ok && z.Zoomed() {
		return "zoom out"
	}
	return ""
}

// saysTab is what ] does, "" where there is no other tab.
func (a *App) saysTab() string {
	if a.focus == paneTools || a.focus >= paneWire && len(a.pane().DetailTitle(false).Tabs) < 2 {
		return ""
	}
	return "tab"
}

package ui

import (
	tea "charm.land/bubbletea/v2"
)

// command is one line of the table. Palette, help, footer and keys come from
// it, and nothing else knows a key.
type command struct {
	id    string
	ctx   scope
	keys  []string
	title string
	foot  string // its words in the footer, "" keeps it out of there
	// says are its words as things stand, where they change; "" keeps it out.
	says func(*App) string
	rank int // in the footer: the lowest go last when room gets short
	// why says why it cannot be done now, "" when it can.
	why func(*App) string
	run func(a *App, key string) tea.Cmd
}

// keys lists the keys of a command.
func keys(k ...string) []string { return k }

// on is a command that a method of the app does.
func on(f func(*App) tea.Cmd) func(*App, string) tea.Cmd {
	return func(a *App, _ string) tea.Cmd { return f(a) }
}

// here is a command that the pane in focus does.
func here(id string) func(*App, string) tea.Cmd {
	return func(a *App, key string) tea.Cmd { return a.here(id, key) }
}

// typed is a command that the text with the caret does by its key.
func typed() func(*App, string) tea.Cmd {
	return func(a *App, key string) tea.Cmd { return a.typeKey(key) }
}

// Key is a line of the table of keys, for pages about them.
type Key struct {
	Place string   // as settings name it
	Where string   // the place in words
	Keys  []string // as Bubble Tea spells them
	ID    string
	Title string
}

// commands is the table.
func commands() []command {
	var all []command
	for _, part := range [][]command{everywhere(), arguing(), recalling(), repeating(), hostCommands(), tourCommands(), browsing(), moving(), panes(), reloading(), typing(), menus(), layingOut()} {
		all = append(all, part...)
	}
	return all
}

func everywhere() []command {
	return []command{
		{id: "run.cancel", ctx: ctxAny, keys: keys("ctrl+c"), title: "Cancel the run; idle: twice quits", run: on((*App).cancelOrQuit)},
		{id: "nav.out", ctx: ctxAny, keys: keys("esc"), title: "Undo the latest step in", run: on((*App).out)},
		{id: "app.palette", ctx: ctxAny, keys: keys("ctrl+p"), title: "Commands", run: on((*App).openPalette)},
		{id: "app.help", ctx: ctxAny, keys: keys("f1"), title: "Keys and commands here", run: on((*App).openHelp)},
		{id: "app.redraw", ctx: ctxAny, keys: keys("ctrl+l"), title: "Draw the screen anew", run: on((*App).redraw)},
		{id: "run.call", ctx: ctxWork, keys: keys("ctrl+r", "ctrl+enter"), title: "Run the call, or run it again", why: (*App).whyNoRun, run: on((*App).call)},
		{id: "nav.jump", ctx: ctxWork, keys: keys("ctrl+o"), title: "Jump: a letter on all in reach", run: on((*App).openJump)},
		{id: "nav.problem", ctx: ctxWork, keys: keys("ctrl+g"), title: "Next problem: arguments, then findings", why: (*App).whyNotExplore, run: on((*App).nextProblem)},
		{id: "row.menu", ctx: ctxWork, keys: keys("ctrl+x"), title: "Commands of this row, by letter", run: on((*App).openRowMenu)},
		{id: "nav.next", ctx: ctxWork, keys: keys("tab"), title: "Next pane", run: on((*App).nextPane)},
		{id: "nav.prev", ctx: ctxWork, keys: keys("shift+tab"), title: "Pane before it", run: on((*App).prevPane)},
	}
}

func browsing() []command {
	return []command{
		{id: "nav.in", ctx: ctxOpen, keys: keys("enter"), title: "Open it", foot: "open it", rank: 9, run: on((*App).enter)},
		{id: "nav.in", ctx: ctxTools, keys: keys("enter"), title: "Write its arguments", foot: "arguments", says: (*App).saysTools, rank: 9, run: on((*App).enter)},
		{id: "nav.in", ctx: ctxArguments, keys: keys("enter"), title: "Type here; on the row Run: run", foot: "type", says: (*App).saysArguments, rank: 9, run: on((*App).enter)},
		{id: "nav.in", ctx: ctxResult, keys: keys("enter"), title: "Open the picture, the file, the finding; fold", foot: "go to it", says: (*App).saysResult, rank: 7, run: on((*App).enter)},
		{id: "nav.in", ctx: ctxFindings, keys: keys("enter"), title: "Go to the bytes that it is about", foot: "to its bytes", says: (*App).saysFindings, rank: 9, run: on((*App).enter)},
		{id: "nav.in", ctx: ctxPage, keys: keys("enter"), title: "Read it", foot: "read it", says: (*App).saysPage, rank: 8, run: on((*App).enter)},
		{id: "nav.in", ctx: ctxStream, keys: keys("enter"), title: "Its detail; unfold", foot: "detail", says: (*App).saysStream, rank: 7, run: on((*App).enter)},
		{id: "nav.in", ctx: ctxCheck, keys: keys("enter"), title: "The bytes that it is about; fold", foot: "bytes", says: (*App).saysCheck, rank: 7, run: on((*App).enter)},
		{id: "rule.open", ctx: ctxFinding, keys: keys("?"), title: "The rule of this finding", foot: "rule", rank: 8, run: on((*App).openRule)},
		{id: "debug.here", ctx: ctxFinding, keys: keys("d"), title: "Debug: hold at this byte", why: (*App).whyNoDebug, run: on((*App).redraw)},
		{id: "findings.kinds", ctx: ctxFindings, keys: keys("K"), title: "Kinds of findings shown", foot: "kinds", rank: 5, run: here("findings.kinds")},
		{id: "events.kinds", ctx: ctxEvents, keys: keys("K"), title: "Kinds of events shown", foot: "kinds", rank: 6, run: here("events.kinds")},
		{id: "stream.follow", ctx: ctxStream, keys: keys("f"), title: "Follow the end", foot: "follow", says: (*App).saysFollow, rank: 6, run: on((*App).toggleFollow)},
		{id: "stream.time", ctx: ctxStream, keys: keys("t"), title: "Times: since the start, since the row before, clock", run: on((*App).nextTimes)},
		{id: "debug.here", ctx: ctxStream, keys: keys("d"), title: "Debug: go to this moment", why: (*App).whyNoDebug, run: on((*App).redraw)},
		{id: "timeline.in", ctx: ctxTimeline, keys: keys("+"), title: "Zoom in, around the moment", foot: "zoom in", rank: 6, run: here("timeline.in")},
		{id: "timeline.out", ctx: ctxTimeline, keys: keys("-"), title: "Zoom out", foot: "zoom out", says: (*App).saysZoomOut, rank: 5, run: here("timeline.out")},
		{id: "find.regex", ctx: ctxBarMenu, keys: keys("r"), title: "Regular expression, or plain text", run: here("find.regex")},
		{id: "find.case", ctx: ctxBarMenu, keys: keys("c"), title: "Upper and lower case differ, or not", run: here("find.case")},
		{id: "find.next", ctx: ctxPinned, keys: keys("n"), title: "Next match", foot: "next", rank: 9, run: here("find.next")},
		{id: "find.prev", ctx: ctxPinned, keys: keys("N"), title: "Match before it", run: here("find.prev")},
		{id: "result.jq", ctx: ctxResult, keys: keys("|"), title: "Filter the answer with jq", foot: "jq", says: (*App).saysJQ, rank: 6, why: (*App).whyNoAnswer, run: here("result.jq")},
		{id: "result.fold", ctx: ctxResult, keys: keys("-"), title: "Fold all", run: here("result.fold")},
		{id: "result.unfold", ctx: ctxResult, keys: keys("+"), title: "Unfold all", run: here("result.unfold")},
		{id: "run.call", ctx: ctxExplore, keys: keys("f5"), title: "Run the call, or run it again", why: (*App).whyNoRun, run: on((*App).call)},
		{id: "run.call", ctx: ctxBrowse, keys: keys("r"), title: "Run the call, or run it again", foot: "run", rank: 8, why: (*App).whyNoRun, run: on((*App).call)},
		{id: "find.open", ctx: ctxBrowse, keys: keys("/"), title: "Find; in short lists: filter", foot: "find", says: (*App).saysFind, rank: 5, run: here("find.open")},
		{id: "find.filter", ctx: ctxBrowse, keys: keys("&"), title: "Show matching rows only", why: (*App).whyNoRowFilter, run: here("find.filter")},
		{id: "package.open", ctx: ctxBrowse, keys: keys("P"), title: "Open a package", run: on((*App).openGallery)},
		{id: "package.info", ctx: ctxBrowse, keys: keys("i"), title: "The package: what the model is given, limits, imports", why: (*App).whyNoPackage, run: on((*App).openInfo)},
		{id: "rules.open", ctx: ctxBrowse, title: "Rules: all of them, explained", run: on((*App).openRules)},
		{id: "probe.run", ctx: ctxBrowse, title: "Probe the package: what Subako never sends at upload", why: (*App).whyNoProbes, run: on((*App).startProbes)},
		{id: "finding.prev", ctx: ctxBrowse, keys: keys("{"), title: "The finding before, and its bytes", why: (*App).whyNotExplore, run: on((*App).prevFinding)},
		{id: "finding.next", ctx: ctxBrowse, keys: keys("}"), title: "The next finding, and its bytes", why: (*App).whyNotExplore, run: on((*App).nextFinding)},
		{id: "pane.zoom", ctx: ctxExplore, keys: keys("z"), title: "Zoom the pane, and back", foot: "zoom", says: (*App).saysZoom, rank: 3, run: on((*App).toggleZoom)},
		{id: "copy.value", ctx: ctxBrowse, keys: keys("y"), title: "Copy the selected row or value", foot: "copy", rank: 4, run: on((*App).copyValue)},
		{id: "copy.as", ctx: ctxBrowse, keys: keys("Y"), title: "Copy or save as …", run: on((*App).openCopyAs)},
		{id: "theme.pick", ctx: ctxBrowse, keys: keys("T"), title: "Theme", run: on((*App).openThemes)},
		{id: "app.palette", ctx: ctxBrowse, keys: keys(":"), title: "Commands", run: on((*App).openPalette)},
		{id: "app.help", ctx: ctxBrowse, keys: keys("?"), title: "Keys and commands here", run: on((*App).openHelp)},
		{id: "mouse.toggle", ctx: ctxBrowse, keys: keys("M"), title: "Mouse: perch or terminal", run: on((*App).toggleMouse)},
		{id: "settings.open", ctx: ctxBrowse, keys: keys(","), title: "Settings: limits, allowlist, mounts, and where each comes from", run: on((*App).openSettings)},
		{id: "log.open", ctx: ctxBrowse, title: "Messages: all that the footer said", run: on((*App).openLog)},
		{id: "config.keys", ctx: ctxBrowse, title: "Edit the settings of perch: keys, theme, mouse", why: (*App).whyNoPrefs, run: on((*App).editPrefs)},
		{id: "app.suspend", ctx: ctxBrowse, keys: keys("ctrl+z"), title: "Stop perch; fg in the shell goes on", why: (*App).whyNoSuspend, run: on((*App).suspend)},
		{id: "app.quit", ctx: ctxBrowse, keys: keys("q"), title: "Quit; asks while a run lives", run: on((*App).quit)},
	}
}

// moving are the commands that walk rows, tabs, panes and runs.
func moving() []command {
	return []command{
		{id: "nav.up", ctx: ctxBrowse, keys: keys("up", "k"), title: "One row up", run: here("nav.up")},
		{id: "nav.down", ctx: ctxBrowse, keys: keys("down", "j"), title: "One row down", run: here("nav.down")},
		{id: "nav.left", ctx: ctxBrowse, keys: keys("left", "h"), title: "Fold; out", run: on((*App).left)},
		{id: "nav.right", ctx: ctxBrowse, keys: keys("right", "l"), title: "Unfold; in", run: on((*App).right)},
		{id: "nav.top", ctx: ctxBrowse, keys: keys("g", "home"), title: "First row", run: here("nav.top")},
		{id: "nav.bottom", ctx: ctxBrowse, keys: keys("G", "end"), title: "Last row; follow", run: here("nav.bottom")},
		{id: "nav.page_up", ctx: ctxBrowse, keys: keys("pgup"), title: "A page up", run: here("nav.page_up")},
		{id: "nav.page_down", ctx: ctxBrowse, keys: keys("pgdown"), title: "A page down", run: here("nav.page_down")},
		{id: "nav.half_up", ctx: ctxBrowse, keys: keys("ctrl+u"), title: "Half a page up", run: here("nav.half_up")},
		{id: "nav.half_down", ctx: ctxBrowse, keys: keys("ctrl+d"), title: "Half a page down", run: here("nav.half_down")},
		{id: "nav.toggle", ctx: ctxBrowse, keys: keys("space"), title: "Tick, fold, open the choice", run: on((*App).toggleRow)},
		{id: "tab.prev", ctx: ctxExplore, keys: keys("["), title: "Tab before it", run: here("tab.prev")},
		{id: "tab.next", ctx: ctxExplore, keys: keys("]"), title: "Next tab of this pane", foot: "tab", says: (*App).saysTab, rank: 2, run: here("tab.next")},
		{id: "tab.prev", ctx: ctxPage, keys: keys("["), title: "Tab before it", run: here("tab.prev")},
		{id: "tab.next", ctx: ctxPage, keys: keys("]"), title: "Next tab of this page", foot: "tab", says: (*App).saysPageTab, rank: 6, run: here("tab.next")},
		{id: "tab.prev", ctx: ctxCheck, keys: keys("["), title: "Tab before it", run: here("tab.prev")},
		{id: "tab.next", ctx: ctxCheck, keys: keys("]"), title: "Next tab of the pane beside", foot: "tab", rank: 2, run: here("tab.next")},
		{id: "content.next", ctx: ctxExplore, keys: keys("v"), title: "Show the content another way: pretty, text, hex", foot: "hex", says: (*App).saysHex, rank: 4, run: here("content.next")},
		{id: "content.pick", ctx: ctxExplore, keys: keys("V"), title: "Show the content as …", why: (*App).whyNoTabs, run: on((*App).openContents)},
		{id: "text.left", ctx: ctxExplore, keys: keys("<"), title: "Sideways to the left", run: here("text.left")},
		{id: "text.right", ctx: ctxExplore, keys: keys(">"), title: "Sideways to the right", run: here("text.right")},
		{id: "text.wrap", ctx: ctxExplore, keys: keys(`\`), title: "Wrap long lines", run: here("text.wrap")},
		{id: "marker.set", ctx: ctxExplore, keys: keys("m"), title: "Marker with a note, at this moment", why: (*App).whyNoMoment, run: on((*App).setMarker)},
		{id: "marker.prev", ctx: ctxExplore, keys: keys(`"`), title: "The marker or marked row before", why: (*App).whyNoMarker, run: on((*App).prevMarker)},
		{id: "marker.next", ctx: ctxExplore, keys: keys("'"), title: "The next marker or marked row", why: (*App).whyNoMarker, run: on((*App).nextMarker)},
		{id: "stream.dock", ctx: ctxBrowse, title: "Dock a stream beside the others", why: (*App).whyNoDock, run: on((*App).openDock)},
		{id: "call.prev", ctx: ctxExplore, keys: keys("("), title: "The run before", why: (*App).whyNoOlder, run: on((*App).olderRun)},
		{id: "call.next", ctx: ctxExplore, keys: keys(")"), title: "The run after", why: (*App).whyNoNewer, run: on((*App).newerRun)},
	}
}

// panes are the digits.
func panes() []command {
	var all []command
	for _, p := range []struct {
		id, key, title string
		digit          int
	}{
		{"pane.first", "1", "Tools", 1}, {"pane.second", "2", "Arguments", 2}, {"pane.third", "3", "Result", 3},
		{"pane.wire", "4", "Wire", 4}, {"pane.stderr", "5", "Stderr", 5}, {"pane.http", "6", "HTTP", 6},
		{"pane.files", "7", "Files", 7}, {"pane.events", "8", "Events", 8}, {"pane.timeline", "9", "Timeline", paneTimeline}, {"pane.findings", "0", "Findings", paneFindings},
	} {
		all = append(all, command{id: p.id, ctx: ctxExplore, keys: keys(p.key), title: "Go to " + p.title,
			run: func(a *App, _ string) tea.Cmd { return a.goTo(p.digit) }})
	}
	return all
}

// typing are the commands while there is a caret.
func typing() []command {
	return []command{
		{id: "path.complete", ctx: ctxPath, keys: keys("tab"), title: "Complete the path", foot: "complete", rank: 9, run: on((*App).complete)},
		{id: "edit.accept", ctx: ctxEditor, keys: keys("tab"), title: "Take the suggestion, or indent", run: plainly("edit.accept", "\t")},
		{id: "edit.outdent", ctx: ctxEditor, keys: keys("shift+tab"), title: "Outdent", run: here("edit.outdent")},
		{id: "type.newline", ctx: ctxEditor, keys: keys("enter"), title: "New line, indented", run: plainly("type.newline", "\n")},
		{id: "find.mode", ctx: ctxBar, keys: keys("tab"), title: "Find or filter", foot: "find or filter", says: (*App).saysMode, rank: 9, run: here("find.mode")},
		{id: "type.accept", ctx: ctxType, keys: keys("enter"), title: "Take it", foot: "keep it", says: (*App).saysAccept, rank: 8, run: on((*App).accept)},
		{id: "type.newline", ctx: ctxType, keys: keys("ctrl+j", "shift+enter"), title: "Line break, never a run", run: typed()},
		{id: "type.undo", ctx: ctxType, keys: keys("ctrl+z"), title: "Undo", run: typed()},
		{id: "type.redo", ctx: ctxType, keys: keys("ctrl+y"), title: "Redo", run: typed()},
		{id: "type.start", ctx: ctxType, keys: keys("ctrl+a", "home"), title: "Start of the line", run: typed()},
		{id: "type.end", ctx: ctxType, keys: keys("ctrl+e", "end"), title: "End of the line", run: typed()},
		{id: "type.cut_word", ctx: ctxType, keys: keys("ctrl+w"), title: "Delete the word before the caret", run: typed()},
		{id: "type.cut_start", ctx: ctxType, keys: keys("ctrl+u"), title: "Delete to the start of the line", run: typed()},
		{id: "type.cut_end", ctx: ctxType, keys: keys("ctrl+k"), title: "Delete to the end of the line", run: typed()},
		{id: "type.delete", ctx: ctxType, keys: keys("ctrl+d", "delete"), title: "Delete the next character", run: typed()},
		{id: "type.up", ctx: ctxType, keys: keys("up"), title: "Line above; earlier", run: here("type.up")},
		{id: "type.down", ctx: ctxType, keys: keys("down"), title: "Line below; later", run: here("type.down")},
	}
}

// menus are the commands in boxes.
func menus() []command {
	return []command{
		{id: "menu.up", ctx: ctxMenu, keys: keys("up", "ctrl+p", "shift+tab"), title: "Choice above", run: func(a *App, _ string) tea.Cmd { return a.overMove(-1) }},
		{id: "menu.down", ctx: ctxMenu, keys: keys("down", "ctrl+n", "tab"), title: "Choice below", run: func(a *App, _ string) tea.Cmd { return a.overMove(1) }},
		{id: "menu.page_up", ctx: ctxMenu, keys: keys("pgup"), title: "A page up", run: func(a *App, _ string) tea.Cmd { return a.overPage(-1) }},
		{id: "menu.page_down", ctx: ctxMenu, keys: keys("pgdown"), title: "A page down", run: func(a *App, _ string) tea.Cmd { return a.overPage(1) }},
		{id: "menu.do", ctx: ctxMenu, keys: keys("enter"), title: "Do it", run: on((*App).overDo)},
	}
}

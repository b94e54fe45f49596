package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"perch/engine/egress"
	"perch/engine/event"
	"perch/ui/stream"
)

// hostCommands are what is done about hosts, mocks and the volume, in HTTP and
// Files.
func hostCommands() []command {
	return []command{
		{id: "http.allow", ctx: ctxHTTP, keys: keys("a"), title: "Allow the refused host once, and run again", foot: "allow, run again", rank: 8, why: (*App).whyNoAllow, run: on((*App).allowOnce)},
		{id: "http.allow_session", ctx: ctxHTTP, keys: keys("A"), title: "Allow the refused host for this session, and run again", why: (*App).whyNoAllow, run: on((*App).allowSession)},
		{id: "change.this", ctx: ctxHTTP, keys: keys("="), title: "Answer this request with a mock", foot: "mock", rank: 7, why: (*App).whyNoMock, run: on((*App).openMock)},
		{id: "mocks.open", ctx: ctxHTTP, keys: keys("L"), title: "Mocks: list, on and off, edit, remove", foot: "mocks", says: (*App).saysMocks, rank: 5, why: (*App).whyNoPackage, run: on((*App).openMocks)},
		{id: "mock.run", ctx: ctxMock, keys: keys("ctrl+r", "ctrl+enter"), title: "Answer with it, and run again", foot: "answer, run again", rank: 9, run: on((*App).runMock)},
		{id: "mock.save", ctx: ctxMock, keys: keys("ctrl+s"), title: "Save it in the file of mocks", foot: "save", rank: 8, run: on((*App).saveMock)},
		{id: "mock.next", ctx: ctxMock, keys: keys("tab"), title: "Next field", foot: "next field", rank: 7, run: here("mock.next")},
		{id: "mock.prev", ctx: ctxMock, keys: keys("shift+tab"), title: "Field before it", run: here("mock.prev")},
		{id: "mock.enter", ctx: ctxMock, keys: keys("enter"), title: "Next field; in headers and body a new line", run: plainly("mock.enter", "\n")},
		{id: "files.add", ctx: ctxFiles, keys: keys("a"), title: "Put a file into the volume", foot: "add a file", rank: 8, why: (*App).whyNoVolume, run: on((*App).openAddFile)},
		{id: "files.reset", ctx: ctxFiles, keys: keys("X"), title: "Reset the volume (asks)", foot: "reset", rank: 6, why: (*App).whyNoVolume, run: on((*App).askReset)},
		{id: "files.save", ctx: ctxFiles, keys: keys("S"), title: "Save this file as …", foot: "save as", says: (*App).saysSaveFile, rank: 7, why: (*App).whyNoFile, run: on((*App).openSaveFile)},
	}
}

// refused is the host that HTTP asks about, "" when it asks about none.
func (a *App) refused() string { return a.paneAt(paneHTTP).RefusedHost() }

func (a *App) whyNoAllow() string {
	if a.refused() == "" {
		return "no host was refused in this run"
	}
	return a.whyNoRerun()
}

// whyNoRerun says why the run that is shown cannot be made again.
func (a *App) whyNoRerun() string {
	if s := a.session; s == nil || s.shown == nil {
		return "no call yet"
	} else if s.shown.Begin().Kind != event.Call {
		return "the upload run has no network, whatever is allowed"
	}
	return a.whyNoCall()
}

func (a *App) allowOnce() tea.Cmd    { return a.allow("allowed by you, for one call", true) }
func (a *App) allowSession() tea.Cmd { return a.allow("allowed by you, for this session", false) }

// allow lets the refused host through and makes the same call again.
func (a *App) allow(source string, once bool) tea.Cmd {
	s := a.session
	host := a.refused()
	rule := egress.HostRule{Text: strings.ToLower(host), Source: source}
	a.changePolicy(func(p *egress.Policy) { p.Allow = append(p.Allow, rule) })
	var ended func()
	if once {
		ended = func() {
			a.policyOf(s, func(p *egress.Policy) {
				if i := slices.Index(p.Allow, rule); i >= 0 {
					p.Allow = slices.Delete(p.Allow, i, i+1)
				}
			})
		}
	}
	return tea.Batch(a.rerun(ended), a.say(toast{text: host + " is " + source}))
}

// rerun makes the call of the run that is shown again.
func (a *App) rerun(ended func()) tea.Cmd {
	begin := a.session.shown.Begin()
	a.session.older = false
	return a.callWith(begin.Tool, begin.Arguments, ended)
}

// changePolicy changes what later runs of the session may reach. What a run
// that goes on has taken stays as it is.
func (a *App) changePolicy(change func(*egress.Policy)) { a.policyOf(a.session, change) }

func (a *App) policyOf(s *session, change func(*egress.Policy)) {
	p := s.bench.Session.Config().Egress
	p.Allow, p.Mocks = slices.Clone(p.Allow), slices.Clone(p.Mocks)
	change(&p)
	s.bench.Session.SetPolicy(p)
}

// mockedNow is how many exchanges of the run that is shown a mock answered.
func (a *App) mockedNow() int { return stream.Mocked(a.paneAt(paneHTTP)) }

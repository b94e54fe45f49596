package ui

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"perch/engine/egress"
	"perch/inspect/bench"
	"perch/ui/box"
	"perch/ui/mocks"
	"perch/ui/stream"
	"perch/ui/words"
)

// mockSet is the mocks of a session. Those of a file beside the package came
// with it: they answer nothing until the person turns them on.
type mockSet struct {
	known  bool // those of the settings are among them
	all    []mockEntry
	last   int                      // exchanges of the newest call that a mock answered
	drafts map[string]*mocks.Editor // pages that were left, by method and URL
}

type mockEntry struct {
	mock  egress.Mock
	on    bool
	saved bool // it stands in the file of mocks
}

// mocksMsg are the saved mocks of a package, read anew.
type mocksMsg struct {
	session int
	mocks   []egress.Mock
	said    string
	err     error
}

// readMocks reads the mocks that are saved for a package.
func (a *App) readMocks(s *session) tea.Cmd {
	return a.use(s, func(b *bench.Bench) tea.Msg {
		all, err := b.Mocks(a.o.Memory)
		return mocksMsg{session: s.id, mocks: all, err: err}
	})
}

func (a *App) tookMocks(m mocksMsg) tea.Cmd {
	if !a.current(m.session) {
		return nil
	}
	if m.err != nil {
		return a.say(toast{text: m.err.Error(), bad: true})
	}
	s := a.session
	a.setMocks(s)
	first := !slices.ContainsFunc(s.mocks.all, func(e mockEntry) bool { return e.saved })
	kept := slices.DeleteFunc(s.mocks.all, func(e mockEntry) bool {
		return e.saved && !slices.ContainsFunc(m.mocks, func(x egress.Mock) bool { return sameMock(x, e.mock) })
	})
	for _, x := range m.mocks {
		if i := slices.IndexFunc(kept, func(e mockEntry) bool { return sameMock(x, e.mock) }); i >= 0 {
			kept[i].saved = true
			continue
		}
		kept = append(kept, mockEntry{mock: x, saved: true})
	}
	s.mocks.all = kept
	a.applyMocks()
	switch {
	case m.said != "":
		return a.say(toast{text: m.said})
	case first && len(m.mocks) > 0:
		return a.say(toast{text: fmt.Sprintf("%s beside the package, off · in HTTP %s turns them on", words.Plural(len(m.mocks), "mock"), a.keyNamed("mocks.open", "L"))})
	}
	return nil
}

func sameMock(x, y egress.Mock) bool { return x.Method == y.Method && x.URL == y.URL }

// setMocks takes those that the settings or --mock gave: the person did, so they
// are on.
func (a *App) setMocks(s *session) {
	if s.mocks.known {
		return
	}
	s.mocks.known = true
	for _, m := range s.bench.Session.Config().Egress.Mocks {
		s.mocks.all = append(s.mocks.all, mockEntry{mock: m, on: true})
	}
}

// applyMocks lets the mocks that are on answer in later runs.
func (a *App) applyMocks() {
	a.changePolicy(func(p *egress.Policy) {
		p.Mocks = nil
		for _, e := range a.session.mocks.all {
			if e.on {
				p.Mocks = append(p.Mocks, e.mock)
			}
		}
	})
}

// mocksOn is how many mocks would answer.
func (a *App) mocksOn() int {
	n := 0
	if a.session != nil {
		for _, e := range a.session.mocks.all {
			if e.on {
				n++
			}
		}
	}
	return n
}

func (a *App) saysMocks() string {
	if n := a.mocksOn(); n > 0 {
		return words.Plural(n, "mock") + " ≠ on"
	}
	if a.session == nil || len(a.session.mocks.all) == 0 {
		return ""
	}
	return "mocks"
}

func (a *App) whyNoMock() string {
	if a.session == nil || a.session.bench == nil {
		return "open a package first"
	}
	if _, ok := stream.ExchangeIn(a.paneAt(paneHTTP)); !ok {
		return "no request is selected · L lists the mocks"
	}
	return ""
}

// openMock opens the page on which the selected request is answered by hand. It
// begins with the answer that came, where one did.
func (a *App) openMock() tea.Cmd {
	x, ok := stream.ExchangeIn(a.paneAt(paneHTTP))
	if !ok {
		return a.say(toast{text: a.whyNoMock(), brief: true})
	}
	m := egress.Mock{Method: x.Method, URL: x.URL, Status: 200, Headers: []egress.Header{{Name: "content-type", Value: "application/json"}}, Body: []byte("{\n  \n}")}
	for _, e := range a.session.mocks.all {
		if e.mock.Method == x.Method && e.mock.URL == x.URL {
			return a.editMock(e.mock)
		}
	}
	if x.Status > 0 && utf8.Valid(x.Body) {
		m.Status, m.Body = x.Status, x.Body
		m.Headers = nil
		for _, h := range x.Headers {
			if name := strings.ToLower(h.Name); !h.Hidden && name != "content-length" && name != "transfer-encoding" && name != "content-encoding" {
				m.Headers = append(m.Headers, egress.Header{Name: name, Value: h.Value})
			}
		}
	}
	return a.editMock(m)
}

// editMock opens the page of a mock as it was left.
func (a *App) editMock(m egress.Mock) tea.Cmd {
	s := a.session
	if s.mocks.drafts == nil {
		s.mocks.drafts = map[string]*mocks.Editor{}
	}
	key := m.Method + " " + m.URL
	e := s.mocks.drafts[key]
	if e == nil {
		file := s.bench.MockPath(a.o.Memory)
		if file != "" {
			file = filepath.Base(file)
		}
		e = mocks.New(m, file)
		s.mocks.drafts[key] = e
	}
	return a.openPage(e)
}

// mockPage is the page of a mock, nil when it is not open.
func (a *App) mockPage() *mocks.Editor {
	e, _ := a.page.(*mocks.Editor)
	return e
}

// takeMock puts what is written into the session, turned on.
func (a *App) takeMock() (egress.Mock, tea.Cmd, bool) {
	s := a.session
	m, err := a.mockPage().Mock()
	if err != nil {
		return m, a.say(toast{text: err.Error(), bad: true, brief: true}), false
	}
	a.setMocks(s)
	if m.Source == "" {
		m.Source = "the mock by hand, of this session"
	}
	entry := mockEntry{mock: m, on: true}
	if i := slices.IndexFunc(s.mocks.all, func(e mockEntry) bool { return sameMock(m, e.mock) }); i >= 0 {
		entry.saved = s.mocks.all[i].saved
		s.mocks.all[i] = entry
	} else {
		s.mocks.all = append([]mockEntry{entry}, s.mocks.all...)
	}
	a.applyMocks()
	return m, nil, true
}

// runMock answers with the mock from now on, and makes the call again.
func (a *App) runMock() tea.Cmd {
	m, cmd, ok := a.takeMock()
	if !ok {
		return cmd
	}
	a.page = nil
	said := a.say(toast{text: "≠ " + mockName(m) + " is answered by a mock · " + a.keyNamed("mocks.open", "L") + " turns it off"})
	if a.whyNoRerun() != "" {
		return said
	}
	return tea.Batch(a.rerun(nil), said)
}

// saveMock saves what is written in the file of mocks, and turns it on.
func (a *App) saveMock() tea.Cmd {
	m, cmd, ok := a.takeMock()
	if !ok {
		return cmd
	}
	s := a.session
	return a.use(s, func(b *bench.Bench) tea.Msg {
		path, err := b.SaveMock(a.o.Memory, m)
		if err != nil {
			return mocksMsg{session: s.id, err: err}
		}
		all, err := b.Mocks(a.o.Memory)
		return mocksMsg{session: s.id, mocks: all, err: err, said: "saved in " + path}
	})
}

// mockName is a mock in a few words; they are not ours.
func mockName(m egress.Mock) string { return strings.TrimSpace(m.Method + " " + m.URL) }

// mockAnswer is what a mock answers.
func mockAnswer(m egress.Mock) string {
	if m.Status == 0 {
		return string(m.Kind)
	}
	return strconv.Itoa(m.Status)
}

// openMocks lists the mocks of the session.
func (a *App) openMocks() tea.Cmd {
	s := a.session
	a.setMocks(s)
	b := &box.Box{Title: "≠ Mocks", Sign: "L", Width: 76, Height: 12, Foot: "enter on or off   e edit   x remove   esc"}
	b.Items = func(string) []box.Item {
		var out []box.Item
		for i, e := range s.mocks.all {
			it := box.Item{Mark: "  ", Label: mockAnswer(e.mock) + "  ", Name: mockName(e.mock), Right: "off", Value: i, Note: e.mock.Source}
			if e.on {
				it.Mark, it.Right = "✓ ", "on"
			}
			out = append(out, it)
		}
		if out == nil {
			out = []box.Item{{Label: "none yet: = on a request of HTTP writes one", Disabled: "there is no mock", Value: -1}}
		}
		return out
	}
	selected := func() (int, bool) {
		it, ok := b.Selected()
		i, is := it.Value.(int)
		return i, ok && is && i >= 0 && i < len(s.mocks.all)
	}
	a.push(&overlay{box: b, keep: true,
		build: func(a *App, w int) {
			b.Text = paragraphs(a.look, "A mock answers in place of a server, without network. The first one that fits and is on answers; those beside the package are off until you turn them on.", w)
		},
		choose: func(a *App, _ box.Item) tea.Cmd {
			if i, ok := selected(); ok {
				s.mocks.all[i].on = !s.mocks.all[i].on
				a.applyMocks()
				b.Refresh()
			}
			return nil
		},
		keys: map[string]func(*App){
			"e": func(a *App) {
				if i, ok := selected(); ok {
					a.pop()
					a.editMock(s.mocks.all[i].mock)
				}
			},
			"x": func(a *App) {
				if i, ok := selected(); ok {
					a.askRemoveMock(s.mocks.all[i], b)
				}
			},
		}})
	return nil
}

// askRemoveMock asks before a mock goes: a saved one goes from its file.
func (a *App) askRemoveMock(e mockEntry, list *box.Box) {
	s := a.session
	text := mockName(e.mock) + "\nIt goes from this session."
	if e.saved {
		text = mockName(e.mock) + "\nIt goes from this session and from " + s.bench.MockPath(a.o.Memory) + "."
	}
	a.ask(question{title: "Remove this mock?", text: text, answers: []answer{
		{"n", "keep it", nil},
		{"x", "remove it", func(a *App) tea.Cmd {
			s.mocks.all = slices.DeleteFunc(s.mocks.all, func(x mockEntry) bool { return sameMock(x.mock, e.mock) })
			delete(s.mocks.drafts, e.mock.Method+" "+e.mock.URL)
			a.applyMocks()
			list.Refresh()
			if !e.saved {
				return a.say(toast{text: "removed the mock of " + mockName(e.mock)})
			}
			return a.use(s, func(b *bench.Bench) tea.Msg {
				path, err := b.RemoveMock(a.o.Memory, e.mock)
				if err != nil {
					return mocksMsg{session: s.id, err: err}
				}
				all, err := b.Mocks(a.o.Memory)
				return mocksMsg{session: s.id, mocks: all, err: err, said: "removed from " + path}
			})
		}},
	}})
}

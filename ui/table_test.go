package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"perch/inspect/bench"
)

// quietApp is an app without a terminal, whose commands are run by hand.
func quietApp(t *testing.T, w, h int) *App {
	t.Helper()
	a := New(t.Context(), Options{Clock: still(), Getenv: func(string) string { return "" }, Out: t.TempDir(), System: "linux",
		Bench: bench.Options{Clock: quick(), CacheDir: cacheDir()}})
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Errorf("close the app: %v", err)
		}
	})
	a.Update(tea.WindowSizeMsg{Width: w, Height: h})
	return a
}

// openNow opens a package and waits until it was uploaded.
func openNow(t *testing.T, a *App, name string) {
	t.Helper()
	settle(t, a, a.openPackage(name), func() bool {
		return a.session != nil && a.session.name == name && a.session.phase == rested
	})
}

// settle runs commands, and those that come of them, until a condition holds.
func settle(t *testing.T, a *App, first tea.Cmd, done func() bool) {
	t.Helper()
	msgs := make(chan tea.Msg, 1024)
	var start func(tea.Cmd)
	start = func(c tea.Cmd) {
		if c == nil {
			return
		}
		go func() {
			msg := c()
			if batch, ok := msg.(tea.BatchMsg); ok {
				for _, c := range batch {
					start(c)
				}
				return
			}
			if msg != nil {
				msgs <- msg
			}
		}()
	}
	start(first)
	for !done() {
		select {
		case m := <-msgs:
			_, next := a.Update(m)
			start(next)
		case <-t.Context().Done():
			t.Fatal("it did not come to that")
		}
	}
}

// keyless are the commands that live in the palette.
var keyless = []string{"rules.open", "probe.run", "log.open", "config.keys", "stream.dock", "tour.start",
	"package.reload", "package.changes", "package.rerun", "package.build", "package.output"}

func TestNoTwoCommandsShareAKey(t *testing.T) {
	seen := map[scope]map[string]string{}
	for _, c := range commands() {
		if seen[c.ctx] == nil {
			seen[c.ctx] = map[string]string{}
		}
		for _, k := range c.keys {
			if other, taken := seen[c.ctx][k]; taken {
				t.Errorf("%s: %q is both %s and %s", c.ctx, k, other, c.id)
			}
			seen[c.ctx][k] = c.id
		}
		if c.run == nil || c.title == "" || c.id == "" || len(c.keys) == 0 && !slices.Contains(keyless, c.id) {
			t.Errorf("%s in %s is not whole", c.id, c.ctx)
		}
	}
}

// TestNarrowerKeys holds which keys of a wider context a narrower one may take.
func TestNarrowerKeys(t *testing.T) {
	wider := map[scope][]scope{
		ctxTools: {ctxExplore, ctxBrowse, ctxWork, ctxAny}, ctxArguments: {ctxExplore, ctxBrowse, ctxWork, ctxAny},
		ctxResult: {ctxExplore, ctxBrowse, ctxWork, ctxAny}, ctxStream: {ctxExplore, ctxBrowse, ctxWork, ctxAny},
		ctxHTTP: {ctxStream, ctxExplore, ctxBrowse}, ctxEvents: {ctxStream, ctxExplore, ctxBrowse}, ctxTimeline: {ctxStream, ctxExplore, ctxBrowse}, ctxBarMenu: {},
		ctxFindings: {ctxStream, ctxExplore, ctxBrowse}, ctxPage: {ctxBrowse, ctxWork, ctxAny},
		ctxFinding: {ctxFindings, ctxStream, ctxResult, ctxCheck, ctxExplore, ctxBrowse, ctxWork, ctxAny},
		ctxPinned:  {ctxStream, ctxExplore, ctxBrowse}, ctxOpen: {ctxBrowse, ctxWork, ctxAny}, ctxTour: {ctxBrowse, ctxWork, ctxAny}, ctxCheck: {ctxBrowse, ctxWork, ctxAny},
		ctxExplore: {ctxBrowse, ctxWork, ctxAny}, ctxBrowse: {ctxWork, ctxAny}, ctxType: {ctxWork, ctxAny}, ctxWork: {ctxAny},
		ctxEditor: {ctxType, ctxWork, ctxAny}, ctxBar: {ctxType, ctxWork, ctxAny}, ctxPath: {ctxType, ctxWork, ctxAny}, ctxMenu: {ctxAny},
	}
	allowed := []string{"editor tab", "editor shift+tab", "editor enter", "bar tab", "path tab", "menu ctrl+p", "arguments ctrl+z", "findings enter", "finding ?", "finding d"}
	keysOf := func(ctx scope) (out []string) {
		for _, c := range commands() {
			if c.ctx == ctx {
				out = append(out, c.keys...)
			}
		}
		return out
	}
	for narrow, wide := range wider {
		for _, w := range wide {
			for _, k := range keysOf(w) {
				if slices.Contains(keysOf(narrow), k) && !slices.Contains(allowed, string(narrow)+" "+k) {
					t.Errorf("%s takes %q from %s", narrow, k, w)
				}
			}
		}
	}
}

// TestNoLettersWhileTyping: with a caret on the screen letters are text.
func TestNoLettersWhileTyping(t *testing.T) {
	for _, c := range commands() {
		switch c.ctx {
		case ctxAny, ctxWork, ctxType, ctxEditor, ctxBar, ctxPath, ctxMenu:
			for _, k := range c.keys {
				if len([]rune(k)) == 1 || k == "space" {
					t.Errorf("%s in %s takes the letter %q", c.id, c.ctx, k)
				}
			}
		}
	}
}

// keyMsg is a key press as Bubble Tea gives it.
func keyMsg(name string) tea.KeyPressMsg {
	if len([]rune(name)) == 1 {
		return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
	}
	k := tea.Key{}
	for {
		mod, rest, found := strings.Cut(name, "+")
		if !found || rest == "" {
			break
		}
		switch mod {
		case "ctrl":
			k.Mod |= tea.ModCtrl
		case "shift":
			k.Mod |= tea.ModShift
		case "alt":
			k.Mod |= tea.ModAlt
		}
		name = rest
	}
	named := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace, "up": tea.KeyUp,
		"down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp,
		"pgdown": tea.KeyPgDown, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "f1": tea.KeyF1, "f5": tea.KeyF5}
	if code, ok := named[name]; ok {
		k.Code = code
	} else {
		k.Code = []rune(name)[0]
	}
	if k.Code == tea.KeySpace && k.Mod == 0 {
		k.Text = " "
	}
	return tea.KeyPressMsg(k)
}

// TestEveryKeyDoesSomething presses each key of the table in each place where
// it counts: the screen changes, something is said, or there is work to do.
func TestEveryKeyDoesSomething(t *testing.T) {
	for _, c := range commands() {
		for _, k := range c.keys {
			if got := keyMsg(k).String(); got != k {
				t.Errorf("the key %q arrives as %q", k, got)
			}
		}
	}
	a := quietApp(t, 120, 40)
	// What walks may stand at an end already, and a pane may be there.
	walks := func(id string) bool {
		for _, p := range []string{"nav.", "text.", "stream.", "pane.", "type."} {
			if strings.HasPrefix(id, p) {
				return true
			}
		}
		return false
	}
	press := func(where string, c command, names ...string) {
		for _, k := range names {
			before := strings.Join(a.rows(), "\n")
			_, cmd := a.Update(keyMsg(k))
			if cmd == nil && strings.Join(a.rows(), "\n") == before && !walks(c.id) {
				t.Errorf("%s: %q, %s, does nothing and says nothing", where, k, c.id)
			}
			a.over, a.jump, a.armed = nil, nil, false
			a.status.clear()
		}
	}
	for _, ctx := range []scope{ctxOpen, ctxBrowse, ctxWork, ctxAny} {
		for _, c := range commands() {
			if c.ctx == ctx && c.id != "package.open" {
				press("Open", c, c.keys...)
				a.open.Out()
			}
		}
	}
	openNow(t, a, "sample:greeter")
	for digit, ctx := range map[int][]scope{1: {ctxTools}, 2: {ctxArguments}, 3: {ctxResult}, 4: {ctxStream}, 6: {ctxHTTP, ctxStream}, 8: {ctxEvents, ctxStream}, paneTimeline: {ctxTimeline, ctxStream}, paneFindings: {ctxFinding, ctxFindings, ctxStream}} {
		for _, ctx := range append(ctx, ctxExplore, ctxBrowse) {
			for _, c := range commands() {
				if c.ctx != ctx {
					continue
				}
				for _, k := range c.keys {
					a.goTo(digit)
					a.zoom, a.at, a.detail, a.page = false, inExplore, false, nil
					press(fmt.Sprintf("pane %d", digit), c, k)
					a.out()
				}
			}
		}
	}
}

package ui

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"perch/engine/clock"
	"perch/engine/event"
	"perch/samples"
	"perch/ui/clip"
	"perch/ui/memory"
	"perch/ui/uitest"
)

// machine gives the app and the engine the machine's clock, for runs that are
// to last.
func machine(o *Options, _ *uitest.Options) { o.Clock, o.Bench.Clock = clock.NewSystem(), nil }

func TestFirstFiveMinutes(t *testing.T) {
	d, a := start(t, "", 120, 40)
	d.WaitForText("greeter", "Start here", "106.4 KiB")
	d.Press("enter")
	accepted(d)
	d.WaitForText("tools/list", "No call yet.")
	d.Press("enter")
	d.WaitForText("typing")
	d.Press("ctrl+r")
	d.WaitForText("✓ ok", "Hello, Ada!", "typing")
	d.Press("backspace", "backspace", "backspace", "ctrl+r")
	d.WaitForText("▲ tool error", "name must not be empty")
	d.Press("esc")
	d.WaitForNo("typing")
	d.Press("4", "enter", "P")
	d.WaitForText("Open a package")
	d.Press("down", "down", "down", "down", "enter")
	d.WaitForText("mischief", " 64 ")
	accepted(d)
	d.Press("/")
	d.Type("log_line")
	d.Press("enter", "enter", "enter")
	d.WaitForText("✗ broken", "The model is told: the function crashed", "frame/json")
	d.Press("q")
	if _, err := d.WaitForEnd(); err != nil {
		t.Fatal(err)
	}
	if a.focus != paneResult {
		t.Errorf("Run left the focus on pane %d", a.focus)
	}
}

func TestCtrlCIdle(t *testing.T) {
	d, _ := start(t, "sample:greeter", 120, 40)
	accepted(d)
	d.Press("ctrl+c")
	d.WaitForText("ctrl+c again quits; drafts are kept")
	d.Press("j")
	d.WaitForNo("ctrl+c again quits")
	d.Press("ctrl+c")
	d.WaitForText("ctrl+c again quits")
	d.Press("ctrl+c")
	if _, err := d.WaitForEnd(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
}

func TestCtrlCDisarmsByItself(t *testing.T) {
	a := quietApp(t, 120, 40)
	_, cmd := a.Update(keyMsg("ctrl+c"))
	if !a.armed || cmd == nil {
		t.Fatal("one ctrl+c does not arm")
	}
	a.clock.(*clock.Manual).Advance(3 * time.Second)
	a.Update(cmd())
	if a.armed {
		t.Error("it is still armed after two seconds")
	}
}

func TestCtrlCEndsTheRunAlone(t *testing.T) {
	d, _ := start(t, "sample:mischief", 120, 40, machine)
	accepted(d)
	d.Press("/")
	d.Type("spin")
	d.Press("enter", "enter", "enter")
	d.WaitForText("» running", "ctrl+c", "end the call")
	d.Press("r")
	d.WaitForText("a call runs · ctrl+c ends it")
	d.Press("q")
	d.WaitForText("Quit while a call runs?", "stay")
	d.Press("enter")
	d.WaitForNo("Quit while a call runs?")
	d.Press("P")
	d.WaitForText("Open a package", "❯greeter")
	d.Press("enter")
	d.WaitForText("Open another package while a call runs?", "❯n  stay")
	d.Press("enter")
	d.WaitForNo("Open another package while")
	d.Press("esc")
	d.WaitForText("running")
	d.Press("ctrl+c")
	d.WaitForText("· stopped by you", "You ended the call")
	d.Press("q")
	if _, err := d.WaitForEnd(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
}

func TestResizeWhileARunGoesOn(t *testing.T) {
	d, _ := start(t, "sample:notebook", 120, 40, machine)
	accepted(d)
	d.Press("/")
	d.Type("digest")
	d.Press("enter", "r")
	d.WaitForText("» running")
	for _, s := range [][2]int{{40, 10}, {36, 8}, {200, 60}, {80, 50}, {80, 24}, {120, 40}} {
		d.Resize(s[0], s[1])
	}
	d.WaitForText("» running", "stderr", "digest")
	d.Press("ctrl+c")
	d.WaitForText("stopped by you")
}

func TestTinyScreenKeepsItsState(t *testing.T) {
	d, a := start(t, "sample:greeter", 36, 8)
	d.WaitForText("need at least 40x10, this is 36x8")
	d.Resize(120, 40)
	accepted(d)
	d.Resize(30, 5)
	d.WaitForText("need at least")
	d.Press("q")
	if _, err := d.WaitForEnd(); err != nil {
		t.Error(err)
	}
	if a.focus != paneTools {
		t.Errorf("the focus is on %d", a.focus)
	}
}

// TestEscGoesOneStepOut walks in as far as it goes, and out again.
func TestEscGoesOneStepOut(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:greeter")
	press := func(names ...string) {
		for _, n := range names {
			a.Update(keyMsg(n))
		}
	}
	press("2", "4", "enter", "z", "?")
	steps := []struct {
		what string
		is   func() bool
	}{
		{"the box is closed", func() bool { return len(a.over) == 0 && a.zoom }},
		{"the zoom ends", func() bool { return !a.zoom && a.detail }},
		{"the list has the focus", func() bool { return !a.detail && a.focus == paneWire }},
		{"the pane of the view before", func() bool { return a.focus == paneArguments }},
		{"Tools", func() bool { return a.focus == paneTools }},
		{"it says so", func() bool { return a.status.now != nil && strings.Contains(a.status.now.text, "outermost place") }},
	}
	for _, s := range steps {
		press("esc")
		if !s.is() {
			t.Fatalf("esc: it is not so that %s", s.what)
		}
	}
}

func TestWhatCannotBeSent(t *testing.T) {
	d, _ := start(t, "sample:greeter", 120, 40)
	accepted(d)
	d.Press("enter")
	d.WaitForText("typing")
	d.Press("ctrl+f", "ctrl+k", "ctrl+r")
	d.WaitForText("cannot send: not JSON at byte", "✗ ")
	d.Press("ctrl+z")
	d.WaitForText("sends {\"name\":\"Ada\"}")
	for range len("{\n  \"name\": \"Ada\"\n}") {
		d.Press("backspace", "delete")
	}
	d.Type("[1]")
	d.WaitForText("arguments are an object, this is a list")
	d.Press("ctrl+r")
	d.WaitForText("cannot send: arguments are an object")
}

func TestAllowAndRunAgain(t *testing.T) {
	d, a := start(t, "sample:orders", 120, 40)
	accepted(d)
	d.Press("down", "r")
	d.WaitForText("host_not_allowed", "✓ ok")
	before := len(a.o.Bench.Flags.Allow)
	d.Press("6", "a")
	d.WaitForText("call 2 of create", "allowed by you, for one call")
	if len(a.o.Bench.Flags.Allow) != before {
		t.Error("the flags changed")
	}
	d.WaitFor("the end of the call", func(s uitest.Screen) bool { return !s.Contains("» running") })
	d.Press("r")
	d.WaitForText("call 3 of create", "is not in the allowlist")
	d.Press("(")
	d.WaitForText("call 2", "newer: )")
	d.Press(")")
	d.WaitForText("call 3 of create")
}

func TestCopy(t *testing.T) {
	d, _ := start(t, "sample:greeter", 120, 40)
	accepted(d)
	d.Press("r")
	d.WaitForText("Hello, Ada!")
	d.Press("3", "y")
	d.WaitForText("copied 25 B: sent to the terminal (OSC 52), not confirmed")
	if got, ok := d.Clipboard(); !ok || got != `{"message":"Hello, Ada!"}` {
		t.Errorf("the clipboard holds %q", got)
	}
}

func TestCopyOfMuch(t *testing.T) {
	a := quietApp(t, 120, 40)
	big := strings.Repeat("x", clip.MaxTerminal+1)
	settle(t, a, a.copyText(big), func() bool { return a.status.now != nil && strings.Contains(a.status.now.text, "Saved to") })
	if b, err := os.ReadFile(filepath.Join(a.o.Out, "copy-1.txt")); err != nil || string(b) != big {
		t.Errorf("the file has %d bytes, %v", len(b), err)
	}
}

// writePackage puts a package into a folder.
func writePackage(t *testing.T, dir string, more map[string]string) {
	t.Helper()
	files, err := samples.Files("greeter")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range more {
		files[name] = []byte(text)
	}
	for _, name := range append([]string{"module.wasm", "subako-package.json"}, keysOf(more)...) {
		if err := os.WriteFile(filepath.Join(dir, name), files[name], 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func keysOf(m map[string]string) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	return out
}

func TestRecentPackagesAndDrafts(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	writePackage(t, dir, nil)
	keep := func(o *Options, _ *uitest.Options) { o.Memory = state }
	d, a := start(t, dir, 120, 40, keep)
	accepted(d)
	d.Press("enter")
	d.Type("Zoë")
	d.Press("ctrl+r")
	d.WaitForText("Hello, Zoë!")
	d.Press("ctrl+c", "ctrl+c")
	if _, err := d.WaitForEnd(); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	d, _ = start(t, "", 120, 40, keep)
	d.WaitForText("Recent", "✓ ok call, just now")
	d.Press("G", "enter")
	accepted(d)
	d.WaitForText(`{"name":"Zoë"}`)
	m, err := memory.NewStore(state).Load()
	if err != nil || len(m.Recent) != 1 || m.Recent[0].Path != dir {
		t.Errorf("remembered: %+v, %v", m.Recent, err)
	}
}

// trusted remembers in memory alone.
type trusted struct{ files sync.Map }

func (t *trusted) Trusted(path, sum string) (bool, error) {
	was, _ := t.files.Load(path)
	return was == sum, nil
}

func (t *trusted) Remember(path, sum string) error {
	t.files.Store(path, sum)
	return nil
}

func (t *trusted) any() (any bool) {
	t.files.Range(func(_, _ interface{}) bool {
		any = true
		return false
	})
	return any
}

func TestTrustIsAskedFor(t *testing.T) {
	dir := t.TempDir()
	writePackage(t, dir, map[string]string{"perch.toml": "allow = [\"api.example.com\"]\n"})
	said := &trusted{}
	d, _ := start(t, dir, 120, 40, func(o *Options, _ *uitest.Options) { o.Trust = said })
	d.WaitForText("Trust the settings beside the package?", "perch.toml:1")
	d.Press("enter")
	d.WaitForNo("Trust the settings")
	if said.any() {
		t.Fatal("enter said yes")
	}
	d.Press("P", "P")
	d.Type(dir)
	d.Press("enter")
	d.WaitForText("Trust the settings beside the package?")
	d.Press("t")
	d.WaitFor("the yes to be remembered", func(uitest.Screen) bool { return said.any() })
	accepted(d)
	d.WaitForNo("Trust the settings")
}

func TestWhatCannotBeOpened(t *testing.T) {
	dir := t.TempDir()
	d, _ := start(t, filepath.Join(dir, "ship.tar.gz"), 80, 24)
	d.WaitForText("Cannot open this package", "ship.tar.gz", "try again")
	d.Press("esc")
	d.WaitForText("Open a package", "greeter")
	writePackage(t, dir, map[string]string{"perch.toml": "timout = \"1s\"\n"})
	d.Press("P")
	d.Type(dir)
	d.Press("enter")
	d.WaitForText("Cannot take these settings", "timout", "timeout")
}

// TestHostileNames: nothing of a package reaches the terminal as it is.
func TestHostileNames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a\x1b]0;owned\a\u202egnp")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Skip("this system takes no such name")
	}
	writePackage(t, dir, map[string]string{"subako-package.json": `{"abi":1,"name":"\u001b]52;c;b3duZWQ=\u0007\u009b31m\u202eevil","description":"\u001b[2J"}`})
	d, _ := start(t, dir, 120, 40, func(o *Options, _ *uitest.Options) { o.Memory = t.TempDir() })
	d.WaitForText("ready")
	d.WaitForText("upload run")
	d.Press("r")
	d.Press("P")
	d.WaitForText("Recent")
	out := string(d.Output())
	for _, bad := range []string{"\x1b]0;owned", "\x1b]52;c;b3duZWQ", "\x1b[31m\u202e", "\u202e", "\u009b"} {
		if strings.Contains(out, bad) {
			t.Errorf("the terminal was sent %q", bad)
		}
	}
}

func TestMouse(t *testing.T) {
	d, _ := start(t, "sample:greeter", 120, 40)
	accepted(d)
	d.ClickOn("shout")
	d.WaitFor("the other tool", func(s uitest.Screen) bool { return s.Contains("Run shout") })
	d.ClickOn("6 HTTP")
	d.WaitForText("[6 HTTP")
	d.Wheel(10, 3, 1)
	d.Press("z")
	d.WaitForNo("1 Tools") // the wheel did not move the focus
	d.Press("z")
	d.ClickOn("Run shout")
	d.WaitForText("✓ ok")
	d.Press("M")
	d.WaitForText("the mouse is the terminal's")
	d.Press("M")
	d.WaitForText("the mouse is perch's")
}

func TestHelpFiltersAndDoes(t *testing.T) {
	d, _ := start(t, "sample:greeter", 120, 40)
	accepted(d)
	d.Press("?")
	d.WaitForText("Keys and commands here", "Write its arguments")
	d.Type("@ctrl+r")
	d.WaitForText("Run the call, or run it again")
	d.WaitForNo("Write its arguments")
	d.Press("enter")
	d.WaitForText("Hello, Ada!")
	d.Press("Q")
	d.WaitForText("Q does nothing here · ? keys")
}

func TestThemeIsLiveAndKept(t *testing.T) {
	state := t.TempDir()
	d, _ := start(t, "", 80, 24, func(o *Options, _ *uitest.Options) { o.Memory, o.Theme = state, "dusk" })
	d.WaitForText("greeter")
	dusk := d.Screen().At(0, 0)
	d.Press("T")
	d.WaitForText("paper")
	d.Type("paper")
	d.WaitFor("another ground", func(s uitest.Screen) bool { return s.At(0, 0) != dusk })
	d.Press("esc")
	d.WaitFor("the ground of before", func(s uitest.Screen) bool { return s.At(0, 0) == dusk })
	d.Press("T")
	d.Type("paper")
	d.Press("enter")
	d.WaitFor("it to be kept", func(uitest.Screen) bool {
		m, err := memory.NewStore(state).Load()
		return err == nil && m.Theme == "paper"
	})
}

func TestJump(t *testing.T) {
	d, a := start(t, "sample:greeter", 120, 40)
	accepted(d)
	d.Press("enter", "ctrl+o")
	x, y, ok := d.Screen().Find("6 HTTP")
	if !ok {
		t.Fatal("no HTTP")
	}
	letter := d.WaitFor("a letter before HTTP", func(s uitest.Screen) bool { return s.At(x-1, y).Text != " " }).At(x-1, y).Text
	d.Press(letter)
	d.WaitForText("[6 HTTP")
	d.Press("q")
	if _, err := d.WaitForEnd(); err != nil {
		t.Fatal(err)
	}
	if a.focus != paneWire+2 {
		t.Errorf("the jump led to pane %d", a.focus)
	}
}

func TestRowMenuWhileTyping(t *testing.T) {
	d, _ := start(t, "sample:greeter", 120, 40)
	accepted(d)
	d.Press("enter", "ctrl+x")
	d.WaitForText("Commands of this row", "Fill in arguments")
	d.Press("s")
	d.WaitForText("Fill in arguments", "warm")
	d.Press("2")
	d.WaitForText(`"style":"warm"`, "▏warm", "typing")
}

func TestRefusedForItsToolsCanBeCalled(t *testing.T) {
	d, _ := start(t, "sample:mischief:upper_case", 120, 40)
	d.WaitForText("Subako ✗ refused", "[Explore]")
	d.Press("r")
	d.WaitFor("an outcome", func(s uitest.Screen) bool { return s.Contains("call 1 of") })
}

func TestUploadRunIsShownAgain(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:greeter")
	callNow(t, a)
	if got := a.session.shown.Begin().Kind; got != event.Call {
		t.Fatalf("the %s run is shown after a call", got)
	}
	a.Update(keyMsg("("))
	if got := a.session.shown.Begin().Kind; got != event.Upload {
		t.Fatalf("the %s run is shown after (", got)
	}
	callNow(t, a)
	if got := a.session.shown.Begin().Kind; got != event.Upload {
		t.Error("a new call pushed an older run away")
	}
}

// TestIdle: when nothing happens nothing is drawn, and no timer of ours runs.
func TestIdle(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:greeter")
	a.View()
	if _, cmd := a.Update(tickMsg{a.session.id}); cmd != nil {
		t.Error("the clock is looked at while nothing goes on")
	}
	a.View()
	for _, m := range []any{"something", nudgeMsg{99}, tickMsg{99}, catchUpMsg{99}, expiredMsg{99}} {
		if a.Update(m); a.dirty {
			t.Errorf("%T draws a frame", m)
		}
		a.View()
	}
}

func TestPaletteKnowsAllAndSaysWhyNot(t *testing.T) {
	a := quietApp(t, 120, 40)
	a.Update(keyMsg(":"))
	able, not := a.paletteItems()
	listed := map[string]string{}
	for _, it := range append(able, not...) {
		listed[it.Label] = it.Disabled
	}
	for _, k := range mustKeys(t) {
		switch {
		case strings.HasPrefix(k.ID, "type."), strings.HasPrefix(k.ID, "menu."), strings.HasPrefix(k.ID, "layout."), strings.HasPrefix(k.ID, "edit."), isMove(k.ID), k.ID == "find.mode", k.ID == "path.complete":
			continue
		}
		if _, ok := listed[k.Title]; !ok {
			t.Errorf("the palette has no %q", k.Title)
		}
	}
	if listed["Run the call, or run it again"] != "open a package first" {
		t.Errorf("Run says %q", listed["Run the call, or run it again"])
	}
	for _, r := range "theme" {
		a.Update(keyMsg(string(r)))
	}
	a.Update(keyMsg("enter"))
	if len(a.over) != 1 || a.over[0].box.Title != "Theme" {
		t.Error("enter does not do what is selected")
	}
}

func TestNextProblem(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:mischief")
	a.args.Fill("{x")
	a.Update(keyMsg("ctrl+g"))
	if a.focus != paneArguments || a.input() == nil {
		t.Fatal("ctrl+g does not go to what cannot be sent")
	}
	a.args.Fill("{}")
	a.Update(keyMsg("esc"))
	callNow(t, a)
	a.Update(keyMsg("ctrl+g"))
	if a.focus < paneWire {
		t.Fatal("ctrl+g does not go to the finding")
	}
	if m, ok := a.pane().Selected(); !ok || m.Run != a.session.shown.ID() {
		t.Errorf("the moment is %+v, %v", m, ok)
	}
}

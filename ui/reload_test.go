package ui

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"perch/engine/clock"
	"perch/samples"
	"perch/ui/uitest"
	"perch/ui/watch"
)

// rests is a clock that stands, on which files rest at once, and what is no
// whole package stays so.
type rests struct{ *clock.Manual }

// After implements clock.Clock.
func (r rests) After(d time.Duration) (<-chan struct{}, func()) {
	passed, release := r.Manual.After(d)
	if d <= watch.Settle || d == unfinished {
		r.Advance(d)
	}
	return passed, release
}

// module is a sample's module with some of its texts replaced by others of the
// same length.
func module(t *testing.T, sample string, pairs ...string) []byte {
	t.Helper()
	files, err := samples.Files(sample)
	if err != nil {
		t.Fatal(err)
	}
	data := bytes.Clone(files["module.wasm"])
	for i := 0; i < len(pairs); i += 2 {
		if len(pairs[i]) != len(pairs[i+1]) || !bytes.Contains(data, []byte(pairs[i])) {
			t.Fatalf("%q cannot be made %q", pairs[i], pairs[i+1])
		}
		data = bytes.ReplaceAll(data, []byte(pairs[i]), []byte(pairs[i+1]))
	}
	return data
}

// inPlace moves a file into its place, as linkers do; written writes it where it
// is.
func inPlace(t *testing.T, dir string, data []byte) {
	t.Helper()
	path := filepath.Join(dir, "module.wasm")
	if err := os.WriteFile(path+".new", data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

func written(t *testing.T, dir string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "module.wasm"), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// openDir opens a sample as a folder that is followed.
func openDir(t *testing.T, sample string, w, h int, change ...func(*Options, *uitest.Options)) (*uitest.Driver, *App, string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "subako-package.json"), []byte(`{"abi":1,"name":"shop","description":"A package."}`), 0o600); err != nil {
		t.Fatal(err)
	}
	written(t, dir, module(t, sample))
	change = append([]func(*Options, *uitest.Options){func(o *Options, _ *uitest.Options) { o.Clock = brisk{still()} }}, change...)
	d, a := start(t, dir, w, h, change...)
	accepted(d)
	return d, a, dir
}

// callWarmly makes the first call; the caret stays in a field.
func callWarmly(d *uitest.Driver) {
	d.Press("enter")
	d.Type("Ada")
	d.Press("tab", "ctrl+u")
	d.Type("warm")
	d.WaitForText(`{"name":"Ada","style":"warm"}`)
	runTo(d, "1", "ctrl+r")
}

// TestRebuilt: the package is built again while its arguments are typed: what
// was written, where, and what was called stay; the tools tell what became of
// them, and the page says what.
func TestRebuilt(t *testing.T) {
	d, _, dir := openDir(t, "greeter", 120, 40)
	callWarmly(d)
	d.WaitForText("typing", `{"name":"Ada","style":"warm"}`)
	inPlace(t, dir, module(t, "greeter", `"style"`, `"stile"`, `name":"shout`, `name":"yells`, "Greet someone", "Meets someone"))
	d.WaitForText("rebuilt: 1 tool new, 1 changed, 1 gone", "~ ✓", "+ ✓", "rebuilt 03:04:05", "1 +, 1 ~, 1 -", `{"name":"Ada","style":"warm"}`, "style fits no longer; kept as written",
		"call 1 of greet", "Dear Ada")
	d.Press("esc", "i")
	d.WaitForText("[What changed]", "~ greet", "Meets someone by name.", "Greet someone by name.", "+ yells", "- shout", "inputSchema/properties/stile", "1 draft has fields")
	d.Press("esc", "i")
	d.WaitForText("[Model]")
	d.Press("esc", "H")
	d.WaitForText("3 runs of this session", "Call 1 of greet")
}

// TestRebuiltWhileTyping: the field with the caret keeps it, and what is typed.
func TestRebuiltWhileTyping(t *testing.T) {
	d, a, dir := openDir(t, "greeter", 80, 24)
	d.Press("enter")
	d.Type("Ad")
	written(t, dir, module(t, "greeter", "Greet someone", "Meets someone"))
	d.WaitForText("rebuilt: 1 tool changed", "typing")
	d.Type("a")
	d.WaitForText(`{"name":"Ada"}`)
	d.Press("q") // a letter
	d.WaitForText(`{"name":"Adaq"}`)
	_ = a
}

// TestHalfWritten: a file that is being written is no error; one that stays half
// is, and the package that was open stays so until it comes right.
func TestHalfWritten(t *testing.T) {
	t.Run("then whole", func(t *testing.T) {
		d, a, dir := openDir(t, "greeter", 120, 40)
		whole := module(t, "greeter", "Greet someone", "Meets someone")
		written(t, dir, whole[:len(whole)/2])
		written(t, dir, whole[:len(whole)-7])
		written(t, dir, whole)
		d.WaitForText("rebuilt: 1 tool changed")
		d.Press("q")
		if _, err := d.WaitForEnd(); err != nil {
			t.Error(err)
		}
		for _, m := range a.said {
			if m.bad {
				t.Errorf("it was said: %s", m.text)
			}
		}
	})
	t.Run("for good", func(t *testing.T) {
		d, _, dir := openDir(t, "greeter", 120, 40, func(o *Options, _ *uitest.Options) { o.Clock = rests{still()} })
		whole := module(t, "greeter")
		written(t, dir, whole[:len(whole)/2])
		d.WaitForText("The rebuilt package was not taken", "bytes, ", "stays open", "not taken: i why")
		d.Press("esc")
		d.WaitForNo("The rebuilt package was not taken")
		d.Press("i")
		d.WaitForText("[What changed]", "What lies on disk now was not taken")
		d.Press("esc")
		runTo(d, "1", "r")
		if err := os.Remove(filepath.Join(dir, "module.wasm")); err != nil {
			t.Fatal(err)
		}
		d.WaitForText("The rebuilt package was not taken", "module.wasm")
		inPlace(t, dir, module(t, "greeter", "Greet someone", "Meets someone"))
		d.WaitForText("rebuilt: 1 tool changed")
		d.WaitForNo("The rebuilt package was not taken")
		d.WaitForText("call 1 of greet")
	})
}

// TestRebuiltAndRefused: what is whole is judged, whatever the verdict; the next
// one that is accepted goes on where the last accepted one was.
func TestRebuiltAndRefused(t *testing.T) {
	d, _, dir := openDir(t, "greeter", 120, 40)
	callWarmly(d)
	d.Press("esc")
	inPlace(t, dir, module(t, "greeter", "fd_write", "fd_wrote"))
	d.WaitForText("[Check]", "refused", "module/import-function", "fd_wrote")
	inPlace(t, dir, module(t, "greeter", `name":"shout`, `name":"shou!`))
	d.WaitForText("[Explore]", "✗ refused", "tool/name", "upload run")
	inPlace(t, dir, module(t, "greeter"))
	d.WaitForText("✓ accepted", "call 1 of greet", "Dear Ada", `"style":"warm"`)
}

// TestRebuiltDuringACall: the call goes on with the module that it began with,
// and the new one is taken when it has ended.
func TestRebuiltDuringACall(t *testing.T) {
	d, _, dir := openDir(t, "mischief", 120, 40, machine, func(o *Options, _ *uitest.Options) { o.Clock = brisk{still()} })
	d.Press("/")
	d.Type("spin")
	d.Press("enter", "r")
	d.WaitForText("» running")
	inPlace(t, dir, module(t, "mischief", "Computes for ever", "Computes for life"))
	d.WaitForText("rebuilt: taken when the call has ended", "the run has ended")
	d.Press("ctrl+c")
	d.WaitForText("stopped by you", "rebuilt: 1 tool changed", "Computes for life")
}

// TestRunAfterRebuild: the last call is made again after each rebuild when that
// was asked for, and not when its tool is gone.
func TestRunAfterRebuild(t *testing.T) {
	d, _, dir := openDir(t, "greeter", 120, 40)
	callWarmly(d)
	d.Press("esc")
	doByName(d, "re-run the last")
	d.WaitForText("then runs the call", "re-run  ✓ ok")
	inPlace(t, dir, module(t, "greeter", "Dear ", "Oh my"))
	d.WaitForText("rebuilt, tools unchanged · runs greet", "call 2 of greet", "Oh my", "tools unchanged")
	inPlace(t, dir, module(t, "greeter", `name":"greet`, `name":"hello`))
	d.WaitForText("greet is gone, so it is not run", "call 2 of greet")
	doByName(d, "re-run the last")
	d.WaitForText("nothing is run but the upload")
	d.WaitForNo("then runs the call")
}

// doByName does a command by its words.
func doByName(d *uitest.Driver, words string) {
	d.Press(":")
	d.Type(words)
	d.WaitForText(" of ")
	d.Press("enter")
}

// TestRunWaitsForTheRebuilt: a call that is asked for while the rebuilt package
// is uploaded is made when that is done.
func TestRunWaitsForTheRebuilt(t *testing.T) {
	dir := t.TempDir()
	writePackage(t, dir, nil)
	a := quietApp(t, 120, 40)
	openNow(t, a, dir)
	s := a.session
	inPlace(t, dir, module(t, "greeter", "Greet someone", "Meets someone"))
	asked := false
	settle(t, a, a.reopen(s, byPerson), func() bool {
		if s.reload.judging && s.phase != rested && !asked {
			asked = true
			a.Update(keyMsg("r"))
			a.Update(keyMsg("r"))
		}
		return asked && s.live == nil && s.last != ""
	})
	calls := 0
	for _, r := range s.bench.Record.Runs() {
		if r.Begin().Tool == "greet" {
			calls++
		}
	}
	if calls != 1 || s.reload.count != 1 {
		t.Errorf("%d calls after %d rebuilds", calls, s.reload.count)
	}
}

// TestReloadByHand: nothing changed is said; a manifest that changed is read.
func TestReloadByHand(t *testing.T) {
	d, _, dir := openDir(t, "greeter", 120, 40, func(o *Options, _ *uitest.Options) { o.Clock = still() }) // nothing is noticed
	doByName(d, "reload: open")
	d.WaitForText("nothing changed")
	if err := os.WriteFile(filepath.Join(dir, "subako-package.json"), []byte(`{"abi":1,"name":"mart","description":"A package."}`), 0o600); err != nil {
		t.Fatal(err)
	}
	doByName(d, "reload: open")
	d.WaitForText("read anew, tools unchanged", "mart")
	d.Press("P")
	d.Type("sample:greeter")
	d.Press("enter")
	d.WaitForText("greeter", "Run greet")
	d.Press(":")
	d.Type("reload")
	d.WaitForText("samples are inside perch")
}

// trusting trusts files that a person said yes to, for the length of a test.
type trusting map[string]bool

func (m trusting) Trusted(path, sum string) (bool, error) { return m[path+sum], nil }

// Remember implements Truster.
func (m trusting) Remember(path, sum string) error {
	m[path+sum] = true
	return nil
}

// TestBuild: the build command of perch.toml is run when it is trusted and asked
// for, and when a source changes; never by a package that is merely opened.
func TestBuild(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("there is no sh")
	}
	d, _, dir := openDir(t, "greeter", 120, 40, func(o *Options, _ *uitest.Options) { o.Trust = trusting{} })
	source := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "src.c"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	source("fine")
	if err := os.WriteFile(filepath.Join(dir, "made"), module(t, "greeter", "Greet someone", "Meets someone"), 0o600); err != nil {
		t.Fatal(err)
	}
	script := `echo was here >> ran; if grep -q BAD src.c; then echo 'src.c:3:7: error: what is BAD'; exit 1; fi; cp made module.tmp; mv module.tmp module.wasm`
	toml := "[build]\ncommand = [\"/bin/sh\", \"-c\", \"" + script + "\"]\nwatch = [\"*.c\"]\n"
	if err := os.WriteFile(filepath.Join(dir, "perch.toml"), []byte(toml), 0o600); err != nil {
		t.Fatal(err)
	}
	d.WaitForText("Trust the settings beside the package?", "build.command, perch.toml:2", "what is BAD", "outside of any sandbox", "build.watch")
	d.Press("n")
	d.WaitForNo("Trust the settings")
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Fatal("the command ran without trust")
	}
	doByName(d, "build the package")
	d.WaitForText("Trust the settings beside the package?")
	d.Press("t")
	d.WaitForText("read anew, tools unchanged")
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Fatal("the command ran because it was trusted")
	}
	doByName(d, "build the package")
	d.WaitForText("rebuilt: 1 tool changed", "Meets someone")
	source("BAD")
	d.WaitForText("✗ build: src.c:3:7: error: what is BAD · : output")
	doByName(d, "output of")
	d.WaitForText("[Build]", "exit status 1", "src.c:3:7: error")
	d.Press("esc")
	// Another content is another file: it is asked for again.
	if err := os.WriteFile(filepath.Join(dir, "perch.toml"), []byte(strings.Replace(toml, "was here", "was there", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	d.WaitForText("Trust the settings beside the package?")
}

package ui

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"perch/ui/uitest"
)

// TestPresets: what is written is saved by name beside the package, offered
// again, and filled in.
func TestPresets(t *testing.T) {
	dir := t.TempDir()
	writePackage(t, dir, nil)
	d, _ := start(t, dir, 120, 40)
	accepted(d)
	d.Press("enter")
	d.WaitForText("typing")
	d.Type("Zoë")
	d.Press("esc", "S")
	d.WaitForText("Save as a preset", "It grants nothing")
	d.Type("far: away?")
	d.Press("enter")
	d.WaitForText("saved")
	text, err := os.ReadFile(filepath.Join(dir, "perch-presets.json"))
	if err != nil || !strings.Contains(string(text), `"far: away?": {"name":"Zoë"}`) {
		t.Fatalf("the file holds %s, %v", text, err)
	}
	d.Press("x")
	d.WaitForText("sends {} ")
	d.Press("s")
	d.WaitForText("Saved", "far: away?")
	d.Press("1")
	d.WaitForText(`sends {"name":"Zoë"}`)
}

// TestSendAnyway: what is wrong by the schema is sent, and said to be.
func TestSendAnyway(t *testing.T) {
	d, _ := start(t, "sample:orders", 120, 40)
	accepted(d)
	d.Press("down", "enter")
	d.WaitForText("typing")
	d.Press("ctrl+u", "x")
	d.WaitForText("✗ 1 problem", "▏x ")
	d.Press("ctrl+r")
	d.WaitForText("sent with 1 problem by the schema", "typing")
	d.WaitFor("an outcome", func(s uitest.Screen) bool { return s.Contains("call 1 of create") && !s.Contains("» running") })
	d.Press("esc", "s")
	d.WaitForText("Last call")
}

// TestFormToTextAndBack: ctrl+f shows the same as text, the caret at the same
// field, and back.
func TestFormToTextAndBack(t *testing.T) {
	d, _ := start(t, "sample:greeter", 120, 40)
	accepted(d)
	d.Press("enter")
	d.WaitForText("typing")
	d.Type("!")
	d.Press("ctrl+f")
	d.WaitForText("[JSON]", `"name": "Ada!"`, "typing")
	d.Type("?")
	d.Press("ctrl+f")
	d.WaitForText("[Form]", "▏Ada!? ", `sends {"name":"Ada!?"}`)
	d.Press("esc", "G", "enter")
	d.WaitForText("Hello, Ada!?!")
}

// TestClickOnAField: a click types in a field, one on a tab shows it, one on
// the sign of a menu opens that.
func TestClickOnAField(t *testing.T) {
	d, _ := start(t, "sample:greeter", 120, 40)
	accepted(d)
	d.WaitForText("▏Ada ")
	d.ClickOn("▏Ada ")
	d.WaitForText("typing")
	d.Press("esc")
	d.WaitForNo("typing")
	d.ClickOn("▾ │")
	d.WaitForText("other value")
	d.Press("down", "enter")
	d.WaitForText(`"style":"warm"`)
	d.ClickOn("Schema ")
	d.WaitForText("[Schema]", `"properties"`)
}

// TestEditInAnotherEditor: o gives the arguments to the editor that the
// environment names, with its own arguments, and takes back what it left, once;
// a field of text it gives as the text that it is.
func TestEditInAnotherEditor(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	dir := filepath.Join(t.TempDir(), "my editors")
	script := filepath.Join(dir, "editor")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	// editor [-w] WHAT FILE writes WHAT into FILE, when it was told to wait.
	if err := os.WriteFile(script, []byte("#!/bin/sh\n[ \"$1\" = -w ] || exit 3\nprintf \"$2\" > \"$3\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		editor      string
		keys        []string // before o
		says, sends string
	}{
		{"", nil, "EDITOR names no editor", `sends {"name":"Ada"}`},
		{"true", nil, "the editor changed nothing", `sends {"name":"Ada"}`},
		{"false", nil, "nothing was changed", `sends {"name":"Ada"}`},
		{"'" + script + `' "Bo\nb"`, nil, "exit status 3", `sends {"name":"Ada"}`},
		{`"` + script + `" -w 'Bo\n\tb\n'`, nil, "taken from the editor", `sends {"name":"Bo\n\tb"}`},
		{`"` + script + `" -w '{"name":'`, []string{"ctrl+f"}, "taken from the editor", "cannot send: not JSON at byte 8"},
		{`"` + script + `" -w '{"name":"Cy"}\n'`, []string{"G"}, "taken from the editor", `sends {"name":"Cy"}`},
	} {
		d, _ := start(t, "sample:greeter", 120, 40, func(o *Options, _ *uitest.Options) {
			o.Getenv = func(name string) string { return map[string]string{"LANG": "C.UTF-8", "EDITOR": c.editor}[name] }
		})
		accepted(d)
		d.Press("2")
		d.Press(c.keys...)
		d.Press("o")
		d.WaitForText(c.says, c.sends)
	}
}

package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perch/ui/memory"
	"perch/ui/uitest"
)

// tourRow waits until the row of the tour says something.
func tourRow(d *uitest.Driver, parts ...string) {
	d.WaitFor("the row of the tour: "+strings.Join(parts, " "), func(s uitest.Screen) bool {
		for y := range strings.Count(s.Text(), "\n") + 1 {
			line := s.Line(y)
			if !strings.HasPrefix(line, " tour ") {
				continue
			}
			for _, p := range parts {
				if !strings.Contains(line, p) {
					return false
				}
			}
			return true
		}
		return len(parts) == 0
	})
}

func keeping(dir string) func(*Options, *uitest.Options) {
	return func(o *Options, _ *uitest.Options) { o.Memory = dir }
}

// TestTour: the tour follows what a person does, from the first start to its
// end, and is not offered again.
func TestTour(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		dir := t.TempDir()
		d, a := start(t, "", size[0], size[1], keeping(dir))
		narrow := size[0] < 100
		d.WaitForText("First time here: enter opens greeter with a tour of 6 steps.", "x skips the tour, for ever.")
		d.Press("enter")
		accepted(d)
		tourRow(d, "1/6", "enter goes into its arguments", "x skip")
		d.Press("enter")
		tourRow(d, "2/6", "type a name")
		d.Press("A")
		tourRow(d, "3/6", "ctrl+r runs the call")
		d.Press("ctrl+r")
		if narrow {
			tourRow(d, "4/6", "esc, then 3")
			d.Press("esc")
			tourRow(d, "4/6", "3 is Result")
			d.Press("3")
			tourRow(d, "4/6", "2 enter ctrl+u ctrl+r")
			d.Press("2", "enter")
		}
		tourRow(d, "4/6", "an empty name: ctrl+u ctrl+r")
		d.Press("ctrl+u", "ctrl+r")
		tourRow(d, "5/6", "isError", "esc 4")
		d.Press("esc", "4")
		tourRow(d, "5/6", "enter opens a row")
		d.Press("enter")
		tourRow(d, "6/6", "P opens packages")
		d.Press("P")
		tourRow(d, "6/6", "choose mischief")
		d.Press("down", "down", "down", "down", "enter")
		d.WaitForText("mischief", "MCP")
		accepted(d)
		tourRow(d, "6/6", "ctrl+r runs a tool")
		d.Press("ctrl+r")
		tourRow(d, "6/6", "broken. 0 says which rule")
		d.Press("0")
		d.WaitForText("end of the tour")
		tourRow(d)
		d.Press("P")
		if d.WaitForText("Samples, inside perch"); strings.Contains(d.Screen().Text(), "First time here") {
			t.Errorf("the tour is offered again:\n%s", d.Screen().Framed())
		}
		quitNow(t, d, a)
		if m, err := memory.NewStore(dir).Load(); err != nil || !m.TourDone {
			t.Errorf("remembered: %+v, %v", m, err)
		}
	}
}

// TestTourIsSkippedForEver, and comes back from the palette.
func TestTourIsSkippedForEver(t *testing.T) {
	dir := t.TempDir()
	d, a := start(t, "", 80, 24, keeping(dir))
	d.WaitForText("First time here")
	d.Press("x")
	d.WaitForText("no tour · Tour in the palette begins one")
	quitNow(t, d, a)
	d, _ = start(t, "", 80, 24, keeping(dir))
	d.WaitForText("Samples, inside perch", "106.4 KiB")
	if strings.Contains(d.Screen().Text(), "First time here") {
		t.Error("it is offered again")
	}
	d.Press("enter")
	accepted(d)
	d.WaitForText("1 Tools")
	if strings.Contains(d.Screen().Text(), "tour 1/6") {
		t.Error("it begins again")
	}
	d.Press(":")
	d.Type("tour")
	d.WaitForText("Tour: six steps with the sample greeter")
	d.Press("enter")
	tourRow(d, "1/6")
	d.Press("x")
	tourRow(d)
	d.WaitForText("no tour")
}

// TestTourEndsWithAnotherPackage: it is offered again, since it was not
// finished.
func TestTourEndsWithAnotherPackage(t *testing.T) {
	d, _ := start(t, "", 80, 24)
	d.WaitForText("First time here")
	d.Press("enter")
	accepted(d)
	tourRow(d, "1/6")
	d.Press("P")
	tourRow(d, "1/6", "goes back to where the tour is")
	d.Press("down", "enter")
	d.WaitForText("orders")
	accepted(d)
	tourRow(d)
	d.Press("P")
	d.WaitForText("First time here")
}

// TestTourOnALowScreen: the tour takes the footer where rows are few.
func TestTourOnALowScreen(t *testing.T) {
	d, _ := start(t, "", 40, 10)
	d.WaitForText("greeter")
	d.Press("enter")
	accepted(d)
	d.WaitForText("tour 1/6  enter: its arguments")
	d.Press("enter")
	d.WaitForText("tour 2/6  type a name")
}

// TestOpenByPath: the path is listed as it is typed, completed and opened.
func TestOpenByPath(t *testing.T) {
	d, _ := start(t, "", 80, 24)
	d.WaitForText("None yet. P opens")
	dir := sampleFolder(t)
	parent := filepath.Dir(dir)
	if err := os.WriteFile(filepath.Join(parent, "notes.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(parent, "empty ünï"), 0o700); err != nil {
		t.Fatal(err)
	}
	d.Press("P")
	d.Paste("'" + parent + "/'\n")
	d.WaitForText("my pack/", "package", "empty ünï/", "notes.txt", "no package")
	d.Type("e")
	d.WaitFor("one offer", func(s uitest.Screen) bool { return !strings.Contains(s.Text(), "notes.txt") })
	d.Press("tab")
	d.WaitForText("This folder is empty.")
	d.Press("ctrl+u")
	d.Paste(parent + "/n/")
	d.WaitForText("there is no such folder")
	d.Press("ctrl+u")
	d.Paste(parent + "/my")
	d.WaitForText("1 package")
	d.Press("down")
	d.WaitForText("❯my pack/")
	d.Press("enter")
	accepted(d)
	d.WaitForText("1 Tools")
	d.Press("P")
	d.WaitForText("Recent", "✓ accepted, just now")
}

// quitNow ends the app as a person does.
func quitNow(t *testing.T, d *uitest.Driver, a *App) {
	t.Helper()
	d.Press("q")
	if _, err := d.WaitForEnd(); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
}

// sampleFolder is a package in a folder with a space in its name.
func sampleFolder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "my pack")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	writePackage(t, dir, nil)
	return dir
}

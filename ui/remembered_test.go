package ui

import (
	"testing"

	"perch/ui/uitest"
)

// TestPackagesAreFoundAsTheyWereLeft: the tab of the arguments, the way to write
// times and streams that do not follow come back with their package.
func TestPackagesAreFoundAsTheyWereLeft(t *testing.T) {
	dir := t.TempDir()
	keep := func(o *Options, _ *uitest.Options) { o.Memory = dir }
	d, a := start(t, "sample:greeter", 120, 40, keep)
	accepted(d)
	d.Press("2", "]")
	d.WaitForText("[JSON]")
	d.Press("4", "f")
	d.WaitForText("follow off")
	d.Press("t", "t")
	d.WaitForText("times by the clock")
	d.Press("9")
	d.WaitForText("[9 Timeline]")
	d.Press("q")
	d.WaitForEnd()
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	d, _ = start(t, "sample:greeter", 120, 40, keep)
	accepted(d)
	d.WaitForText("[JSON]", "[9 Timeline]", "module   ██") // it is read, though nobody has gone to it
	d.Press("4")
	d.WaitForText("03:04:05.0")
	d.Press("f")
	d.WaitForText("follows the end")
}

package ui

import (
	"os"
	"testing"
	"time"

	"perch/ui/uitest"
)

func TestLook(t *testing.T) {
	dir := os.Getenv("LOOK")
	if dir == "" {
		t.Skip()
	}
	shot := func(d *uitest.Driver, name string) {
		t.Helper()
		d.Sync()
		time.Sleep(80 * time.Millisecond)
		d.Screen().SavePNG(t, dir+"/"+name+".png")
	}
	d, _ := start(t, "sample:greeter", 80, 24)
	d.WaitForText("Subako ✓", "Wire 4")
	shot(d, "n80tools")
	d.Press("enter")
	d.Press("ctrl+r")
	d.WaitForText("✓ ok")
	shot(d, "n80args")
	d.Press("esc", "3")
	d.Sync()
	shot(d, "n80result")
	d.Press("4")
	d.Sync()
	shot(d, "n80wire")
	d.Press("enter")
	d.Sync()
	shot(d, "n80detail")
	d.Press("?")
	d.Sync()
	shot(d, "n80help")
	d.Press("esc", ":")
	d.Type("cop")
	shot(d, "n80palette")
	d.Press("esc", "T", "down", "down")
	d.Sync()
	shot(d, "n80theme")
	d.Press("esc")
	d.Resize(40, 10)
	d.Sync()
	shot(d, "t40")
	d.Resize(80, 50)
	d.Sync()
	shot(d, "tall")
	d.Resize(200, 60)
	d.Sync()
	shot(d, "wide")

	d, _ = start(t, "sample:mischief", 120, 40)
	d.WaitForText("accepted", "64")
	d.Press("/")
	d.Type("log")
	d.Press("enter")
	d.Sync()
	shot(d, "filter")
	d.Press("enter", "enter")
	d.WaitForText("broken")
	d.Sync()
	shot(d, "broken")

	d, _ = start(t, "sample:orders", 140, 45, func(_ *Options, o *uitest.Options) { o.Light = true })
	d.WaitForText("accepted")
	d.Press("down", "r")
	d.WaitForText("✓ ok")
	d.Press("6")
	d.Sync()
	shot(d, "light")

	d, _ = start(t, "sample:mischief:import_emscripten", 80, 24)
	d.WaitForText("refused")
	d.Sync()
	shot(d, "check80")
	d.Resize(120, 40)
	d.Sync()
	shot(d, "check120")
}

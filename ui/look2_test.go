package ui

import (
	"os"
	"testing"
	"time"

	"perch/engine/clock"
	"perch/ui/uitest"
)

func TestLook2(t *testing.T) {
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
	real := func(o *Options, _ *uitest.Options) { o.Clock = clock.NewSystem(); o.Bench.Clock = nil }
	d, _ := start(t, "sample:notebook", 120, 40, real)
	d.WaitForText("accepted", "digest")
	d.Press("/")
	d.Type("dig")
	d.Press("enter", "enter", "esc", "ctrl+r")
	d.WaitForText("running")
	d.WaitForText("stderr   2 lines")
	shot(d, "running")
	d.Press("5")
	shot(d, "running5")
	d.Press("q")
	shot(d, "quitq")
	d.Press("esc", "ctrl+c")
	d.WaitForText("stopped by you")
	shot(d, "stopped")
	d.Press("(")
	shot(d, "older")
	d.Press("7", "ctrl+o")
	shot(d, "jump")
	d.Press("esc", "ctrl+x")
	shot(d, "rowmenu")
	d.Press("esc", "2", "s")
	shot(d, "sets")
	d.Press("esc", "8", "Q")
	shot(d, "events")
	d.Press("P", "P")
	d.Type("/nowhere/ship.tar.gz")
	d.Press("enter")
	shot(d, "card")

	d, _ = start(t, "sample:charts", 140, 45, real)
	d.WaitForText("accepted")
	d.Press("r")
	d.WaitForText("✓ ok")
	d.Press("7")
	shot(d, "charts")
	d, _ = start(t, "sample:charts", 120, 40, real, func(o *Options, u *uitest.Options) {
		u.Env = []string{"NO_COLOR=1"}
		o.Getenv = func(string) string { return "C" }
	})
	d.WaitForText("accepted")
	d.Press("r")
	d.WaitForText("v ok")
	d.Press("enter", "ctrl+k", "ctrl+r")
	shot(d, "mono")
}

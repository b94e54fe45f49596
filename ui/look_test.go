package ui

import (
	"os"
	"testing"
)

func TestLook(t *testing.T) {
	dir := os.Getenv("LOOK")
	if dir == "" {
		t.Skip()
	}
	d, _ := start(t, "", 120, 40)
	d.WaitForText("greeter", "KiB")
	d.Screen().SavePNG(t, dir+"/open120.png")
	d.Press("enter")
	d.WaitForText("accepted", "upload run")
	d.Screen().SavePNG(t, dir+"/rest120.png")
	d.Press("enter")
	d.Press("ctrl+r")
	d.WaitForText("Hello")
	d.Screen().SavePNG(t, dir+"/ok120.png")
}

package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perch/ui/uitest"
)

// TestCopyAs: what Y offers for a block, and what each way gives.
func TestCopyAs(t *testing.T) {
	d, a := start(t, "sample:greeter", 120, 40)
	accepted(d)
	d.Press("r")
	d.WaitForText("Hello, Ada!")
	d.Press("3")
	for _, c := range []struct{ letter, want string }{
		{"v", `{"message":"Hello, Ada!"}`},
		{"p", "/result/content/0/text"},
		{"l", `"structuredContent":`},
		{"j", "{\n  \"message\": \"Hello, Ada!\"\n}"},
		{"c", `{"message":"Hello, Ada!"}`},
		{"w", "printf '%s\\n' '{\"jsonrpc\":"},
		{"e", "perch call sample:greeter greet --args '{"},
		{"h", "7b 22 6d 65"},
		{"m", "# "},
	} {
		d.Press("Y")
		d.WaitForText("Copy or save as", "the selected block, 1 of 1", "[clipboard]")
		d.Press(c.letter)
		d.WaitForNo("Copy or save as")
		d.WaitFor("the copy of "+c.letter, func(uitest.Screen) bool {
			got, _ := d.Clipboard()
			return strings.Contains(got, c.want)
		})
	}
	d.Press("Y", "u")
	d.WaitForText("only for an HTTP exchange")
	d.Press("tab")
	d.WaitForText("[file]", "bytes unchanged")
	d.Press("v")
	d.WaitForText("saved 25 B to")
	if b, err := os.ReadFile(filepath.Join(a.o.Out, "copy-1.txt")); err != nil || string(b) != `{"message":"Hello, Ada!"}` {
		t.Errorf("the file holds %q, %v", b, err)
	}
}

// TestCopyAsOfAValue: in JSON it is the value of the row, by its pointer.
func TestCopyAsOfAValue(t *testing.T) {
	d, _ := start(t, "sample:greeter", 120, 40)
	accepted(d)
	d.Press("r")
	d.WaitForText("Hello, Ada!")
	d.Press("3", "]", "G", "k", "k", "Y")
	d.WaitForText("the selected value", "pointer  /result/")
	d.Press("esc", "y")
	d.WaitForText("copied ")
}

// TestCopyAsOfArguments: a call that was not made yet is a command already.
func TestCopyAsOfArguments(t *testing.T) {
	d, _ := start(t, "sample:greeter", 120, 40)
	accepted(d)
	d.Press("2", "esc", "2", "Y")
	d.WaitForText("the arguments")
	d.Press("e")
	d.WaitFor("the command", func(uitest.Screen) bool {
		got, _ := d.Clipboard()
		return strings.HasPrefix(got, "perch call sample:greeter greet")
	})
}

// TestCopyAsOfRows: a line of Wire and an exchange of HTTP.
func TestCopyAsOfRows(t *testing.T) {
	d, _ := start(t, "sample:orders", 120, 40)
	accepted(d)
	d.Press("r")
	d.WaitForText("✓ ok")
	d.Press("4", "Y")
	d.WaitForText("the selected row of Wire")
	d.Press("l")
	d.WaitFor("the line", func(uitest.Screen) bool {
		got, _ := d.Clipboard()
		return strings.HasPrefix(got, `{"jsonrpc"`)
	})
	d.Press("6", "Y")
	d.WaitForText("the selected row of HTTP", "the request of this exchange")
	d.Press("u")
	d.WaitFor("the command", func(uitest.Screen) bool {
		got, _ := d.Clipboard()
		return strings.Contains(got, "\ncurl ") // below that a mock answered
	})
}

func TestCopyAsScreens(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			d, _ := start(t, "sample:greeter", 200, 60)
			accepted(d)
			d.Press("r")
			d.WaitForText("Hello, Ada!")
			d.Press("3", "Y")
			d.WaitForText("Copy or save as")
			d.Resize(size[0], size[1])
			d.Golden(fmt.Sprintf("copy-as-%dx%d", size[0], size[1]))
		})
	}
}

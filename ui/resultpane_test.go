package ui

import (
	"fmt"
	"testing"

	"perch/ui/uitest"
)

// answered calls a sample's first tool and goes to the result.
func answered(t *testing.T, sample string, w, h int) *uitest.Driver {
	t.Helper()
	d, _ := start(t, sample, w, h)
	accepted(d)
	d.Press("r")
	d.WaitForText("✓ ok")
	d.Press("3")
	d.WaitForText("The model reads")
	return d
}

// TestResultTable: a list of objects is walked by the cell, sorted, copied, and
// each cell leads to its place in the answer.
func TestResultTable(t *testing.T) {
	d := answered(t, "sample:orders", 200, 60)
	d.Press("]", "]", "]")
	d.WaitForText("[Table]", "/result/structuredContent/orders", "2 rows · 4 columns", "9007199254740993")
	d.Press("right", "right", "y")
	d.WaitFor("the cell", func(uitest.Screen) bool {
		got, _ := d.Clipboard()
		return got == "9007199254740993"
	})
	d.Press("space")
	d.WaitForText("by customer ↑")
	d.Press("Y")
	d.WaitForText("the selected cell of customer", "structuredContent/orders/0/customer")
	d.Press("esc", "enter")
	d.WaitForText("[JSON]", "/result/structuredContent/orders/0/customer")
	d.Press("]", "]")
	d.WaitForText("[Table]")
	d.ClickOn("total")
	d.WaitForText("by total ↑")
}

func TestResultWithoutTable(t *testing.T) {
	d := answered(t, "sample:greeter", 120, 40)
	d.Press("[")
	d.WaitForText("[Table]", "No table")
	d.Press("y")
	d.WaitForText("nothing to copy here")
}

// TestResultFilter: jq over the answer, with its faults as they are typed.
func TestResultFilter(t *testing.T) {
	d := answered(t, "sample:orders", 120, 40)
	d.Press("|")
	d.WaitForText("jq ▏.", "typing", "1 result")
	d.Type("structuredContent.orders[]")
	d.WaitForText("2 results")
	d.Type(" | select(")
	d.WaitForText("shown is the last", "2 results of .structuredContent.orders[]")
	d.Type(".id == 1041)")
	d.WaitForText("/result/structuredContent/orders/1  58 B")
	d.Press("enter")
	d.WaitForNo("typing")
	d.Press("down", "y")
	d.WaitFor("its id", func(uitest.Screen) bool {
		got, _ := d.Clipboard()
		return got == "1041"
	})
	d.WaitForText("/result/structuredContent/orders/1/id")
	d.Press("esc")
	d.WaitForText(`"jsonrpc"`)
	d.Press("|", "up")
	d.WaitForText("select(.id == 1041)")
	d.Press("ctrl+u")
	d.Type("error(")
	d.Press("esc")
	d.WaitForText(`"jsonrpc"`)
	d.Press("|", "ctrl+u")
	d.Type(".structuredContent.orders | map(.id + 1)")
	d.WaitForText("1043")
	d.Press("enter", "down")
	d.WaitForText("made by the filter")
}

// TestFilterOfTheNextCall: a filter stays over the next answer of the same tool,
// and esc takes it away.
func TestFilterOfTheNextCall(t *testing.T) {
	d := answered(t, "sample:orders", 120, 40)
	d.Press("|")
	d.Type(".structuredContent.orders[0]") // with the dot that the bar begins with
	d.WaitForText("jq ▏.structuredContent.orders[0]", "1 result")
	d.Press("enter", "r")
	d.WaitForText("call 2", "1 result", "structuredContent.orders[0]")
	d.Press("esc")
	d.WaitForNo("1 result")
	d.WaitForText(`"jsonrpc"`)
}

func TestResultScreens(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			d := answered(t, "sample:orders", 200, 60)
			d.Press("[")
			d.WaitForText("[Table]", "accepted")
			d.Resize(size[0], size[1])
			d.Golden(fmt.Sprintf("result-table-%dx%d", size[0], size[1]))
			d.Press("|")
			d.Type("structuredContent.orders[]")
			d.WaitForText("2 results")
			d.Type(" | select(")
			d.WaitForText("shown is the last")
			d.Golden(fmt.Sprintf("result-jq-%dx%d", size[0], size[1]))
		})
	}
}

// TestResultPicture: an image block is shown as a picture, as wide as there is
// room, in colours where there are any and in shades where there are none.
func TestResultPicture(t *testing.T) {
	for _, c := range []struct{ name, env, want string }{
		{"colours", "", "half blocks"}, {"none", "1", "shades"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, _ := start(t, "sample:charts", 120, 60, func(o *Options, _ *uitest.Options) {
				o.Getenv = func(name string) string { return map[string]string{"LANG": "en_US.UTF-8", "NO_COLOR": c.env}[name] }
			})
			accepted(d)
			d.Press("r")
			d.WaitForText("✓ ok")
			d.Press("3", "z")
			d.WaitForText("image/png", c.want)
			d.Press("down", "down", "down", "Y")
			d.WaitForText("a file gets the bytes")
			d.Press("tab", "v")
			d.WaitForText("saved ", ".png")
		})
	}
}

// TestFindInResult: what is looked for is counted and walked in each tab, into
// folded values too, and stays from tab to tab.
func TestFindInResult(t *testing.T) {
	d := answered(t, "sample:orders", 200, 60)
	d.Press("/")
	d.Type("customer")
	d.WaitForText("find ▏customer", "enter keep")
	d.Press("enter")
	d.WaitForText("n N next, previous")
	d.Press("]")
	d.WaitForText("[JSON]", "n N next, previous")
	d.Press("-", "n", "n")
	d.WaitForText("/result/structuredContent/orders/0/customer", "2 of 3")
	d.Press("]")
	d.WaitForText("[Raw]", "n N next, previous")
	d.Press("]", "esc", "/")
	d.Type("1041")
	d.Press("enter")
	d.WaitForText("[Table]", "1 of 1")
	d.Press("esc")
	d.WaitForNo("1 of 1")
	d.Press("/")
	d.Type("no such")
	d.Press("enter")
	d.WaitForText("nothing matches")
}

// TestResultInHex: the bytes of a block, and of the line with the value marked.
func TestResultInHex(t *testing.T) {
	d := answered(t, "sample:orders", 120, 40)
	d.Press("v")
	d.WaitForText("the selected block, 1 of", "offset", "v back")
	d.Press("esc")
	d.WaitForNo("v back")
	d.Press("]", "down", "v")
	d.WaitForText("the answer as it came", "^^")
	d.Press("/")
	d.Type("0x226964")
	d.Press("enter")
	d.WaitForText("1 of 5")
	d.Press("esc", "v")
	d.WaitForNo("v back")
}

package ui

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi/kitty"

	"perch/ui/uitest"
)

// graphic runs the app in a terminal that may have graphics, and calls the
// tool of charts.
func graphic(t *testing.T, env ...string) (*uitest.Driver, *App) {
	t.Helper()
	d, a := start(t, "sample:charts", 120, 60, func(o *Options, _ *uitest.Options) {
		o.Getenv = func(name string) string {
			if slices.Contains(env, name) {
				return "1"
			}
			return map[string]string{"LANG": "en_US.UTF-8", "TERM": "xterm-kitty"}[name]
		}
	})
	accepted(d)
	d.Press("r")
	d.WaitForText("call 1 of bar · ✓ ok")
	d.Press("3", "z")
	d.WaitForText("half blocks · enter opens it")
	return d, a
}

// sent waits for a sequence that was sent to the terminal, and gives its number.
func sent(t *testing.T, d *uitest.Driver, pattern string, nth int) int {
	t.Helper()
	var all [][]string
	d.WaitFor(pattern, func(uitest.Screen) bool {
		all = regexp.MustCompile(pattern).FindAllStringSubmatch(string(d.Output()), -1)
		return len(all) >= nth
	})
	id, err := strconv.Atoi(all[nth-1][1])
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// answer says something about a picture as a terminal does.
func answerGraphics(d *uitest.Driver, id int, text string) {
	d.Send(uv.KittyGraphicsEvent{Options: kitty.Options{ID: id}, Payload: []byte(text)})
}

const (
	asked  = `\x1b_Ga=p,U=1,i=(\d+),P=\d+\x1b\\.*\x1b\[c`
	given  = `\x1b_Ga=T,U=1,f=100,t=d,i=(\d+)`
	gone   = `\x1b_Ga=d,d=I,i=(\d+),q=2\x1b\\`
	placed = "\U0010eeee"
)

// TestGraphics: where the terminal answers that it has graphics, pictures are
// its own: sent, placed as text, covered as text, sent anew for another size and
// taken away at the end. Half blocks stand in until then.
func TestGraphics(t *testing.T) {
	d, _ := graphic(t)
	ask := sent(t, d, asked, 1)
	answerGraphics(d, ask, "EINVAL:a virtual placement cannot be a child")
	first := sent(t, d, given, 1)
	if d.Screen().Contains(placed) {
		t.Error("the picture is placed before the terminal has it")
	}
	answerGraphics(d, first, "OK")
	d.WaitForText(placed, "terminal graphics · enter opens it")
	d.Press(":")
	d.WaitForText("esc")
	d.Press("esc", "down", "down", "down", "enter")
	d.WaitForText("mimeType says image/png, and so do its bytes")
	whole := sent(t, d, given, 2) // the file of the link is the same picture
	answerGraphics(d, whole, "OK")
	d.WaitForText(placed)
	d.Resize(100, 40)
	sent(t, d, gone, 1)
	again := sent(t, d, given, 3)
	answerGraphics(d, again, "OK")
	d.WaitForText(placed)
	before := len(regexp.MustCompile(gone).FindAllString(string(d.Output()), -1))
	d.Press("q")
	if _, err := d.WaitForEnd(); err != nil {
		t.Fatal(err)
	}
	if after := len(regexp.MustCompile(gone).FindAllString(string(d.Output()), -1)); after <= before {
		t.Error("pictures are left in the terminal")
	}
}

// TestQuitWaits: who quits while an answer of the terminal is outstanding waits
// for it, so that it does not land in the shell; who wishes it twice does not.
func TestQuitWaits(t *testing.T) {
	for _, c := range []struct {
		name string
		then func(d *uitest.Driver, ask int)
	}{
		{"the answer comes", func(d *uitest.Driver, ask int) { answerGraphics(d, ask, "ENOENT:no such image") }},
		{"no answer comes", func(d *uitest.Driver, _ int) { d.Send(patienceMsg{1}) }},
		{"a second wish", func(d *uitest.Driver, _ int) { d.Press("q") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d, _ := graphic(t, "TMUX") // what tmux says of itself is no answer
			ask := sent(t, d, `a=p,U=1,i=(\d+)`, 1)
			d.Press("q", "down")
			d.WaitForText("half blocks")
			c.then(d, ask)
			if _, err := d.WaitForEnd(); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(d.Output()), "a=T,U=1") {
				t.Error("a picture was sent to a terminal that has no graphics")
			}
		})
	}
}

// TestEndlessFilter: a filter that runs on is said to run, and ctrl+c ends it
// and nothing else.
func TestEndlessFilter(t *testing.T) {
	d := answered(t, "sample:orders", 120, 40)
	d.Press("|")
	d.WaitForText("1 result")
	d.Paste(" | last(range(1e12))")
	for serial := range 9 { // the time has passed
		d.Send(slowFilterMsg{serial})
	}
	d.WaitFor("what runs, or what became of it", func(s uitest.Screen) bool {
		return s.Contains("filtering · ctrl+c ends it") || s.Contains("20,000,000 steps")
	})
	d.Press("ctrl+c")
	d.WaitFor("its end", func(s uitest.Screen) bool {
		return s.Contains("stopped before its end") || s.Contains("20,000,000 steps")
	})
	if s := d.Screen(); s.Contains("stopped before its end") && s.Contains("again quits") {
		t.Error("ctrl+c also armed the way out")
	}
	d.Press("esc")
	d.WaitForText(`"jsonrpc"`)
}

// TestNoRowFilter: a result keeps its rows, and says what else there is.
func TestNoRowFilter(t *testing.T) {
	d := answered(t, "sample:greeter", 120, 40)
	d.Press("&")
	d.WaitForText("/ finds in them, | filters JSON")
}

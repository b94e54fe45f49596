package answers_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"perch/ui/answers"
)

// slow is a terminal whose input comes in pieces.
type slow struct{ pieces []string }

func (s *slow) Read(p []byte) (int, error) {
	if len(s.pieces) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.pieces[0])
	s.pieces = s.pieces[1:]
	return n, nil
}

// events are what Bubble Tea's reader makes of each piece on its own, when time
// runs out between them.
func events(t *testing.T, pieces ...string) []tea.Msg {
	t.Helper()
	var out []tea.Msg
	for _, piece := range pieces {
		ch := make(chan uv.Event, 8192)
		r := uv.NewTerminalReader(&slow{pieces: []string{piece}}, "xterm-256color")
		if err := r.StreamEvents(context.Background(), ch); err != nil && !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		close(ch)
		for e := range ch {
			switch e := e.(type) {
			case uv.KeyPressEvent:
				out = append(out, tea.KeyPressMsg(e))
			default:
				out = append(out, e)
			}
		}
	}
	return out
}

func shown(msgs []tea.Msg) string {
	var parts []string
	for _, m := range msgs {
		switch m := m.(type) {
		case nil:
		case tea.KeyPressMsg:
			parts = append(parts, m.String())
		case uv.KittyGraphicsEvent:
			parts = append(parts, fmt.Sprintf("graphics %d %s", m.Options.ID, m.Payload))
		case uv.CellSizeEvent:
			parts = append(parts, fmt.Sprintf("cell %dx%d", m.Width, m.Height))
		case tea.BackgroundColorMsg:
			parts = append(parts, fmt.Sprintf("ground dark %v", m.IsDark()))
		default:
			parts = append(parts, fmt.Sprintf("%T", m))
		}
	}
	return strings.Join(parts, "|")
}

func TestPiecesBecomeTheAnswer(t *testing.T) {
	const graphics = "\x1b_Gi=31;EINVAL:no such parent\x1b\\"
	for _, c := range []struct {
		name    string
		awaited bool
		pieces  []string
		want    string
	}{
		{"in the middle", false, []string{graphics[:7], graphics[7:]}, "graphics 31 EINVAL:no such parent"},
		{"in three", false, []string{graphics[:7], graphics[7:20], graphics[20:]}, "graphics 31 EINVAL:no such parent"},
		{"before the end", false, []string{graphics[:len(graphics)-2], "\x1b\\"}, "graphics 31 EINVAL:no such parent"},
		{"after two bytes", true, []string{"\x1b_", graphics[2:]}, "graphics 31 EINVAL:no such parent"},
		{"size of a cell", false, []string{"\x1b[6;1", "9;9t"}, "cell 9x19"},
		{"ground", false, []string{"\x1b]11;rgb:0000/", "0000/0000\x1b\\"}, "ground dark true"},
		{"ground, with a bell", false, []string{"\x1b]11;rgb:ffff/", "ffff/ffff\a"}, "ground dark false"},
		{"what a terminal is", false, []string{"\x1b[?62;", "4c"}, "uv.PrimaryDeviceAttributesEvent"},
		{"after one byte", true, []string{"\x1b", graphics[1:]}, "graphics 31 EINVAL:no such parent"},
		{"ground after one byte", true, []string{"\x1b", "]11;rgb:0000/0000/0000\x1b\\", "a"}, "ground dark true|a"},
		{"in two places", true, []string{"\x1b", "]11;rgb:0000/", "0000/0000\x1b\\"}, "ground dark true"},
		{"esc and a letter", true, []string{"\x1b", "a"}, "esc|a"},
		{"esc and enter", true, []string{"\x1b", "\r"}, "esc|enter"},
		{"esc twice", true, []string{"\x1b", "\x1b", "a"}, "esc|esc|a"},
		{"esc when nothing was asked", false, []string{"\x1b", "]"}, "esc|]"},
		{"typing goes on", false, []string{graphics[:7], graphics[7:], "ab"}, "graphics 31 EINVAL:no such parent|a|b"},
		{"it does not end, a key ends it", false, []string{graphics[:9], "\r", "ab"}, "enter|a|b"},
		{"alt+_ when nothing was asked", false, []string{"\x1b_", "ab"}, "alt+_|a|b"},
		{"typing alone", true, []string{`a\b_]G;`}, `a|\|b|_|]|G|;`},
		{"nonsense", false, []string{"\x1b_Qx", "y\x1b\\", "z"}, "uv.UnknownApcEvent|z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var f answers.Filter
			f.Await(c.awaited, time.Time{})
			var got []tea.Msg
			for _, m := range events(t, c.pieces...) {
				got = append(got, f.Take(m, time.Time{})...)
			}
			if s := shown(got); s != c.want {
				t.Errorf("got %s\nwant %s", s, c.want)
			}
		})
	}
}

// TestEscIsKeptBackForAMoment: only while an answer may come, and until it is
// asked for or something else comes.
func TestEscIsKeptBackForAMoment(t *testing.T) {
	var f answers.Filter
	at := time.Time{}
	esc, click := events(t, "\x1b")[0], tea.MouseClickMsg{X: 3}
	f.Await(true, at)
	if got := f.Take(esc, at); got != nil || !f.Held() {
		t.Errorf("esc is let through as %v", got)
	}
	if got := shown([]tea.Msg{f.Release(), f.Release()}); got != "esc" || f.Held() {
		t.Errorf("released: %s", got)
	}
	f.Take(esc, at)
	if got := f.Take(tea.WindowSizeMsg{}, at); len(got) != 1 || !f.Held() {
		t.Errorf("a size lets esc go: %v", got)
	}
	if got := f.Take(click, at); len(got) != 2 || got[1] != click {
		t.Errorf("a click behind esc: %v", got)
	}
	if got := shown(f.Take(esc, at.Add(6*time.Second))); got != "esc" {
		t.Errorf("long after the question: %q", got)
	}
	f.Await(false, at)
	if got := shown(f.Take(esc, at)); got != "esc" {
		t.Errorf("after the answer: %q", got)
	}
}

func TestAnAnswerThatDoesNotEndTakesLittle(t *testing.T) {
	at := time.Time{}
	start := events(t, "\x1b_Gi=31;O")[0]
	typed := events(t, "hello")

	var f answers.Filter
	f.Take(start, at)
	var got []tea.Msg
	for _, m := range typed {
		at = at.Add(4 * time.Second)
		got = append(got, f.Take(m, at)...)
	}
	if s := shown(got); s != "h|e|l|l|o" {
		t.Errorf("typed after a pause: %s", s)
	}

	f = answers.Filter{}
	f.Take(start, at)
	lost := 0
	for range 1000 {
		if f.Take(typed[0], at) == nil {
			lost++
		}
	}
	if lost > 256 {
		t.Errorf("%d keys were taken for an answer", lost)
	}
}

func TestOtherMessagesPass(t *testing.T) {
	type own struct{ n int }
	var f answers.Filter
	f.Take(events(t, "\x1b_Gi=31;O")[0], time.Time{})
	if got := f.Take(own{7}, time.Time{}); len(got) != 1 || got[0] != (own{7}) {
		t.Errorf("got %v", got)
	}
	click := tea.MouseClickMsg{X: 3}
	if got := f.Take(click, time.Time{}); len(got) != 1 || got[0] != click {
		t.Errorf("got %v", got)
	}
	if got := shown(f.Take(events(t, "a")[0], time.Time{})); got != "a" {
		t.Errorf("a key after a click: %q", got)
	}
}

func FuzzTake(f *testing.F) {
	f.Add("\x1b_Gi=31;OK\x1b\\", 5)
	f.Add("\x1b[6;19;9t", 3)
	f.Fuzz(func(t *testing.T, text string, cut int) {
		if cut < 0 || cut > len(text) || len(text) > 4096 {
			return
		}
		var filter answers.Filter
		for _, m := range events(t, text[:cut], text[cut:]) {
			filter.Take(m, time.Time{})
		}
		m := events(t, "x")[0]
		if got := shown(filter.Take(m, time.Time{}.Add(time.Hour))); !strings.HasSuffix(got, "x") {
			t.Errorf("a key an hour later became %v", got)
		}
	})
}

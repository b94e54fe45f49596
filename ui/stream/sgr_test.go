package stream_test

import (
	"fmt"
	"strings"
	"testing"

	"perch/engine/event"
	"perch/themes"
	"perch/ui/stream"
)

// TestColouredStderr: the colours of a module's lines are text until v picks
// them; then nothing but them is taken from its escapes.
func TestColouredStderr(t *testing.T) {
	tape := newTape()
	tape.at(0, begin(event.Call, "x"))
	tape.write(1, event.Stderr, "plain\n")
	tape.write(2, event.Stderr, "warn: \x1b[33mslow\x1b[0m \x1b[1;38;2;0;200;0mgreen\x1b[m \x1b[2J\x1b]0;title\x07\x1b[8mseen\x1b[999999999999m end\n")
	p := stream.NewStderr(stream.Options{})
	p.SetRun(tape.Run(1))
	k := look(t, "dusk", false)
	v := stream.View{Look: k, W: 90, H: 12, Focused: true}
	list := func() string { return text(t, p.List(v), 90, 12) }
	detail := func() string { return text(t, p.Detail(v), 90, 12) }
	list()
	p.Do("nav.top", false)
	if got := detail(); strings.Contains(got, "Coloured") {
		t.Errorf("a line without colours offers them:\n%s", got)
	}
	p.Do("nav.down", false)
	if got := detail() + list(); strings.Count(got, "␛[33mslow␛[0m") != 2 {
		t.Errorf("the colours are not told:\n%s", got)
	}
	p.Do("content.next", false)
	want := "warn: slow green ␛[2J␛]0;title␇seen end"
	for _, got := range []string{detail(), list()} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	drawn := strings.Join(p.Detail(v), "\n")
	for _, sgr := range []string{"\x1b[0;33;", "\x1b[0;1;38;2;0;200;0;"} {
		if !strings.Contains(drawn, sgr) {
			t.Errorf("no %q in %q", sgr, drawn)
		}
	}
	p.Do("content.next", false)
	if got := list(); !strings.Contains(got, "␛[33mslow") {
		t.Errorf("hex in the detail leaves the list coloured:\n%s", got)
	}
}

// TestColoursHideNothing: text in the colour of what is behind it is shown.
func TestColoursHideNothing(t *testing.T) {
	for _, name := range themes.Names() {
		k := look(t, name, false)
		bg := k.Theme.Tints[themes.Bg].Color
		lines := []string{"\x1b[30;40mhidden", "\x1b[97;107mhidden", "\x1b[38;5;231;48;2;255;255;254mhidden"}
		if bg.Kind == themes.Default {
			lines = append(lines, "\x1b[30mhidden", "\x1b[97mhidden")
		} else {
			lines = append(lines, "\x1b[38;2;"+decimals(bg)+"mhidden")
		}
		row := func(line string) string {
			tape := newTape()
			tape.at(0, begin(event.Call, "x"))
			tape.write(1, event.Stderr, line+"\n")
			p := stream.NewStderr(stream.Options{})
			p.SetRun(tape.Run(1))
			v := stream.View{Look: k, W: 60, H: 6}
			p.List(v)
			p.Detail(v)
			p.Do("content.next", false)
			for _, r := range p.Detail(v) {
				if strings.Contains(r, "hidden") {
					return r
				}
			}
			return ""
		}
		plain := row("\x1b[mhidden")
		for _, line := range lines {
			if got := row(line); got != plain {
				t.Errorf("%s: %q is drawn as %q", name, line, got)
			}
		}
	}
}

func decimals(c themes.Color) string { return fmt.Sprintf("%d;%d;%d", c.R, c.G, c.B) }

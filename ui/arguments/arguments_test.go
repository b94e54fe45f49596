package arguments_test

import (
	"strings"
	"testing"

	"perch/engine/wire"
	"perch/ui/arguments"
)

func TestDrafts(t *testing.T) {
	p := arguments.New()
	greet, shout := wire.Tool{Name: "greet"}, wire.Tool{Name: "shout"}
	first := func() string { return "{\n  \"name\": \"Ada\"\n}" }
	p.Show(greet, first)
	if text, err := p.Sends(); err != nil || string(text) != `{"name":"Ada"}` {
		t.Errorf("it sends %q, %v", text, err)
	}
	if len(p.Drafts()) != 0 {
		t.Error("what nobody wrote is a draft")
	}
	p.SetTab(int(arguments.JSON))
	p.Type()
	p.Input().Insert("!")
	p.Show(shout, first)
	p.Show(greet, first)
	if got := p.Text(); !strings.Contains(got, `"Ada!"`) {
		t.Errorf("the draft came back as %q", got)
	}
	if d := p.Drafts(); len(d) != 1 || d["greet"] == "" {
		t.Errorf("drafts: %v", d)
	}
}

func TestWhatCannotBeSent(t *testing.T) {
	for text, want := range map[string]string{
		`{"name":`:  "not JSON at byte 8",
		`[1]`:       "arguments are an object, this is a list",
		`"x"`:       "arguments are an object, this is a string",
		`{"a":NaN}`: "not JSON at byte 5",
		`{}`:        "",
		``:          "",
	} {
		p := arguments.New()
		p.Show(wire.Tool{Name: "t"}, func() string { return text })
		if got := p.Problem(); got != want {
			_, err := p.Sends()
			t.Errorf("%s: %q (%v), want %q", text, got, err, want)
		}
		if p.ToFault() != (want != "") {
			t.Errorf("%s: ToFault", text)
		}
	}
}

// TestPrettyKeepsTokens: numbers and names stay as they were written.
func TestPrettyKeepsTokens(t *testing.T) {
	for in, want := range map[string]string{
		`{"id":9007199254740993,"x":1e400,"id":1}`: "{\n  \"id\": 9007199254740993,\n  \"x\": 1e400,\n  \"id\": 1\n}",
		`{}`:  `{}`,
		`{no`: `{no`,
	} {
		if got := arguments.Pretty([]byte(in)); got != want {
			t.Errorf("%s: %q", in, got)
		}
	}
}

func TestRowsWithoutACaret(t *testing.T) {
	p := arguments.New()
	p.Show(wire.Tool{Name: "t"}, func() string { return "{\n}" })
	p.SetTab(int(arguments.JSON))
	p.Do("nav.down")
	if p.OnRun() {
		t.Error("Run is selected too early")
	}
	p.Do("nav.down")
	if !p.OnRun() {
		t.Error("below the last line there is no Run")
	}
	p.Do("nav.up")
	if p.OnRun() {
		t.Error("up does not leave Run")
	}
	if p.Out() {
		t.Error("there is something to undo")
	}
	p.Type()
	if !p.Out() || p.Input() != nil {
		t.Error("esc does not end typing")
	}
}

package arguments_test

import (
	"errors"
	"strings"
	"testing"

	"perch/ui/arguments"
)

// shows holds parts of the screen, in their order.
func (u *person) shows(want ...string) string {
	u.t.Helper()
	screen := u.sees(60, 40)
	at := 0
	for _, part := range want {
		i := strings.Index(screen[at:], part)
		if i < 0 {
			u.t.Errorf("the form does not show %q, in this order:\n%s", part, screen)
			return screen
		}
		at += i + len(part)
	}
	return screen
}

// TestStatesOfFields: each field tells what may be in it, whether it is sent,
// and its default, which is not.
func TestStatesOfFields(t *testing.T) {
	u := open(t, `{"type":"object","properties":{
		"nick":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null},
		"n":{"type":"integer","default":20,"description":"Page size"},
		"bad":{"type":"integer","default":"ten"},
		"tpl":{"const":{"$ref":"#/x"}},
		"lvl":{"enum":[1,"1",null]},
		"never":false,"meta":true,
		"":{"type":"string"},
		"map":{"type":"object","additionalProperties":{"type":"integer"}},
		"keyed":{"type":"object","patternProperties":{"^n_":{}}},
		"pay":{"oneOf":[{"title":"card","type":"object"},{"title":"bill","type":"object"}]},
		"x":{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"array"}]}}}`, "{}")
	screen := u.shows(
		"nick ", "· left out", "string | null · default null",
		"n ", "integer · default 20", "Page size",
		"bad ", `default "ten"`, "◇ the default does not fit its own schema",
		"tpl ", `only {"$ref":"#/x"} ▾`,
		"lvl ", `1 · "1" · null`,
		"never ", "not allowed", "meta ", "any JSON",
		`"" `, "· left out", "map ", "object of integer", "keyed ", "keys that fit ^n_",
		"pay ", "· left out  [card] · bill", "1 of 2", "x ", "· left out  [string]", "1 of 3", "sends {}")
	if strings.Count(screen, "does not fit") != 1 {
		t.Errorf("another default is said not to fit:\n%s", screen)
	}
	u.sends("{}")
	goTo(u, "nick")
	u.does("args.null")
	u.shows("∅ null", `sends {"nick":null}`)
	u.does("args.leave_out", "nav.down", "args.default")
	u.sends(`{"n":20}`)
}

// TestNoFields: a tool without fields says so, and whether keys may be added.
func TestNoFields(t *testing.T) {
	u := open(t, `{"type":"object"}`, "{}")
	u.shows("No arguments are named; any key may be sent.", "+ add a key", "sends {}")
	u.Enter()
	u.types("a.b")
	u.Accept()
	u.types("[1, 2]")
	u.sends(`{"a.b":[1,2]}`)
	u = open(t, `{"type":"object","additionalProperties":false}`, "{}")
	if screen := u.shows("No fields: the tool takes no arguments.", "sends {}"); strings.Contains(screen, "add a key") {
		t.Errorf("a key is offered:\n%s", screen)
	}
	u.SetTab(int(arguments.JSON))
	u.Type()
	u.types(`"a":1`)
	u.sends(`{"a":1}`)
	u.shows("❯✗ 1 {", `✗ 1:5 "a" is not allowed here: additionalProperties is`, "false")
}

// TestBareGroups: what becomes of an object whose last member was left out is
// asked for, once, at each level.
func TestBareGroups(t *testing.T) {
	u := open(t, `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"object","properties":{"c":{"type":"string"}}}}}}}`, `{"a":{"b":{"c":"x"}}}`)
	goTo(u, "c")
	u.does("args.leave_out")
	u.sends(`{"a":{"b":{}}}`)
	path, name, ok := u.Bare()
	if path != "/a/b" || name != "b" || !ok {
		t.Fatalf("asked for is %q %q %v", path, name, ok)
	}
	if _, _, again := u.Bare(); again {
		t.Error("it is asked for twice")
	}
	u.LeaveOut(path)
	u.sends(`{"a":{}}`)
	if path, _, _ = u.Bare(); path != "/a" {
		t.Fatalf("asked for is %q", path)
	}
	u.LeaveOut(path)
	u.sends(`{}`)
	if _, _, ok := u.Bare(); ok {
		t.Error("the arguments themselves may be left out")
	}
	u.does("type.undo", "type.undo", "type.undo")
	u.sends(`{"a":{"b":{"c":"x"}}}`)
	goTo(u, "c")
	u.Type()
	u.does("args.leave_out") // by the menu of the row while typing
	if path, _, _ := u.Bare(); path != "/a/b" {
		t.Errorf("while typing %q is asked for", path)
	}
}

// TestSeveralLines: a text of several lines is shown in rows while it is typed,
// is what was pasted, and arrows walk in it before they leave it.
func TestSeveralLines(t *testing.T) {
	u := open(t, `{"type":"object","properties":{"to":{"type":"string"},"body":{"type":"string"},"end":{"type":"string"}}}`, "{}")
	goTo(u, "body")
	u.Enter()
	u.Input().Paste("a\nb\n\nc\t ")
	u.Changed()
	u.sends(`{"body":"a\nb\n\nc\t "}`)
	u.shows("body ▏a ", "▏b\n", "▏\n", "▏c␉")
	x, y, _ := u.Cursor()
	if y != 4 {
		t.Errorf("the caret is drawn at %d,%d", x, y)
	}
	u.does("type.up")
	u.types("B")
	u.sends(`{"body":"a\nb\nB\nc\t "}`)
	u.does("type.up", "type.up", "type.up")
	if u.Input().Text() != "" {
		t.Errorf("up on the first line is in %q", u.Input().Text())
	}
	u.types("me")
	u.does("type.down")
	u.does("type.next_field")
	u.types("!")
	u.sends(`{"to":"me","body":"a\nb\nB\nc\t ","end":"!"}`)
	u.Out()
	u.shows("body ▏a⏎b⏎B⏎c␉")
}

// TestClickInAText: a click puts the caret where it points, in a field and in
// the rows of a long one.
func TestClickInAText(t *testing.T) {
	u := open(t, `{"type":"object","properties":{"body":{"type":"string"}}}`, `{"body":"one\ntwo"}`)
	u.sees(60, 20)
	u.Click(u.k, 6+2, 0) // body ▏o|ne
	u.types("X")
	u.sends(`{"body":"oXne\ntwo"}`)
	u.sees(60, 20)
	u.Click(u.k, 6+3, 1) // the second row: tw|o
	u.types("Y")
	u.sends(`{"body":"oXne\ntwYo"}`)
}

// TestNewSchema: a package that was built again keeps the text, what is not
// sent, the steps back, and the caret where its field still is.
func TestNewSchema(t *testing.T) {
	u := open(t, `{"type":"object","properties":{"a":{"type":"string"},"pay":{"oneOf":[{"title":"card","type":"object","properties":{"no":{"type":"string"}}},{"title":"bill","type":"object"}]},"b":{"type":"string"}}}`, "{}")
	u.Enter()
	u.types("1")
	u.Out()
	goTo(u, "b")
	u.Enter()
	u.types("2")
	next := toolOf(t, `{"type":"object","properties":{"c":{"type":"string"},"a":{"type":"string"},"b":{"type":"integer"}}}`)
	u.Show(next, func() string { return "never" })
	u.types("3")
	u.sends(`{"a":"1","b":23}`) // typed on, and a number now
	u.Out()
	u.shows("c ", "a ", "▏1", "b ", "▏23")
	u.does("type.undo", "type.undo")
	u.sends(`{"a":"1"}`)
	u.does("type.undo")
	u.sends(`{}`)
	u.does("type.redo", "type.redo", "type.redo")
	gone := toolOf(t, `{"type":"object","additionalProperties":false,"properties":{"c":{"type":"string"}}}`)
	goTo(u, "a")
	u.Enter()
	u.Show(gone, func() string { return "never" })
	u.sends(`{"a":"1","b":23}`)
	u.shows("a ", "not allowed here", "b ")
	other := toolOf(t, `{"type":"object"}`)
	other.Name = "other"
	u.Show(other, func() string { return "{}" })
	u.Show(next, func() string { return "never" }) // it changed while another was in sight
	u.sends(`{"a":"1","b":23}`)
	if u.Problems() != 0 {
		t.Errorf("there are %d problems:\n%s", u.Problems(), u.sees(60, 30))
	}
}

// TestTextsForAnotherEditor: in the form a field of text is given away as the
// text that it is, else the arguments as JSON.
func TestTextsForAnotherEditor(t *testing.T) {
	u := open(t, `{"type":"object","properties":{"body":{"type":"string"},"n":{"type":"integer"}}}`, `{"n":1}`)
	l := u.Lend()
	if l.File() != "text.txt" || string(l.Text()) != "" {
		t.Fatalf("it is %s with %q", l.File(), l.Text())
	}
	if u.TakeBack(l, []byte("\n"), nil) || u.TakeBack(l, []byte("x"), errors.New("it failed")) {
		t.Error("something came back")
	}
	u.sends(`{"n":1}`)
	if !u.TakeBack(l, []byte("a \"b\"\nc\n"), nil) {
		t.Error("nothing came back")
	}
	u.sends(`{"body":"a \"b\"\nc","n":1}`)
	if l := u.Lend(); string(l.Text()) != "a \"b\"\nc" {
		t.Errorf("it is given away as %q", l.Text())
	}
	u.does("type.undo")
	u.sends(`{"n":1}`)
	goTo(u, "n")
	l = u.Lend()
	if l.File() != "arguments.json" || string(l.Text()) != "{\n  \"n\": 1\n}" {
		t.Fatalf("it is %s with %q", l.File(), l.Text())
	}
	if !u.TakeBack(l, []byte("{\"n\": \n"), nil) {
		t.Error("nothing came back")
	}
	u.shows("cannot send: not JSON")
	if u.Text() != `{"n": ` {
		t.Errorf("the text is %q", u.Text())
	}
}

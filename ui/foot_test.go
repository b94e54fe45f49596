package ui

import (
	"strings"
	"testing"

	"perch/ui/gallery"
)

// TestFooterKeepsItsWord: a key that the footer offers does something there.
func TestFooterKeepsItsWord(t *testing.T) {
	places := []struct {
		name, open string
		call       bool
		keys       []string
	}{
		{"Open", "", false, nil},
		{"the path", "", false, []string{"P"}},
		{"the filter of Open", "", false, []string{"/"}},
		{"Tools", "sample:greeter", false, []string{"1"}},
		{"the filter of Tools", "sample:greeter", false, []string{"1", "/"}},
		{"Arguments", "sample:greeter", false, []string{"2"}},
		{"the row Run", "sample:greeter", false, []string{"2", "G"}},
		{"the schema", "sample:greeter", false, []string{"2", "]"}},
		{"the draft", "sample:greeter", false, []string{"2", "enter"}},
		{"Result before a call", "sample:greeter", false, []string{"3"}},
		{"Result", "sample:greeter", true, []string{"3"}},
		{"Result, JSON", "sample:greeter", true, []string{"3", "]"}},
		{"Result, Raw", "sample:greeter", true, []string{"3", "["}},
		{"Wire", "sample:greeter", true, []string{"4"}},
		{"Wire's detail", "sample:greeter", true, []string{"4", "enter"}},
		{"Stderr without a line", "sample:greeter", true, []string{"5"}},
		{"HTTP without a request", "sample:greeter", true, []string{"6"}},
		{"Files", "sample:greeter", true, []string{"7"}},
		{"Events", "sample:greeter", true, []string{"8"}},
		{"Findings", "sample:greeter", true, []string{"0"}},
		{"Findings' detail", "sample:greeter", true, []string{"0", "l"}},
		{"a heading of Findings", "sample:greeter", true, []string{"0", "j"}},
		{"the rules", "sample:greeter", true, []string{"0", "?"}},
		{"the filter of the rules", "sample:greeter", true, []string{"0", "?", "/"}},
		{"a rule", "sample:greeter", true, []string{"0", "?", "enter"}},
		{"the keys", "sample:greeter", true, []string{"0", "?", "]"}},
		{"the package", "sample:greeter", true, []string{"i"}},
		{"Check", "sample:mischief:import_emscripten", false, nil},
		{"the bytes of Check", "sample:mischief:import_emscripten", false, []string{"enter"}},
	}
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		for _, p := range places {
			reach := func() *App {
				a := quietApp(t, size[0], size[1])
				if p.open != "" {
					openNow(t, a, p.open)
				}
				if p.call {
					settle(t, a, a.call(), func() bool { return a.session.last != "" })
				}
				for _, k := range p.keys {
					a.Update(keyMsg(k))
				}
				if a.at == inOpen && a.open.Completing() {
					a.Update(listedMsg{gallery.List(a.open.Path())})
				}
				return a
			}
			for _, h := range reach().hints() {
				if h.key == "0–9" || h.id == "mouse.toggle" {
					continue
				}
				a := reach()
				before := screen(a)
				_, cmd := a.Update(keyMsg(h.key))
				said := ""
				if a.status.now != nil {
					said = a.status.now.text
				}
				if strings.Contains(said, "does nothing here") || said == "" && cmd == nil && screen(a) == before {
					t.Errorf("%s, %v: %s %s does nothing (%s)", p.name, size, h.key, h.text, said)
				}
			}
		}
	}
}

// screen is what is drawn, and where the caret is.
func screen(a *App) string {
	a.dirty = true
	v := a.View()
	if v.Cursor != nil {
		return v.Content + string(rune(v.Cursor.X)) + string(rune(v.Cursor.Y)) + string(rune(v.Cursor.Shape))
	}
	return v.Content
}

// TestFiltersChooseTheBestName: filters look at descriptions too, but what is
// named as was typed is what is meant.
func TestFiltersChooseTheBestName(t *testing.T) {
	a := quietApp(t, 120, 40)
	typed := func(text string) {
		t.Helper()
		a.Update(keyMsg("/"))
		for _, r := range text {
			a.Update(keyMsg(string(r)))
		}
	}
	typed("or") // Start here: an answer, a tool error
	if got := a.open.Chosen(); got != "sample:orders" {
		t.Errorf("or chooses %s", got)
	}
	a.Update(keyMsg("esc"))
	openNow(t, a, "sample:mischief")
	for text, want := range map[string]string{"oom": "oom", "trap": "trap", "flood_std": "flood_stdout", "Latin-1": "latin1"} {
		typed(text)
		if tool, _ := a.tools.Selected(); tool.Name != want {
			t.Errorf("%s chooses %s", text, tool.Name)
		}
		a.Update(keyMsg("esc"))
	}
}

package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"perch/engine/event"
	rows "perch/inspect/form"
	"perch/samples/mischief"
	"perch/ui/arguments"
)

// scripted writes a package whose module does what a script says.
func scripted(t *testing.T, script string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string][]byte{
		"module.wasm":         mischief.Build(script),
		"subako-package.json": []byte(`{"abi":1,"name":"scripted","description":"A package for a test."}`),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// listing is a script of a module that lists tools, each a JSON object, and
// answers all calls.
func listing(tools ...string) string {
	list := `{"tools":[` + strings.Join(tools, ",") + `],"ttlMs":0,"cacheScope":"public","resultType":"complete"}`
	return "list result '" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "$", "$$").Replace(list) + "'\ncall say 'ok'\n"
}

// fieldTools are 117 tools of a public server, in packages of so many bytes.
func fieldTools(t *testing.T, most int) (packages [][]string) {
	t.Helper()
	files, err := filepath.Glob("../inspect/schema/testdata/tools/*/*.json")
	if err != nil || len(files) != 117 {
		t.Fatalf("%d tools: %v", len(files), err)
	}
	size := most
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := json.Compact(&b, text); err != nil {
			t.Fatal(err)
		}
		if size+b.Len() > most {
			packages, size = append(packages, nil), 0
		}
		size += b.Len()
		last := &packages[len(packages)-1]
		*last = append(*last, b.String())
	}
	return packages
}

// hand is a person at the keys.
type hand struct {
	*testing.T
	a *App
}

func (u hand) keys(names ...string) {
	for _, name := range names {
		u.a.Update(keyMsg(name))
	}
}

// fill goes through the form from its first row to Run and gives each field a
// value, as a person does who presses what the footer offers.
func (u hand) fill() {
	u.Helper()
	u.keys("2", "g")
	var before rows.Row
	for range 500 {
		r, ok := u.a.args.Selected()
		if !ok {
			return
		}
		switch u.a.args.Says() {
		case "type":
			u.keys("enter", "1", "esc")
		case "tick", "choose":
			u.keys("enter") // a choice opens with its first value selected
			if len(u.a.over) > 0 {
				u.keys("enter")
			}
			for len(u.a.over) > 0 {
				u.keys("esc")
			}
		case "add":
			if before.Path != r.Path {
				break // there is one already
			}
			u.keys("enter")
			if r.Kind == rows.AddKey {
				u.keys("k", "enter")
			}
			if u.a.args.Input() != nil {
				u.keys("1", "esc")
			}
		}
		if now, _ := u.a.args.Selected(); now.Group && !now.Open {
			u.keys("right")
		}
		before, _ = u.a.args.Selected()
		u.keys("down")
	}
	u.Errorf("the form has no end")
}

// TestEveryToolOfTheField: each of 117 tools opens in the pane Arguments, is
// filled in by keys, shows what it would send, and sends exactly that.
func TestEveryToolOfTheField(t *testing.T) {
	for i, tools := range fieldTools(t, 50_000) {
		t.Run(fmt.Sprint(i+1), func(t *testing.T) {
			t.Parallel()
			a := quietApp(t, 400, 60)
			openNow(t, a, scripted(t, listing(tools...)))
			u := hand{t, a}
			u.keys("1", "g")
			for n, text := range tools {
				if n > 0 {
					u.keys("1", "down")
				}
				var tool struct {
					Name        string
					InputSchema struct{ Properties map[string]any }
				}
				if err := json.Unmarshal([]byte(text), &tool); err != nil {
					t.Fatal(err)
				}
				if selected, _ := a.tools.Selected(); selected.Name != tool.Name {
					t.Fatalf("%s is selected, not %s", selected.Name, tool.Name)
				}
				u.sends(tool.Name, len(tool.InputSchema.Properties))
			}
		})
	}
}

// sends fills in the selected tool's form, a key that is not named where there
// are no fields, and holds what the module gets
// against what was shown before.
func (u hand) sends(name string, fields int) {
	u.Helper()
	a := u.a
	u.fill()
	preview, err := a.args.Sends()
	if err != nil || a.args.Problems() != 0 {
		u.Errorf("%s: %d problems, %v, with %s", name, a.args.Problems(), err, preview)
	}
	var sent map[string]json.RawMessage
	if err := json.Unmarshal(preview, &sent); err != nil || len(sent) != max(fields, 1) {
		u.Errorf("%s: %d of %d fields are set: %s", name, len(sent), fields, preview)
	}
	screen := ansi.Strip(strings.Join(a.rows(), "\n"))
	_, after, _ := strings.Cut(screen, " sends {")
	shown, _, _ := strings.Cut("{"+after, " ")
	if shown = strings.TrimSuffix(shown, "…"); len(shown) < min(len(preview), 40) || !bytes.HasPrefix(preview, []byte(shown)) {
		u.Errorf("%s: %q is shown of %s", name, shown, preview)
	}
	u.keys("ctrl+f", "ctrl+f") // as text, and back
	if again, _ := a.args.Sends(); !bytes.Equal(again, preview) || a.args.Tab() != arguments.Form {
		u.Errorf("%s: after a look at the text %s is sent, not %s", name, again, preview)
	}
	var calls uint32
	if last := a.session.bench.Record.Last(); last != nil {
		calls = last.ID()
	}
	_, run := a.Update(keyMsg("ctrl+r"))
	settle(u.T, a, run, func() bool { return a.session.live == nil })
	last := a.session.bench.Record.Last()
	if last.ID() <= calls {
		u.Fatalf("%s: no call was made", name)
	}
	line, _ := last.Stream(event.Stdin).Line(1)
	request := last.Stream(event.Stdin).Bytes(line.Offset, int(line.Len))
	if want := `"arguments":` + string(preview) + `,`; bytes.Count(request, []byte(want)) != 1 || !bytes.Contains(request, []byte(`"name":"`+name+`"`)) {
		u.Errorf("%s: the module got %s, shown was %s", name, request, preview)
	}
}

package edit_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"perch/themes"
	"perch/ui/cell"
	"perch/ui/edit"
	"perch/ui/uitest"
)

// pane is the smallest program around an editor.
type pane struct {
	e    *edit.Editor
	k    *cell.Look
	w, h int
}

func (p pane) Init() tea.Cmd { return nil }

func (p pane) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch m := msg.(type) {
	case tea.WindowSizeMsg:
		p.w, p.h = m.Width, m.Height
	case tea.PasteMsg:
		p.e.Paste(m.Content)
	case tea.MouseClickMsg:
		if !p.e.SuggestionClick(m.X, m.Y) {
			p.e.Click(p.k, m.X, m.Y)
		}
	case tea.MouseMotionMsg:
		p.e.Drag(p.k, m.X, m.Y)
	case tea.MouseWheelMsg:
		if m.Button == tea.MouseWheelDown {
			p.e.Scroll(1)
		} else {
			p.e.Scroll(-1)
		}
	case tea.KeyPressMsg:
		switch name := m.String(); name {
		case "enter":
			p.e.Newline()
		case "tab":
			p.e.Tab()
		case "shift+tab":
			p.e.Outdent()
		case "esc":
			p.e.Escape()
		case "ctrl+g":
			p.e.NextProblem()
		case "ctrl+f":
			p.e.ToggleFold()
		case "ctrl+l":
			p.e.FindNext()
		default:
			p.e.Key(name, m.Key().Text)
		}
	}
	return p, nil
}

func (p pane) View() tea.View {
	if p.w == 0 {
		return tea.View{}
	}
	block := p.e.View(p.k, p.w, p.h-1, true)
	block = append(block, p.k.Row(p.e.StatusLine(p.k, p.w, "ctrl+g"), p.w))
	if box, x, y, ok := p.e.SuggestionBox(p.k, p.w, p.h-1); ok {
		block = cell.Overlay(block, box, x, y)
	}
	v := tea.NewView(cell.Join(block))
	x, y := p.e.Cursor()
	v.Cursor = tea.NewCursor(x, y)
	v.Cursor.Shape = tea.CursorBar
	v.AltScreen, v.MouseMode = true, tea.MouseModeCellMotion
	return v
}

const draft = `{
  "customer": {
    "id": 9007199254740993,
    "email": "ada@"
  },
  "lines": [
    {"sku":"TEA-7","qty":-1},
    {"sku":"MUG-2","qty":1}
  ],
  "pay": {
    "kind": 
  }
}`

// opened is the draft of the design's picture in a terminal.
func opened(t *testing.T, theme string) *uitest.Driver {
	t.Helper()
	th, err := themes.Load(theme)
	if err != nil {
		t.Fatal(err)
	}
	e := edit.New(draft)
	e.SuggestFrom(orders(nil))
	e.SetProblems([]edit.Problem{
		{Pointer: "/customer/email", Text: "not an email: nothing after @"},
		{Pointer: "/lines/0/qty", Text: "-1 is below the minimum, 1"},
	})
	e.MoveTo(strings.Index(draft, `"kind": `) + len(`"kind": `))
	return uitest.Start(t, pane{e: e, k: cell.New(th, cell.Config{})}, uitest.Options{Width: 48, Height: 16, Light: theme == "paper"})
}

// scenes are what the editor looks like, each reached by keys.
func scenes() map[string]func(d *uitest.Driver) {
	return map[string]func(d *uitest.Driver){
		"suggestions": func(d *uitest.Driver) { d.Type(`"i`); d.WaitForText("tab takes it", "3 problems") },
		"problem":     func(d *uitest.Driver) { d.Type("1"); d.Press("ctrl+g"); d.WaitForText("4:13 not an email") },
		"selection": func(d *uitest.Driver) {
			d.Type("1")
			d.Press("up", "up", "end", "shift+up", "shift+home")
			d.WaitForText("2 problems")
		},
		"folds": func(d *uitest.Driver) {
			d.Type("1")
			d.Press("ctrl+home", "down", "ctrl+f", "down", "down", "ctrl+f", "up", "end")
			d.WaitForText("… 2 lines", "5   }")
		},
		"unmatched": func(d *uitest.Driver) {
			d.Type("1")
			d.Press("down", "end")
			d.Type("]")
			d.WaitForText("3 problems")
		},
		"hidden": func(d *uitest.Driver) {
			d.Send(tea.PasteMsg{Content: "\"a\x1b[31m\u202eb\té日本\","})
			d.WaitForText("␛[31m⟨U+202E⟩b␉é日本")
		},
	}
}

func TestScreens(t *testing.T) {
	for name, act := range scenes() {
		t.Run(name, func(t *testing.T) {
			d := opened(t, "dusk")
			act(d)
			d.GoldenStyled(name)
		})
	}
}

// TestPictures writes the pictures of these screens where PERCH_PICTURES says,
// to be looked at.
func TestPictures(t *testing.T) {
	dir := os.Getenv("PERCH_PICTURES")
	if dir == "" {
		dir = t.TempDir()
	}
	for _, theme := range []string{"dusk", "paper", "sixteen"} {
		for name, act := range scenes() {
			d := opened(t, theme)
			act(d)
			path := filepath.Join(dir, "edit-"+theme+"-"+name+".png")
			d.Screen().SavePNG(t, path)
			if info, err := os.Stat(path); err != nil || info.Size() < 2_000 {
				t.Errorf("no picture of %s in %s", name, theme)
			}
		}
	}
}

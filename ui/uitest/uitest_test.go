package uitest_test

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"perch/themes"
	"perch/ui/cell"
	"perch/ui/uitest"
)

// echo shows what it receives.
type echo struct {
	look *cell.Look
	w, h int
	log  []string
	dark string
}

func (m *echo) Init() tea.Cmd { return tea.RequestBackgroundColor }

func (m *echo) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		m.dark = fmt.Sprintf("dark %v", msg.IsDark())
	case tea.KeyPressMsg:
		m.log = append(m.log, "key "+msg.String())
		switch msg.String() {
		case "ctrl+q":
			return m, tea.Quit
		case "Y":
			return m, tea.SetClipboard("copied text")
		}
	case tea.PasteMsg:
		m.log = append(m.log, fmt.Sprintf("paste %q", msg.Content))
	case tea.MouseClickMsg:
		m.log = append(m.log, fmt.Sprintf("click %d,%d %v", msg.X, msg.Y, msg.Button))
	case tea.MouseReleaseMsg:
		m.log = append(m.log, fmt.Sprintf("release %d,%d", msg.X, msg.Y))
	case tea.MouseMotionMsg:
		m.log = append(m.log, fmt.Sprintf("motion %d,%d", msg.X, msg.Y))
	case tea.MouseWheelMsg:
		m.log = append(m.log, fmt.Sprintf("wheel %v", msg.Button))
	}
	return m, nil
}

func (m *echo) View() tea.View {
	lines := []cell.Line{cell.Own(themes.Accent, fmt.Sprintf("%dx%d %s 日本 👨‍👩‍👧|", m.w, m.h, m.dark))}
	for i := max(len(m.log)-m.h+1, 0); i < len(m.log); i++ {
		lines = append(lines, cell.Text(themes.Text, m.log[i]))
	}
	v := tea.NewView(cell.Join(m.look.Lines(lines, m.w, m.h)))
	v.AltScreen, v.MouseMode, v.WindowTitle = true, tea.MouseModeCellMotion, "echo"
	v.Cursor = tea.NewCursor(3, 1)
	v.Cursor.Shape = tea.CursorBar
	return v
}

func start(t *testing.T, o uitest.Options) *uitest.Driver {
	t.Helper()
	th, err := themes.Load("dusk")
	if err != nil {
		t.Fatal(err)
	}
	return uitest.Start(t, &echo{look: cell.New(th, cell.Config{})}, o)
}

func TestKeys(t *testing.T) {
	d := start(t, uitest.Options{Width: 60, Height: 30})
	d.WaitForText("60x30 dark true")
	d.Type("aé:")
	keys := []string{"enter", "esc", "tab", "shift+tab", "ctrl+r", "ctrl+x", "up", "pgdown", "f1", "f12", "G", "?", "space", "backspace", "delete", "home", "ctrl+enter", "shift+enter", "alt+x", "esc"}
	d.Press(keys...)
	want := append([]string{"key a", "key é", "key :"}, keys...)
	s := d.WaitFor("the last key", func(s uitest.Screen) bool { return strings.Contains(s.Line(len(want)), "esc") })
	for i, k := range want {
		if i >= 3 {
			k = "key " + k
		}
		if got := strings.TrimRight(s.Line(i+1), " "); got != k {
			t.Errorf("row %d is %q, want %q", i+1, got, k)
		}
	}
}

func TestMousePasteResize(t *testing.T) {
	d := start(t, uitest.Options{Width: 40, Height: 12, Light: true})
	d.WaitForText("40x12 dark false")
	d.Paste("two\nlines")
	d.Click(3, 4)
	d.Drag(1, 1, 5, 2)
	d.Wheel(2, 2, -2)
	d.WaitForText(`paste "two`, "click 3,4 left", "release 3,4", "motion 5,2", "wheel wheelup")
	d.Resize(50, 9)
	s := d.WaitForText("50x9")
	if s.Width != 50 || s.Height != 9 {
		t.Errorf("the screen is %dx%d", s.Width, s.Height)
	}
	if x, _, ok := s.Find("|"); !ok || x != len("50x9 dark false ")+4+1+2 {
		t.Errorf("after wide characters a cell is at %d", x)
	}
	d.ClickOn("wheel")
	d.WaitForText("click 0,")
}

func TestScreen(t *testing.T) {
	d := start(t, uitest.Options{Width: 30, Height: 4})
	s := d.WaitForText("30x4 dark true 日本")
	if s.Title != "echo" || !s.Alt || s.Cursor != uitest.Bar || s.CursorX != 3 || s.CursorY != 1 {
		t.Errorf("title %q, alternate %v, cursor %v at %d,%d", s.Title, s.Alt, s.Cursor, s.CursorX, s.CursorY)
	}
	if c := s.At(0, 0); c.Text != "3" || c.Fg == nil || c.Bg == nil {
		t.Errorf("the first cell is %+v", c)
	}
	if !strings.HasPrefix(s.Styles(), "0:0-") {
		t.Errorf("the styles are %q", s.Styles())
	}
	if got := s.At(99, 99); got.Text != "" {
		t.Errorf("outside there is %+v", got)
	}
	d.Press("Y")
	d.WaitFor("the clipboard", func(uitest.Screen) bool {
		text, ok := d.Clipboard()
		return ok && text == "copied text"
	})
	d.GoldenStyled("echo")
	d.Press("ctrl+q")
	if _, err := d.WaitForEnd(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
	if d.Screen().Alt {
		t.Error("the alternate screen was left on")
	}
	if !bytes.Contains(d.Output(), []byte("\x1b[?1049l")) {
		t.Error("the program did not restore the screen")
	}
}

// Every sign of the product has a glyph, so that pictures show it.
func TestPictures(t *testing.T) {
	d := start(t, uitest.Options{Width: 40, Height: 6})
	d.WaitForText("40x6 dark true")
	d.Paste("✓✗▲◇·»■❯›•▾▸└→←◆▼●○◎∅▏█▌░…‹⏎━─│")
	d.Paste("╭╮╰╯≠▪╞═╡┆▁▂▃┬␊␍␉␛␀⟨⟩↑↓×µ¼↔")
	s := d.WaitForText("¼")
	var b bytes.Buffer
	if err := s.PNG(&b); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	if got := img.Bounds().Size(); got.X != 40*9 || got.Y != 6*19 {
		t.Errorf("the picture is %v", got)
	}
	if dir := os.Getenv("PERCH_PICTURES"); dir != "" {
		s.SavePNG(t, filepath.Join(dir, "signs.png"))
	}
	if missing := uitest.Missing("✓✗▲◇·»■❯›•▾▸└→←◆▼●○◎∅▏█▌░…‹⏎━─│╭╮╰╯≠▪╞═╡┆▁▂▃┬␊␍␉␛␀⟨⟩↑↓×µ¼↔"); missing != "" {
		t.Errorf("the font lacks %s", missing)
	}
}

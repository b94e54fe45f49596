package table_test

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"perch/engine/jsonread"
	"perch/inspect/table"
	"perch/themes"
	"perch/ui/cell"
	uitable "perch/ui/table"
	"perch/ui/uitest"
)

func look(t testing.TB, name string, c cell.Config) *cell.Look {
	t.Helper()
	th, err := themes.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return cell.New(th, c)
}

func view(t testing.TB, text string) *uitable.View {
	t.Helper()
	doc, err := jsonread.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	tab, ok := table.New(doc.Root())
	if !ok {
		t.Fatalf("no table: %.60s", text)
	}
	return uitable.New(tab)
}

const months = `[
 {"label":"Mar","n":9007199254740993,"note":"caf\u001b[31mred","ok":true},
 {"label":"Apr","n":-1.50,"note":"","tags":["a","b"]},
 {"label":"May","n":7,"note":null,"place":{"city":"Berne","street":"Kramgasse 49, third floor","zip":"3011"}},
 {"label":"Jun","note":"日本語","ok":false}
]`

func shown(b cell.Block) string {
	var rows []string
	for _, row := range b {
		rows = append(rows, strings.TrimRight(ansi.Strip(row), " "))
	}
	return strings.Join(rows, "\n")
}

func TestCellsAreToldApart(t *testing.T) {
	k := look(t, "dusk", cell.Config{})
	v := view(t, months)
	want := strings.Join([]string{
		" #  label                 n  note        ok     tags       place",
		"❯0  Mar    9007199254740993  caf␛[31mred  true   ·          ·",
		" 1  Apr               -1.50               ·      [\"a\",\"b\"]  ·",
		" 2  May                   7  ∅           ·      ·          { 3 members }",
		" 3  Jun                   ·  日本語      false  ·          ·",
	}, "\n")
	want = strings.ReplaceAll(want, "note        ok", "note         ok")
	want = strings.ReplaceAll(want, "∅           ·", "∅            ·")
	want = strings.ReplaceAll(want, "日本語      false", "日本語       false")
	if got := shown(v.View(k, 80, 5, true)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := v.Facts(); got != "4 rows · 6 columns" {
		t.Errorf("facts: %s", got)
	}
}

func TestColumnsScrollWithTheCell(t *testing.T) {
	k := look(t, "dusk", cell.Config{})
	v := view(t, months)
	heads := []string{}
	for range 7 {
		heads = append(heads, strings.Split(shown(v.View(k, 34, 4, true)), "\n")[0])
		v.Move(1)
	}
	want := []string{
		" #  label                 n  no…",
		" #  label                 n  no…",
		" #  note         ok     tags",
		" #  note         ok     tags",
		" #  ok     tags       place",
		" #  tags       place",
		" #  tags       place",
	}
	for i := range want {
		if !strings.HasPrefix(heads[i], strings.TrimSuffix(want[i], "…")) {
			t.Errorf("at column %d: %q, want %q", i, heads[i], want[i])
		}
	}
	if v.Move(1) {
		t.Error("there is a column past the last")
	}
	if index, column, c, ok := v.Selected(); !ok || index != 0 || column.Name != "place" || c.State != table.Missing {
		t.Errorf("selected: %d %s %v %v", index, column.Name, c, ok)
	}
	v.Sideways(-9)
	if _, column, _, _ := v.Selected(); column.Name != "label" {
		t.Errorf("far to the left is %s", column.Name)
	}
}

func TestSortKeepsTheElement(t *testing.T) {
	k := look(t, "dusk", cell.Config{})
	v := view(t, months)
	v.List().Move(2) // May
	v.Move(1)
	for _, c := range []struct{ facts, order string }{
		{"4 rows · 6 columns · by n ↑", "1203"},
		{"4 rows · 6 columns · by n ↓", "0213"},
		{"4 rows · 6 columns", "0123"},
	} {
		v.Sort()
		rows := strings.Split(shown(v.View(k, 90, 5, true)), "\n")
		got := ""
		for _, row := range rows[1:] {
			got += string([]rune(row)[1])
		}
		if got != c.order || v.Facts() != c.facts {
			t.Errorf("%s: rows %s, want %s, %s", v.Facts(), got, c.order, c.facts)
		}
		if index, _, _, _ := v.Selected(); index != 2 {
			t.Errorf("%s: element %d is selected", c.facts, index)
		}
		if strings.Contains(c.facts, "↑") != strings.Contains(rows[0], "n ↑") {
			t.Errorf("%s: %s", c.facts, rows[0])
		}
	}
}

func TestClicks(t *testing.T) {
	k := look(t, "dusk", cell.Config{})
	v := view(t, months)
	rows := strings.Split(shown(v.View(k, 90, 5, true)), "\n")
	x := strings.Index(rows[0], "note")
	if !v.Click(x, 3) {
		t.Fatal("nothing is there")
	}
	if index, column, c, _ := v.Selected(); index != 2 || column.Name != "note" || c.State != table.Null {
		t.Errorf("selected: %d %s %v", index, column.Name, c)
	}
	v.View(k, 90, 5, true)
	v.Click(x, 0)
	if got := v.Facts(); !strings.HasSuffix(got, "by note ↑") {
		t.Errorf("after a click on the name: %s", got)
	}
	v.View(k, 90, 5, true)
	if v.Click(80, 0) || v.Click(5, 9) {
		t.Error("something is where nothing is")
	}
}

func TestRowsAreExact(t *testing.T) {
	texts := []string{months, `[{}]`, `[{"\u001b[2J":"\u001b]0;x\u0007","` + strings.Repeat("long", 30) + `":1}]`, `[{"a":1},2,"three",[4]]`}
	for _, text := range texts {
		for _, k := range []*cell.Look{look(t, "dusk", cell.Config{}), look(t, "mono", cell.Config{ASCII: true}), look(t, "sixteen", cell.Config{})} {
			v := view(t, text)
			for _, s := range [][2]int{{0, 0}, {1, 1}, {3, 2}, {10, 3}, {40, 10}, {200, 60}} {
				b := v.View(k, s[0], s[1], true)
				if len(b) != s[1] {
					t.Errorf("%d rows of %d", len(b), s[1])
				}
				for _, row := range b {
					if got := ansi.StringWidth(row); got != s[0] {
						t.Errorf("%dx%d: a row of %d cells: %q", s[0], s[1], got, row)
					}
					if plain := ansi.Strip(row); strings.ContainsFunc(plain, func(r rune) bool { return r < ' ' || k.ASCII && r > '~' }) {
						t.Errorf("a row lets something through: %q", row)
					}
				}
				v.Move(1)
				v.Sort()
			}
		}
	}
}

// model shows a table alone.
type model struct {
	v    *uitable.View
	look *cell.Look
	w, h int
}

func (m *model) Init() tea.Cmd { return nil }

func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
	case tea.KeyPressMsg:
		switch msg.String() {
		case "right":
			m.v.Move(1)
		case "down":
			m.v.List().Move(1)
		case "s":
			m.v.Sort()
		}
	case tea.MouseClickMsg:
		m.v.Click(msg.X, msg.Y)
	}
	return m, nil
}

func (m *model) View() tea.View {
	v := tea.NewView(cell.Join(m.v.View(m.look, m.w, m.h, true)))
	v.AltScreen, v.MouseMode = true, tea.MouseModeCellMotion
	return v
}

func TestScreen(t *testing.T) {
	var b strings.Builder
	b.WriteByte('[')
	for i := range 100 {
		fmt.Fprintf(&b, `%s{"id":%d,"title":"entry %d","price":%d.%d,"sold":%v,"tags":["a%d"],"by":%s}`, map[bool]string{true: ","}[i > 0], 900-i*7%50, i, i*13%90, i%10, i%3 == 0, i, map[bool]string{true: "null", false: `"Ada"`}[i%5 == 0])
	}
	b.WriteByte(']')
	for _, theme := range []string{"dusk", "paper", "sixteen"} {
		d := uitest.Start(t, &model{v: view(t, b.String()), look: look(t, theme, cell.Config{})}, uitest.Options{Width: 70, Height: 14, Light: theme == "paper"})
		d.WaitForText("entry 3")
		d.Press("down", "down", "right", "right", "s", "down")
		d.WaitForText("price ↑")
		d.Golden("screen")
		sc := d.Screen()
		x, y, ok := sc.Find("❯92")
		line, _, _ := strings.Cut(sc.Line(y), "26.2")
		if at := len([]rune(line)); !ok || sc.At(at, y).Reverse == sc.At(x+1, y).Reverse {
			t.Errorf("%s: the selected cell looks like its row", theme)
		}
		if dir := os.Getenv("PERCH_PICTURES"); dir != "" {
			var out bytes.Buffer
			m, err := d.Screen().Image()
			if err != nil || png.Encode(&out, m) != nil || os.WriteFile(filepath.Join(dir, "table-"+theme+".png"), out.Bytes(), 0o600) != nil {
				t.Fatal(err)
			}
		}
	}
}

func BenchmarkScroll(b *testing.B) {
	var text strings.Builder
	text.WriteString(`[{"a":0}`)
	for i := range 20_000 {
		fmt.Fprintf(&text, `,{"a":%d,"b":"text %d","c":[1,2,3],"d":null}`, i, i)
	}
	text.WriteByte(']')
	k, v := look(b, "dusk", cell.Config{}), view(b, text.String())
	for b.Loop() {
		v.List().Move(17)
		v.View(k, 120, 40, true)
	}
}

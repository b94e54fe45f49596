package timeline_test

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/record"
	"perch/inspect/timeline"
	"perch/themes"
	"perch/ui/cell"
	uitimeline "perch/ui/timeline"
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

// tape makes a run by hand.
type tape struct {
	rec *record.Record
	seq uint64
}

func newTape() *tape {
	t := &tape{rec: record.New(record.DefaultLimits())}
	t.at(0, event.Begin{Kind: event.Call, Tool: "create"})
	return t
}

func (t *tape) at(ms float64, b event.Body) {
	t.rec.Append(event.Event{Run: 1, Seq: t.seq, Time: time.Duration(ms * float64(time.Millisecond)), Body: b})
	t.seq++
}

// index is the timeline of the run so far.
func (t *tape) index(tb testing.TB) *timeline.Index {
	tb.Helper()
	x := timeline.New(t.rec.Run(1))
	for x.Sync(1 << 20) {
	}
	return x
}

// create is the call of the mock-up: two requests over HTTP, files, stderr.
func create(tb testing.TB) *timeline.Index {
	t := newTape()
	t.at(0, event.Request{Line: 1, Bytes: []byte("{}\n"), Method: abi.MethodCall})
	t.at(0.5, event.Memory{From: 1 << 20, To: 2 << 20})
	t.at(1, event.Output{Stream: event.Stderr, Bytes: []byte("create\n"), Len: 7})
	t.at(8, event.Output{Stream: event.Stderr, Bytes: []byte("post\n"), Len: 5})
	t.at(12, event.HTTPRequest{ID: 1, Method: "POST", URL: "https://api.example.com/orders"})
	t.at(86, event.HTTPAnswer{ID: 1, Status: 201})
	t.at(88, event.FileEffect{Op: event.FileWrite, Path: "/volume/tmp/a", Bytes: 10})
	t.at(90, event.HTTPRequest{ID: 2, Method: "GET", URL: "https://api.example.com/orders/1042/track"})
	t.at(92, event.FileEffect{Op: event.FileWrite, Path: "/volume/tmp/a", Bytes: 10})
	t.at(93, event.Memory{From: 2 << 20, To: 8 << 20})
	t.at(93, event.Output{Stream: event.Stderr, Bytes: []byte("track\n"), Len: 6})
	t.at(151, event.HTTPAnswer{ID: 2, Status: 200})
	t.at(153, event.HTTPRequest{ID: 3, Method: "GET", URL: "https://rates.example.net/eur"})
	t.at(153.1, event.HTTPAnswer{ID: 3, Kind: abi.ErrHostNotAllowed})
	t.at(154, event.FileEffect{Op: event.FileWrite, Path: "/volume/tmp/b", Bytes: 10})
	t.at(156, event.Output{Stream: event.Stdout, Bytes: []byte("{}\n"), Len: 3})
	t.at(156, event.Message{Line: 1, Len: 2, Newline: true, Kind: event.Result, Answers: 1})
	t.at(156.5, event.Verdict{Outcome: event.OK})
	t.at(157, event.StdinClosed{})
	t.at(158, event.Exit{})
	return t.index(tb)
}

func shown(b cell.Block) string {
	var rows []string
	for _, row := range b {
		rows = append(rows, strings.TrimRight(ansi.Strip(row), " "))
	}
	return strings.Join(rows, "\n")
}

func TestWaterfall(t *testing.T) {
	v := uitimeline.New(create(t))
	v.View(look(t, "dusk", cell.Config{}), 64, 10, true)
	v.MoveLane(2)
	v.Step(1)
	for name, c := range map[string]struct {
		config cell.Config
		zoom   int
		w, h   int
	}{
		"whole":  {w: 64, h: 10},
		"ascii":  {config: cell.Config{ASCII: true}, w: 64, h: 10},
		"wide":   {w: 140, h: 12},
		"narrow": {w: 30, h: 5},
		"zoomed": {zoom: 2, w: 64, h: 10},
	} {
		t.Run(name, func(t *testing.T) {
			v.Fit()
			v.Zoom(c.zoom)
			uitest.Golden(t, name, shown(v.View(look(t, "mono", c.config), c.w, c.h, true))+"\n"+v.Facts()+"\n")
		})
	}
}

func TestItIsWalked(t *testing.T) {
	k := look(t, "dusk", cell.Config{})
	v := uitimeline.New(create(t))
	v.View(k, 64, 12, true)
	walk := func(way int) (all []string) {
		for v.Step(way) {
			_, at, _ := v.Moment()
			all = append(all, fmt.Sprint(at))
			if len(all) > 50 {
				t.Fatal("it does not end")
			}
		}
		return all
	}
	for _, c := range []struct {
		lane timeline.Lane
		want string
	}{
		{timeline.HTTP, "12ms 90ms 153ms"},
		{timeline.Files, "88ms 92ms 154ms"},
		{timeline.Stderr, "1ms 8ms 93ms"},
	} {
		for v.Lane() != c.lane {
			if !v.MoveLane(1) {
				t.Fatalf("no lane %v", c.lane)
			}
		}
		for _, zoom := range []int{0, 3} {
			v.Fit()
			v.SetMoment(0, 0)
			v.Zoom(zoom)
			if got := strings.Join(walk(1), " "); got != c.want {
				t.Errorf("%v, zoomed %d times: %s, want %s", c.lane, zoom, got, c.want)
			}
			back := walk(-1)
			if len(back) != 2 {
				t.Errorf("%v, zoomed %d times, back: %v", c.lane, zoom, back)
			}
		}
	}
	for v.MoveLane(-1) {
	}
	if v.Lane() != timeline.Stdin {
		t.Errorf("the first lane is %v", v.Lane())
	}
}

func TestZoom(t *testing.T) {
	v := uitimeline.New(create(t))
	k := look(t, "dusk", cell.Config{})
	v.SetMoment(5, 86*time.Millisecond)
	before := cellOf(t, v, k)
	for range 4 {
		v.Zoom(1)
		if at := cellOf(t, v, k); at < before-1 || at > before+1 {
			t.Errorf("the moment went from cell %d to %d", before, at)
		}
	}
	if !v.Zoomed() || !strings.HasSuffix(v.Facts(), " of 0.158") {
		t.Errorf("facts: %s", v.Facts())
	}
	v.Sideways(40)
	if !strings.Contains(v.Facts(), "0.158 of") {
		t.Errorf("far to the right: %s", v.Facts())
	}
	v.SetMoment(1, 0)
	if cellOf(t, v, k) < 0 {
		t.Error("a moment that another stream chose is out of sight")
	}
	v.Zoom(-9)
	if v.Zoomed() || v.Facts() != "158 ms" {
		t.Errorf("facts of all: %s", v.Facts())
	}
	v.Zoom(99) // to the shortest window, not past it
	v.View(k, 64, 10, true)
	v.Fit()
	if v.Zoomed() {
		t.Error("it is not whole again")
	}
}

// cellOf is where the moment's sign stands at the foot.
func cellOf(t *testing.T, v *uitimeline.View, k *cell.Look) int {
	t.Helper()
	rows := strings.Split(shown(v.View(k, 64, 11, true)), "\n")
	return strings.Index(rows[len(rows)-1], "┆")
}

func TestClick(t *testing.T) {
	v := uitimeline.New(create(t))
	k := look(t, "dusk", cell.Config{})
	rows := strings.Split(shown(v.View(k, 64, 10, true)), "\n")
	for y, row := range rows {
		if strings.HasPrefix(row, "  http") {
			x := len([]rune(row[:strings.Index(row, "GET")]))
			if !v.Click(x, y) {
				t.Fatal("nothing is there")
			}
		}
	}
	if _, at, ok := v.Moment(); !ok || at != 90*time.Millisecond || v.Lane() != timeline.HTTP {
		t.Errorf("chosen: %v, %v, %v", at, ok, v.Lane())
	}
	if v.Click(3, 0) || v.Click(3, 40) {
		t.Error("something is where nothing is")
	}
}

func TestRowsAreExact(t *testing.T) {
	hostile := newTape()
	for i := range 5000 {
		ms := float64(i) / 7
		hostile.at(ms, event.HTTPRequest{ID: i, Method: "\x1b]0;x\a日本", URL: "x"})
		hostile.at(ms, event.Output{Stream: event.Stderr, Len: 0})
		hostile.at(ms, event.Memory{From: 0, To: 1 << 62, Refused: i%2 == 0})
	}
	hostile.at(1e6, event.Exit{Trap: "unreachable"})
	for name, x := range map[string]*timeline.Index{"create": create(t), "empty": newTape().index(t), "hostile": hostile.index(t)} {
		for _, k := range []*cell.Look{look(t, "dusk", cell.Config{}), look(t, "mono", cell.Config{ASCII: true}), look(t, "dusk", cell.Config{Split: true})} {
			v := uitimeline.New(x)
			for _, s := range [][2]int{{0, 0}, {1, 1}, {3, 2}, {9, 3}, {31, 5}, {64, 10}, {200, 40}} {
				b := v.View(k, s[0], s[1], true)
				if len(b) != s[1] {
					t.Errorf("%s: %d rows of %d", name, len(b), s[1])
				}
				for _, row := range b {
					if got := ansi.StringWidth(row); got != s[0] {
						t.Errorf("%s, %dx%d: a row of %d cells: %q", name, s[0], s[1], got, row)
					}
					if plain := ansi.Strip(row); strings.ContainsFunc(plain, func(r rune) bool { return r < ' ' || k.ASCII && r > '~' }) {
						t.Errorf("%s: a row lets something through: %q", name, row)
					}
				}
				v.Step(1)
				v.MoveLane(1)
				v.Zoom(1)
				v.Click(s[0]/2, s[1]/2)
			}
			if got := ansi.StringWidth(k.Row(v.TotalsBar(30), 40)); got != 40 {
				t.Errorf("totals of %d cells", got)
			}
		}
	}
}

func TestTotals(t *testing.T) {
	k := look(t, "mono", cell.Config{})
	v := uitimeline.New(create(t))
	if got, want := v.TotalsText(), "http 135 ms · module 22 ms"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := strings.Count(ansi.Strip(k.Row(v.TotalsBar(40), 80)), "█"); got != 34 {
		t.Errorf("%d of 40 cells are HTTP: 135 of 158 ms", got)
	}
}

// model shows a timeline alone.
type model struct {
	v    *uitimeline.View
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
		case "down":
			m.v.MoveLane(1)
		case "right":
			m.v.Step(1)
		}
	}
	return m, nil
}

func (m *model) View() tea.View {
	rows := m.v.View(m.look, m.w, max(m.h-3, 0), true)
	rows = append(rows, m.look.Row(m.v.TotalsBar(40), m.w))
	v := tea.NewView(cell.Join(m.look.Fill(rows, m.w, m.h)))
	v.AltScreen = true
	return v
}

func TestScreen(t *testing.T) {
	for _, theme := range []string{"dusk", "paper", "sixteen"} {
		d := uitest.Start(t, &model{v: uitimeline.New(create(t)), look: look(t, theme, cell.Config{})}, uitest.Options{Width: 76, Height: 14, Light: theme == "paper"})
		d.WaitForText("POST 201")
		d.Press("down", "down", "right")
		d.WaitForText("┆ 0.012")
		d.Golden("screen")
		if dir := os.Getenv("PERCH_PICTURES"); dir != "" {
			var out bytes.Buffer
			m, err := d.Screen().Image()
			if err != nil || png.Encode(&out, m) != nil || os.WriteFile(filepath.Join(dir, "timeline-"+theme+".png"), out.Bytes(), 0o600) != nil {
				t.Fatal(err)
			}
		}
	}
}

func BenchmarkView(b *testing.B) {
	tape := newTape()
	for i := range 200_000 {
		tape.at(float64(i)/100, event.Output{Stream: event.Stderr, Len: 10})
	}
	v, k := uitimeline.New(tape.index(b)), look(b, "dusk", cell.Config{})
	for b.Loop() {
		v.View(k, 140, 12, true)
	}
}

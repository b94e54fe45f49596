package picture_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"

	"perch/themes"
	"perch/ui/cell"
	"perch/ui/picture"
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

func encoded(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// chart is a picture with edges, colours and a soft part.
func chart(w, h int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.NRGBA{245, 245, 240, 255}
			bar := x * 6 / w
			height := []float64{.3, .6, .45, .9, .75, .2}[bar]
			switch {
			case x < w/60 || y > h-h/40:
				c = color.NRGBA{60, 60, 60, 255}
			case x*6%w < w*4/5 && float64(h-y) < height*float64(h):
				c = color.NRGBA{uint8(40 + bar*35), uint8(200 - bar*25), uint8(255 * y / h), 255}
			case math.Hypot(float64(x-w*4/5), float64(y-h/5)) < float64(h)/8:
				c = color.NRGBA{230, 60, 60, 255}
			}
			m.SetNRGBA(x, y, c)
		}
	}
	return m
}

// ready draws a picture and does the jobs that this takes. sent is what the
// terminal gets.
func ready(t testing.TB, v *picture.Viewer, p picture.Picture, w, h int) (d picture.Drawing, sent string) {
	t.Helper()
	v.Draw(p, w, h)
	for range 10 {
		job, ok := v.Work()
		if !ok {
			break
		}
		send, _ := v.Finish(job(context.Background()))
		sent += send
	}
	return v.Draw(p, w, h), sent
}

func viewer(t testing.TB, theme string, profile colorprofile.Profile, env ...string) *picture.Viewer {
	t.Helper()
	v := picture.New(picture.Options{Group: 7, Getenv: func(name string) string {
		for _, e := range env {
			if value, ok := strings.CutPrefix(e, name+"="); ok {
				return value
			}
		}
		return ""
	}})
	v.Look(look(t, theme, cell.Config{}), profile)
	return v
}

func TestSizeKeepsTheShape(t *testing.T) {
	v := viewer(t, "dusk", colorprofile.TrueColor)
	for _, c := range []struct{ pw, ph, w, h, cols, rows int }{
		{640, 400, 40, 40, 40, 13},
		{640, 400, 80, 10, 32, 10},
		{10, 10, 80, 40, 10, 5}, // not larger than it is
		{1, 1, 80, 40, 1, 1},
		{10000, 1, 30, 30, 30, 1},
		{1, 10000, 30, 30, 1, 30},
		{0, 0, 30, 30, 0, 0},
		{640, 400, 0, 3, 0, 0},
	} {
		cols, rows := v.Size(c.pw, c.ph, c.w, c.h)
		if cols != c.cols || rows != c.rows {
			t.Errorf("%d×%d in %dx%d: got %dx%d, want %dx%d", c.pw, c.ph, c.w, c.h, cols, rows, c.cols, c.rows)
		}
	}
	v.Hear(uv.CellSizeEvent{Width: 10, Height: 10}) // square cells
	if cols, rows := v.Size(100, 100, 20, 40); cols != 20 || rows != 20 {
		t.Errorf("in square cells: %dx%d", cols, rows)
	}
}

func TestRowsAreExact(t *testing.T) {
	data := encoded(t, chart(64, 40))
	p := picture.Picture{Key: "a", Data: data, Type: "image/png"}
	for _, c := range []struct {
		theme   string
		profile colorprofile.Profile
		ascii   bool
		means   picture.Means
		has     string
	}{
		{"dusk", colorprofile.TrueColor, false, picture.Blocks, "38;2;"},
		{"dusk", colorprofile.ANSI256, false, picture.Blocks, "38;5;"},
		{"sixteen", colorprofile.ANSI, false, picture.Blocks, "▀"},
		{"dusk", colorprofile.TrueColor, true, picture.Tiles, "48;2;"},
		{"mono", colorprofile.TrueColor, false, picture.Shades, "#"},
		{"dusk", colorprofile.ASCII, false, picture.Shades, "#"},
	} {
		t.Run(fmt.Sprintf("%s %v", c.theme, c.profile), func(t *testing.T) {
			v := viewer(t, c.theme, c.profile)
			v.Look(look(t, c.theme, cell.Config{ASCII: c.ascii}), c.profile)
			d, _ := ready(t, v, p, 30, 12)
			if !d.Ready || d.Means != c.means || d.Problem != "" {
				t.Fatalf("ready %v, by %v, %q", d.Ready, d.Means, d.Problem)
			}
			text := strings.Join(d.Rows, "\n")
			if len(d.Rows) != d.H || !strings.Contains(text, c.has) {
				t.Errorf("%d rows of %d, %q is in them: %v", len(d.Rows), d.H, c.has, strings.Contains(text, c.has))
			}
			for _, row := range d.Rows {
				if got := ansi.StringWidth(row); got != d.W {
					t.Errorf("a row of %d cells, not %d: %q", got, d.W, row)
				}
			}
			if c.ascii && strings.ContainsFunc(text, func(r rune) bool { return r > '~' }) {
				t.Errorf("not ASCII: %q", text)
			}
			for _, row := range v.Box(p, 40, 14, "enter opens it") {
				if got, want := ansi.StringWidth(row), ansi.StringWidth(v.Box(p, 40, 14, "enter opens it")[0]); got != want {
					t.Errorf("the box's row is %d cells, not %d", got, want)
				}
			}
		})
	}
}

func TestBlocksAreThePixels(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 3, 2))
	red, blue := color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 0, 255, 255}
	for _, at := range []struct {
		x, y int
		c    color.NRGBA
	}{{0, 0, red}, {0, 1, blue}, {1, 0, red}, {1, 1, red}, {2, 1, blue}} {
		m.SetNRGBA(at.x, at.y, at.c)
	}
	d, _ := ready(t, viewer(t, "dusk", colorprofile.TrueColor), picture.Picture{Key: "a", Data: encoded(t, m)}, 10, 10)
	want := "\x1b[48;2;0;0;255;38;2;255;0;0m▀\x1b[48;2;255;0;0m \x1b[49;38;2;0;0;255m▄\x1b[m"
	if len(d.Rows) != 1 || d.Rows[0] != want {
		t.Errorf("got %q\nwant %q", d.Rows, want)
	}
}

func TestWhatCannotBeDrawnIsToldInWords(t *testing.T) {
	good := encoded(t, chart(64, 40))
	huge := bytes.Clone(good)
	copy(huge[16:], []byte{0, 1, 0x38, 0x80, 0, 1, 0x38, 0x80}) // 80,000×80,000
	for name, data := range map[string][]byte{
		"cut": good[:len(good)-40], "empty": nil, "words": []byte("\x1b]0;title\a no picture"), "huge": huge,
	} {
		t.Run(name, func(t *testing.T) {
			v := viewer(t, "dusk", colorprofile.TrueColor)
			d, sent := ready(t, v, picture.Picture{Key: name, Data: data, Type: "image/png\x1b[2J"}, 30, 6)
			if d.Ready || d.Problem == "" || sent != "" {
				t.Fatalf("ready %v, %q, sent %q", d.Ready, d.Problem, sent)
			}
			text := ansi.Strip(strings.Join(d.Rows, " "))
			if !strings.Contains(text, "not drawn: it") || len(d.Rows) != d.H || d.H > 6 {
				t.Errorf("%d rows: %q", len(d.Rows), text)
			}
			if row := v.Look; row == nil || strings.Contains(look(t, "dusk", cell.Config{}).Row(v.Caption(picture.Picture{Type: "\x1b[2J"}), 30), "\x1b[2J") {
				t.Error("a type reaches the terminal as it is")
			}
			if _, again := v.Work(); again {
				t.Error("it is tried again")
			}
		})
	}
}

func TestCaption(t *testing.T) {
	k := look(t, "dusk", cell.Config{})
	v := viewer(t, "dusk", colorprofile.TrueColor)
	p := picture.Picture{Key: "a", Data: encoded(t, chart(64, 40)), Type: "image/png"}
	caption := func() string { return strings.TrimSpace(ansi.Strip(k.Row(v.Caption(p), 60))) }
	if got, want := caption(), fmt.Sprintf("image/png, %d B", len(p.Data)); got != want {
		t.Errorf("before: %q, want %q", got, want)
	}
	ready(t, v, p, 10, 10)
	if got, want := caption(), fmt.Sprintf("image/png, 64×40, %d B", len(p.Data)); got != want {
		t.Errorf("after: %q, want %q", got, want)
	}
}

func TestOneJobAtATimeAndTheNewestSizeCounts(t *testing.T) {
	woken := 0
	v := picture.New(picture.Options{Wake: func() { woken++ }})
	v.Look(look(t, "dusk", cell.Config{}), colorprofile.TrueColor)
	p := picture.Picture{Key: "a", Data: encoded(t, chart(64, 40)), W: 64, H: 40}
	for w := 10; w < 40; w++ {
		if d := v.Draw(p, w, 20); d.Ready || d.W != w || len(d.Rows) != d.H {
			t.Fatalf("before it is drawn: %+v", d)
		}
	}
	v.Draw(p, 39, 20)
	if woken != 30 {
		t.Errorf("woken %d times for 30 sizes", woken)
	}
	job, ok := v.Work()
	if _, second := v.Work(); !ok || second {
		t.Errorf("a job %v, a second one %v", ok, second)
	}
	v.Finish(job(context.Background()))
	if d := v.Draw(p, 39, 20); !d.Ready {
		t.Error("the newest size was not drawn")
	}
	if _, more := v.Work(); more {
		t.Error("sizes that nobody looks at are drawn")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	v.Draw(picture.Picture{Key: "b", Data: p.Data}, 10, 10)
	job, _ = v.Work()
	if _, changed := v.Finish(job(ctx)); changed {
		t.Error("a job that was stopped changes the screen")
	}
}

func TestLinesOnNothingGetPaper(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 20, 20))
	for i := range 20 {
		m.SetNRGBA(i, 10, color.NRGBA{0, 0, 0, 255})
	}
	p := picture.Picture{Key: "a", Data: encoded(t, m)}
	for theme, paper := range map[string]bool{"dusk": true, "sixteen": true, "paper": false} {
		d, _ := ready(t, viewer(t, theme, colorprofile.TrueColor), p, 20, 20)
		if got := strings.Contains(d.Rows[0], "48;2;240;240;240"); got != paper {
			t.Errorf("%s: paper behind black lines: %v", theme, got)
		}
	}
}

func TestMemoryIsBounded(t *testing.T) {
	v := viewer(t, "dusk", colorprofile.TrueColor, "TERM=xterm-kitty", "TMUX=yes")
	v.Ask()
	v.Hear(no(7<<24|255, "EINVAL:virtual"))
	data := encoded(t, chart(8, 5))
	sent := ""
	for i := range 300 {
		_, s := ready(t, v, picture.Picture{Key: fmt.Sprint(i), Data: data}, 20, 10)
		sent += s
	}
	shown, gone := strings.Count(sent, "a=T"), strings.Count(sent, "a=d")
	if shown != 300 || shown-gone > 24 {
		t.Errorf("%d sent, %d taken away: %d stay in the terminal", shown, gone, shown-gone)
	}
	if left := strings.Count(v.Forget(), "a=d"); left != shown-gone || v.Forget() != "" {
		t.Errorf("%d are taken away at the end, %d are there", left, shown-gone)
	}
}

// no is an answer of the terminal about a picture.
func no(id int, text string) uv.KittyGraphicsEvent {
	return uv.KittyGraphicsEvent{Options: kitty.Options{ID: id}, Payload: []byte(text)}
}

func TestGraphicsAreForWhoAnswers(t *testing.T) {
	const id = 7<<24 | 255
	const virtual = "EINVAL:Put command creating a virtual placement cannot refer to a parent"
	for _, c := range []struct {
		name  string
		env   []string
		asks  bool
		hears []any
		means picture.Means
	}{
		{"kitty", []string{"TERM=xterm-kitty"}, true, []any{no(id, virtual), uv.PrimaryDeviceAttributesEvent{62}}, picture.Graphics},
		{"ghostty", []string{"TERM=xterm-ghostty"}, true, []any{no(id, "EINVAL: virtual placement cannot refer to a parent")}, picture.Graphics},
		{"by its name alone", []string{"TERM=xterm-kitty"}, true, []any{uv.PrimaryDeviceAttributesEvent{62}}, picture.Blocks},
		{"graphics, but no placeholders", []string{"TERM=wezterm"}, true, []any{no(id, "ENOENT:no such image")}, picture.Blocks},
		{"it takes what it does not know", []string{"TERM=xterm"}, true, []any{no(id, "OK")}, picture.Blocks},
		{"another's answer", []string{"TERM=xterm"}, true, []any{no(31, virtual)}, picture.Blocks},
		{"late", []string{"TERM=xterm"}, true, []any{uv.PrimaryDeviceAttributesEvent{62}, no(id, virtual)}, picture.Graphics},
		{"silence", []string{"TERM=xterm"}, true, nil, picture.Blocks},
		{"linux console", []string{"TERM=linux"}, false, nil, picture.Blocks},
		{"screen", []string{"TERM=screen-256color"}, false, nil, picture.Blocks},
		{"tmux", []string{"TERM=screen-256color", "TMUX=1"}, true, []any{uv.PrimaryDeviceAttributesEvent{1}, no(id, virtual)}, picture.Graphics},
		{"macOS Terminal", []string{"TERM=xterm", "TERM_PROGRAM=Apple_Terminal"}, false, nil, picture.Blocks},
		{"no terminal is named", nil, false, nil, picture.Blocks},
		{"not asked", []string{"TERM=xterm"}, true, []any{tea.FocusMsg{}}, picture.Blocks},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := viewer(t, "dusk", colorprofile.TrueColor, c.env...)
			ask := v.Ask()
			if (ask != "") != c.asks || v.Ask() != "" || v.Waiting() != c.asks {
				t.Fatalf("asks %q, waits %v", ask, v.Waiting())
			}
			for _, m := range c.hears {
				_, own := m.(tea.FocusMsg)
				if _, ours := v.Hear(m); ours == own {
					t.Errorf("%v is ours: %v", m, ours)
				}
			}
			v.GiveUp()
			if v.Waiting() {
				t.Error("it still waits")
			}
			p := picture.Picture{Key: "a", Data: encoded(t, chart(64, 40))}
			d, sent := ready(t, v, p, 30, 12)
			if got := c.means == picture.Graphics; got != strings.Contains(sent, "a=T") {
				t.Errorf("sent: %.60q", sent)
			}
			// Out of tmux the half blocks stay until the terminal says that it
			// has the picture.
			if c.means == picture.Graphics && c.name != "tmux" {
				if d.Means != picture.Blocks || !v.Waiting() {
					t.Errorf("before the answer: by %v, waits %v", d.Means, v.Waiting())
				}
				v.Hear(no(7<<24|1, "OK"))
			}
			if d = v.Draw(p, 30, 12); d.Means != c.means {
				t.Errorf("drawn by %v, want %v", d.Means, c.means)
			}
		})
	}
}

func TestATerminalThatFailsGetsNoMore(t *testing.T) {
	v := viewer(t, "dusk", colorprofile.TrueColor, "TERM=xterm-kitty")
	v.Ask()
	v.Hear(no(7<<24|255, "EINVAL:virtual"))
	for i := range 5 {
		p := picture.Picture{Key: fmt.Sprint(i), Data: encoded(t, chart(64, 40))}
		_, sent := ready(t, v, p, 10, 10)
		if got, want := sent != "", i < 3; got != want {
			t.Errorf("picture %d is sent: %v", i, got)
		}
		v.Hear(no(7<<24|(i+1), "ENOSPC:no room"))
		if d := v.Draw(p, 10, 10); d.Means != picture.Blocks || !d.Ready {
			t.Errorf("picture %d: by %v, ready %v", i, d.Means, d.Ready)
		}
	}
}

func TestWhatIsSent(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	m := image.NewRGBA(image.Rect(0, 0, 600, 400))
	for i := range m.Pix {
		m.Pix[i] = uint8(rng.Uint32())
		if i%4 == 3 {
			m.Pix[i] = 255
		}
	}
	for _, tmux := range []bool{false, true} {
		env := []string{"TERM=xterm-kitty"}
		if tmux {
			env = append(env, "TMUX=1")
		}
		v := viewer(t, "dusk", colorprofile.ANSI256, env...)
		v.Ask()
		v.Hear(no(7<<24|255, "EINVAL:virtual"))
		_, sent := ready(t, v, picture.Picture{Key: "a", Data: encoded(t, m)}, 20, 10)
		parts := strings.SplitAfter(sent, "\x1b\\")
		if tmux {
			parts = strings.SplitAfter(sent, "\x1b\x1b\\\x1b\\")
		}
		parts = parts[:len(parts)-1]
		if len(parts) < 3 {
			t.Fatalf("%d parts", len(parts))
		}
		for i, part := range parts {
			head := "\x1b_G"
			if tmux {
				head = "\x1bPtmux;\x1b\x1b_G"
			}
			more := "m=1"
			if i == len(parts)-1 {
				more = "m=0"
			}
			keys, _, _ := strings.Cut(part, ";i")
			if len(part) > 4096+200 || !strings.HasPrefix(part, head) || !strings.Contains(keys, more) || strings.Contains(part, "q=2") != tmux {
				t.Errorf("part %d of %d, %d bytes: %.80q", i+1, len(parts), len(part), part)
			}
		}
		// Of 200×200 pixels there are not much more in it than are shown.
		if len(sent) > 600*400*2 {
			t.Errorf("%d bytes are sent", len(sent))
		}
	}
}

// screen shows one picture in a box, as the app would.
type screen struct {
	v    *picture.Viewer
	look *cell.Look
	p    picture.Picture
	w, h int
}

type doneMsg struct{ done picture.Done }

func (s *screen) Init() tea.Cmd {
	s.v.Look(s.look, colorprofile.TrueColor)
	return tea.Raw(s.v.Ask())
}

func (s *screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch m := msg.(type) {
	case tea.WindowSizeMsg:
		s.w, s.h = m.Width, m.Height
	case tea.ColorProfileMsg:
		s.v.Look(s.look, m.Profile)
	case tea.KeyPressMsg:
		if m.String() == "q" {
			return s, tea.Sequence(tea.Raw(s.v.Forget()), tea.Quit)
		}
	case doneMsg:
		send, _ := s.v.Finish(m.done)
		return s, tea.Raw(send)
	default:
		s.v.Hear(msg)
	}
	s.View()
	if job, ok := s.v.Work(); ok {
		return s, func() tea.Msg { return doneMsg{job(context.Background())} }
	}
	return s, nil
}

func (s *screen) View() tea.View {
	rows := cell.Block{s.look.Row(cell.Own(themes.Muted, "2 image"), s.w), s.look.Row(s.v.Caption(s.p), s.w)}
	for _, row := range s.v.Box(s.p, min(s.w, 62), max(s.h-3, 0), "enter opens it") {
		rows = append(rows, s.look.Row(*new(cell.Line).Drawn(row, ansi.StringWidth(row)), s.w))
	}
	v := tea.NewView(cell.Join(s.look.Fill(rows, s.w, s.h)))
	v.AltScreen = true
	return v
}

func TestScreen(t *testing.T) {
	data := encoded(t, chart(640, 400))
	for _, c := range []struct {
		theme, name string
		profile     colorprofile.Profile
		light       bool
	}{
		{"dusk", "dark", colorprofile.TrueColor, false},
		{"paper", "light", colorprofile.TrueColor, true},
		{"dusk", "256", colorprofile.ANSI256, false},
		{"sixteen", "sixteen", colorprofile.ANSI, false},
		{"mono", "mono", colorprofile.TrueColor, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := look(t, c.theme, cell.Config{})
			s := &screen{v: picture.New(picture.Options{}), look: k, p: picture.Picture{Key: "a", Data: data, Type: "image/png"}}
			d := uitest.Start(t, s, uitest.Options{Width: 70, Height: 24, Light: c.light, Program: []tea.ProgramOption{tea.WithColorProfile(c.profile)}})
			d.WaitForText("640×400")
			d.Golden(c.name)
			if dir := os.Getenv("PERCH_PICTURES"); dir != "" {
				var b bytes.Buffer
				m, err := d.Screen().Image()
				if err != nil || png.Encode(&b, m) != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, c.name+".png"), b.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestPlaceholdersReachTheScreen holds that each cell of a picture comes
// through the renderer with its marks, after a change of some of them too, and
// that nothing is left in the terminal at the end.
func TestPlaceholdersReachTheScreen(t *testing.T) {
	for _, split := range []bool{false, true} {
		k := look(t, "dusk", cell.Config{Split: split})
		v := picture.New(picture.Options{Group: 7, Getenv: func(name string) string { return map[string]string{"TERM": "xterm-kitty"}[name] }})
		s := &screen{v: v, look: k, p: picture.Picture{Key: "a", Data: encoded(t, chart(640, 400)), Type: "image/png"}}
		d := uitest.Start(t, s, uitest.Options{Width: 70, Height: 24, Split: split})
		d.WaitForText("640×400", "half blocks")
		d.Send(no(7<<24|255, "EINVAL:virtual"))
		d.WaitFor("the picture to be sent", func(uitest.Screen) bool { return bytes.Contains(d.Output(), []byte("a=T,U=1")) })
		d.Send(no(7<<24|1, "OK"))
		d.WaitForText("terminal graphics")
		d.WaitFor("all placeholders", func(sc uitest.Screen) bool { return marked(sc, 1) })
		d.Resize(60, 20)
		d.WaitFor("the picture in another size", func(uitest.Screen) bool { return bytes.Count(d.Output(), []byte("a=T,U=1")) == 2 })
		d.Send(no(7<<24|2, "OK"))
		d.WaitFor("all placeholders in another size", func(sc uitest.Screen) bool { return marked(sc, 2) })
		d.Type("q")
		d.WaitForEnd()
		out := string(d.Output())
		for id := 1; id <= 2; id++ {
			if taken := fmt.Sprintf("a=d,d=I,i=%d,q=2", 7<<24|id); !strings.Contains(out, taken) {
				t.Errorf("picture %d stays in the terminal", id)
			}
		}
		if !strings.Contains(out, "\x1b[16t\x1b_Ga=p,U=1,i=117440767,P=117440767\x1b\\\x1b[c") {
			t.Error("the question is another")
		}
	}
}

// marked reports whether the screen shows picture n whole.
func marked(sc uitest.Screen, n int) bool {
	x0, y0, ok := sc.Find(string(kitty.Placeholder))
	if !ok {
		return false
	}
	count := 0
	for y, row := range sc.Rows {
		for x, c := range row {
			if !strings.HasPrefix(c.Text, string(kitty.Placeholder)) {
				continue
			}
			count++
			want := string([]rune{kitty.Placeholder, kitty.Diacritic(y - y0), kitty.Diacritic(x - x0), kitty.Diacritic(7)})
			if c.Text != want || c.Width != 1 || c.Fg != ansi.IndexedColor(n) && c.Fg != ansi.BasicColor(n) {
				return false
			}
		}
	}
	return count > 100
}

func BenchmarkDraw(b *testing.B) {
	p := picture.Picture{Key: "a", Data: encoded(b, chart(512, 512))}
	b.Run("again", func(b *testing.B) {
		v := viewer(b, "dusk", colorprofile.TrueColor)
		ready(b, v, p, 40, 20)
		for b.Loop() {
			v.Draw(p, 40, 20)
		}
	})
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			ready(b, viewer(b, "dusk", colorprofile.TrueColor), p, 40, 20)
		}
	})
	large := picture.Picture{Key: "b", Data: encoded(b, chart(5000, 4000))}
	b.Run("large", func(b *testing.B) {
		for b.Loop() {
			ready(b, viewer(b, "dusk", colorprofile.TrueColor), large, 40, 20)
		}
	})
}

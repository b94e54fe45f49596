package cell_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"perch/themes"
	"perch/ui/cell"
)

func look(t testing.TB, name string, c cell.Config) *cell.Look {
	t.Helper()
	th, err := themes.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return cell.New(th, c)
}

func TestRow(t *testing.T) {
	k := look(t, "dusk", cell.Config{})
	fg := cell.Fg(themes.Text)
	for _, c := range []struct {
		name string
		w    int
		make func(l *cell.Line)
		want string
	}{
		{"padded", 8, func(l *cell.Line) { l.Own(fg, "✓ ok") }, "✓ ok    "},
		{"cut", 6, func(l *cell.Line) { l.Own(fg, "✓ accepted") }, "✓ acc…"},
		{"exact", 4, func(l *cell.Line) { l.Own(fg, "✓ ok") }, "✓ ok"},
		{"right", 12, func(l *cell.Line) { l.Text(fg, "name").Gap().Own(fg, "string") }, "name  string"},
		{"right stays", 10, func(l *cell.Line) { l.Text(fg, "email").Gap().Own(fg, "string") }, "em… string"},
		{"right alone", 5, func(l *cell.Line) { l.Text(fg, "email").Gap().Own(fg, "string") }, "stri…"},
		{"columns", 14, func(l *cell.Line) {
			l.TextIn(fg, "greeting", 5, cell.CutEnd).Blank(1).NumberIn(fg, "41", 4).Own(fg, " x")
		}, "gree…   41 x  "},
		{"path", 10, func(l *cell.Line) { l.TextIn(fg, "/a/b/c/d.png", 9, cell.CutPath).Own(fg, "|") }, "/…/d.png |"},
		{"hostile", 12, func(l *cell.Line) { l.Text(fg, "a\x1b[31m\u202e") }, "a␛[31m⟨U+20…"},
		{"wide at the edge", 4, func(l *cell.Line) { l.Text(fg, "日本語") }, "日… "},
		{"no cells", 0, func(l *cell.Line) { l.Text(fg, "x") }, ""},
		{"column without room", 3, func(l *cell.Line) { l.TextIn(fg, "gone", 0, cell.CutEnd).Own(fg, "x") }, "x  "},
	} {
		t.Run(c.name, func(t *testing.T) {
			var l cell.Line
			c.make(&l)
			if got := ansi.Strip(k.Row(l, c.w)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestASCII(t *testing.T) {
	k := look(t, "mono", cell.Config{ASCII: true})
	var l cell.Line
	l.Own(cell.Fg(themes.OK), "✓ … → ∅").Text(cell.Fg(themes.Text), " é✓")
	if got, want := ansi.Strip(k.Row(l, 32)), "v ~ -> null <U+00E9><U+2713>    "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestASCIIHasAllSigns(t *testing.T) {
	k := look(t, "mono", cell.Config{ASCII: true})
	for _, r := range "✓✗▲◇·»■❯›•▾▸└→←◆▼●○◎∅▏█▌░…‹⏎━─│╭╮╰╯≠▪╞═╡┆▁▂▃┬" {
		if got := k.Sign(string(r)); got == "?" || ansi.Strip(got) != got {
			t.Errorf("%c is shown as %q", r, got)
		}
	}
}

func TestSideways(t *testing.T) {
	k := look(t, "dusk", cell.Config{})
	l := cell.Text(themes.Text, "0123456789日本語x")
	for _, c := range []struct {
		x, w int
		want string
	}{
		{0, 6, "01234…"},
		{2, 6, "‹3456…"},
		{4, 20, "‹56789日本語x       "},
		{11, 9, "‹本語x   "}, // half of 日 is out of sight
		{12, 5, "‹ 語x"},
		{40, 4, "    "},
	} {
		got := ansi.Strip(k.RowFrom(l, c.x, c.w))
		if c.x == 11 || c.x == 12 {
			// The mark takes the place of the character at the edge.
			if ansi.StringWidth(got) != c.w || !strings.HasPrefix(got, "‹") {
				t.Errorf("from %d: got %q", c.x, got)
			}
			continue
		}
		if got != c.want {
			t.Errorf("from %d: got %q, want %q", c.x, got, c.want)
		}
	}
}

func TestWrap(t *testing.T) {
	k := look(t, "dusk", cell.Config{})
	l := cell.Text(themes.Text, "abcdefgh日本\x1bz")
	var rows []string
	for i := range k.WrapHeight(l, 5) {
		rows = append(rows, ansi.Strip(string(k.AppendWrapped(nil, l, i, 5))))
	}
	if got, want := strings.Join(rows, "|"), "abcde|fgh日|本␛z "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	long := cell.Text(themes.Text, strings.Repeat("x", 1<<20))
	if n := k.WrapHeight(long, 40); n != cell.MaxWrap {
		t.Errorf("a line of 1 MiB takes %d rows", n)
	}
	last := ansi.Strip(string(k.AppendWrapped(nil, long, cell.MaxWrap-1, 40)))
	if !strings.HasSuffix(last, "…") {
		t.Errorf("its last row does not say that it is cut: %q", last)
	}
}

func TestMarked(t *testing.T) {
	var l cell.Line
	l.Marked(cell.Fg(themes.Text), "tea: retry é", [][2]int{{5, 10}, {12, 99}}, cell.Fg(themes.Match))
	var got []string
	for _, s := range l.Spans {
		mark := ""
		if s.Style.Fg == themes.Match {
			mark = "!"
		}
		got = append(got, s.Text+mark)
	}
	if want := "tea: |retry!| |é!"; strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", strings.Join(got, "|"), want)
	}
}

func TestStyles(t *testing.T) {
	dusk, six, mono := look(t, "dusk", cell.Config{}), look(t, "sixteen", cell.Config{}), look(t, "mono", cell.Config{})
	selected := cell.Own(themes.OK, "✓").Filled(cell.Style{Bg: themes.Selection})
	if got := dusk.Row(selected, 1); !strings.Contains(got, ";38;2;") || !strings.Contains(got, ";48;2;") || !strings.HasSuffix(got, "\x1b[m") {
		t.Errorf("dusk: %q", got)
	}
	if got := six.Row(cell.Own(themes.OK, "✓"), 1); got != "\x1b[0;32m✓\x1b[m" {
		t.Errorf("sixteen: %q", got)
	}
	if got := six.Row(selected, 1); got != "\x1b[0;7m✓\x1b[m" {
		t.Errorf("sixteen, selected: %q", got)
	}
	if got := mono.Row(selected, 2); got != "\x1b[0;7m✓\x1b[0;7m \x1b[m" && got != "\x1b[0;7m✓ \x1b[m" {
		t.Errorf("mono, selected: %q", got)
	}
	match := cell.Own(themes.Match, "m").Filled(cell.Style{Bg: themes.Selection})
	if got := mono.Row(match, 1); got != "\x1b[0;4mm\x1b[m" {
		t.Errorf("a match on a reversed row: %q", got)
	}
}

func TestTitles(t *testing.T) {
	k := look(t, "dusk", cell.Config{})
	name := cell.Own(themes.None, "2 Arguments")
	tabs := []cell.Tab{{Name: "Form", Current: true}, {Name: "JSON"}, {Name: "Schema"}}
	streams := []cell.Tab{{Name: "4 Wire", Count: "3", Current: true}, {Name: "5 Stderr", Short: "5 Err", Count: "14"}, {Name: "6 HTTP"}}
	for _, c := range []struct {
		title cell.Title
		w     int
		want  string
	}{
		{cell.Title{Focused: true, Name: name, Tabs: tabs, Facts: cell.Own(themes.Muted, "typing")}, 48,
			"━ 2 Arguments  [Form] JSON  Schema ━━━━ typing ━"},
		{cell.Title{Name: cell.Own(themes.None, "1 Tools"), Facts: cell.Own(themes.Muted, "2")}, 22, "─ 1 Tools ──────── 2 ─"},
		{cell.Title{Name: cell.Own(themes.None, "1 Tools")}, 14, "─ 1 Tools ────"},
		{cell.Title{Tabs: streams, Spacing: cell.Strip, Facts: cell.Own(themes.Muted, "call 4")}, 50, "─ [4 Wire 3]  5 Stderr 14  6 HTTP ─────── call 4 ─"},
		{cell.Title{Tabs: streams, Spacing: cell.Strip, Facts: cell.Own(themes.Muted, "call 4")}, 40, "─ [4 Wire 3]  5 Stderr 14  6 HTTP ──────"},
		{cell.Title{Tabs: streams, Spacing: cell.Strip}, 36, "─ [4 Wire 3]  5 Stderr 14  6 HTTP ──"},
		{cell.Title{Tabs: streams, Spacing: cell.Strip}, 33, "─ [4 Wire 3] 5 Stderr 14 6 HTTP ─"},
		{cell.Title{Tabs: streams, Spacing: cell.Strip}, 30, "─ [4 Wire 3] 5 Err 14 6 HTTP ─"},
		{cell.Title{Tabs: streams, Spacing: cell.Strip}, 20, "─ [4 Wire 3] 5 Er… ─"},
		{cell.Title{}, 3, "───"},
		{cell.Title{Name: name}, 1, "─"},
	} {
		row, extents := k.Title(c.title, c.w)
		got := ansi.Strip(row)
		if got != c.want {
			t.Errorf("%d cells:\ngot  %s\nwant %s", c.w, got, c.want)
		}
		for i, e := range extents {
			if tab := c.title.Tabs[i]; e.To > e.From && c.w >= 33 && !strings.Contains(ansi.Cut(got, e.From, e.To), tab.Name[:3]) {
				t.Errorf("tab %d is said to be %q", i, ansi.Cut(got, e.From, e.To))
			}
			if e.To > max(c.w, 2) {
				t.Errorf("tab %d ends at cell %d of %d", i, e.To, c.w)
			}
		}
	}
}

func TestFrame(t *testing.T) {
	k := look(t, "dusk", cell.Config{})
	left := k.Lines([]cell.Line{cell.Text(themes.Text, "ab"), cell.Text(themes.Text, "c")}, 3, 3)
	right := k.Fill(nil, 2, 3)
	frame := k.Beside("┬", left, right)
	if got := ansi.Strip(cell.Join(frame)); got != "ab ┬  \nc  │  \n   │  " {
		t.Errorf("got %q", got)
	}
	var title cell.Line
	title.Own(cell.Style{}, "Quit?")
	box := k.Box(title, cell.Own(themes.Muted, "q"), []cell.Line{cell.Text(themes.Text, "stay")}, 16)
	if got := ansi.Strip(cell.Join(box)); got != "╭─ Quit? ── q ─╮\n│ stay         │\n╰──────────────╯" {
		t.Errorf("got\n%s", got)
	}
	base := k.Lines([]cell.Line{cell.Text(themes.Text, "日本語日本語日本語")}, 18, 1)
	over := cell.Overlay(base, k.Lines([]cell.Line{cell.Text(themes.Text, "xx")}, 2, 1), 3, 0)
	if got := ansi.Strip(over[0]); got != "日 xx 日本語日本語" {
		t.Errorf("got %q", got)
	}
	for _, x := range []int{-1, 0, 17, 18, 40} {
		if got := ansi.StringWidth(cell.Overlay(base, box, x, -1)[0]); got != 18 {
			t.Errorf("an overlay at %d makes the row %d cells wide", x, got)
		}
	}
}

func TestConfigFrom(t *testing.T) {
	for _, c := range []struct {
		env   map[string]string
		ascii bool
	}{
		{nil, false},
		{map[string]string{"LANG": "en_US.UTF-8"}, false},
		{map[string]string{"LANG": "C.utf8"}, false},
		{map[string]string{"LANG": "C"}, true},
		{map[string]string{"LANG": "en_US.UTF-8", "LC_ALL": "POSIX"}, true},
		{map[string]string{"LC_CTYPE": "de_DE.ISO-8859-1"}, true},
	} {
		if got := cell.ConfigFrom(func(n string) string { return c.env[n] }); got.ASCII != c.ascii {
			t.Errorf("%v: ASCII is %v", c.env, got.ASCII)
		}
	}
	if !cell.NoColor(func(string) string { return "yes" }) || cell.NoColor(func(string) string { return "" }) {
		t.Error("NO_COLOR counts with any value but the empty one")
	}
}

// TestExactWidth holds the law of the screen: whatever is in a line, its row
// is exactly w cells, for the renderer's measure too.
func TestExactWidth(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	bits := []string{"abc", "日本", "e\u0301", "👨‍👩‍👧", "🇯", "🇵", "\x1b[2J", "\xff", "\u202e", "\u0301", "✓", " ", "क्", "ष", "ᄀ", "ᅡ", "❤️", "1️⃣", "\t", "👍🏽", "\u200d", ""}
	for _, k := range []*cell.Look{look(t, "dusk", cell.Config{}), look(t, "mono", cell.Config{ASCII: true}), look(t, "sixteen", cell.Config{Split: true})} {
		for range 1000 {
			var l cell.Line
			for range rng.IntN(5) {
				text := ""
				for range rng.IntN(6) {
					text += bits[rng.IntN(len(bits))]
				}
				st := cell.Fg(themes.Role(rng.IntN(3) * 8))
				switch rng.IntN(7) {
				case 6:
					l.Drawn("\x1b[38;5;9m▀\x1b[48;2;1;2;3m▄日", 4)
				case 0:
					l.TextIn(st, text, rng.IntN(9), cell.Cutting(rng.IntN(3)))
				case 1:
					l.NumberIn(st, text, rng.IntN(9))
				case 2:
					l.Own(st, text)
				case 3:
					l.Gap()
				default:
					l.Text(st, text)
				}
			}
			if rng.IntN(3) == 0 {
				l.Pin = rng.IntN(3)
			}
			w := rng.IntN(24)
			check := func(what, row string) {
				if got := ansi.StringWidth(row); got != w {
					t.Fatalf("%s of %d cells is %d: %q of %+v", what, w, got, row, l.Spans)
				}
				if plain := ansi.Strip(row); strings.ContainsFunc(plain, func(r rune) bool { return r < ' ' || r == 0x7f }) {
					t.Fatalf("%s lets a control character through: %q", what, row)
				}
			}
			check("row", k.Row(l, w))
			check("row from", k.RowFrom(l, rng.IntN(30), w))
			check("wrapped", string(k.AppendWrapped(nil, l, rng.IntN(4), w)))
			row, _ := k.Title(cell.Title{Name: l, Facts: l, Tabs: []cell.Tab{{Name: "Tab", Current: true}}}, w)
			check("title", row)
			if w >= 4 {
				for _, r := range k.Box(l, l, []cell.Line{l}, w) {
					check("box", r)
				}
			}
		}
	}
}

func TestPinned(t *testing.T) {
	k := look(t, "dusk", cell.Config{})
	var l cell.Line
	l.Own(cell.Fg(themes.Muted), "6.204  ").Pinned().Text(cell.Fg(themes.Text), "tea: 1204 of 5000")
	if got, want := ansi.Strip(k.RowFrom(l, 5, 18)), "6.204  ‹204 of 50…"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	got := ""
	for i := range k.WrapHeight(l, 16) {
		got += ansi.Strip(string(k.AppendWrapped(nil, l, i, 16))) + "|"
	}
	if want := "6.204  tea: 1204|        of 5000 |"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDrawn(t *testing.T) {
	k := look(t, "dusk", cell.Config{})
	const picture = "\x1b[38;5;9m▀▄▀"
	var l cell.Line
	l.Own(cell.Fg(themes.Muted), "ab").Drawn(picture, 3).Own(cell.Fg(themes.Muted), "c")
	for _, c := range []struct {
		x, w  int
		want  string
		whole bool
	}{
		{0, 8, "ab▀▄▀c  ", true},
		{0, 6, "ab▀▄▀c", true},
		{0, 4, "ab  ", false},
		{3, 6, "‹ c   ", false},
	} {
		row := k.RowFrom(l, c.x, c.w)
		if got := ansi.Strip(row); got != c.want {
			t.Errorf("from %d in %d cells: got %q, want %q", c.x, c.w, got, c.want)
		}
		if got := strings.Contains(row, "\x1b[m"+picture+"\x1b[m"); got != c.whole {
			t.Errorf("from %d in %d cells: the picture is as it was: %v", c.x, c.w, got)
		}
	}
}

// TestWrapKeepsAll holds that wrapping loses nothing.
func TestWrapKeepsAll(t *testing.T) {
	k := look(t, "dusk", cell.Config{})
	for _, s := range []string{"plain text that goes on and on", "日本語ab\x1b[31mc\u0301👨‍👩‍👧", "x" + strings.Repeat("日", 20)} {
		l := cell.Text(themes.Text, s)
		for w := 2; w < 12; w++ {
			var b strings.Builder
			for i := range k.WrapHeight(l, w) {
				b.WriteString(strings.TrimRight(ansi.Strip(string(k.AppendWrapped(nil, l, i, w))), " "))
			}
			squash := func(s string) string { return strings.ReplaceAll(s, " ", "") }
			if got, want := squash(b.String()), squash(k.Text.Line(s)); got != want {
				t.Errorf("%d cells: got %q, want %q", w, got, want)
			}
		}
	}
}

func BenchmarkFrame(b *testing.B) {
	k := look(b, "dusk", cell.Config{})
	fg := cell.Fg(themes.Text)
	b.ReportAllocs()
	var buf []byte
	for b.Loop() {
		for range 40 {
			var l cell.Line
			l.Own(cell.Fg(themes.Muted), "  0.004").Own(cell.Fg(themes.FromModule), "  ← out 2").Own(cell.Fg(themes.Error), "  ✗ ✗")
			l.NumberIn(fg, "13", 6).Text(fg, "  not JSON: a log line, and so on to the end of the row, as they do")
			buf = k.AppendRow(buf[:0], l, 120)
		}
	}
}

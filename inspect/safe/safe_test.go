package safe_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"perch/inspect/safe"
)

func TestLine(t *testing.T) {
	unicodeMode, ascii, split := safe.Mode{}, safe.Mode{ASCII: true}, safe.Mode{Split: true}
	for _, c := range []struct {
		name string
		mode safe.Mode
		in   string
		want string
	}{
		{"plain", unicodeMode, "plain text ~", "plain text ~"},
		{"empty", unicodeMode, "", ""},
		{"escape", unicodeMode, "a\x1b[31mb", "a␛[31mb"},
		{"breaks", unicodeMode, "a\r\n\tb\x00\x07", "a␍␊␉b␀␇"},
		{"delete", unicodeMode, "\x7f", "␡"},
		{"c1", unicodeMode, "a\u009b31mb\u0085", "a⟨U+009B⟩31mb⟨U+0085⟩"},
		{"not UTF-8", unicodeMode, "caf\xe9 \xff", "caf⟨E9⟩ ⟨FF⟩"},
		{"cut UTF-8", unicodeMode, "a\xe2\x82", "a⟨E2⟩⟨82⟩"},
		{"surrogate", unicodeMode, "\xed\xa0\x80", "⟨ED⟩⟨A0⟩⟨80⟩"},
		{"replacement stays", unicodeMode, "\ufffd", "\ufffd"},
		{"bidi", unicodeMode, "x\u202egnp.exe\u2066", "x⟨U+202E⟩gnp.exe⟨U+2066⟩"},
		{"zero width", unicodeMode, "a\u200bb\ufeffc\u2060", "a⟨U+200B⟩b⟨U+FEFF⟩c⟨U+2060⟩"},
		{"soft hyphen", unicodeMode, "so\u00adft", "so⟨U+00AD⟩ft"},
		{"line separators", unicodeMode, "a\u2028b\u2029", "a⟨U+2028⟩b⟨U+2029⟩"},
		{"tags", unicodeMode, "a\U000e0041\U000e0042", "a⟨U+E0041⟩⟨U+E0042⟩"},
		{"tags on a flag", unicodeMode, "🏴\U000e0067\U000e007f", "🏴⟨U+E0067⟩⟨U+E007F⟩"},
		{"private", unicodeMode, "\ue0b0", "⟨U+E0B0⟩"},
		{"filler", unicodeMode, "a\u3164\u2800", "a⟨U+3164⟩\u2800"},
		{"accent", unicodeMode, "e\u0301 é", "e\u0301 é"},
		{"lone accent", unicodeMode, "\u0301x", "⟨U+0301⟩x"},
		{"accent after escape", unicodeMode, "\x1b\u0301", "␛⟨U+0301⟩"},
		{"zwj in a word", unicodeMode, "ad\u200dmin", "ad⟨U+200D⟩min"},
		{"zwnj in a word", unicodeMode, "ad\u200cmin", "ad⟨U+200C⟩min"},
		{"family", unicodeMode, "👨‍👩‍👧", "👨‍👩‍👧"},
		{"heart", unicodeMode, "❤️‍🔥", "❤️‍🔥"},
		{"hand", unicodeMode, "👍🏽", "👍🏽"},
		{"flag", unicodeMode, "🇯🇵", "🇯🇵"},
		{"keycap", unicodeMode, "1️⃣", "1️⃣"},
		{"dangling joiner", unicodeMode, "👨\u200d", "👨⟨U+200D⟩"},
		{"selector on a letter", unicodeMode, "a\ufe0f", "a⟨U+FE0F⟩"},
		{"persian", unicodeMode, "می\u200cخواهم", "می\u200cخواهم"},
		{"sinhala", unicodeMode, "ශ්\u200dරී", "ශ්\u200dරී"},
		{"hindi", unicodeMode, "क्\u200dष", "क्\u200dष"},
		{"chinese", unicodeMode, "鳥の巣箱", "鳥の巣箱"},
		{"korean", unicodeMode, "둥지", "둥지"},
		{"ascii escape", ascii, "a\x1b[0m\r\n\t\x7f", `a\x1b[0m\r\n\t\x7f`},
		{"ascii byte", ascii, "caf\xe9", "caf<E9>"},
		{"ascii letter", ascii, "é\u202e日", "<U+00E9><U+202E><U+65E5>"},
		{"ascii mark", ascii, "e\u0301!", "e<U+0301>!"},
		{"split family", split, "👨‍👩", "👨⟨U+200D⟩👩"},
		{"split hand", split, "👍🏽", "👍⟨U+1F3FD⟩"},
		{"split heart", split, "❤️", "❤⟨U+FE0F⟩"},
		{"split wide", split, "日本 é", "日本 é"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.mode.Line(c.in); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestManyMarks(t *testing.T) {
	got := safe.Line("a" + strings.Repeat("\u0300", 40))
	if !strings.HasPrefix(got, "a⟨U+0300⟩") {
		t.Errorf("a pile of marks is shown as %q", got)
	}
}

func TestText(t *testing.T) {
	if got, want := safe.Text("a\n\tb\r\n\x1b]52;c;x\x07"), "a\n\tb␍\n␛]52;c;x␇"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestHidden(t *testing.T) {
	if got := (safe.Mode{}).Hidden("a\x1b\xe9\u202e b"); got != 3 {
		t.Errorf("got %d hidden, want 3", got)
	}
}

func TestSpans(t *testing.T) {
	spans := safe.Mode{}.Spans(nil, "ok \x1b\r caf\xe9日")
	want := []safe.Span{
		{Text: "ok ", Start: 0, End: 3, Width: 3},
		{Text: "␛␍", Start: 3, End: 5, Width: 2, Hidden: true},
		{Text: " caf", Start: 5, End: 9, Width: 4},
		{Text: "⟨E9⟩", Start: 9, End: 10, Width: 4, Hidden: true},
		{Text: "日", Start: 10, End: 13, Width: 2},
	}
	if len(spans) != len(want) {
		t.Fatalf("got %+v", spans)
	}
	for i := range want {
		if spans[i] != want[i] {
			t.Errorf("span %d: got %+v, want %+v", i, spans[i], want[i])
		}
	}
}

func TestSpansTo(t *testing.T) {
	for _, s := range []string{strings.Repeat("x", 1<<20), strings.Repeat("日", 1<<18), "ab" + strings.Repeat("\x1b", 1<<20), "e" + strings.Repeat("\u0301", 1<<10) + "x"} {
		w := 0
		for _, sp := range (safe.Mode{}).SpansTo(nil, s, 10) {
			w += sp.Width
		}
		if w < 10 || w > 20 && !strings.Contains(s, "\u0301") {
			t.Errorf("%.8q…: %d cells for 10", s, w)
		}
	}
	if got := (safe.Mode{}).SpansTo(nil, "abc\u0301d", 3); len(got) != 1 || got[0].Text != "abc\u0301" {
		t.Errorf("the cut goes through a character: %+v", got)
	}
}

func TestColumns(t *testing.T) {
	for _, c := range []struct {
		s          string
		start, end int
		from, to   int
	}{
		{"abcdef", 2, 4, 2, 4},
		{"a\x1bb", 2, 3, 2, 3},
		{"caf\xe9!", 3, 4, 3, 7},
		{"caf\xe9!", 4, 5, 7, 8},
		{"日本", 1, 2, 0, 2},
		{"日本", 0, 6, 0, 4},
		{"abc", 3, 3, 3, 4},
		{"abc", 1, 1, 1, 2},
		{"", 0, 0, 0, 1},
	} {
		if from, to := (safe.Mode{}).Columns(c.s, c.start, c.end); from != c.from || to != c.to {
			t.Errorf("%q bytes %d to %d: cells %d to %d, want %d to %d", c.s, c.start, c.end, from, to, c.from, c.to)
		}
	}
}

func TestPlainCostsNothing(t *testing.T) {
	line := strings.Repeat("an ordinary line of a log, ", 8)
	buf := make([]safe.Span, 0, 4)
	if n := testing.AllocsPerRun(50, func() {
		buf = safe.Mode{}.Spans(buf[:0], line)
		if safe.Line(line) != line || safe.Width(line) != len(line) {
			t.Fatal("plain text was changed")
		}
	}); n != 0 {
		t.Errorf("%v allocations for printable ASCII", n)
	}
}

func TestWidth(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "abc": 3, "日本": 4, "e\u0301x": 2, "👨‍👩‍👧": 2, "🇯🇵!": 3, "⟨U+202E⟩": 8, "␛": 1, "❯ ✓": 3, "…": 1,
	} {
		if got := safe.Width(s); got != want {
			t.Errorf("%q is %d cells wide, want %d", s, got, want)
		}
	}
}

func TestCuts(t *testing.T) {
	m, ascii := safe.Mode{}, safe.Mode{ASCII: true}
	for _, c := range []struct{ got, want string }{
		{m.Cut("greeting", 8), "greeting"},
		{m.Cut("greeting", 5), "gree…"},
		{ascii.Cut("greeting", 5), "gree~"},
		{m.Cut("greeting", 1), "…"},
		{m.Cut("greeting", 0), ""},
		{m.Cut("日本語", 4), "日…"},
		{m.Cut("👨‍👩‍👧👨‍👩‍👧", 3), "👨‍👩‍👧…"},
		{m.CutMiddle("call-0192f5c4", 9), "call…f5c4"},
		{m.CutPath("/volume/tmp/a/b/chart.png", 19), "/volume/…/chart.png"},
		{m.CutPath("/volume/tmp/a/b/chart.png", 12), "/…/chart.png"},
		{m.CutPath("/volume/tmp/chart.png", 40), "/volume/tmp/chart.png"},
		{m.CutPath("/a/averyverylongname.png", 10), "/a/av….png"},
		{safe.Tail("日本語", 3), "語"},
		{safe.Pad("日", 4) + "|", "日  |"},
		{safe.PadLeft("7", 3), "  7"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestWrap(t *testing.T) {
	got := strings.Join(safe.Wrap("Draw a bar chart of points\nas a PNG.", 10), "|")
	if want := "Draw a bar|chart of|points|as a PNG."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := strings.Join(safe.Wrap("日本語", 1), "|"); got != "日|本|語" {
		t.Errorf("got %q", got)
	}
}

// FuzzSafe holds that whatever comes in, nothing that goes out can do
// something to a terminal, and that every part agrees on the width.
func FuzzSafe(f *testing.F) {
	for _, s := range []string{"", "a\x1b[2J", "caf\xe9", "\u202e\u200d", "👨‍👩‍👧", "e\u0301\u0301", "\r\n\t", "日\u200d本", "\U000e0041", "\u0600\u0600a"} {
		for mode := range byte(4) {
			f.Add(s, mode)
		}
	}
	f.Fuzz(func(t *testing.T, s string, bits byte) {
		m := safe.Mode{ASCII: bits&1 != 0, Split: bits&2 != 0}
		line := m.Line(s)
		if !utf8.ValidString(line) {
			t.Fatalf("not UTF-8: %q", line)
		}
		for _, r := range line {
			if unicode.IsControl(r) || m.ASCII && r >= 0x80 {
				t.Fatalf("%U got through: %q", r, line)
			}
		}
		pos, sum := 0, 0
		for u := range m.Units(s) {
			if u.Start != pos || u.End <= u.Start || u.Width < 1 {
				t.Fatalf("unit %+v at byte %d of %q", u, pos, s)
			}
			pos, sum = u.End, sum+u.Width
		}
		var spans strings.Builder
		for _, sp := range m.Spans(nil, s) {
			spans.WriteString(sp.Text)
		}
		if spans.String() != line {
			t.Fatalf("spans say %q, the line %q", spans.String(), line)
		}
		if pos != len(s) {
			t.Fatalf("units end at byte %d of %d", pos, len(s))
		}
		if w := safe.Width(line); w != sum || w != ansi.StringWidth(line) {
			t.Fatalf("%q: units are %d cells wide, the line %d, the screen says %d", line, sum, w, ansi.StringWidth(line))
		}
		if m.Split && ansi.WcWidth.StringWidth(line) != sum {
			t.Fatalf("%q: a terminal that adds up comes to %d, not %d", line, ansi.WcWidth.StringWidth(line), sum)
		}
		if again := m.Line(line); again != line {
			t.Fatalf("made safe twice: %q, then %q", line, again)
		}
		for w := range 6 {
			if got := safe.Width(m.Cut(line, w)); got > w {
				t.Fatalf("cut to %d is %d wide", w, got)
			}
			if got := safe.Width(safe.Tail(line, w)); got > w {
				t.Fatalf("tail of %d is %d wide", w, got)
			}
		}
	})
}

func BenchmarkLine(b *testing.B) {
	plain := strings.Repeat("tea: 1204 of 5000, cache cold ", 4)
	for name, s := range map[string]string{"plain": plain, "colour": "\x1b[33m" + plain + "\x1b[0m", "japanese": strings.Repeat("鳥の巣箱", 15)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				safe.Line(s)
			}
		})
	}
}

// TestShortWays: characters that are looked up are what the long way makes of
// them, whatever stands behind them.
func TestShortWays(t *testing.T) {
	behind := []string{"", "x", "\u0301", "\u200d", "\u200d👩", "\ufe0f", "字", "\u202e", "\u1161", "\u11a8", "\n", "\xff", "é"}
	for _, span := range [][2]rune{{0, 0x600}, {0x2000, 0x2078}, {0x3038, 0x3100}, {0x33f8, 0x3408}, {0x4db8, 0x4e08},
		{0x9ff8, 0xa008}, {0xabf8, 0xac20}, {0xd798, 0xd7b0}, {0xfef8, 0xff08}} {
		for r := span[0]; r < span[1]; r++ {
			alike(t, string(r), behind)
		}
	}
}

// alike compares the units of a character, and what stands behind it, looked up
// and not.
func alike(t *testing.T, r string, behind []string) {
	t.Helper()
	for _, tail := range behind {
		s := r + tail
		for _, m := range []safe.Mode{{}, {Split: true}, {ASCII: true}} {
			got, want := slices.Collect(m.Units(s)), m.Long(s)
			if !slices.Equal(got, want) {
				t.Fatalf("%+v, %+q:\ngot  %+v\nwant %+v", m, s, got, want)
			}
			for _, u := range got {
				if u.Width != safe.Width(u.Text) {
					t.Fatalf("%+q is said to take %d cells", u.Text, u.Width)
				}
			}
		}
	}
}

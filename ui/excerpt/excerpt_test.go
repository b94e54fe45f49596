package excerpt_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"perch/inspect/hexview"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/excerpt"
	"perch/ui/list"
)

func look(t *testing.T, theme string, ascii bool) *cell.Look {
	t.Helper()
	th, err := themes.Load(theme)
	if err != nil {
		t.Fatal(err)
	}
	return cell.New(th, cell.Config{ASCII: ascii})
}

// plain are lines without their colours.
func plain(k *cell.Look, lines []cell.Line, w int) string {
	var out []string
	for _, l := range lines {
		out = append(out, strings.TrimRight(ansi.Strip(k.Row(l, w)), " "))
	}
	return strings.Join(out, "\n")
}

func TestMarks(t *testing.T) {
	long := strings.Repeat("0123456789", 10)
	for _, c := range []struct {
		name, text string
		newline    bool
		w          int
		marks      []excerpt.Mark
		want       string
	}{
		{"none", "abc", true, 20, nil, "abc␊"},
		{"in the middle", "abcdef", false, 20, []excerpt.Mark{{From: 2, To: 4}}, "abcdef\n  ^^"},
		{"with words behind it", "abcdef", false, 40, []excerpt.Mark{{From: 0, To: 2, Caption: "two"}}, "abcdef\n^^            two"},
		{"a point", "abc", false, 20, []excerpt.Mark{{From: 1, To: 1}}, "abc\n ^"},
		{"the line's end", "abc", true, 20, []excerpt.Mark{{From: 3, To: 3}}, "abc␊\n   ^"},
		{"wide characters", "a小b", false, 20, []excerpt.Mark{{From: 1, To: 4}}, "a小b\n ^^"},
		{"hidden characters", "a\x1bb", false, 20, []excerpt.Mark{{From: 1, To: 2}}, "a␛b\n ^"},
		{"two, and over each other", "abcdef", false, 20, []excerpt.Mark{{From: 0, To: 3}, {From: 2, To: 5}}, "abcdef\n^^^\n  ^^^"},
		{"over two rows", "abcdef", false, 4, []excerpt.Mark{{From: 3, To: 5}}, "abcd\n   ^\nef\n^"},
		{"a long one: its first row", long, false, 20, []excerpt.Mark{{From: 10, To: 90}},
			long[:20] + "\n          ^^^^^^^^^^\n" + long[20:40] + "\n^^^^^^^^^^…\n" + long[40:60] + "\n" + long[60:80] + "\n" + long[80:]},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := look(t, "mono", false)
			lines := excerpt.Text{Look: k, Role: themes.Text, W: c.w, Marks: c.marks}.Rows(c.text, c.newline)
			if got := plain(k, lines, 60); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestMarkedTwice: with colour the bytes are reversed, and the ^ stay.
func TestMarkedTwice(t *testing.T) {
	k := look(t, "dusk", false)
	lines := excerpt.Text{Look: k, Role: themes.Text, W: 20, Marks: []excerpt.Mark{{From: 1, To: 2}}}.Rows("abc", false)
	if len(lines) != 2 || !strings.Contains(k.Row(lines[0], 20), ";7") {
		t.Errorf("%d rows, the first is %q", len(lines), k.Row(lines[0], 20))
	}
}

func TestManyMarksAreBounded(t *testing.T) {
	k := look(t, "mono", false)
	var marks []excerpt.Mark
	for i := range 10_000 {
		marks = append(marks, excerpt.Mark{From: i, To: i + 1})
	}
	if n := len(excerpt.Text{Look: k, W: 80, Marks: marks}.Rows(strings.Repeat("x", 80), false)); n > 100 {
		t.Errorf("%d rows", n)
	}
}

func TestPart(t *testing.T) {
	for _, c := range []struct{ n, first, from, to int64 }{
		{10, 5, 0, 10}, {1 << 20, 0, 0, excerpt.Window}, {1 << 20, 1 << 19, 1<<19 - 256, 1<<19 - 256 + excerpt.Window},
		{1 << 20, 1<<20 - 1, 1<<20 - excerpt.Window, 1 << 20},
	} {
		if from, to := excerpt.Part(c.n, c.first); from != c.from || to != c.to {
			t.Errorf("of %d from %d: %d to %d, want %d to %d", c.n, c.first, from, to, c.from, c.to)
		}
	}
}

func TestHex(t *testing.T) {
	k := look(t, "mono", false)
	body, head, first := excerpt.Hex(k, excerpt.Bytes([]byte("0123456789abcdef\n")), 0x100, []hexview.Range{{From: 9, To: 11}}, 60)
	var lines []cell.Line
	for i := range body.Len() {
		lines = append(lines, body.Row(i, 60))
	}
	want := "00100  30 31 32 33 34 35 36 37   01234567\n00108  38 39 61 62 63 64 65 66   89abcdef\n          ^^ ^^\n00110  0a                        ␊"
	if got := plain(k, lines, 60); got != want || first != 1 {
		t.Errorf("from row %d\n%s\n%s", first, plain(k, []cell.Line{head}, 60), got)
	}
	var _ list.Source = body
}

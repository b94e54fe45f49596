package list_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"perch/themes"
	"perch/ui/cell"
	"perch/ui/list"
)

// dusk is the look that rows are drawn with.
var dusk = sync.OnceValue(func() *cell.Look {
	th, err := themes.Load("dusk")
	if err != nil {
		panic(err) // it is embedded
	}
	return cell.New(th, cell.Config{})
})

// log is a source of numbered rows that counts how often it is asked.
type log struct {
	first, n int
	asked    int
	text     func(i int) string
	marks    map[int]list.Mark
}

func (s *log) Len() int   { return s.n }
func (s *log) First() int { return s.first }
func (s *log) Row(i, _ int) cell.Line {
	s.asked++
	if s.text != nil {
		return cell.Text(themes.Text, s.text(i))
	}
	return cell.Text(themes.Text, fmt.Sprintf(" line %d", i))
}
func (s *log) Mark(i int) list.Mark { return s.marks[i] }

func draw(t *testing.T, l *list.List, w, h int) []string {
	t.Helper()
	rows := l.View(dusk(), w, h, true)
	if len(rows) != h {
		t.Fatalf("%d rows, want %d", len(rows), h)
	}
	out := make([]string, h)
	for i, r := range rows {
		if got := ansi.StringWidth(r); got != w {
			t.Fatalf("row %d is %d cells wide, want %d: %q", i, got, w, r)
		}
		out[i] = strings.TrimRight(ansi.Strip(r), " ")
	}
	return out
}

func expect(t *testing.T, l *list.List, w, h int, want ...string) {
	t.Helper()
	got := draw(t, l, w, h)
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestMoving(t *testing.T) {
	l := list.New(&log{n: 5})
	expect(t, l, 11, 3, "❯ line 0 █", "  line 1 ░", "  line 2 ░")
	l.Move(1)
	expect(t, l, 11, 3, "  line 0 █", "❯ line 1 ░", "  line 2 ░")
	l.Move(2)
	expect(t, l, 11, 3, "  line 1 ░", "  line 2 █", "❯ line 3 ░")
	l.Move(99)
	expect(t, l, 11, 3, "  line 2 ░", "  line 3 ░", "❯ line 4 █")
	l.Top()
	expect(t, l, 11, 3, "❯ line 0 █", "  line 1 ░", "  line 2 ░")
	l.Page(1)
	expect(t, l, 11, 3, "  line 0 █", "  line 1 ░", "❯ line 2 ░")
	l.Bottom(false)
	if l.Following() {
		t.Error("the end of a still list was followed")
	}
	expect(t, l, 11, 6, "  line 0", "  line 1", "  line 2", "  line 3", "❯ line 4", "")
	if !l.Click(1) || l.Click(5) {
		t.Error("a click on a row or beside the rows")
	}
	if row, _ := l.Selected(); row != 1 {
		t.Errorf("the click selected row %d", row)
	}
	if y, ok := l.SelectedY(); !ok || y != 1 {
		t.Errorf("the selected row is at %d, %v", y, ok)
	}
}

func TestFollowYields(t *testing.T) {
	src := &log{n: 10}
	l := list.New(src)
	l.Follow()
	expect(t, l, 13, 2, "  line 8   ░", "❯ line 9   █")
	src.n = 20
	l.Move(1)
	l.Scroll(3)
	if !l.Following() {
		t.Error("moving down at the end ended following")
	}
	expect(t, l, 13, 2, "  line 18  ░", "❯ line 19  █")
	l.Scroll(-5)
	if l.Following() {
		t.Error("the wheel did not end following")
	}
	expect(t, l, 13, 2, "  line 13  █", "  line 14  ░")
	src.n = 120
	if l.New() != 100 {
		t.Errorf("%d new rows, want 100", l.New())
	}
	expect(t, l, 13, 2, "  line 13  █", "  line 14  ░")
	if row, _ := l.Selected(); row != 19 {
		t.Errorf("row %d is selected", row)
	}
	l.Bottom(true)
	expect(t, l, 13, 2, "  line 118 ░", "❯ line 119 █")
	if !l.Following() || l.New() != 0 {
		t.Error("the end is not followed again")
	}
	l.Move(-1)
	expect(t, l, 13, 2, "❯ line 118 ░", "  line 119 █")
}

func TestRowsThatGo(t *testing.T) {
	src := &log{n: 100}
	l := list.New(src)
	l.Select(50)
	draw(t, l, 14, 4)
	src.first, src.n = 40, 140
	if row, _ := l.Selected(); row != 50 {
		t.Errorf("row %d is selected", row)
	}
	src.first = 60
	got := draw(t, l, 14, 4)
	if !strings.Contains(got[0], "line 60") {
		t.Errorf("the oldest row is not at the top: %q", got)
	}
	if row, _ := l.Selected(); row != 60 {
		t.Errorf("row %d is selected", row)
	}
	src.n = 60
	expect(t, l, 13, 2, "", "")
	if _, ok := l.Selected(); ok {
		t.Error("a row of an empty list is selected")
	}
	l.Move(1)
	l.Top()
	l.Bottom(true)
	draw(t, l, 14, 2)
}

func TestMarks(t *testing.T) {
	src := &log{n: 3, marks: map[int]list.Mark{1: list.Linked, 2: list.Marked}}
	expect(t, list.New(src), 14, 3, "❯ line 0", "  line 1    ◆", "• line 2")
}

func TestWrapAndSideways(t *testing.T) {
	src := &log{n: 3, text: func(i int) string { return fmt.Sprintf("%d", i) + "bcdefghijkl" }}
	l := list.New(src)
	l.Wrap(true)
	expect(t, l, 8, 4, "❯0bcdef", " ghijkl", " 1bcdef", " ghijkl")
	l.Move(2)
	expect(t, l, 8, 5, " ghijkl", " 1bcdef", " ghijkl", "❯2bcdef", " ghijkl")
	l.Scroll(-1)
	expect(t, l, 8, 5, " 0bcdef", " ghijkl", " 1bcdef", " ghijkl", "❯2bcdef")
	l.Wrap(false)
	l.Sideways(1)
	if l.X() != 4 {
		t.Errorf("half of 8 cells is %d", l.X())
	}
	expect(t, l, 8, 3, " ‹fghi…", " ‹fghi…", "❯‹fghi…")
	l.Sideways(-9)
	expect(t, l, 8, 3, " 0bcde…", " 1bcde…", "❯2bcde…")
}

func TestResizeKeepsPlace(t *testing.T) {
	l := list.New(&log{n: 1000})
	l.Select(500)
	before := draw(t, l, 20, 10)
	draw(t, l, 20, 40)
	draw(t, l, 3, 1)
	after := draw(t, l, 20, 10)
	if before[0] != after[0] {
		t.Errorf("%q was at the top, now %q", before[0], after[0])
	}
}

func TestFilterAndSearch(t *testing.T) {
	src := &log{n: 1000}
	l := list.New(src)
	l.Select(14)
	ix := list.NewIndex(func(i int) bool { return i%10 == 7 })
	if ix.Step(src, 100) {
		t.Error("100 of 1,000 rows were called all")
	}
	if ix.Len() != 10 {
		t.Errorf("%d matches in 100 rows", ix.Len())
	}
	for !ix.Step(src, 100) {
	}
	l.Filter(ix)
	expect(t, l, 13, 3, "  line 7   █", "❯ line 17  ░", "  line 27  ░")
	l.Move(1)
	l.Filter(nil)
	if row, _ := l.Selected(); row != 27 {
		t.Errorf("after the filter row %d is selected", row)
	}
	if got := draw(t, l, 14, 30); !strings.Contains(strings.Join(got, "\n"), "❯ line 27") {
		t.Errorf("it is out of sight:\n%s", strings.Join(got, "\n"))
	}
	l.Search(ix)
	walk := func(step func() bool, want int) {
		t.Helper()
		if !step() {
			t.Fatal("no match")
		}
		if row, _ := l.Selected(); row != want {
			t.Errorf("row %d, want %d", row, want)
		}
	}
	walk(l.NextMatch, 37)
	walk(l.PrevMatch, 27)
	l.Top()
	walk(l.PrevMatch, 997)
	walk(l.NextMatch, 7)
	src.n, src.first = 1100, 100
	for !ix.Step(src, 7) {
	}
	if ix.Len() != 100 || ix.At(0) != 107 || ix.Has(97) || !ix.Has(1097) {
		t.Errorf("%d matches from %d", ix.Len(), ix.At(0))
	}
	none := list.NewIndex(func(int) bool { return false })
	none.Step(src, 1<<20)
	l.Filter(none)
	expect(t, l, 13, 2, "", "")
	l.Search(none)
	if l.NextMatch() {
		t.Error("a match was found among none")
	}
}

func TestShow(t *testing.T) {
	l := list.New(&log{n: 100})
	draw(t, l, 14, 9)
	l.Show(5)
	if got := draw(t, l, 14, 9); !strings.HasPrefix(got[0], "❯ line 0") {
		t.Errorf("what is in sight was moved: %q", got[0])
	}
	l.Show(50)
	if got := draw(t, l, 14, 9); !strings.Contains(strings.Join(got, "\n"), "line 50") {
		t.Errorf("row 50 is out of sight: %q", got)
	}
	if row, _ := l.Selected(); row != 0 {
		t.Errorf("row %d is selected", row)
	}
}

func TestFollowSelectsWhatTheSourceSays(t *testing.T) {
	l := list.New(newer{&log{n: 5}})
	l.Follow()
	expect(t, l, 11, 2, "❯ line 3 ░", "  line 4 █")
	quiet := list.New(&log{n: 5})
	quiet.FollowQuietly()
	expect(t, quiet, 11, 2, "  line 3 ░", "  line 4 █")
}

type newer struct{ *log }

func (n newer) Newest() int { return n.n - 2 }

func TestOnlyWhatIsInSight(t *testing.T) {
	src := &log{n: 10_000_000}
	l := list.New(src)
	for _, act := range []func(){func() {}, l.Follow, func() { l.Scroll(-1000) }, func() { l.Select(5_000_000) }, func() { l.Page(-3) }} {
		act()
		src.asked = 0
		draw(t, l, 80, 40)
		if src.asked > 40 {
			t.Errorf("asked for %d rows to draw 40", src.asked)
		}
	}
	l.Wrap(true)
	src.asked = 0
	draw(t, l, 80, 40)
	if src.asked > 400 {
		t.Errorf("asked for %d rows to draw 40 wrapped ones", src.asked)
	}
}

// TestAnyMoves holds that no series of acts brings a list out of shape.
func TestAnyMoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	src := &log{n: 30, text: func(i int) string { return strings.Repeat("日x", i%9) }}
	l := list.New(src)
	even := list.NewIndex(func(i int) bool { return i%2 == 0 })
	acts := []func(){
		func() { l.Move(rng.IntN(9) - 4) }, func() { l.Page(rng.IntN(3) - 1) }, l.Top, func() { l.Bottom(rng.IntN(2) == 0) },
		func() { l.Scroll(rng.IntN(9) - 4) }, l.Follow, l.Unfollow, func() { l.Wrap(!l.Wrapping()) }, func() { l.Sideways(rng.IntN(3) - 1) },
		func() { l.Click(rng.IntN(9)) }, func() { src.n += rng.IntN(9) }, func() { src.first = min(src.first+rng.IntN(4), src.n) },
		func() { l.Filter(even) }, func() { l.Filter(nil) }, func() { l.Show(rng.IntN(40)) }, func() { l.Select(rng.IntN(60) - 10) },
	}
	for range 2000 {
		acts[rng.IntN(len(acts))]()
		even.Step(src, 20)
		draw(t, l, rng.IntN(20), rng.IntN(8))
		if row, ok := l.Selected(); ok && (row < src.first || row >= src.n) {
			t.Fatalf("row %d of %d to %d is selected", row, src.first, src.n)
		}
	}
}

func BenchmarkFrame(b *testing.B) {
	k := dusk()
	for _, wrap := range []bool{false, true} {
		b.Run(fmt.Sprintf("1000000 lines, wrap %v", wrap), func(b *testing.B) {
			src := &log{n: 1_000_000, text: func(i int) string {
				return fmt.Sprintf("  0.004 tea: %d of 5000, and a shelf that goes on for a while", i)
			}}
			l := list.New(src)
			l.Wrap(wrap)
			l.Select(500_000)
			b.ReportAllocs()
			for b.Loop() {
				l.Move(1)
				l.View(k, 120, 40, true)
			}
		})
	}
}

// TestJump: a row that is jumped to has what follows it in sight.
func TestJump(t *testing.T) {
	l := list.New(&log{n: 100})
	for _, c := range []struct{ row, top int }{{5, 0}, {8, 0}, {11, 7}, {50, 46}, {49, 46}, {99, 88}} {
		l.Jump(c.row)
		if got, want := draw(t, l, 20, 12)[0], fmt.Sprintf("line %d ", c.top); !strings.Contains(got, want) {
			t.Errorf("a jump to %d shows %q first, want %q", c.row, got, want)
		}
	}
}

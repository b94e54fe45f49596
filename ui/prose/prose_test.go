package prose_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"perch/themes"
	"perch/ui/cell"
	"perch/ui/prose"
)

func look(t *testing.T, ascii bool) *cell.Look {
	t.Helper()
	theme, err := themes.Load("mono")
	if err != nil {
		t.Fatal(err)
	}
	return cell.New(theme, cell.Config{ASCII: ascii})
}

func text(k *cell.Look, lines []cell.Line) string {
	var out []string
	for _, l := range lines {
		out = append(out, strings.TrimRight(ansi.Strip(k.Row(l, 60)), " "))
	}
	return strings.Join(out, "\n")
}

func TestBreaking(t *testing.T) {
	k := look(t, false)
	if got := text(k, prose.Own(k, themes.Text, "one two three", 9)); got != " one two\n three" {
		t.Errorf("%q", got)
	}
	label := cell.Own(themes.None, " fix")
	if got := text(k, prose.Hanging(k, label, 6, themes.Text, "say it again", 14)); got != " fix  say it\n      again" {
		t.Errorf("%q", got)
	}
	if got := text(k, prose.Text(k, themes.Text, "a\x1b[31mb", 40)); strings.Contains(got, "\x1b") || !strings.Contains(got, "␛") {
		t.Errorf("%q", got)
	}
}

// TestMixed: our signs are spelled where only ASCII can be shown, what is not
// ours is shown by its number.
func TestMixed(t *testing.T) {
	var l cell.Line
	prose.Mixed(&l, cell.Style{}, "✓ ok · Zoë → \x1b")
	if got := text(look(t, true), []cell.Line{l}); got != `v ok . Zo<U+00EB> -> \x1b` {
		t.Errorf("%q", got)
	}
	if got := text(look(t, false), []cell.Line{l}); got != "✓ ok · Zoë → ␛" {
		t.Errorf("%q", got)
	}
}

func TestMarginIsExact(t *testing.T) {
	k := look(t, false)
	for w := 0; w < 12; w++ {
		for _, r := range prose.Margin(k, []cell.Line{cell.Own(themes.Text, "a long line of words")}, w, 3) {
			if n := ansi.StringWidth(r); n != w {
				t.Errorf("%d cells, want %d", n, w)
			}
		}
	}
}

package history_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"perch/engine/event"
	"perch/inspect/compare"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/history"
)

func look(t *testing.T) *cell.Look {
	t.Helper()
	th, err := themes.Load("dusk")
	if err != nil {
		t.Fatal(err)
	}
	return cell.New(th, cell.Config{})
}

// runs are an upload run and n calls, the newest first.
func runs(n int, args string) []history.Entry {
	when := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	all := []history.Entry{{ID: 1, When: when, Outcome: event.OK}}
	for i := 1; i <= n; i++ {
		e := history.Entry{ID: uint32(i + 1), N: i, Tool: "greet", Args: []byte(args), When: when, Outcome: event.OK}
		all = append([]history.Entry{e}, all...)
	}
	return all
}

// text is the page in w times h cells, which it fills exactly.
func text(t *testing.T, k *cell.Look, v *history.View, w, h int) string {
	t.Helper()
	rows := v.Draw(k, w, h)
	if len(rows) != h {
		t.Fatalf("%dx%d: %d rows", w, h, len(rows))
	}
	var out []string
	for i, row := range rows {
		if got := ansi.StringWidth(row); got != w {
			t.Fatalf("%dx%d: row %d is %d cells wide: %q", w, h, i, got, row)
		}
		out = append(out, ansi.Strip(row))
	}
	return strings.Join(out, "\n")
}

// sections are differences of each kind, with hostile texts.
func sections() []compare.Section {
	return []compare.Section{
		{Part: compare.Arguments, Rows: []compare.Row{{Kind: compare.Added, Where: "/" + strings.Repeat("long", 50), B: `"warm"`}}},
		{Part: compare.Outcome, Rows: []compare.Row{{Kind: compare.Moving, Where: "took", A: "4.0 ms", B: "5.0 ms"}}},
		{Part: compare.Result, Rows: []compare.Row{{Kind: compare.Respelled, Where: "/n", A: "1.0", B: "1"}}, More: 12},
		{Part: compare.Wire}, {Part: compare.HTTP, None: true},
		{Part: compare.Stderr, Rows: []compare.Row{{Kind: compare.Changed, Where: "stderr", A: "\x1b[31m宽", B: "\u202e"}}, Note: "the last 1 MiB of each are compared"},
	}
}

// TestAnySize: the page fills each size exactly, whatever a module wrote.
func TestAnySize(t *testing.T) {
	k := look(t)
	for _, args := range []string{`{}`, `{"a":"\u001b[31m","宽":[1,2]}`, "{" + strings.Repeat(`"k":"v",`, 5000) + `"z":1}`, "\x1b]0;x\a"} {
		v := history.New("宽\x1b[2J")
		v.Set(runs(3, args))
		for _, w := range []int{1, 2, 20, 40, 79, 99, 100, 120, 200} {
			for _, h := range []int{1, 2, 7, 30} {
				text(t, k, v, w, h)
			}
		}
		a, b, why := v.Partner()
		if why != "" {
			t.Fatal(why)
		}
		v.Compare(a, b)
		v.Compared(a.ID, b.ID, sections())
		for _, w := range []int{1, 30, 80, 100, 200} {
			text(t, k, v, w, 12)
			for range 20 {
				v.Do("nav.down")
				v.Do("nav.in")
				text(t, k, v, w, 12)
			}
		}
	}
}

// TestWhatDiffers: what differs by value comes first and is walked; ids, times
// and spellings are told apart, and what is the same is named.
func TestWhatDiffers(t *testing.T) {
	k := look(t)
	v := history.New("greeter")
	v.Set(runs(2, `{"name":"Ada"}`))
	a, b, _ := v.Partner()
	v.Compare(a, b)
	v.Compared(a.ID, b.ID, sections())
	got := text(t, k, v, 200, 30)
	for _, want := range []string{"call 1 ↔ 2", "left out", `→ "warm"`, "Ids and times, which differ in every call", "The same by value, written in another way",
		"12 more differences of result, not listed", "same: wire", "in neither call: HTTP", "stderr: the last 1 MiB"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not told:\n%s", want, got)
		}
	}
	if !v.Do("compare.next") || !v.Do("compare.next") {
		t.Error("there are two differences to walk")
	}
	for range 4 { // Arguments, Result, Wire, HTTP
		v.Do("tab.next")
	}
	if got := text(t, k, v, 200, 30); !strings.Contains(got, "No difference by value in HTTP") {
		t.Errorf("that nothing differs is not told:\n%s", got)
	}
	if v.Do("compare.next") {
		t.Error("a difference was walked to where there is none")
	}
	v.Compared(a.ID, b.ID, []compare.Section{{Part: compare.Result}, {Part: compare.Model, Rows: []compare.Row{{Kind: compare.Changed, Where: "text 1", A: "1", B: "2"}}}})
	if got := text(t, k, v, 200, 30); !strings.Contains(got, "same: result beside its content") {
		t.Errorf("a result whose content differs is not told from it:\n%s", got)
	}
}

// TestPartner: the marked call, else the one before of the same tool.
func TestPartner(t *testing.T) {
	v := history.New("greeter")
	all := runs(4, `{}`)
	all[1].Tool, all[3].Live = "shout", true
	v.Set(all)
	for _, c := range []struct {
		sel, mark uint32
		want      string
	}{
		{5, 0, "3 5"}, {4, 0, "it is the first call of this tool; space marks another one to compare with"}, {4, 3, "3 4"}, {3, 5, "3 5"},
		{2, 0, "this call still runs"}, {1, 0, "the upload run asks for the tools; only calls are compared"}, {5, 2, "the marked call still runs"},
	} {
		if c.mark != 0 {
			v.Select(c.mark)
			v.Do("nav.toggle")
		}
		v.Select(c.sel)
		a, b, why := v.Partner()
		got := why
		if why == "" {
			got = fmt.Sprint(a.ID, b.ID)
		}
		if got != c.want {
			t.Errorf("run %d with %d marked: %s, want %s", c.sel, c.mark, got, c.want)
		}
		if c.mark != 0 {
			v.Select(c.mark)
			v.Do("nav.toggle")
		}
	}
}

// TestNewRuns: the selection stays on its run, or with the newest.
func TestNewRuns(t *testing.T) {
	v := history.New("greeter")
	v.Set(runs(2, `{}`))
	v.Set(runs(3, `{}`))
	if e, _ := v.Selected(); e.N != 3 {
		t.Errorf("call %d is selected, not the newest", e.N)
	}
	v.Select(2)
	v.Set(runs(5, `{}`))
	if e, _ := v.Selected(); e.N != 1 {
		t.Errorf("call %d is selected, not the one that was", e.N)
	}
}

package result_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"perch/engine/event"
	"perch/inspect/model"
	"perch/inspect/record"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/result"
)

// answered is an ended call whose answer has this result.
func answered(t testing.TB, res string) result.Call {
	t.Helper()
	rec := record.New(record.DefaultLimits())
	t.Cleanup(func() { rec.Close() })
	line := `{"jsonrpc":"2.0","id":"c","result":` + res + `}`
	for i, b := range []event.Body{
		event.Begin{Kind: event.Call, Tool: "make"},
		event.Output{Stream: event.Stdout, Bytes: []byte(line + "\n")},
		event.Message{Line: 1, Len: len(line), Newline: true, Kind: event.Result, Answers: 1},
		event.End{Outcome: event.OK},
	} {
		rec.Append(event.Event{Run: 1, Seq: uint64(i), Body: b})
	}
	r := rec.Run(1)
	return result.Call{Run: r, Ended: true, Model: model.Blocks(r)}
}

func look(t testing.TB) *cell.Look {
	t.Helper()
	th, err := themes.Load("dusk")
	if err != nil {
		t.Fatal(err)
	}
	return cell.New(th, cell.Config{})
}

func text(s string) string {
	return `{"content":[{"type":"text","text":` + s + `}]}`
}

// big are results of about a MiB, each heavy in a way of its own.
func big() map[string]string {
	n := 1 << 20
	return map[string]string{
		"one line":    text(`"` + strings.Repeat("x", n) + `"`),
		"many lines":  text(`"` + strings.Repeat(`line\n`, n/6) + `"`),
		"hidden":      text(`"` + strings.Repeat("\u202e\u200b", n/6) + `"`),
		"ideographs":  text(`"` + strings.Repeat("世界", n/6) + `"`),
		"marks":       text(`"a` + strings.Repeat("\u0301", n/2) + `"`),
		"emoji":       text(`"` + strings.Repeat("👩‍🚀", n/11) + `"`),
		"JSON within": text(`"[` + strings.Repeat(`{\"a\":1},`, n/11) + `0]"`),
		"numbers":     `{"content":[],"structuredContent":{"n":[` + strings.Repeat("1,", n/2) + `1]}}`,
		"objects":     `{"content":[],"structuredContent":{"n":[` + strings.Repeat(`{"name":"a","v":1},`, n/19) + `{}]}}`,
		"deep":        `{"content":[],"structuredContent":` + strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000) + "}",
	}
}

// TestBigResults: each tab of a big result is exact rows, and its last row can
// be seen.
func TestBigResults(t *testing.T) {
	k := look(t)
	for name, res := range big() {
		t.Run(name, func(t *testing.T) {
			p := result.New()
			p.Show(answered(t, res))
			for tab := range 4 {
				p.SetTab(tab)
				for _, act := range []string{"", "nav.bottom", "nav.page_up", "content.next", "nav.bottom", "nav.out"} {
					if act == "nav.out" {
						p.Out()
					} else if act != "" {
						p.Do(act)
					}
					rows := p.View(k, 80, 20, true)
					if len(rows) != 20 {
						t.Fatalf("tab %d, %s: %d rows", tab, act, len(rows))
					}
					for _, r := range rows {
						if n := ansi.StringWidth(r); n != 80 {
							t.Fatalf("tab %d, %s: %d cells: %q", tab, act, n, r)
						}
					}
				}
			}
		})
	}
}

// TestFindInALongLine: what is broken between two rows is found, shown marked and
// gone to.
func TestFindInALongLine(t *testing.T) {
	k := look(t)
	p := result.New()
	p.Show(answered(t, text(`"`+strings.Repeat("x", 70_000)+"needle"+strings.Repeat("x", 70_000)+`"`)))
	for _, w := range []int{60, 61, 62, 63, 64, 65} {
		for _, tab := range []int{0, 2} {
			p.SetTab(tab)
			p.View(k, w, 20, true)
			p.Do("find.open")
			p.Input().SetText("needle")
			p.Changed()
			p.Do("type.accept")
			shown := plain(p.View(k, w, 20, true))
			if !strings.Contains(shown, "1 of 1") {
				t.Errorf("%d cells, tab %d:\n%s", w, tab, shown)
			}
			if all := strings.Map(func(r rune) rune {
				if strings.ContainsRune("xnedl", r) {
					return r
				}
				return -1
			}, shown); !strings.Contains(all, "xneedlex") {
				t.Errorf("%d cells, tab %d: it is not in sight:\n%s", w, tab, shown)
			}
			p.Out()
		}
	}
}

func plain(b cell.Block) string {
	var out []string
	for _, r := range b {
		out = append(out, strings.TrimRight(ansi.Strip(r), " "))
	}
	return strings.Join(out, "\n")
}

// BenchmarkOpen shows a result of 1 MiB for the first time; a frame of 60 Hz is
// 16.7 ms.
func BenchmarkOpen(b *testing.B) {
	for _, name := range names() {
		for tab, title := range []string{"Model", "JSON", "Raw"} {
			b.Run(fmt.Sprintf("%s/%s", name, title), func(b *testing.B) {
				c, k := answered(b, big()[name]), look(b)
				for b.Loop() {
					p := result.New()
					p.Show(c)
					p.SetTab(tab)
					p.View(k, 120, 40, true)
				}
				b.ReportMetric(b.Elapsed().Seconds()*60/float64(b.N), "frames/op")
			})
		}
	}
}

// BenchmarkScroll goes down by a row and draws.
func BenchmarkScroll(b *testing.B) {
	for _, name := range names() {
		for tab, title := range []string{"Model", "JSON", "Raw"} {
			b.Run(fmt.Sprintf("%s/%s", name, title), func(b *testing.B) {
				p, k := result.New(), look(b)
				p.Show(answered(b, big()[name]))
				p.SetTab(tab)
				p.View(k, 120, 40, true)
				for b.Loop() {
					p.Do("nav.down")
					p.View(k, 120, 40, true)
				}
				b.ReportMetric(b.Elapsed().Seconds()*60/float64(b.N), "frames/op")
			})
		}
	}
}

func names() []string {
	var out []string
	for name := range big() {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

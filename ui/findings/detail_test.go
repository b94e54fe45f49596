package findings_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/record"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/findings"
)

func look(t *testing.T) *cell.Look {
	t.Helper()
	th, err := themes.Load("mono")
	if err != nil {
		t.Fatal(err)
	}
	return cell.New(th, cell.Config{})
}

// told is a detail as text at 70 cells.
func told(t *testing.T, f rules.Finding, a findings.Ask) string {
	t.Helper()
	a.Look, a.W = look(t), 70
	d := findings.About(f, a)
	out := []string{ansi.Strip(a.Look.Row(d.Title, 70))}
	for _, l := range d.Head {
		out = append(out, ansi.Strip(a.Look.Row(l, 70)))
	}
	for i := range d.Body.Len() {
		out = append(out, strings.TrimRight(ansi.Strip(a.Look.Row(d.Body.Row(i, 70), 70)), " "))
	}
	return strings.Join(out, "\n")
}

// ran is a run whose streams hold these texts.
func ran(t *testing.T, stdout, stderr string) *record.Run {
	t.Helper()
	rec := record.New(record.DefaultLimits())
	t.Cleanup(func() {
		if err := rec.Close(); err != nil {
			t.Error(err)
		}
	})
	for i, b := range []event.Body{event.Begin{Kind: event.Call}, event.Output{Stream: event.Stdout, Bytes: []byte(stdout)}, event.Output{Stream: event.Stderr, Bytes: []byte(stderr)}} {
		rec.Append(event.Event{Run: 1, Seq: uint64(i), Body: b})
	}
	return rec.Run(1)
}

func breach(rule abi.RuleID, w event.Where) rules.Finding {
	f := rules.Of(event.Breach{Rule: rule, Where: w, Detail: "this happened. And more of it", Fix: "do that"})
	f.RunID, f.Run = 1, event.Call
	return f
}

func TestDetailShowsTheBytes(t *testing.T) {
	run := ran(t, "first\nsecond line\n"+strings.Repeat("x", 5000)+"HERE"+strings.Repeat("y", 5000)+"\n", "log one\nlog two\n")
	manifest := []byte("{\n  \"abi\": 2,\n  \"name\": \"x\"\n}\n")
	module := append([]byte("\x00asm\x01\x00\x00\x00"), make([]byte, 100)...)
	file := func(name string) []byte {
		return map[string][]byte{abi.ManifestFile: manifest, abi.ModuleFile: module}[name]
	}
	for _, c := range []struct {
		name string
		f    rules.Finding
		tab  string
		want []string
		not  []string
	}{
		{"a line", breach(abi.FrameJSON, event.Where{Stream: event.Stdout, Line: 2, Offset: 6, End: 12}), "",
			[]string{"frame/json  Subako · error", "this happened", "And more of it", "second line␊\n      ^^^^^^\n", "fix   do that", "so    Subako: breaks the call", "bad", "good"}, []string{"first"}},
		{"the middle of a long line", breach(abi.FrameNumber, event.Where{Stream: event.Stdout, Line: 3, Offset: 18 + 5000, End: 18 + 5004}), "",
			[]string{"…xxx", "HERE", "^^^^", "yyy…"}, nil},
		{"stderr", breach(abi.LifeStderrTail, event.Where{Stream: event.Stderr, Line: 1, Offset: 0, End: 16}), "",
			[]string{"log one␊\n      ^^^^^^^", "log two␊\n      ^^^^^^^"}, nil},
		{"the manifest", breach(abi.PackageManifestABI, event.Where{Stream: event.File, File: abi.ManifestFile, Offset: 11, End: 12}), "",
			[]string{`        "abi": 2,␊` + "\n" + `               ^`}, nil},
		{"the module", breach(abi.ModuleMalformed, event.Where{Stream: event.File, File: abi.ModuleFile, Offset: 4, End: 8, Func: -1}), "",
			[]string{"00000  00 61 73 6d 01 00 00 00   ·asm····", "^^ ^^ ^^ ^^"}, nil},
		{"the module in hexadecimal", breach(abi.ModuleMalformed, event.Where{Stream: event.File, File: abi.ModuleFile, Offset: 40, End: 41, Func: -1}), "Hex",
			[]string{"module.wasm · byte 40", "offset", "^^"}, []string{"fix"}},
		{"no bytes", breach(abi.HTTPUnread, event.Where{}), "Hex", []string{"here  call run, event 0", "fix   do that"}, []string{"^"}},
		{"bytes that are not there", breach(abi.FrameJSON, event.Where{Stream: event.Stdout, Line: 99, Offset: 1 << 40, End: 1<<40 + 1}), "",
			[]string{"fix   do that"}, []string{"^"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := findings.Ask{Tab: c.tab}
			a.Bytes, _ = findings.At(c.f, run, file)
			got := told(t, c.f, a)
			for _, w := range c.want {
				if !strings.Contains(got, w) {
					t.Errorf("%q is not in\n%s", w, got)
				}
			}
			for _, n := range c.not {
				if strings.Contains(got, n) {
					t.Errorf("%q is in\n%s", n, got)
				}
			}
		})
	}
}

// TestAlso: further places of the same fault are marked too.
func TestAlso(t *testing.T) {
	run := ran(t, "ab cd ef\n", "")
	f := breach(abi.FrameNumber, event.Where{Stream: event.Stdout, Line: 1, Offset: 0, End: 2})
	f.Also = []event.Where{{Stream: event.Stdout, Line: 1, Offset: 6, End: 8}, {Stream: event.Stdout, Line: 7, Offset: 900, End: 901}}
	a := findings.Ask{}
	a.Bytes, _ = findings.At(f, run, nil)
	if got := told(t, f, a); !strings.Contains(got, "ab cd ef␊\n      ^^\n            ^^\n") || !strings.Contains(got, "and 2 places more") {
		t.Errorf("got\n%s", got)
	}
}

func TestStack(t *testing.T) {
	f := breach(abi.LifeTrap, event.Where{})
	f.Stack = []event.Frame{{Name: "runtime.panicmem", File: "/usr/local/go/src/runtime/panic.go", Line: 1}, {Name: "main.bar", File: "main.go", Line: 69}, {Name: "main.main", File: "main.go", Line: 3}}
	if got := told(t, f, findings.Ask{}); !strings.Contains(got, "by  ▸ main.bar at main.go:69, runtime.panicmem  (+2 frames)") {
		t.Errorf("got\n%s", got)
	}
	if got := told(t, f, findings.Ask{Stack: true}); !strings.Contains(got, "▾ 3 frames") || !strings.Contains(got, "2  main.main  main.go:3") {
		t.Errorf("got\n%s", got)
	}
}

// TestEveryRuleIsExplained: the page of each rule has its parts, and fits.
func TestEveryRuleIsExplained(t *testing.T) {
	k := look(t)
	for _, r := range abi.Rules() {
		about, ok := rules.WordsOf(r.ID)
		if !ok {
			t.Errorf("%s has no words", r.ID)
			continue
		}
		for _, w := range []int{30, 51, 100} {
			var names []string
			for _, l := range findings.RuleLines(k, about, w, true) {
				if n := k.Width(l); n > w {
					t.Errorf("%s at %d: a row of %d cells: %q", r.ID, w, n, ansi.Strip(k.Row(l, n)))
				}
				if head, _, _ := strings.Cut(ansi.Strip(k.Row(l, w)), " "); head != "" {
					names = append(names, head)
				}
			}
			if got := strings.Join(names, " "); got != "rule why keep bad good from" && got != "rule why keep from" {
				t.Errorf("%s has the parts %s", r.ID, got)
			}
		}
		if text := findings.RuleText(r, about); !strings.Contains(text, about.Why) || !strings.Contains(text, about.Rule) {
			t.Errorf("%s as text: %q", r.ID, text)
		}
	}
}

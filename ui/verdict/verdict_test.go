package verdict_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wasm"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/verdict"
)

var module = append([]byte("\x00asm\x01\x00\x00\x00"), make([]byte, 200)...)

func of(rule abi.RuleID, offset int64, cause string) rules.Finding {
	return rules.Of(event.Breach{Rule: rule, Detail: "found " + string(rule), Cause: cause,
		Where: event.Where{Stream: event.File, File: abi.ModuleFile, Offset: offset, End: offset + 2, Section: "import", Func: -1}})
}

func refused() *verdict.View {
	all := []rules.Finding{of(abi.ModuleImportModule, 16, "built for a browser"), of(abi.ModuleMemoryMissing, 32, ""), of(abi.ModuleStartMissing, 48, "built for a browser")}
	return verdict.New(all, &wasm.Report{Imports: []wasm.ImportRow{{Module: "env", Name: "x", Why: "env is not provided"}}}, func(string) []byte { return module })
}

func text(t *testing.T, rows cell.Block, w int) string {
	t.Helper()
	var out []string
	for _, r := range rows {
		if n := ansi.StringWidth(r); n != w {
			t.Fatalf("%d cells, want %d: %q", n, w, ansi.Strip(r))
		}
		out = append(out, strings.TrimRight(ansi.Strip(r), " "))
	}
	return strings.Join(out, "\n")
}

func look(t *testing.T) *cell.Look {
	t.Helper()
	th, err := themes.Load("mono")
	if err != nil {
		t.Fatal(err)
	}
	return cell.New(th, cell.Config{})
}

func TestOneCause(t *testing.T) {
	v, k := refused(), look(t)
	got := text(t, v.Draw(k, 70, 40, false), 70)
	for _, want := range []string{"Subako ✗ refused: 3 errors", "MCP · not judged: nothing was run", "❯▾ one cause of 2  built for a browser", "   ✗ found module/start-missing", " ✗ found module/memory-missing"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if !v.Do("nav.in") || strings.Contains(text(t, v.Draw(k, 70, 40, false), 70), "start-missing") {
		t.Error("enter does not fold")
	}
	if !v.Do("nav.right") {
		t.Error("right does not unfold")
	}
}

// TestBytes: enter on a finding leads to its bytes, esc back.
func TestBytes(t *testing.T) {
	v, k := refused(), look(t)
	v.Draw(k, 70, 40, false)
	for range 3 {
		v.Do("nav.down")
	}
	if f, ok := v.Finding(); !ok || f.Rule != abi.ModuleImportModule {
		t.Fatalf("the row is about %+v", f)
	}
	if got := text(t, v.DrawSide(k, 60, 40), 60); !strings.Contains(got, "env is not provided") {
		t.Errorf("beside\n%s", got)
	}
	if !v.Do("nav.in") || !v.Beside() {
		t.Fatal("enter does not lead to its bytes")
	}
	got := text(t, v.DrawSide(k, 60, 60), 60)
	for _, want := range []string{"module/import-module  Subako · error", "00010  00 00", "^^ ^^", "why   ", "good  "} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	v.Do("tab.next")
	if got := text(t, v.DrawSide(k, 60, 60), 60); !strings.Contains(got, "module.wasm · bytes 16–17") {
		t.Errorf("the bytes\n%s", got)
	}
	if !v.Out() || v.Beside() || v.Out() {
		t.Error("esc is one step")
	}
	if copied, ok := v.Copy(); !ok || !strings.Contains(copied, "error[module/import-module]") {
		t.Errorf("copied %q", copied)
	}
}

func TestSizes(t *testing.T) {
	v, k := refused(), look(t)
	for _, w := range []int{1, 5, 40, 69, 120} {
		for _, h := range []int{1, 5, 9, 40} {
			for range 3 {
				text(t, v.Draw(k, w, h, true), w)
				text(t, v.DrawSide(k, w, h), w)
				v.Do("tab.next")
			}
		}
	}
}

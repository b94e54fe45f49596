package export_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/inspect/bench"
	"perch/inspect/export"
	"perch/inspect/model"
	"perch/inspect/record"
	"perch/inspect/report"
	"perch/inspect/rules"
	"perch/inspect/safe"
)

func TestValues(t *testing.T) {
	doc, err := jsonread.Parse([]byte(`{"s": "a\u001b\n", "n": 9007199254740993.10, "l": [ 1e400, {} ]}`))
	if err != nil {
		t.Fatal(err)
	}
	v := doc.Root()
	for _, c := range []struct{ got, want string }{
		{string(export.Value(v.Get("s"))), "a\x1b\n"},
		{string(export.Value(v.Get("n"))), "9007199254740993.10"},
		{string(export.Compact(v)), `{"s":"a\u001b\n","n":9007199254740993.10,"l":[1e400,{}]}`},
		{string(export.Pretty(v.Get("l"))), "[\n  1e400,\n  {}\n]"},
		{string(export.Value(jsonread.Value{})), ""},
	} {
		if c.got != c.want {
			t.Errorf("is %q, want %q", c.got, c.want)
		}
	}
	if text, hidden := export.Clipboard([]byte("a\x1b[0m\n\tb\u202e\xff")); text != "a␛[0m\n\tb⟨U+202E⟩⟨FF⟩" || hidden != 3 {
		t.Errorf("the clipboard gets %q, %d hidden", text, hidden)
	}
}

func TestHex(t *testing.T) {
	got := export.Hex([]byte("rendering bar\n\xff0123"), 89)
	want := "00059  72 65 6e 64 65 72 69 6e  67 20 62 61 72 0a ff 30  rendering bar..0\n" +
		"00069  31 32 33                                          123\n"
	if got != want {
		t.Errorf("is\n%swant\n%s", got, want)
	}
	if got := export.Hex(nil, 0); got != "" {
		t.Errorf("nothing is %q", got)
	}
}

// hostile is text that would act in a terminal, a page or a fence.
const hostile = "```\n# not a heading\n<script>alert(1)</script> \x1b[31m\u202e ![x](https://evil.example) | `code` ~~~~~~ \xff"

func recorded(t *testing.T, bodies ...event.Body) *record.Run {
	t.Helper()
	r := record.New(record.DefaultLimits())
	t.Cleanup(func() { r.Close() })
	for i, b := range bodies {
		r.Append(event.Event{Run: 1, Time: time.Duration(i) * time.Millisecond, Body: b})
	}
	return r.Run(1)
}

func hostileRun(t *testing.T) *record.Run {
	code := uint32(0)
	line := []byte(strings.ReplaceAll(hostile, "\n", "") + "\n")
	bodies := []event.Body{
		event.Begin{Kind: event.Call, Tool: hostile, Arguments: []byte(`{"a":"` + "```" + `\u001b"}`)},
		event.Request{Line: 1, Bytes: line, ID: "1"},
		event.Output{Stream: event.Stdout, Bytes: line},
		event.Message{Line: 1, Len: len(line) - 1, Newline: true, Kind: event.NotMessage},
		event.Output{Stream: event.Stderr, Bytes: []byte(strings.Repeat(hostile+"\n", 200))},
		event.HTTPRequest{ID: 1, Method: "GET", URL: "https://a.example/" + hostile, Headers: []event.Header{{Name: "authorization", Value: "Bearer s3cret", Hidden: true}}},
		event.HTTPHop{ID: 1, Hop: 1, Decisions: []event.Decision{{Check: "allowlist", What: hostile, Source: hostile}}, Location: hostile,
			Sent: []event.Header{{Name: "authorization", Value: "Bearer s3cret", Hidden: true}}},
		event.HTTPAnswer{ID: 1, Kind: abi.ErrConnection, Message: hostile, Mock: hostile},
	}
	for i := range 500 {
		bodies = append(bodies, event.FileEffect{Op: event.FileWrite, Path: fmt.Sprint("/volume/tmp/", i, hostile), Bytes: 10, Note: hostile})
	}
	return recorded(t, append(bodies, event.Verdict{Outcome: event.Broken, Rule: abi.FrameJSON},
		event.Exit{Code: &code, Trap: hostile, AfterEOF: -1}, event.End{Outcome: event.Broken})...)
}

// outside is a page without what stands in its fences and code spans.
func outside(t *testing.T, page string) string {
	t.Helper()
	var out strings.Builder
	fence := ""
	for line := range strings.SplitSeq(page, "\n") {
		bar := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(bar) >= 3:
			fence = bar
		case fence != "" && line == fence:
			fence = ""
		case fence == "":
			out.WriteString(withoutSpans(line) + "\n")
		}
	}
	if fence != "" {
		t.Error("a fence is not closed")
	}
	return out.String()
}

// withoutSpans takes the code spans out of a line.
func withoutSpans(line string) string {
	var out strings.Builder
	for {
		i := strings.IndexByte(line, '`')
		if i < 0 {
			return out.String() + line
		}
		out.WriteString(line[:i])
		rest := strings.TrimLeft(line[i:], "`")
		bar := line[i : len(line)-len(rest)]
		end := -1
		for k := 0; k < len(rest); {
			if rest[k] != '`' {
				k++
				continue
			}
			n := len(rest[k:]) - len(strings.TrimLeft(rest[k:], "`"))
			if n == len(bar) {
				end = k
				break
			}
			k += n
		}
		if end < 0 {
			return out.String() + line[i:]
		}
		line = rest[end+len(bar):]
	}
}

func TestAHostileReport(t *testing.T) {
	all := []rules.Finding{rules.Of(event.Breach{Rule: abi.FrameJSON, Detail: "a line is " + hostile, Fix: hostile})}
	for range 100 {
		all = append(all, rules.Of(event.Breach{Rule: abi.CallEmpty, Detail: strings.Repeat(hostile, 100)}))
	}
	page := export.Report(export.Call{
		Package: report.Package{Name: hostile, ABI: "1", Toolchain: hostile, SHA256: strings.Repeat("a", 64)}, Name: hostile, Run: hostileRun(t),
		Model: []model.Block{{Type: model.Crash, Text: strings.Repeat(hostile, 5_000), About: hostile, OurWords: true}}, Findings: all, Changed: true,
	})
	if safe.Text(page) != page || !utf8.ValidString(page) {
		t.Error("the page has characters that act or do not show")
	}
	if strings.Contains(page, "s3cret") {
		t.Error("the page holds a secret")
	}
	if len(page) > 600_000 {
		t.Errorf("the page has %d bytes", len(page))
	}
	rest := outside(t, page)
	for _, bad := range []string{"<", "not a heading", "![", "evil", "~~~", "`"} {
		if strings.Contains(rest, bad) {
			i := strings.Index(rest, bad)
			t.Errorf("%q stands where it acts: %q", bad, rest[max(0, i-60):min(len(rest), i+60)])
		}
	}
	for _, want := range []string{"# Call of", "## Arguments", "## Findings", "## What the model reads", "## Wire", "## HTTP", "## Files", "## stderr",
		"**✗ broken", "≠ changed by hand", "51 findings more left out", "more bytes are left out", "The last 4,096 B of"} {
		if !strings.Contains(rest, want) {
			t.Errorf("%q is not on the page", want)
		}
	}
}

func TestTheReportOfARealCall(t *testing.T) {
	b, err := bench.Open(t.Context(), "sample:orders", bench.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	c, err := b.Call(t.Context(), "create", b.Arguments()["create"][0].Value)
	if err != nil {
		t.Fatal(err)
	}
	page := export.Report(export.Call{Package: b.About(), Name: b.Name, Run: c.Run, Model: c.Model, Findings: c.Findings, Source: b.Source})
	for _, want := range []string{"# Call of `create`\n", "- Package: `orders` · ABI 1 · Rust · ", "- Outcome: **✓ ok · ", "- Subako: ok", "- MCP 2026-07-28: ",
		"perch call sample:orders create --args '", "→ in 1 at ", "← out 1 at ", "## HTTP\n\n- `POST https://api.example.com/orders`: ", "by the mock `mocks.toml"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not on the page", want)
		}
	}
	outside(t, page)
	all, more := export.Exchanges(c.Run, 10)
	if len(all) != c.Result.Usage.HTTP || more != 0 || all[0].Answer == nil {
		t.Fatalf("%d exchanges, %d more", len(all), more)
	}
	if got := export.Curl(all[0], nil); !strings.HasPrefix(got, "# mocked: mocks.toml") || !strings.Contains(got, "\ncurl ") {
		t.Errorf("curl does not say that a mock answered: %s", got)
	}
	if got := export.Curl(all[0], nil); !strings.Contains(got, " --header 'accept: application/json' ") || !strings.HasSuffix(got, "--url https://api.example.com/orders\n") {
		t.Errorf("curl is %s", got)
	}
	lines := export.Requests(c.Run)
	if len(lines) != 1 || !strings.HasPrefix(string(lines[0]), `{"jsonrpc":"2.0","id":`) || !strings.HasSuffix(string(lines[0]), "}}") {
		t.Errorf("requests are %q", lines)
	}
}

func TestTheReportOfALiveRun(t *testing.T) {
	page := export.Report(export.Call{Run: recorded(t, event.Begin{Kind: event.Call, Tool: "t"})})
	if !strings.Contains(page, "it still runs") || !strings.Contains(page, "Nothing.") {
		t.Errorf("the page is\n%s", page)
	}
}

func FuzzReport(f *testing.F) {
	f.Add("a`b``", "```\nx")
	f.Add("\x1b", hostile)
	f.Fuzz(func(t *testing.T, name, text string) {
		if len(name) > 2_000 || len(text) > 10_000 {
			return
		}
		run := recorded(t, event.Begin{Kind: event.Call, Tool: name, Arguments: []byte(text)}, event.Output{Stream: event.Stderr, Bytes: []byte(text)}, event.End{Outcome: event.OK})
		page := export.Report(export.Call{Name: name, Run: run, Model: []model.Block{{Type: model.Text, Text: text}}})
		if safe.Text(page) != page {
			t.Fatalf("%q and %q: the page is not safe", name, text)
		}
		if rest := outside(t, page); strings.Contains(rest, "`") {
			t.Fatalf("%q and %q: a code span is not closed", name, text)
		}
	})
}

func BenchmarkMebibyte(b *testing.B) {
	text := []byte("[" + strings.Repeat(`{"id":1234.50,"label":"a row","tags":["a","b"]},`, 20_000) + "0]")
	doc, err := jsonread.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	for name, f := range map[string]func(){
		"pretty": func() { export.Pretty(doc.Root()) }, "hex": func() { export.Hex(text, 0) }, "clipboard": func() { export.Clipboard(text) },
		"perch": func() { export.Perch("p", "t", text) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				f()
			}
		})
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"regexp"
	"strings"
	"testing"
)

// command is what a service takes for one.
func command(text string) string {
	return regexp.MustCompile(`(?m)^[\s\x{a0}\x{3000}]*::|##(vso)?\[`).FindString(text)
}

// TestNoCommandInAJobsLog: what a module writes is no command to the service
// that runs perch, however it is told; other programs get it byte for byte.
func TestNoCommandInAJobsLog(t *testing.T) {
	const hostile = `::set-output name=a::b\n\n \u00a0::add-mask::c\n##[error]d ##vso[task.setvariable]e`
	raw := strings.ReplaceAll(hostile, `\u00a0`, "\u00a0")
	dir := folder(t, "loud", `start err '`+raw+`\n'
list result '{"resultType":"complete","tools":[{"name":"`+strings.ReplaceAll(hostile, `\`, `\\`)+`","description":"A tool.","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"public"}'`, "")
	called := folder(t, "called", `call err '`+raw+`\n' result '{"resultType":"complete","content":[{"type":"text","text":"`+strings.ReplaceAll(hostile, `\`, `\\`)+`"}]}'`, "")
	for _, format := range formats() {
		t.Setenv("GITHUB_ACTIONS", "true")
		_, out, errs := perch(t, "", "check", dir, "--format", format)
		if c := command(errs); c != "" {
			t.Errorf("%s: %q in %q", format, c, errs)
		}
		if c := command(out); (c != "") != (format == formatGitHub) {
			t.Errorf("%s: %q in %q", format, c, out)
		}
	}
	_, out, errs := perch(t, "", "call", called, "act")
	if command(out) != "" || command(errs) != "" || !strings.HasPrefix(out, "…::set-output name=a::b\n") || !strings.Contains(out, "##…[error]d ##vso…[task") {
		t.Errorf("%q\n%q", out, errs)
	}
	_, out, _ = perch(t, "", "call", called, "act", "--json")
	var doc struct{ Model []struct{ Text string } }
	if err := json.Unmarshal([]byte(out), &doc); err != nil || command(out) != "" || command(doc.Model[0].Text) == "" {
		t.Errorf("%v: %s", err, out)
	}
	t.Setenv("GITHUB_ACTIONS", "")
	if _, out, _ = perch(t, "", "call", called, "act"); !strings.HasPrefix(out, "::set-output name=a::b\n") || !strings.Contains(out, "##[error]d") {
		t.Errorf("outside of a job: %q", out)
	}
}

// TestLogGuard: in pieces as in one, and documents say the same.
func TestLogGuard(t *testing.T) {
	t.Setenv("TF_BUILD", "True")
	t.Setenv("LC_ALL", "C.UTF-8")
	for in, want := range map[string]string{
		"::a\n":           "…::a\n",
		" \t::a":          " \t…::a",
		"a::b\r::c":       "a::b\r…::c",
		"a##[b]":          "a##…[b]",
		"###vso[b]":       "###vso…[b]",
		"# #[b] [c] ##-[": "# #[b] [c] ##-[",
		"日本::x\n\u3000::": "日本::x\n\u3000…::",
	} {
		var whole, pieces bytes.Buffer
		if _, err := guarded(&whole).Write([]byte(in)); err != nil || whole.String() != want {
			t.Errorf("%q: %q, want %q, %v", in, whole.String(), want, err)
		}
		w := guarded(&pieces)
		for _, r := range in {
			_, _ = w.Write([]byte(string(r)))
		}
		if pieces.String() != want {
			t.Errorf("%q in pieces: %q, want %q", in, pieces.String(), want)
		}
	}
	var asJSON, asXML bytes.Buffer
	_, _ = guardedAs(guarded(&asJSON), formatSARIF).Write([]byte(`{"a":"##[b"}`))
	_, _ = guardedAs(guarded(&asXML), formatJUnit).Write([]byte("<a>\n::x ##[b</a>"))
	var a struct{ A string }
	var x string
	if err := json.Unmarshal(asJSON.Bytes(), &a); err != nil || a.A != "##[b" || command(asJSON.String()) != "" {
		t.Errorf("%v: %s", err, asJSON.String())
	}
	if err := xml.Unmarshal(asXML.Bytes(), &x); err != nil || x != "\n::x ##[b" || command(asXML.String()) != "" {
		t.Errorf("%v: %s", err, asXML.String())
	}
}

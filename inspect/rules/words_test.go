package rules_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"perch/engine/abi"
	"perch/engine/egress"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/engine/pack"
	"perch/engine/wire"
	"perch/inspect/rules"
)

func TestEveryRuleHasItsWords(t *testing.T) {
	all := rules.AllWords()
	ledger := abi.Rules()
	if len(all) != len(ledger) {
		t.Fatalf("%d rules have words, the ledger has %d", len(all), len(ledger))
	}
	for i, r := range ledger {
		w, ok := rules.WordsOf(r.ID)
		if !ok || w.ID != r.ID || all[i].ID != r.ID {
			t.Errorf("%s has no words, or those of another", r.ID)
			continue
		}
		for name, text := range map[string]string{"rule": w.Rule, "why": w.Why, "fix": w.Fix, "source": w.Source, "bad": w.Bad, "good": w.Good, "medium": w.Medium.String()} {
			if text == "" {
				t.Errorf("%s has no %s", r.ID, name)
			}
		}
		if w.Bad == w.Good {
			t.Errorf("%s: the example that breaks it is the one that keeps it", r.ID)
		}
	}
	if _, ok := rules.WordsOf("life/nothing"); ok {
		t.Error("there are words for a rule that is none")
	}
}

// TestWordsNameTheirSource: whose word a rule is, and the place that says so.
func TestWordsNameTheirSource(t *testing.T) {
	for _, w := range rules.AllWords() {
		cited := w.Cited()
		switch w.Side {
		case rules.SubakoSays:
			if section, is := strings.CutPrefix(cited, "ABI page, "); !is || !slices.Contains(rules.PageSections(), section) {
				t.Errorf("%s is Subako's word, and %q names no section of its page", w.ID, w.Source)
			}
		case rules.MCPSays:
			if place, is := strings.CutPrefix(cited, "MCP "+abi.ProtocolVersion+", "); !is || place == "" {
				t.Errorf("%s is MCP's word, and %q names no place in it", w.ID, w.Source)
			}
		case rules.OurReading:
			if why, is := strings.CutPrefix(w.Source, "our reading: "); !is || len(why) < 20 || cited != "" {
				t.Errorf("%s is our reading, and %q does not say why", w.ID, w.Source)
			}
		}
	}
}

// TestSides: what stands on the page, what on MCP, and what is ours.
func TestSides(t *testing.T) {
	for id, want := range map[abi.RuleID]rules.Side{
		abi.LifeStall: rules.SubakoSays, abi.FrameUTF8: rules.OurReading, abi.FrameBlank: rules.OurReading, abi.CacheHints: rules.MCPSays,
		abi.ListStable: rules.MCPSays, abi.FilesRelative: rules.SubakoSays, abi.FilesReadOnly: rules.OurReading, abi.HTTPTooLarge: rules.SubakoSays,
		abi.PackageArchive: rules.OurReading, abi.ModuleMemoryLimit: rules.OurReading, abi.RPCNotificationIgnored: rules.SubakoSays,
	} {
		if w, _ := rules.WordsOf(id); w.Side != want || rules.Of(event.Breach{Rule: id}).Side() != want {
			t.Errorf("%s is %s, want %s", id, w.Side, want)
		}
	}
}

func TestWordsAreShortAndPlain(t *testing.T) {
	seen := map[string]abi.RuleID{}
	notOurs := regexp.MustCompile(`(?i)\b(please|oops|failed to|invalid|plugin|sandbox|payload)\b|!$|! `)
	for _, w := range rules.AllWords() {
		for name, text := range map[string]string{"why": w.Why, "fix": w.Fix} {
			if first, twice := seen[text]; twice {
				t.Errorf("%s and %s have one text: %s", first, w.ID, text)
			}
			seen[text] = w.ID
			if n := strings.Count(text, ". ") + 1; n > 5 || len(text) > 420 || !strings.HasSuffix(text, ".") && !strings.Contains(text, ":") {
				t.Errorf("%s: %s has %d sentences and %d bytes: %s", w.ID, name, n, len(text), text)
			}
			if word := notOurs.FindString(text); word != "" {
				t.Errorf("%s: %s says %q", w.ID, name, word)
			}
		}
		for _, code := range append(texts(w.Fixes), w.Bad, w.Good) {
			for line := range strings.SplitSeq(code, "\n") {
				if utf8.RuneCountInString(line) > 100 || strings.TrimRight(line, " \t") != line {
					t.Errorf("%s has a line of %d characters, or blanks at its end: %s", w.ID, utf8.RuneCountInString(line), line)
				}
			}
		}
	}
}

func texts(all []rules.Advice) []string {
	var list []string
	for _, a := range all {
		list = append(list, a.Text)
	}
	return list
}

func TestSyntaxOfExamples(t *testing.T) {
	for medium, want := range map[rules.Medium]string{rules.BlockText: "json", rules.WAT: "wasm", rules.Go: "go", rules.Dialog: "", rules.Shell: "sh"} {
		if got := medium.Syntax(); got != want {
			t.Errorf("%s is written in %q, want %q", medium, got, want)
		}
	}
	for _, c := range []struct {
		advice rules.Advice
		want   string
	}{
		{rules.Advice{Language: "C", Text: "fflush(stdout);"}, "c"}, {rules.Advice{Language: "C", Text: "$ clang x.c\n$ ls"}, "sh"},
		{rules.Advice{Language: "C++", Text: "std::cout"}, "cpp"}, {rules.Advice{Language: "AssemblyScript", Text: "x"}, "typescript"},
	} {
		if got := c.advice.Syntax(); got != c.want {
			t.Errorf("%q is written in %q, want %q", c.advice, got, c.want)
		}
	}
}

// offStage are rules with examples that a line on stdout alone does not show:
// a size, what a file holds, what the module does beside it.
func offStage() []abi.RuleID {
	return []abi.RuleID{
		abi.ListSize, abi.ListPages, abi.ToolSchemaSize, abi.FrameStdoutSize, abi.LifeExitCode, abi.LifeEarlyExit, abi.LifeStall,
		abi.BlockLink, abi.LifeOldContract,
	}
}

// TestExamplesOnStdout puts the examples that are messages before the engine's
// judge and the checks: the bad one breaks its rule, the good one does not, and
// breaks nothing else by which Subako would refuse it.
func TestExamplesOnStdout(t *testing.T) {
	groups := []string{"frame", "rpc", "error", "result", "cache", "discover", "list", "tool", "schema", "call", "block", "life"}
	n := 0
	for _, w := range rules.AllWords() {
		if _, staged := onStage(w.Medium, w.Bad); !staged || !slices.Contains(groups, w.ID.Group()) {
			continue
		}
		n++
		t.Run(string(w.ID), func(t *testing.T) {
			bad, _ := onStage(w.Medium, w.Bad)
			good, _ := onStage(w.Medium, w.Good)
			if !slices.Contains(offStage(), w.ID) && !has(bad.findings(t), w.ID) {
				t.Errorf("the bad example does not break it: %v", bad.findings(t))
			}
			for _, f := range good.findings(t) {
				if f.Rule == w.ID || f.Severity == abi.Error && w.ID.Group() != "error" && w.ID != abi.RPCIDNull {
					t.Errorf("the good example breaks %s: %s", f.Rule, f.Detail)
				}
			}
		})
	}
	if n < 60 {
		t.Errorf("only %d examples are messages", n)
	}
}

func has(all []rules.Finding, id abi.RuleID) bool {
	return slices.ContainsFunc(all, func(f rules.Finding) bool { return f.Rule == id })
}

// act is an example as a run.
type act struct {
	kind   event.RunKind
	id     string // of the request, JSON
	stdout string
	known  rules.Known
}

func (a act) findings(t *testing.T) []rules.Finding {
	t.Helper()
	b := begin(a.kind)
	b.Tool = "greet"
	s := &stage{bodies: []event.Body{b}, judge: wire.NewJudge(), lister: wire.NewLister()}
	if a.kind == event.Upload {
		s.ask(wire.Discover(a.id))
	} else {
		s.ask(wire.Call(a.id, "greet", []byte("{}")))
	}
	s.bodies = append(s.bodies, event.Output{Stream: event.Stdout, Bytes: []byte(a.stdout), Len: len(a.stdout)})
	for _, item := range s.judge.Write([]byte(a.stdout)) {
		s.take(item)
	}
	if b, found := s.judge.Cause(); found && b.Rule == abi.FramePretty {
		s.bodies = append(s.bodies, b)
	}
	return rules.Run(recorded(t, s.bodies...), a.known)
}

// onStage makes a run of an example; false for a medium that is no message.
func onStage(m rules.Medium, text string) (act, bool) {
	one := strings.ReplaceAll(text, "\n", "")
	upload := func(discovered, page string) (act, bool) {
		out := answerLine(`"d-1"`, `"result":`+discovered)
		if page != "" {
			out += answerLine("1001", `"result":`+page)
		}
		return act{kind: event.Upload, id: `"d-1"`, stdout: out}, true
	}
	const discovered = `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},` + full + `}`
	call := func(member string) (act, bool) {
		return act{kind: event.Call, id: "7", stdout: answerLine("7", member)}, true
	}
	switch m {
	case rules.Discover:
		return upload(one, "")
	case rules.Listed:
		return upload(discovered, one)
	case rules.ToolText:
		return upload(discovered, `{"tools":[`+one+`]}`)
	case rules.Schema:
		return upload(discovered, `{"tools":[{"name":"a","description":"b","inputSchema":`+one+`}]}`)
	case rules.CallResult:
		return call(`"result":` + one)
	case rules.BlockText:
		return call(`"result":{"content":[` + one + `]}`)
	case rules.ErrorText:
		return call(`"error":` + one)
	case rules.StdoutLine:
		return act{kind: event.Call, id: "7", stdout: asBytes(text)}, true
	case rules.Dialog:
		return dialog(text)
	}
	return act{}, false
}

func answerLine(id, member string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,` + member + "}\n"
}

// asBytes are the lines of an example as they stand on stdout.
func asBytes(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		if line == `\n` {
			line = ""
		}
		line = strings.NewReplacer(`\xef\xbb\xbf`, "\xef\xbb\xbf", `\xe9`, "\xe9").Replace(line)
		if rest, is := strings.CutSuffix(line, `\r`); is {
			line = rest + "\r"
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// dialog is a dialog that begins with a request, or with the schema of a
// tool's results.
func dialog(text string) (act, bool) {
	a := act{kind: event.Call, id: "7"}
	asked := regexp.MustCompile(`"id":("[^"]*"|[0-9]+),"method":"([a-z/]+)"`)
	for line := range strings.SplitSeq(text, "\n") {
		if schema, is := strings.CutPrefix(line, "# outputSchema: "); is {
			doc, err := jsonread.Parse([]byte(schema))
			if err != nil {
				return a, false
			}
			a.known.Tools = []wire.Tool{{Name: "greet", OutputSchema: doc.Root()}}
		}
		if m := asked.FindStringSubmatch(line); m != nil && strings.HasPrefix(line, "> ") {
			if a.id = m[1]; m[2] == abi.MethodDiscover {
				a.kind = event.Upload
			}
		}
		if out, is := strings.CutPrefix(line, "< "); is {
			a.stdout += out + "\n"
		}
	}
	return a, true
}

// TestExamplesOfRequests: what the reader of subako_http's requests makes of
// the examples. All but those of http/invalid-request are well formed.
func TestExamplesOfRequests(t *testing.T) {
	n := 0
	for _, w := range rules.AllWords() {
		if w.Medium != rules.HTTPText {
			continue
		}
		n++
		if _, err := egress.ParseRequest([]byte(w.Good)); err != nil {
			t.Errorf("%s: the good request is refused: %v", w.ID, err)
		}
		if _, err := egress.ParseRequest([]byte(w.Bad)); (err != nil) != (w.ID == abi.HTTPInvalidRequest) {
			t.Errorf("%s: of the bad request the reader says %v", w.ID, err)
		}
	}
	if n < 10 {
		t.Errorf("only %d examples are requests", n)
	}
}

func TestExamplesOfManifests(t *testing.T) {
	n := 0
	for _, w := range rules.AllWords() {
		if w.Medium != rules.Manifest {
			continue
		}
		n++
		for text, want := range map[string]bool{w.Bad: true, w.Good: false} {
			p, err := pack.FromFiles("example", map[string][]byte{"subako-package.json": []byte(text), "module.wasm": []byte("\x00asm\x01\x00\x00\x00")})
			if err != nil {
				t.Fatal(err)
			}
			found := rules.Package(p.Breaches, false)
			if has(found, w.ID) != want || !want && len(found) > 0 {
				t.Errorf("%s: %s: found %v", w.ID, text, found)
			}
			p.Close()
		}
	}
	if n < 4 {
		t.Errorf("only %d examples are manifests", n)
	}
}

// TestGoCodeIsGo reads all lines of Go.
func TestGoCodeIsGo(t *testing.T) {
	n := 0
	for id, code := range codeIn("Go", rules.Go) {
		for _, c := range code {
			n++
			if !parses(c) {
				t.Errorf("%s: no Go: %s", id, c)
			}
		}
	}
	if n < 50 {
		t.Errorf("only %d pieces of Go", n)
	}
}

// parses reports whether code stands at the top of a file, in a function, a
// struct, a literal or a switch.
func parses(code string) bool {
	for _, around := range []string{"%", "func f() {\n%\n}", "type t struct {\n%\n}", "var v = t{\n%\n}", "func f() { switch x {\n%\n} }"} {
		if _, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\n"+strings.Replace(around, "%", code, 1), 0); err == nil {
			return true
		}
	}
	return false
}

// codeIn are the pieces of code in a language, what is typed into a shell left
// out.
func codeIn(language string, m rules.Medium) map[abi.RuleID][]string {
	all := map[abi.RuleID][]string{}
	for _, w := range rules.AllWords() {
		for _, a := range w.Fixes {
			if a.Language == language && a.Syntax() != "sh" {
				all[w.ID] = append(all[w.ID], a.Text)
			}
		}
		if w.Medium == m {
			all[w.ID] = append(all[w.ID], w.Bad, w.Good)
		}
	}
	return all
}

// TestCCodeCompiles gives all lines of C to a compiler, among declarations of
// the names that they take for granted.
func TestCCodeCompiles(t *testing.T) {
	clang, err := exec.LookPath("clang-19")
	if _, libc := os.Stat("/usr/include/wasm32-wasi/stdio.h"); err != nil || libc != nil {
		t.Skip("clang-19 and wasi-libc are not here")
	}
	around, err := os.ReadFile("testdata/words.c")
	if err != nil {
		t.Fatal(err)
	}
	var source strings.Builder
	source.Write(around)
	n := 0
	for id, code := range codeIn("C", rules.C) {
		for _, c := range code {
			n++
			fmt.Fprintf(&source, "\n#line 1 \"%s\"\n%s\n", id, inC(n, c))
		}
	}
	if n < 40 {
		t.Errorf("only %d pieces of C", n)
	}
	name := filepath.Join(t.TempDir(), "words.c")
	if err := os.WriteFile(name, []byte(source.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(clang, "--target=wasm32-wasi", "-fsyntax-only", "-w", "-ferror-limit=0", name).CombinedOutput()
	if err != nil {
		t.Errorf("clang: %v\n%s", err, out)
	}
}

// inC is a piece of C as a function of its own, with the names that are one
// thing here and another there.
func inC(n int, code string) string {
	if strings.HasPrefix(code, "__attribute__") || strings.HasPrefix(code, "int main") {
		return code
	}
	names := "const char *answer = 0; "
	if strings.Contains(code, "answer(") {
		names = ""
	}
	if strings.Contains(code, "sizeof line") {
		names += "char line[4096]; "
	} else {
		names += "char *line = 0; "
	}
	return fmt.Sprintf("int example%d(void) { %s{\n%s\n} return 0; }", n, names, code)
}

package rules

import (
	"strings"

	"perch/engine/abi"
)

// Words are what is said of a rule to people: why it matters, how to keep it,
// where it comes from, and an example of either kind.
type Words struct {
	ID     abi.RuleID
	Rule   string   // what it asks for: the ledger's statement, without what is said there to its checkers
	Why    string   // one paragraph
	Fix    string   // for every language, one paragraph
	Fixes  []Advice // by language, where that helps
	Source string   // "ABI page, The protocol"; "MCP 2026-07-28, tools/list"; "our reading: …"
	Side   Side     // whose word it is
	Medium Medium   // what Bad and Good are made of
	Bad    string   // a small example that breaks it, in lines
	Good   string   // the same, right
}

// Advice is how to keep a rule in one language.
type Advice struct {
	Language string // as people name it: "Rust"
	Text     string // lines of code; those that begin with "$ " are typed into a shell
}

// Medium is what an example is made of.
type Medium string

// The media.
const (
	StdoutLine Medium = "stdout"   // lines on stdout; \r, \n and \x.. are written out
	Discover   Medium = "discover" // the result of server/discover
	Listed     Medium = "list"     // the result of tools/list
	ToolText   Medium = "tool"     // one tool of tools/list
	Schema     Medium = "schema"   // the inputSchema of a tool
	CallResult Medium = "result"   // the result of tools/call
	ErrorText  Medium = "error"    // the error of a response
	BlockText  Medium = "block"    // one content block
	Manifest   Medium = "manifest" // subako-package.json
	HTTPText   Medium = "http"     // a request of subako_http
	WAT        Medium = "wat"      // WebAssembly text
	Listing    Medium = "files"    // the files of a package
	Dialog     Medium = "dialog"   // lines in (>) and out (<), and what happens (#)
	C          Medium = "c"
	Rust       Medium = "rust"
	Go         Medium = "go"
	Shell      Medium = "sh"
)

// media are all media and what each is called above an example.
func media() map[Medium]string {
	return map[Medium]string{
		StdoutLine: "a line on stdout", Discover: "the result of server/discover", Listed: "the result of tools/list",
		ToolText: "a tool of tools/list", Schema: "an inputSchema", CallResult: "the result of tools/call",
		ErrorText: "the error of a response", BlockText: "a content block", Manifest: abi.ManifestFile, HTTPText: "a request of " + abi.ModuleHTTP,
		WAT: "WebAssembly text", Listing: "the files of a package", Dialog: "lines in (>) and out (<)",
		C: "C", Rust: "Rust", Go: "Go", Shell: "a shell",
	}
}

// String is what an example of this medium is called: "a content block".
func (m Medium) String() string { return media()[m] }

// Syntax names the language that Text is written in as highlighters do: "c",
// "rust", "go", "zig", "typescript"; "sh" where all of it is typed into a shell.
func (a Advice) Syntax() string {
	shell := true
	for _, line := range strings.Split(a.Text, "\n") {
		shell = shell && strings.HasPrefix(line, "$ ")
	}
	switch {
	case shell:
		return "sh"
	case a.Language == "AssemblyScript":
		return "typescript"
	case a.Language == "C++":
		return "cpp"
	}
	return strings.ToLower(a.Language)
}

// Syntax names what an example of this medium is written in as highlighters do;
// empty for plain text.
func (m Medium) Syntax() string {
	switch m {
	case Discover, Listed, ToolText, Schema, CallResult, BlockText, Manifest, HTTPText:
		return "json"
	case WAT:
		return "wasm"
	case C, Rust, Go, Shell:
		return string(m)
	}
	return ""
}

// PageSections are the sections of the ABI page, as it names them.
func PageSections() []string {
	return []string{
		"The module", "A call, from start to end", "The protocol", "When a package is uploaded",
		"When the agent calls a tool", "What breaks a call", "Files", "HTTP: " + abi.ModuleHTTP, "Testing locally", "Checklist",
	}
}

// Cited is the place that Source names, without what stands there: "ABI page,
// Files"; "MCP 2026-07-28, CallToolResult". Empty for our reading.
func (w Words) Cited() string {
	const page = "ABI page, "
	if rest, is := strings.CutPrefix(w.Source, page); is {
		for _, section := range PageSections() {
			if after, found := strings.CutPrefix(rest, section); found && (after == "" || strings.ContainsAny(after[:1], ":;")) {
				return page + section
			}
		}
	}
	if w.Side == OurReading {
		return ""
	}
	if end := strings.IndexAny(w.Source, ":;"); end >= 0 {
		return w.Source[:end]
	}
	return w.Source
}

// WordsOf returns what is said of a rule; false for an id outside the ledger.
// The first call reads all words, later ones cost a look into a map.
func WordsOf(id abi.RuleID) (Words, bool) {
	w, ok := allWords().byID[id]
	return w, ok
}

// AllWords returns what is said of all rules, in the ledger's order.
func AllWords() []Words {
	all := allWords()
	list := make([]Words, 0, len(all.byID))
	for _, r := range abi.Rules() {
		list = append(list, all.byID[r.ID])
	}
	return list
}

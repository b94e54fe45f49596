// Package mischief makes packages that break ABI 1, one rule at a time. One
// module, written in C without a library, does what a script says; the script
// is text that is added to it as a data segment, so that each case is a
// complete module.wasm made in memory, without a tool. What a module is
// refused for before it runs is written by hand, section by section.
//
// Beside each case stands the rule that it breaks and what a call of it comes
// to: the table is for people to try and for tests to hold the engine against.
// The language of the scripts is told at the top of guest/mischief.c. The
// package knows nothing of the engine: rules are named by their ids.
package mischief

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed guest.wasm
var guest string

//go:embed assets/readme.md
var readme string

//go:embed mocks.toml
var mocks string

//go:embed perch.toml
var settings string

//go:embed subako-package.json
var manifest string

// ScriptRoom is the longest script in bytes.
const ScriptRoom = 65536 - 1 // the guest's array, and a NUL at its end

// Build returns the module with this script. Without tool lines it has one
// tool, act. A script that is longer than ScriptRoom is a mistake in the table
// of cases and panics.
func Build(script string) []byte {
	if len(script) > ScriptRoom {
		panic(fmt.Sprintf("mischief: the script has %d bytes, there is room for %d", len(script), ScriptRoom))
	}
	return WithScript([]byte(guest), script)
}

// Kind says what a case is.
type Kind byte

// The kinds of cases.
const (
	Tool    Kind = iota // a tool of sample:mischief; the upload is accepted, a call of it is judged
	Call                // a module of its own; the upload is accepted, a call of ActTool is judged
	Upload              // a module or package of its own, whose upload is judged
	Probe               // a module of its own; the upload is accepted, one probe fails
	Archive             // an archive that cannot be read whole
)

// ActTool is the tool of a module whose script names none.
const ActTool = "act"

// Outcomes of a case.
const (
	OK        = "ok"
	ToolError = "tool_error"
	Broken    = "broken"
	Refused   = "refused"
)

// Where a case goes wrong.
type Where struct {
	Stream  string // stdout, stdin, or the name of the file; empty: nowhere in particular
	Line    int    // of the stream, from 1; 0: none
	Offset  int64  // in the whole stream or file, from 0; -1: it depends on the id or the toolchain
	Text    string // what stands there, or how it begins; empty: it is not said
	Pointer string // JSON pointer of the value on its line; empty: it is not said
}

// Case is one way to go wrong.
type Case struct {
	Name       string // of the tool, or of the variant
	Kind       Kind
	Does       string // one sentence, for the model and for people
	Rule       string // id of the rule that it breaks
	Also       string // another rule whose finding is part of the case
	Outcome    string // of the call; of the upload for Upload, Probe and Archive
	Where      Where
	WouldWrite string // what a developer would have written to get there
	Text       string // part of what the model reads, for OK
	NumberID   bool   // breaks the rule in another way for a request whose id is a string

	ops     string                        // of a Tool or Call
	script  string                        // of an Upload or Probe that the guest makes; of a Call beside its ops
	module  func() []byte                 // of an Upload that the guest does not make
	files   func(files map[string][]byte) // changes the package
	archive func() []byte
}

// Tool is the name of the tool to call; empty where a call is not judged.
func (c Case) Tool() string {
	switch c.Kind {
	case Tool:
		return c.Name
	case Call:
		return ActTool
	}
	return ""
}

// Module is a module.wasm that holds this case alone. It is nil for Archive and for
// a package without a module.
func (c Case) Module() []byte { return c.Files()["module.wasm"] }

// Files is a package that holds this case alone; nil for Archive.
func (c Case) Files() map[string][]byte {
	if c.Kind == Archive {
		return nil
	}
	files := packageFiles(c.build())
	if c.files != nil {
		c.files(files)
	}
	return files
}

// Bytes of the archive, a tar unless the name says otherwise; nil for other
// kinds.
func (c Case) Bytes() []byte {
	if c.archive == nil {
		return nil
	}
	return c.archive()
}

func (c Case) build() []byte {
	switch {
	case c.module != nil:
		return c.module()
	case c.Kind == Tool:
		return Build(c.toolLine())
	case c.Kind == Call:
		return Build(strings.TrimPrefix(c.script+"\ncall "+c.ops, "\n"))
	}
	return Build(c.script)
}

func (c Case) toolLine() string { return "tool " + c.Name + " '" + c.Does + "' " + c.ops }

// Cases is the whole table: the tools in the order of the sample's list, then
// calls, uploads, probes and archives.
func Cases() []Case {
	var all []Case
	for _, part := range [][]Case{
		frameCases(), messageCases(), lifeCases(), fileCases(), httpCases(), blockCases(),
		callCases(), errorCases(), quietCases(), answerCases(), contentCases(),
		discoverCases(), listCases(), toolCases(), startCases(),
		acceptedCases(), schemaCases(), packageCases(), moduleCases(), featureCases(),
		probeCases(), archiveCases(),
	} {
		all = append(all, part...)
	}
	return all
}

// as gives cases their kind and outcome.
func as(kind Kind, outcome string, cases []Case) []Case {
	for i := range cases {
		cases[i].Kind, cases[i].Outcome = kind, outcome
	}
	return cases
}

// Find returns the case with this name.
func Find(name string) (Case, bool) {
	for _, c := range Cases() {
		if c.Name == name {
			return c, true
		}
	}
	return Case{}, false
}

// Script is the sample's script: a tool for each case of that kind.
func Script() string {
	var b strings.Builder
	for _, c := range Cases() {
		if c.Kind == Tool {
			b.WriteString(c.toolLine())
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Tools counts the sample's tools.
func Tools() int { return strings.Count(Script(), "\n") }

// Sample is sample:mischief, which an upload accepts: a tool for each case of
// that kind.
func Sample() map[string][]byte { return packageFiles(Build(Script())) }

func packageFiles(module []byte) map[string][]byte {
	return map[string][]byte{
		"module.wasm":         module,
		"subako-package.json": []byte(manifest),
		"assets/readme.md":    []byte(readme),
		"mocks.toml":          []byte(mocks),
		"perch.toml":          []byte(settings),
	}
}

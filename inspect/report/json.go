// Package report writes what is known of a package or a call for programs, as
// one JSON object, and for people, as plain text. It is given findings and
// blocks and knows nothing of how they came about, nor of colours.
package report

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/engine/units"
	"perch/inspect/model"
	"perch/inspect/rules"
)

// Package is what a report says of the package.
type Package struct {
	Name      string
	ABI       string // JSON text of the manifest's abi, empty: none
	SHA256    string // of the module
	Bytes     int    // of the module
	Toolchain string // that made it, with its version
	Language  string // of its source, where the toolchain tells
}

// Made is what the module was made with, in a word or two.
func (p Package) Made() string {
	if p.Language != "" {
		return p.Language
	}
	return p.Toolchain
}

// Heading is what the first line of a report says of the package, part by part.
func (p Package) Heading() []string {
	parts := []string{p.Name, "", p.Made(), units.Size(int64(p.Bytes)), ""}
	if p.ABI != "" {
		parts[1] = "ABI " + p.ABI
	}
	if len(p.SHA256) > shownSum {
		parts[4] = "sha256 " + p.SHA256[:shownSum]
	}
	return parts
}

// shownSum is how many digits of a sum people are shown.
const shownSum = 12

// Check is a report of the upload check.
type Check struct {
	Path     string // of the package, as it was given
	Package  Package
	Accepted bool
	Ran      bool     // the module could be run
	Probed   bool     // and was probed, which Subako does not do
	Tools    [][]byte // as sent
	Findings []rules.Finding
	Gate     rules.Gate         // which of them fail the check
	Unused   []rules.Acceptance // that no finding needed
	Source   Source             // of the bytes that findings point at; may be nil
	Files    Files
	Stdout   []byte // of the upload run, from its start
	Stderr   []byte // of the upload run, its end
	// Problem is why the package could not be checked; all else but Path is
	// empty then.
	Problem string
	// Incomplete is why not all was looked at that should be; empty: it was.
	Incomplete string
}

// Failed reports whether the check failed: Subako would refuse the package, or
// the gate lets a finding not pass.
func (c Check) Failed() bool { return !c.Accepted || len(c.Gate.Failing(c.Findings)) > 0 }

// problem is why the package could not be checked, its path in front.
func (c Check) problem() string {
	if strings.HasPrefix(c.Problem, c.Path) {
		return c.Problem
	}
	return c.Path + ": " + c.Problem
}

// Files is where the parts of a package lie, for reports that other programs
// join with the files of a repository. The zero value is a package that lies
// nowhere.
type Files struct {
	// Path is the package's, relative to where the check was made where it
	// lies below that; with slashes. Empty: it lies nowhere, as a sample.
	Path string
	// Form says whether the parts are files in a folder, lie in an archive, or
	// the module is all there is.
	Form Form
	// Find is the file that a name in debug information means, relative as
	// Path is; false when there is none. May be nil.
	Find func(name string) (string, bool)
}

// Form is how a package lies on disk.
type Form byte

// The forms.
const (
	Folder Form = iota
	Archive
	Module
)

// Call is a report of a call.
type Call struct {
	Package    Package
	Tool       string
	Outcome    event.Outcome
	Model      []model.Block
	Result     []byte // as sent; nil: left out
	Exit       event.Exit
	Findings   []rules.Finding
	StderrTail []byte
	Usage      event.Usage
	NotRun     bool // nothing was run: no exit
	Mocked     int  // HTTP exchanges that a mock answered in place of a server
}

// JSON is the report of a check as one object.
func (c Check) JSON() []byte {
	var o object
	o.open()
	o.raw("package", c.Package.json())
	o.text("verdict", verdict(c.Accepted))
	var tools list
	for _, t := range c.Tools {
		tools.add(t)
	}
	o.raw("tools", tools.close())
	o.raw("findings", findings(c.Findings))
	o.bytes("path", []byte(c.Path))
	o.raw("mcp", mcp(c.Ran, c.Findings))
	if len(c.Unused) > 0 {
		o.raw("accepted_unused", unused(c.Unused))
	}
	if c.Incomplete != "" {
		o.text("incomplete", c.Incomplete)
	}
	return o.close()
}

// JSON is the report of several checks as one object. Packages that could not be
// checked stand apart.
type JSON struct{ checks, problems list }

// Add adds a package.
func (j *JSON) Add(c Check) {
	if c.Problem == "" {
		j.checks.add(c.JSON())
		return
	}
	var o object
	o.open()
	o.bytes("path", []byte(c.Path))
	o.text("error", c.Problem)
	j.problems.add(o.close())
}

// Bytes is the object of what was added.
func (j *JSON) Bytes() []byte {
	var o object
	o.open()
	o.raw("checks", j.checks.close())
	if len(j.problems.b) > 0 {
		o.raw("errors", j.problems.close())
	}
	return o.close()
}

// mcp is the verdict of MCP 2026-07-28: kept, departs, or unknown where nothing
// was run.
func mcp(ran bool, all []rules.Finding) []byte {
	n := 0
	for _, f := range all {
		if !f.Follows && f.Departs() {
			n++
		}
	}
	word := "kept"
	switch {
	case !ran:
		word = "unknown"
	case n > 0:
		word = "departs"
	}
	var o object
	o.open()
	o.text("version", abi.ProtocolVersion)
	o.text("verdict", word)
	o.number("count", int64(n))
	return o.close()
}

func unused(all []rules.Acceptance) []byte {
	var l list
	for _, a := range all {
		var o object
		o.open()
		o.text("rule", string(a.Rule))
		if a.Tool != "" {
			o.text("tool", a.Tool)
		}
		o.text("reason", a.Reason)
		o.text("from", a.From)
		l.add(o.close())
	}
	return l.close()
}

func verdict(accepted bool) string {
	if accepted {
		return "accepted"
	}
	return "refused"
}

// JSON is the report of a call as one object.
func (c Call) JSON() []byte {
	var o object
	o.open()
	o.raw("package", c.Package.json())
	o.bytes("tool", []byte(c.Tool))
	o.text("outcome", string(c.Outcome))
	var blocks list
	for _, b := range c.Model {
		blocks.add(block(b))
	}
	o.raw("model", blocks.close())
	if c.Result != nil {
		o.raw("result", c.Result)
	}
	o.raw("exit", exit(c.Exit, c.NotRun))
	o.raw("findings", findings(c.Findings))
	o.bytes("stderr_tail", c.StderrTail)
	o.raw("usage", usage(c.Usage))
	o.raw("mcp", mcp(!c.NotRun, ofRun(c.Findings, event.Call)))
	if c.Mocked > 0 {
		o.number("mocked", int64(c.Mocked)) // such a call is not what happens at Subako
	}
	return o.close()
}

// ofRun are the findings of one kind of run.
func ofRun(all []rules.Finding, kind event.RunKind) []rules.Finding {
	return slices.DeleteFunc(slices.Clone(all), func(f rules.Finding) bool { return f.Run != kind })
}

func (p Package) json() []byte {
	var o object
	o.open()
	o.bytes("name", []byte(p.Name))
	if p.ABI == "" {
		o.raw("abi", []byte("null"))
	} else {
		o.raw("abi", jsonread.Compact(nil, []byte(p.ABI)))
	}
	o.text("sha256", p.SHA256)
	o.number("bytes", int64(p.Bytes))
	o.bytes("toolchain", []byte(p.Toolchain))
	return o.close()
}

func block(b model.Block) []byte {
	var o object
	o.open()
	o.text("type", string(b.Type))
	o.bytes("text", []byte(b.Text))
	if b.Type == model.Image {
		o.bytes("mimeType", []byte(b.MIME))
		o.number("bytes", int64(len(b.Data)))
		if b.W > 0 {
			o.number("width", int64(b.W))
			o.number("height", int64(b.H))
		}
		if b.ScaledW > 0 {
			o.number("scaled_width", int64(b.ScaledW))
			o.number("scaled_height", int64(b.ScaledH))
		}
		if b.Frames > 1 {
			o.number("frames", int64(b.Frames))
		}
		if b.Problem != "" {
			o.text("problem", b.Problem)
		}
	}
	if b.OurWords {
		o.raw("our_words", []byte("true"))
	}
	if b.About != "" {
		o.bytes("about", []byte(b.About))
	}
	if b.Path != "" {
		o.bytes("path", []byte(b.Path))
	}
	return o.close()
}

func exit(e event.Exit, notRun bool) []byte {
	var o object
	o.open()
	if e.Code == nil {
		o.raw("code", []byte("null"))
	} else {
		o.number("code", int64(*e.Code))
	}
	if notRun || e.AfterEOF < 0 {
		o.raw("after_eof_ms", []byte("null"))
	} else {
		o.number("after_eof_ms", e.AfterEOF.Milliseconds())
	}
	if e.Trap != "" {
		o.bytes("trap", []byte(e.Trap))
	}
	if e.Stopped != "" {
		o.text("stopped", e.Stopped)
	}
	return o.close()
}

func usage(u event.Usage) []byte {
	var o object
	o.open()
	o.raw("ms", strconv.AppendFloat(nil, float64(u.Time.Microseconds())/1000, 'f', -1, 64))
	o.number("ticks", int64(u.Ticks))
	o.number("memory_peak", int64(u.MemoryPeak))
	o.number("stdout", u.Stdout)
	o.number("stderr", u.Stderr)
	o.number("written", u.Written)
	o.number("http", int64(u.HTTP))
	return o.close()
}

func findings(all []rules.Finding) []byte {
	var l list
	for _, f := range all {
		l.add(finding(f))
	}
	return l.close()
}

func finding(f rules.Finding) []byte {
	var o object
	o.open()
	o.text("rule", string(f.Rule))
	o.text("class", string(f.Class))
	o.text("severity", string(f.Severity))
	o.bytes("title", []byte(f.Title))
	o.bytes("detail", []byte(f.Detail))
	o.bytes("fix", []byte(f.Fix))
	o.raw("where", where(f.Where))
	o.text("run", string(cmp.Or(f.Run, event.Upload))) // what is found before any run belongs to the upload check
	if f.Cause != "" {
		o.bytes("cause", []byte(f.Cause))
	}
	if f.Follows {
		o.raw("follows", []byte("true"))
	}
	if len(f.Stack) > 0 {
		o.raw("stack", stack(f.Stack))
	}
	o.text("side", f.Side().String())
	if f.Tool != "" {
		o.bytes("tool", []byte(f.Tool))
	}
	if len(f.Tools) > 0 {
		var tools list
		for _, name := range f.Tools {
			tools.add(jsonread.AppendQuote(nil, name))
		}
		o.raw("tools", tools.close())
	}
	if len(f.Also) > 0 {
		var also list
		for _, w := range f.Also {
			also.add(where(w))
		}
		o.raw("also", also.close())
	}
	if f.Accepted != "" {
		o.text("accepted", f.Accepted)
	}
	return o.close()
}

func where(w event.Where) []byte {
	var o object
	o.open()
	if w.Stream != "" {
		o.text("stream", string(w.Stream))
	}
	if w.File != "" {
		o.bytes("file", []byte(w.File))
	}
	if w.Line > 0 {
		o.number("line", int64(w.Line))
	}
	if w.Stream != "" {
		o.number("offset", w.Offset)
		o.number("end", max(w.End, w.Offset))
	}
	if w.Pointer != "" {
		o.bytes("pointer", []byte(w.Pointer))
	}
	if w.Section != "" {
		o.text("section", w.Section)
		if w.Section == "code" && w.Func >= 0 {
			o.number("func", int64(w.Func))
		}
	}
	if w.Name != "" {
		o.bytes("name", []byte(w.Name))
	}
	return o.close()
}

func stack(frames []event.Frame) []byte {
	var l list
	for _, f := range frames {
		var o object
		o.open()
		o.number("func", int64(f.Func))
		o.bytes("name", []byte(f.Name))
		o.number("offset", int64(f.Offset))
		if f.File != "" {
			o.bytes("file", []byte(f.File))
			o.number("line", int64(f.Line))
		}
		l.add(o.close())
	}
	return l.close()
}

// object writes a JSON object, members in the order in which they are given.
type object struct {
	b    []byte
	more bool
}

func (o *object) open() { o.b = append(o.b, '{') }

func (o *object) close() []byte { return append(o.b, '}') }

func (o *object) name(n string) {
	if o.more {
		o.b = append(o.b, ',')
	}
	o.more = true
	o.b = jsonread.AppendQuote(o.b, n)
	o.b = append(o.b, ':')
}

func (o *object) raw(n string, v []byte) {
	o.name(n)
	o.b = append(o.b, v...)
}

func (o *object) text(n, v string) {
	o.name(n)
	o.b = jsonread.AppendQuote(o.b, v)
}

func (o *object) number(n string, v int64) {
	o.name(n)
	o.b = strconv.AppendInt(o.b, v, 10)
}

// string writes a text alone, for a list.
func (o *object) string(v string) { o.b = jsonread.AppendQuote(o.b, v) }

// bytes writes text of unknown origin: what is not UTF-8 is U+FFFD, and then
// the bytes stand beside.
func (o *object) bytes(n string, v []byte) {
	o.text(n, string(v))
	if !utf8.Valid(v) {
		o.text(n+"_base64", base64.StdEncoding.EncodeToString(v))
	}
}

// list writes a JSON array.
type list struct{ b []byte }

func (l *list) add(v []byte) {
	if len(l.b) > 0 {
		l.b = append(l.b, ',')
	}
	l.b = append(l.b, v...)
}

func (l *list) close() []byte {
	return append(append([]byte{'['}, l.b...), ']')
}

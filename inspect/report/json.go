// Package report writes what is known of a package or a call for programs, as
// one JSON object, and for people, as plain text. It is given findings and
// blocks and knows nothing of how they came about, nor of colours.
package report

import (
	"cmp"
	"encoding/base64"
	"strconv"
	"unicode/utf8"

	"perch/engine/event"
	"perch/engine/jsonread"
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

// Check is a report of the upload check.
type Check struct {
	Package  Package
	Accepted bool
	Tools    [][]byte // as sent
	Findings []rules.Finding
}

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
	return o.close()
}

// Checks is the report of several checks as one object.
func Checks(all []Check) []byte {
	var l list
	for _, c := range all {
		l.add(c.JSON())
	}
	var o object
	o.open()
	o.raw("checks", l.close())
	return o.close()
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
	return o.close()
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

package report

import (
	"bytes"
	"fmt"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/rules"
)

// artifacts are the files and streams that results point at.
type artifacts struct {
	list  list
	index map[string]int
}

// add returns the place of an artifact, which make writes the first time.
func (a *artifacts) add(key string, write func() []byte) int {
	if at, ok := a.index[key]; ok {
		return at
	}
	made := write() // may add what it lies in
	if a.index == nil {
		a.index = make(map[string]int)
	}
	at := len(a.index)
	a.index[key] = at
	a.list.add(made)
	return at
}

// file is the artifact of a part of the package, or of the package itself where
// the part's name says nothing.
func (s *SARIF) file(c Check, name string) (uri string, index int) {
	whole := c.Files.Path
	if whole == "" {
		whole = c.Path
	}
	switch {
	case c.Files.Form == Archive && (name == abi.ModuleFile || name == abi.ManifestFile):
		_, parent := s.file(c, "")
		uri = "/" + name
		return uri, s.artifacts.add(c.Path+"\x00"+name, func() []byte {
			return artifact(uri, parent, nil, 0)
		})
	case c.Files.Form == Folder && name != "":
		whole = path.Join(whole, name)
	}
	uri = escapePath(whole)
	return uri, s.artifacts.add(c.Path+"\x00"+whole, func() []byte { return artifact(uri, -1, nil, 0) })
}

// stream is the artifact of what a run read or wrote, with its start.
func (s *SARIF) stream(c Check, run event.RunKind, name event.Stream) (uri string, index int) {
	uri = escapePath(c.Path) + "/" + string(run) + "-" + string(name)
	return uri, s.artifacts.add(uri, func() []byte {
		var text []byte
		if run == event.Upload && name == event.Stdout {
			text = c.Stdout
		}
		return artifact(uri, -1, text, len(text))
	})
}

func artifact(uri string, parent int, content []byte, length int) []byte {
	var o object
	o.open()
	o.raw("location", artifactLocation(uri, -1))
	if parent >= 0 {
		o.number("parentIndex", int64(parent))
	}
	if content != nil {
		o.number("length", int64(length))
		o.raw("contents", embedded(content))
	}
	return o.close()
}

func artifactLocation(uri string, index int) []byte {
	var o object
	o.open()
	o.text("uri", uri)
	if index >= 0 {
		o.number("index", int64(index))
	}
	return o.close()
}

// escapePath is a path as a relative URI reference.
func escapePath(p string) string {
	parts := strings.Split(p, "/")
	for i, part := range parts {
		parts[i] = strings.ReplaceAll(url.PathEscape(part), ":", "%3A") // no scheme
	}
	return strings.Join(parts, "/")
}

// location is where a finding is; nil: nowhere.
func (s *SARIF) location(c Check, w event.Where, f rules.Finding) []byte {
	var o object
	o.open()
	switch w.Stream {
	case event.File:
		uri, index := s.file(c, w.File)
		o.raw("physicalLocation", physical(uri, index, s.region(c, w, f)))
	case event.Stdout, event.Stdin, event.Stderr:
		uri, index := s.stream(c, f.Run, w.Stream)
		o.raw("physicalLocation", physical(uri, index, s.region(c, w, f)))
	default:
		uri, index := s.file(c, abi.ModuleFile)
		o.raw("physicalLocation", physical(uri, index, nil))
	}
	if l := logical(w); l != nil {
		o.raw("logicalLocations", one(l))
	}
	return o.close()
}

func physical(uri string, index int, region []byte) []byte {
	var o object
	o.open()
	o.raw("artifactLocation", artifactLocation(uri, index))
	if region != nil {
		o.raw("region", region)
	}
	return o.close()
}

// region is the bytes of a place. Of a line of text it has the line's number
// too, and the bytes themselves.
func (s *SARIF) region(c Check, w event.Where, f rules.Finding) []byte {
	var o object
	o.open()
	if w.Line > 0 {
		o.number("startLine", int64(w.Line))
	} else if w.Stream == event.File {
		o.number("startLine", 1) // of a binary file there is no other line, and some readers want one
	}
	o.number("byteOffset", w.Offset)
	o.number("byteLength", max(w.End-w.Offset, 0))
	if text := snippet(c, f); text != "" && w.Line > 0 {
		var content object
		content.open()
		content.text("text", text)
		o.raw("snippet", content.close())
	}
	return o.close()
}

// mostSnippet is how much of a line a place holds, in bytes.
const mostSnippet = 400

// snippet is the bytes that a finding points at, as text.
func snippet(c Check, f rules.Finding) string {
	if c.Source == nil {
		return ""
	}
	line, at, ok := c.Source(f)
	from, to := f.Where.Offset-at, f.Where.End-at
	if !ok || from < 0 || to > int64(len(line)) || to <= from {
		return ""
	}
	part := line[from:min(to, from+mostSnippet)]
	for len(part) > 0 && !utf8.Valid(part) && utf8.Valid(part[:max(0, len(part)-utf8.UTFMax)]) {
		part = part[:len(part)-1] // a character that was cut
	}
	return string(bytes.ToValidUTF8(part, []byte("\uFFFD")))
}

// logical is the part of a module or a message that a place names; nil: none.
func logical(w event.Where) []byte {
	name, kind := w.Name, "member"
	switch {
	case w.Section == "code" && w.Func >= 0:
		kind = "function"
		if name == "" {
			name = fmt.Sprintf("function %d", w.Func)
		}
	case w.Section != "" && name == "":
		name, kind = w.Section+" section", "module"
	case w.Pointer != "":
		name, kind = w.Pointer, "value"
	}
	if name == "" {
		return nil
	}
	var o object
	o.open()
	o.text("fullyQualifiedName", name)
	o.text("kind", kind)
	return o.close()
}

// stack is the stack of a finding, innermost frame first.
func (s *SARIF) stack(c Check, f rules.Finding) []byte {
	var frames list
	for _, one := range f.Stack {
		frames.add(s.frame(c, one))
	}
	var o object
	o.open()
	o.raw("message", message("the module's stack"))
	o.raw("frames", frames.close())
	return o.close()
}

func (s *SARIF) frame(c Check, f event.Frame) []byte {
	var at object
	at.open()
	if f.File != "" {
		file := strings.ReplaceAll(f.File, `\`, "/")
		if c.Files.Find != nil {
			if found, ok := c.Files.Find(f.File); ok {
				file = found
			}
		}
		var region []byte
		if f.Line > 0 {
			region = lineRegion(f.Line)
		}
		at.raw("physicalLocation", physical(escapePath(file), -1, region))
	}
	var in object
	in.open()
	in.text("fullyQualifiedName", f.Name)
	in.text("kind", "function")
	at.raw("logicalLocations", one(in.close()))
	var properties object
	properties.open()
	properties.number("function", int64(f.Func))
	properties.number("codeOffset", int64(f.Offset))
	var o object
	o.open()
	o.raw("location", at.close())
	o.raw("properties", properties.close())
	return o.close()
}

func lineRegion(line int) []byte {
	var o object
	o.open()
	o.number("startLine", int64(line))
	return o.close()
}

// related are further places of the same fault, and the line of the developer's
// own source that the stack names.
func (s *SARIF) related(c Check, f rules.Finding) []byte {
	var l list
	if p, ok := c.source(f.Stack); ok {
		var at object
		at.open()
		at.raw("physicalLocation", physical(escapePath(p.file), -1, lineRegion(max(p.line, 1))))
		at.raw("message", message("the innermost of your own functions"))
		l.add(at.close())
	}
	for _, w := range f.Also {
		g := f
		g.Where = w
		l.add(s.location(c, w, g))
	}
	if len(l.b) == 0 {
		return nil
	}
	return l.close()
}

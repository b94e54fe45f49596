package stream

import (
	"fmt"
	"unicode/utf8"

	"perch/engine/event"
	"perch/engine/wasi"
	"perch/inspect/report"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/excerpt"
	"perch/ui/find"
	"perch/ui/findings"
	"perch/ui/list"
	"perch/ui/words"
)

func (c *events) about(row int, a ask) document {
	e, ok := c.run.Event(uint64(row))
	if !ok {
		return document{title: cell.Own(themes.Faint, "this event is no longer kept")}
	}
	r := describe(c.run, e)
	d := document{of: fmt.Sprintf("event %d", row)}
	d.title = cell.Own(themes.Muted, fmt.Sprintf("event %s · %s · tick %s · at %s", words.Count(row), r.kind, words.Count(e.Tick), c.when(e.Time)))
	raw := rawOf(c.run, e)
	if len(raw) == 0 {
		d.body = list.Lines(c.told(e, a))
		return d
	}
	d.tabs = []string{"Text", "Hex"}
	doc := jsonBody(raw, maxPretty)
	if doc != nil {
		d.tabs = []string{"Pretty", "Raw", "Hex"}
	}
	if doc == nil && !utf8.Valid(raw) && a.tab == "" {
		a.tab = "Hex"
	}
	d.tab = tabOf(d.tabs, a.tab)
	var what cell.Line
	what.Blank(1)
	addWhat(&what, r, headOf(firstLine(r.what), maxWhat), &find.Finder{})
	what.Own(cell.Fg(r.bad), r.then)
	if _, is := e.Body.(event.Output); !is {
		d.head = append(d.head, what)
	}
	c.rawBody(&d, e, a, raw)
	return d
}

func firstLine(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] == '\n' {
			return s[:i]
		}
	}
	return s
}

// rawBody shows the bytes of an event under the chosen tab.
func (c *events) rawBody(d *document, e event.Event, a ask, raw []byte) {
	switch d.tabs[d.tab] {
	case "Pretty":
		d.json = jsonBody(raw, maxPretty)
		d.body = jsonRows(d.json)
	case "Hex":
		var head cell.Line
		d.body, head, _ = excerpt.Hex(a.look, excerpt.Bytes(raw), offsetOf(e.Body), nil, a.w)
		d.head, d.hex = append(d.head, head), true
	default:
		d.body = list.Lines(textLines(a, string(raw), themes.Text))
	}
}

// offsetOf is where the bytes of an event stand in their stream or file.
func offsetOf(b event.Body) int64 {
	switch b := b.(type) {
	case event.Request:
		return b.Offset
	case event.Output:
		return b.Offset
	case event.Message:
		return b.Offset
	case event.FileEffect:
		return b.Offset
	}
	return 0
}

// told tells of an event that brought no bytes.
func (c *events) told(e event.Event, a ask) []cell.Line {
	w := a.w - 3
	switch b := e.Body.(type) {
	case event.WASI:
		return wasiLines(b, a)
	case event.Begin:
		return beginLines(b, a)
	case event.HTTPHop:
		return oneHop(b, a.look, w)
	case event.Breach:
		f := rules.Of(b)
		f.Run = c.begin().Kind
		out := sentences(a.look, themes.Text, f.Detail, w)
		out = append(out, label(a.look, "where", themes.Muted, report.Place(f), w)...)
		if f.Fix != "" {
			out = append(out, label(a.look, "fix", themes.Text, f.Fix, w)...)
		}
		out = append(out, label(a.look, "rule", themes.Muted, a.look.Sign(string(b.Rule)+" · "+report.Whose(f)), w)...)
		return append(out, findings.Stack(b.Stack)...)
	case event.Exit:
		return append(sentences(a.look, themes.Text, exitWords(b), w), findings.Stack(b.Stack)...)
	case event.Safepoint:
		return append(sentences(a.look, themes.Text, b.Why, w), findings.Stack(b.Stack)...)
	case event.Link:
		return linkLines(b, a)
	case event.End:
		return usageLines(b.Usage, a)
	case event.FileEffect:
		var l cell.Line
		addEffect(&l, b)
		return append([]cell.Line{l}, label(a.look, "path", themes.File, b.Path, w)...)
	}
	r := describe(c.run, e)
	if r.own {
		r.what = a.look.Sign(r.what)
	}
	return sentences(a.look, themes.Text, r.what+a.look.Sign(r.then), w)
}

// wasiLines are a call with its arguments and results by their names.
func wasiLines(b event.WASI, a ask) []cell.Line {
	w := a.w - 3
	out := []cell.Line{cell.Text(themes.WASI, b.Func)}
	add := func(name, value string) {
		var l cell.Line
		l.Blank(2).Text(cell.Fg(themes.Key), name)
		out = append(out, hanging(a.look, l, 24, themes.Text, value, w)...)
	}
	f := wasi.Lookup(b.Func)
	for i, v := range b.Args {
		name, kind := fmt.Sprintf("argument %d", i), wasi.Number
		if f != nil && i < len(f.Params) {
			name, kind = f.Params[i].Name, f.Params[i].Kind
		}
		add(name, argument(kind, v))
	}
	if b.Path != "" {
		add("the path", b.Path)
	}
	if b.NewPath != "" {
		add("the new path", b.NewPath)
	}
	if isReturning(f) {
		out = append(out, label(a.look, "returns", errnoRole(b.Errno), wasi.Errno(b.Errno).String(), w)...)
	}
	for i, v := range b.Out {
		name := fmt.Sprintf("result %d", i)
		if f != nil && i < len(f.Outs) {
			name = f.Outs[i]
		}
		add(name, words.Count(v))
	}
	out = append(out, label(a.look, "took", themes.Muted, words.Duration(b.Took), w)...)
	if b.Count > 1 {
		out = append(out, label(a.look, "repeated", themes.Muted, words.Count(b.Count)+" times the same, the last at "+words.Moment(b.Last), w)...)
	}
	return out
}

func errnoRole(errno uint16) themes.Role {
	if errno == 0 {
		return themes.OK
	}
	return themes.Warning
}

// argument is the value of an argument, as its kind is written.
func argument(k wasi.Kind, v uint64) string {
	switch k {
	case wasi.Handle:
		return fmt.Sprintf("fd %d", uint32(v))
	case wasi.Pointer, wasi.Path, wasi.OutPoint, wasi.Flags:
		return fmt.Sprintf("0x%x", v)
	}
	return words.Count(v)
}

func beginLines(b event.Begin, a ask) []cell.Line {
	w := a.w - 3
	var out []cell.Line
	add := func(name, text string) {
		if text != "" {
			out = append(out, label(a.look, name, themes.Text, text, w)...)
		}
	}
	add("run", string(b.Kind))
	add("tool", b.Tool)
	add("arguments", headOf(string(b.Arguments), textWindow))
	add("engine", b.Engine)
	add("module", b.Module)
	add("seed", b.Seed)
	if b.Timeout > 0 {
		add("time", words.Duration(b.Timeout))
	}
	if b.Memory > 0 {
		add("memory", words.Limit(int64(b.Memory)))
	}
	if b.Budget > 0 {
		add("writes", words.Limit(int64(b.Budget)))
	}
	for _, m := range b.Mounts {
		text := fmt.Sprintf("fd %d  %s", m.FD, m.Guest)
		if m.ReadOnly {
			text += ", read-only"
		}
		add("mount", text)
	}
	return out
}

func linkLines(b event.Link, a ask) []cell.Line {
	w := a.w - 3
	out := label(a.look, "uri", themes.Text, b.URI, w)
	out = append(out, label(a.look, "path", themes.File, b.Path, w)...)
	if b.Type != "" {
		out = append(out, label(a.look, "type", themes.Text, b.Type+", "+words.Bytes(b.Size), w)...)
	}
	if b.Problem != "" {
		out = append(out, label(a.look, "problem", themes.Warning, b.Problem, w)...)
	}
	return out
}

func usageLines(u event.Usage, a ask) []cell.Line {
	w := a.w - 3
	var out []cell.Line
	for _, x := range []struct{ name, text string }{
		{"time", words.Duration(u.Time)}, {"ticks", words.Count(u.Ticks)}, {"memory", words.Size(u.MemoryPeak) + " at most"},
		{"stdout", words.Bytes(u.Stdout)}, {"stderr", words.Bytes(u.Stderr)}, {"written", words.Bytes(u.Written)},
		{"http", words.Plural(u.HTTP, "request")},
	} {
		out = append(out, label(a.look, x.name, themes.Text, x.text, w)...)
	}
	return out
}

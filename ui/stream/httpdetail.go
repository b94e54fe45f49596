package stream

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/excerpt"
	"perch/ui/list"
	"perch/ui/prose"
	"perch/ui/words"
)

// whole is an exchange as the record has it.
type whole struct {
	request *event.HTTPRequest
	hops    []event.HTTPHop
	answer  *event.HTTPAnswer
	reads   []timed
}

// timed is a read of an answer, with its time.
type timed struct {
	event.HTTPRead
	at time.Duration
}

// failure is how titles begin that tell what the module was told.
func (w whole) failure() string {
	if w.answer == nil || w.answer.Kind == "" {
		return ""
	}
	return string(w.answer.Kind) + ": "
}

func (c *web) load(x *exchange) whole {
	var w whole
	for _, seq := range x.seqs {
		e, ok := c.run.Event(seq)
		if !ok {
			continue
		}
		switch b := e.Body.(type) {
		case event.HTTPRequest:
			w.request = &b
		case event.HTTPHop:
			w.hops = append(w.hops, b)
		case event.HTTPAnswer:
			w.answer = &b
		case event.HTTPRead:
			w.reads = append(w.reads, timed{b, e.Time})
		}
	}
	return w
}

func (c *web) about(row int, a ask) document {
	x := c.exchanges[row]
	all := c.load(x)
	d := document{of: fmt.Sprintf("request %d", x.id), apart: true}
	d.title.Text(cell.Fg(themes.HTTP), x.method).Blank(1).Text(cell.Fg(themes.Text), x.url)
	d.tabs = []string{"Request", fmt.Sprintf("Hops %d", len(all.hops)), "Headers", "Body", "Answer"}
	tab := a.tab
	marks := c.pointed(row, all)
	if tab == "" || tab == "Raw" && (c.point == nil || len(marks) == 0) {
		tab = "Hops" // where the decisions are
	}
	d.tab = tabOf(d.tabs, tab)
	s := x.sign()
	if x.answered {
		d.right = cell.Own(s.role, s.text+" "+x.outcome())
	}
	if x.mock != "" {
		d.right.Own(cell.Fg(themes.Changed), "  "+mockedMark)
	}
	w := a.w - 3
	if d.tab > 0 {
		d.addMocked(x.mock)
	}
	switch d.tab {
	case 0:
		c.requestBody(&d, all, a, w, marks, hostNotes(c.foundIn(row), "", a))
	case 1:
		lines := c.hopLines(all, a.look, w)
		if c.point != nil {
			d.reveal = failedRow(lines)
		}
		d.body = list.Lines(append(lines, hostNotes(c.foundIn(row), all.failure(), a)...))
	case 2:
		d.body = list.Lines(headerLines(all, a.look, w))
	case 3:
		c.bodies(&d, all, a, w)
	default:
		c.answerJSON(&d, all, a, w)
	}
	return d
}

// note is a document of one sentence.
func (d *document) note(k *cell.Look, text string, w int) {
	d.body = list.Lines(sentences(k, themes.Muted, text, w))
}

func (c *web) requestBody(d *document, all whole, a ask, w int, marks []excerpt.Mark, notes []cell.Line) {
	r := all.request
	if r == nil {
		d.note(a.look, "The request could not be read: Hops says why.", w)
		return
	}
	text := fmt.Sprintf("as the module wrote it, %s", words.Bytes(len(r.Raw)))
	if r.File != "" {
		text += " · body from the file " + r.File
	}
	if r.Output != "" {
		text += " · answer into the file " + r.Output
	}
	d.head = append(d.head, prose.Indent(cell.Text(themes.Muted, text), 1))
	if len(r.Dropped) > 0 {
		var names []string
		for _, h := range r.Dropped {
			names = append(names, h.Name)
		}
		d.head = append(d.head, prose.Indent(cell.Text(themes.Muted, "dropped by the host: "+strings.Join(names, ", ")), 1))
	}
	raw, names := masked(r.Raw, r.Headers)
	d.addMasked(names)
	if len(marks) > 0 {
		d.marked(a, raw, marks, notes)
		return
	}
	c.content(d, a, raw)
}

// textLines are the lines of a text, each wrapped.
func textLines(a ask, text string, role themes.Role) []cell.Line {
	t := excerpt.Text{Look: a.look, Role: role, W: a.w - list.Frame}
	n := int64(len(text))
	text = headOf(text, textWindow)
	var out []cell.Line
	for rest := text; rest != ""; {
		line, after, found := strings.Cut(rest, "\n")
		out = append(out, t.Rows(line, false)...)
		if !found {
			break
		}
		rest = after
	}
	return append(out, excerpt.After(n, int64(len(text)))...)
}

func (c *web) hopLines(all whole, k *cell.Look, w int) []cell.Line {
	var out []cell.Line
	if len(all.hops) == 0 {
		return sentences(k, themes.Muted, "No hop yet: the request was not judged.", w)
	}
	for _, h := range all.hops {
		out = append(out, oneHop(h, k, w)...)
	}
	if a := all.answer; a != nil && a.Kind != "" {
		var l cell.Line
		l.Own(cell.Fg(themes.Error), "✗ ").Text(cell.Fg(themes.Error), string(a.Kind))
		out = append(out, cell.Line{}, l)
		out = append(out, hanging(k, cell.Line{}, 2, themes.Text, a.Message, w)...)
	}
	return out
}

// failedRow is the row of the first decision that failed, or of the failure; 0
// when there is none.
func failedRow(lines []cell.Line) int {
	return max(slices.IndexFunc(lines, func(l cell.Line) bool {
		return slices.ContainsFunc(l.Spans, func(s cell.Span) bool { return strings.HasPrefix(s.Text, "✗") })
	}), 0)
}

// oneHop is a hop with the decisions taken on it.
func oneHop(h event.HTTPHop, k *cell.Look, w int) []cell.Line {
	host := h.URL
	if i := strings.Index(host, "://"); i >= 0 {
		host, _, _ = strings.Cut(host[i+3:], "/")
	}
	var head cell.Line
	head.Own(cell.Fg(themes.Muted), fmt.Sprintf("hop %d  ", h.Hop)).Text(cell.Fg(themes.Text), host)
	out := []cell.Line{head}
	for _, d := range h.Decisions {
		out = append(out, decision(d, k, w)...)
	}
	if len(h.Dropped) > 0 {
		out = append(out, decisionLine(k, signed{"·", themes.Muted}, "dropped", strings.Join(h.Dropped, ", ")+": another origin", "", w)...)
	}
	if h.Status > 0 {
		out = append(append(out, hopAnswer(h)), hopTimes(h, k, w)...)
	}
	return out
}

func decision(d event.Decision, k *cell.Look, w int) []cell.Line {
	s := signed{"✓", themes.OK}
	if !d.OK {
		s = signed{"✗", themes.Error}
	}
	return decisionLine(k, s, d.Check, d.What, d.Source, w)
}

func decisionLine(k *cell.Look, s signed, check, what, source string, w int) []cell.Line {
	const at, column = 16, 22
	var l cell.Line
	l.Blank(2).Own(cell.Fg(s.role), s.text).Blank(1).TextIn(cell.Fg(themes.Text), check, 10, cell.CutEnd).Blank(2)
	if k.Measure(what) <= column && at+column+k.Measure(source) <= w {
		l.TextIn(cell.Fg(themes.Text), what, column, cell.CutEnd).Text(cell.Fg(themes.Muted), source)
		return []cell.Line{l}
	}
	if source != "" {
		what += "  " + source
	}
	return hanging(k, l, at, themes.Text, what, w)
}

// hopAnswer is what a hop answered.
func hopAnswer(h event.HTTPHop) cell.Line {
	var l cell.Line
	l.Blank(2)
	took := h.DNS + h.Connect + h.TLS + h.FirstByte + h.Body
	if h.Location != "" {
		l.Own(cell.Fg(themes.Notice), fmt.Sprintf("%d → ", h.Status)).Text(cell.Fg(themes.Text), h.Location)
	} else {
		l.Own(cell.Fg(themes.OK), fmt.Sprint(h.Status))
		if t := header(h.Headers, "content-type"); t != "" {
			l.Blank(1).Text(cell.Fg(themes.Text), t)
		}
		l.Own(cell.Fg(themes.Muted), " · "+words.Bytes(max(h.BodyBytes, 0)))
		if e := header(h.Headers, "content-encoding"); e != "" && h.WireBytes != h.BodyBytes {
			l.Text(cell.Fg(themes.Muted), ", "+e+" ").Own(cell.Fg(themes.Muted), words.Bytes(h.WireBytes))
		}
	}
	return *l.Gap().Own(cell.Fg(themes.Muted), words.Duration(took))
}

// hopTimes say where the time of a hop went.
func hopTimes(h event.HTTPHop, k *cell.Look, w int) []cell.Line {
	var parts []string
	for _, p := range []struct {
		name string
		d    time.Duration
	}{{"dns", h.DNS}, {"connect", h.Connect}, {"tls", h.TLS}, {"first byte", h.FirstByte}, {"body", h.Body}} {
		if p.d > 0 {
			parts = append(parts, p.name+" "+words.Duration(p.d))
		}
	}
	if parts == nil {
		return nil
	}
	text := strings.Join(parts, " · ")
	rows := [][]string{parts}
	if half := (len(parts) + 1) / 2; k.Measure(text)+2 > w {
		rows = [][]string{parts[:half], parts[half:]}
	}
	var out []cell.Line
	for _, some := range rows {
		var l cell.Line
		out = append(out, *l.Blank(2).Own(cell.Fg(themes.Faint), strings.Join(some, " · ")))
	}
	return out
}

func header(all []event.Header, name string) string {
	for _, h := range all {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}

// headerLines are the headers that went out and came in, hop by hop.
func headerLines(all whole, k *cell.Look, w int) []cell.Line {
	var out []cell.Line
	add := func(title string, hs []event.Header) {
		if len(out) > 0 {
			out = append(out, cell.Line{})
		}
		out = append(out, cell.Own(themes.Muted, title))
		if len(hs) == 0 {
			out = append(out, cell.Own(themes.Faint, "  none"))
		}
		for _, h := range hs {
			var l cell.Line
			l.Blank(2).Text(cell.Fg(themes.Key), h.Name).Own(cell.Fg(themes.Punct), ": ")
			if h.Hidden {
				out = append(out, *l.Own(cell.Fg(themes.Faint), "hidden"))
				continue
			}
			out = append(out, hanging(k, l, min(k.Measure(h.Name)+4, max(w/2, 4)), themes.Text, h.Value, w)...)
		}
	}
	sent := false
	for _, h := range all.hops {
		if len(h.Sent) > 0 || h.Status > 0 {
			sent = true
			add(fmt.Sprintf("hop %d, sent", h.Hop), h.Sent)
		}
		if h.Status > 0 {
			add(fmt.Sprintf("hop %d, answered %d", h.Hop, h.Status), h.Headers)
		}
	}
	if r := all.request; r != nil && !sent {
		add("asked for, not sent", r.Headers)
	}
	if out == nil {
		return sentences(k, themes.Muted, "No headers: nothing was sent.", w)
	}
	return out
}

// answerJSON is what the module reads, byte for byte, and when it did.
func (c *web) answerJSON(d *document, all whole, a ask, w int) {
	r := all.answer
	if r == nil {
		d.note(a.look, "No answer yet.", w)
		return
	}
	text := fmt.Sprintf("the module reads, byte for byte: %s", words.Bytes(len(r.Raw)))
	d.head = append(d.head, prose.Indent(cell.Own(themes.Muted, text), 1))
	read := "not read by the module"
	for _, x := range all.reads {
		switch {
		case x.Func == abi.HTTPReadResponse && x.Return >= 0:
			read = "read by " + x.Func + " at " + c.when(x.at)
		case x.Return < 0:
			read = fmt.Sprintf("%s returned %d at %s", x.Func, x.Return, c.when(x.at))
		}
	}
	d.head = append(d.head, prose.Indent(cell.Text(themes.Muted, read), 1))
	c.content(d, a, r.Raw)
}

// hanging is text behind a label, see prose.Hanging.
func hanging(k *cell.Look, label cell.Line, at int, role themes.Role, text string, w int) []cell.Line {
	return prose.Hanging(k, label, min(at, max(w/2, 1)), role, text, w-air)
}

// Package mocks is the page on which an answer is written that a mock gives in
// place of a server: for which request, with which status, headers and body. It
// knows nothing of sessions, and of where mocks are kept.
package mocks

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"perch/engine/abi"
	"perch/engine/egress"
	"perch/engine/jsonread"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/edit"
	"perch/ui/prose"
)

// The fields, in the order of tab.
const (
	forField = iota
	statusField
	headersField
	bodyField
	fields
)

func names() [fields]string { return [fields]string{"for", "status", "headers", "body"} }

// Editor is the state of the page. Use New.
type Editor struct {
	texts [fields]*edit.Editor
	at    int // the field with the caret
	file  string
	mock  egress.Mock // what it began as: times and delay stay

	places [fields]place // where they were drawn last
	look   *cell.Look
}

type place struct{ x, y, w, h int }

// New is the page for a mock; file is where it would be saved, "" when there is
// no such place.
func New(m egress.Mock, file string) *Editor {
	e := &Editor{mock: m, file: file, at: bodyField}
	status, body := strconv.Itoa(m.Status), string(m.Body)
	if m.Status == 0 {
		status, body = string(m.Kind), m.Message
	}
	e.texts[forField] = edit.NewLine(strings.TrimSpace(m.Method + " " + m.URL))
	e.texts[statusField] = edit.NewLine(status)
	e.texts[headersField] = edit.New(headersText(m.Headers))
	e.texts[bodyField] = edit.New(body)
	return e
}

// headersText is headers as a JSON object, those of one name in a list.
func headersText(all []egress.Header) string {
	if len(all) == 0 {
		return "{}"
	}
	var order []string
	values := map[string][]string{}
	for _, h := range all {
		if values[h.Name] == nil {
			order = append(order, h.Name)
		}
		values[h.Name] = append(values[h.Name], h.Value)
	}
	var b strings.Builder
	b.WriteByte('{')
	for i, name := range order {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n  " + quoted(name) + ": ")
		if len(values[name]) == 1 {
			b.WriteString(quoted(values[name][0]))
			continue
		}
		var parts []string
		for _, v := range values[name] {
			parts = append(parts, quoted(v))
		}
		b.WriteString("[" + strings.Join(parts, ", ") + "]")
	}
	return b.String() + "\n}"
}

// Mock is what is written, as a policy takes it. An error says what is wrong,
// and the caret goes to the field where it is.
func (e *Editor) Mock() (egress.Mock, error) {
	m, at, err := e.read()
	if err == nil {
		m, err = m.Checked()
	}
	if err != nil {
		e.at = at
		return m, err
	}
	return m, nil
}

// read puts the fields together; at is the field that an error is about.
func (e *Editor) read() (m egress.Mock, at int, err error) {
	m = egress.Mock{Times: e.mock.Times, Delay: e.mock.Delay, Source: e.mock.Source}
	parts := strings.Fields(e.texts[forField].Text())
	switch len(parts) {
	case 1:
		m.URL = parts[0]
	case 2:
		m.Method, m.URL = parts[0], parts[1]
		if !method(m.Method) {
			return m, forField, errors.New("the method is one of " + strings.Join(abi.HTTPMethods(), ", "))
		}
	default:
		return m, forField, errors.New("for is a method and a URL, or a URL alone for any method")
	}
	status := strings.TrimSpace(e.texts[statusField].Text())
	n, numeric := strconv.Atoi(status)
	if numeric != nil {
		m.Kind, m.Message = abi.ErrorKind(status), e.texts[bodyField].Text()
		if m.Message == "" {
			m.Message = "a mock answers " + status
		}
		return m, statusField, nil
	}
	if m.Status = n; n < 200 || n > 599 {
		return m, statusField, errors.New("the status is a number from 200 to 599, or an error kind")
	}
	if m.Headers, err = readHeaders(e.texts[headersField].Text()); err != nil {
		return m, headersField, err
	}
	m.Body = []byte(e.texts[bodyField].Text())
	return m, headersField, nil
}

func method(name string) bool {
	for _, m := range abi.HTTPMethods() {
		if m == name {
			return true
		}
	}
	return false
}

// errHeaders says what the field of headers takes.
var errHeaders = errors.New("headers are a JSON object of strings, or of lists of strings")

func readHeaders(text string) ([]egress.Header, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	doc, fault := jsonread.Parse([]byte(text))
	if fault != nil || doc.Root().Kind() != jsonread.Object {
		return nil, errHeaders
	}
	var out []egress.Header
	for name, value := range doc.Root().Members() {
		key, _ := name.Text()
		key = strings.ToLower(key)
		if v, ok := value.Text(); ok {
			out = append(out, egress.Header{Name: key, Value: v})
			continue
		}
		if value.Kind() != jsonread.Array {
			return nil, errHeaders
		}
		for _, one := range value.Elements() {
			v, ok := one.Text()
			if !ok {
				return nil, errHeaders
			}
			out = append(out, egress.Header{Name: key, Value: v})
		}
	}
	return out, nil
}

// Title implements the app's page.
func (e *Editor) Title() cell.Title {
	t := cell.Title{Focused: true, Name: cell.Own(themes.None, "≠ Answer with a mock")}
	if e.file != "" {
		t.Facts = cell.Text(themes.Muted, "saved in "+e.file+" by ctrl+s")
	}
	return t
}

// SetTab implements the app's page: there is one.
func (e *Editor) SetTab(int) {}

// Do implements the app's page.
func (e *Editor) Do(id string) bool {
	switch id {
	case "nav.next", "mock.next":
		e.at = (e.at + 1) % fields
	case "nav.prev", "mock.prev":
		e.at = (e.at + fields - 1) % fields
	case "type.accept", "mock.enter":
		if e.at >= headersField {
			e.texts[e.at].Newline()
			return true
		}
		e.at++
	case "type.up":
		e.texts[e.at].Up(1)
	case "type.down":
		e.texts[e.at].Down(1)
	default:
		return false
	}
	return true
}

// Enters implements the app's page.
func (e *Editor) Enters() bool { return false }

// Filters implements the app's page.
func (e *Editor) Filters() bool { return false }

// Out implements the app's page: esc leaves it at once, and what is written is
// kept.
func (e *Editor) Out() bool { return false }

// Input implements the app's page.
func (e *Editor) Input() *edit.Editor { return e.texts[e.at] }

// Changed implements the app's page.
func (e *Editor) Changed() {}

// Copy implements the app's page: the mock as a mock file has it.
func (e *Editor) Copy() (string, bool) {
	m, _, err := e.read()
	if err != nil {
		return "", false
	}
	return egress.MockText(m), true
}

// Click implements the app's page.
func (e *Editor) Click(x, y int) bool {
	for i, p := range e.places {
		if y >= p.y && y < p.y+p.h {
			e.at = i
			if x >= p.x {
				e.texts[i].Click(e.look, x-p.x, y-p.y)
			}
			return true
		}
	}
	return false
}

// Wheel implements the app's page.
func (e *Editor) Wheel(_, dy int) { e.texts[bodyField].Scroll(dy) }

// Cursor implements the app's page.
func (e *Editor) Cursor() (x, y int, ok bool) {
	p := e.places[e.at]
	if p.h == 0 {
		return 0, 0, false
	}
	x, y = e.texts[e.at].Cursor()
	return p.x + x, p.y + y, true
}

// problem is what is wrong with what is written, "" when nothing is.
func (e *Editor) problem() string {
	m, _, err := e.read()
	if err == nil {
		_, err = m.Checked()
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == utf8.RuneError:
			b.WriteString(`\ufffd`)
		case r < 0x20:
			b.WriteString(`\u00` + string("0123456789abcdef"[r>>4]) + string("0123456789abcdef"[r&15]))
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

// hints say what belongs into the fields.
func hints() [fields]string {
	var kinds []string
	for _, k := range abi.ErrorKinds() {
		kinds = append(kinds, string(k))
	}
	return [fields]string{
		forField:     "a method and a URL as it is sent, or a beginning of one and *; without a method any",
		statusField:  "200 to 599, or an error kind: " + strings.Join(kinds, ", ") + ". The body is then its message",
		headersField: "a JSON object of strings, or of lists of strings",
		bodyField:    "as the module gets it: JSON, or any text",
	}
}

const column = 10 // cells of the names

// Draw implements the app's page.
func (e *Editor) Draw(k *cell.Look, w, h int) cell.Block {
	e.look, e.places = k, [fields]place{}
	if w < column+8 || h < 4 {
		return k.Blank(w, h)
	}
	var out cell.Block
	foot := e.foot(k, w)
	if h < 12 {
		foot = foot[:min(len(foot), 1)]
	}
	room := h - len(foot) - 2
	headers := min(max(e.texts[headersField].Lines(), 1), max(room/3, 1), 8)
	heights := [fields]int{1, 1, headers, max(room-headers, 1)}
	for i := range fields {
		out = append(out, e.field(k, i, len(out), w, heights[i])...)
	}
	out = k.Fill(out[:min(len(out), h-len(foot))], w, h-len(foot))
	for _, l := range foot {
		out = append(out, k.Row(l, w))
	}
	return k.Fill(out[:min(len(out), h)], w, h)
}

// field draws a field, its name before it.
func (e *Editor) field(k *cell.Look, i, y, w, h int) cell.Block {
	text := e.texts[i].View(k, w-column-2, h, i == e.at)
	e.places[i] = place{column + 1, y, w - column - 2, h}
	var out cell.Block
	for n := range h {
		var l cell.Line
		l.Blank(1)
		if n == 0 {
			role := themes.Muted
			if i == e.at {
				role = themes.Accent
			}
			l.Own(cell.Fg(role), names()[i])
		}
		out = append(out, cell.Overlay(cell.Block{k.Row(l, w)}, text[n:n+1], column+1, 0)...)
	}
	return out
}

// foot says what belongs into the field with the caret, and what is wrong.
func (e *Editor) foot(k *cell.Look, w int) []cell.Line {
	var out []cell.Line
	if why := e.problem(); why != "" {
		var sign cell.Line
		sign.Blank(1).Own(cell.Fg(themes.Error), "✗ ")
		out = append(out, prose.Hanging(k, sign, 3, themes.Text, why, w-1)...)
	} else {
		var sign cell.Line
		sign.Blank(1).Own(cell.Fg(themes.Changed), "≠ ")
		out = append(out, prose.Hanging(k, sign, 3, themes.Text, "It answers in this session in place of the server, until it is turned off. Each exchange that it answers is marked as mocked.", w-1)...)
	}
	return append(out, prose.Text(k, themes.Muted, names()[e.at]+": "+hints()[e.at], w-1)...)
}

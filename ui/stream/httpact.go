package stream

import (
	"bytes"
	"fmt"

	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/prose"
	"perch/ui/words"
)

// Exchange is what can be acted on of an exchange.
type Exchange struct {
	ID       int
	Method   string
	URL      string
	Host     string
	Refused  bool // its host is not in the allowlist
	Answered bool
	Status   int
	Headers  []event.Header // of the answer, as the module was told
	Body     []byte         // of the answer, when it came inline
	Mock     string         // the mock that answered, "": none
}

// ExchangeIn is the exchange that a pane of HTTP asks about, or that is selected
// in it; false in another pane, or when there is none. The selected one comes
// first: a question stands for it when its host was refused.
func ExchangeIn(p Pane) (Exchange, bool) {
	panel, ok := p.(*panel)
	if !ok {
		return Exchange{}, false
	}
	c, ok := panel.c.(*web)
	if !ok || c.run == nil {
		return Exchange{}, false
	}
	row, ok := panel.rows.Selected()
	if !ok || row >= len(c.exchanges) {
		return Exchange{}, false
	}
	x := c.exchanges[row]
	out := Exchange{ID: x.id, Method: x.method, URL: x.url, Host: x.host, Answered: x.answered, Status: x.status, Mock: x.mock}
	for _, r := range c.refused() {
		out.Refused = out.Refused || r == x
	}
	if all := c.load(x); all.answer != nil {
		out.Headers, out.Body = all.answer.Headers, all.answer.Body
	}
	return out, true
}

// Mocked is how many exchanges of the run that a pane of HTTP shows were
// answered by a mock.
func Mocked(p Pane) int {
	if panel, ok := p.(*panel); ok {
		if c, ok := panel.c.(*web); ok {
			return c.mocked
		}
	}
	return 0
}

// mockedMark stands wherever an exchange is told of that a mock answered: what
// is not the truth is never taken for it.
const mockedMark = "≠ mocked"

// addOutcome adds the answer and how long it took, in the cells of a column; a
// mock's is marked.
func (x *exchange) addOutcome(k *cell.Look, l *cell.Line, w int) {
	s := x.sign()
	outcome := cell.Own(s.role, s.text+" "+x.outcome())
	took := cell.Own(themes.Muted, words.Duration(x.took))
	if x.mock != "" {
		took = cell.Own(themes.Changed, mockedMark)
		if k.Width(outcome)+1+k.Width(took) > w {
			outcome, took = cell.Own(themes.Changed, "≠ "+x.outcome()), cell.Own(themes.Changed, "mocked")
		}
	}
	l.Add(outcome)
	have := k.Width(outcome)
	if n := k.Width(took); x.answered && have+1+n <= w {
		l.Blank(w - have - n).Add(took)
	}
}

// addMocked says at the top of a detail that a mock answered, and which.
func (d *document) addMocked(mock string) {
	if mock == "" {
		return
	}
	var l cell.Line
	l.Blank(1).Own(cell.Fg(themes.Changed), mockedMark).Text(cell.Fg(themes.Muted), ": no network was used, "+mock+" answered")
	d.head = append(d.head, l)
}

// totals are what all exchanges of the run come to.
func (c *web) totals() string {
	return fmt.Sprintf("%s to %s · %s in · %s out · %s to files",
		words.Plural(len(c.exchanges), "request"), words.Plural(len(c.hosts), "host"),
		words.Size(c.in), words.Size(c.out), words.Size(c.files))
}

// masked is a request as the module wrote it, with the values of secret headers
// starred out: as many bytes, so that all others stay where they are.
func masked(raw []byte, headers []event.Header) ([]byte, []string) {
	secret := map[string]bool{}
	for _, h := range headers {
		if h.Hidden {
			secret[h.Name] = true
		}
	}
	if len(secret) == 0 {
		return raw, nil
	}
	doc, err := jsonread.Parse(raw)
	if err != nil {
		return raw, nil
	}
	var names []string
	out := bytes.Clone(raw)
	star := func(v jsonread.Value) {
		for i := v.Start() + 1; i < v.End()-1; i++ {
			out[i] = '*'
		}
	}
	for name, value := range doc.Root().Get("headers").Members() {
		text, ok := name.Text()
		if !ok || !secret[text] {
			continue
		}
		names = append(names, text)
		if _, is := value.Text(); is {
			star(value)
		}
		for _, one := range value.Elements() {
			if _, is := one.Text(); is {
				star(one)
			}
		}
	}
	return out, names
}

// addMasked says which values are not shown.
func (d *document) addMasked(names []string) {
	for _, name := range names {
		var l cell.Line
		l.Text(cell.Fg(themes.Muted), name+" is hidden: it is a secret")
		d.head = append(d.head, prose.Indent(l, 1))
	}
}

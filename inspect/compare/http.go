package compare

import (
	"fmt"
	"strings"

	"perch/engine/event"
	"perch/engine/quote"
	"perch/engine/units"
	"perch/inspect/record"
)

// Bounds of the exchanges of a run.
const (
	maxExchanges = 1_000
	maxBodies    = 64 << 20 // bytes of all bodies that are held against each other
)

// exchange is a request and what became of it.
type exchange struct {
	id      int
	first   uint64
	request event.HTTPRequest
	hops    int
	last    event.HTTPHop
	answer  event.HTTPAnswer
}

func (x *exchange) name() string {
	_, where, ok := strings.Cut(x.request.URL, "://")
	if !ok {
		where = x.request.URL
	}
	return fmt.Sprintf("%d %s %s", x.id, x.request.Method, quote.Pointer(where))
}

func exchangesOf(r *record.Run) (all []*exchange, more bool) {
	byID := map[int]*exchange{}
	bytes := 0
	of := func(id int, seq uint64) *exchange {
		x := byID[id]
		if x == nil {
			x = &exchange{id: id, first: seq}
			byID[id] = x
			all = append(all, x)
		}
		return x
	}
	for _, seq := range r.Of(record.KindHTTPRequest, record.KindHTTPHop, record.KindHTTPAnswer) {
		if len(all) > maxExchanges || bytes > maxBodies {
			return all[:min(len(all), maxExchanges)], true
		}
		e, ok := r.Event(uint64(seq))
		if !ok {
			continue
		}
		switch b := e.Body.(type) {
		case event.HTTPRequest:
			of(b.ID, e.Seq).request = b
			bytes += len(b.Body) + len(b.Raw)
		case event.HTTPHop:
			x := of(b.ID, e.Seq)
			if x.hops++; x.request.URL == "" {
				x.request.Method, x.request.URL = b.Method, b.URL
			}
			x.last = b
		case event.HTTPAnswer:
			of(b.ID, e.Seq).answer = b
			bytes += len(b.Body) + len(b.Raw)
		}
	}
	return all, false
}

// exchanges compares requests and answers; those of one method and URL belong
// together, in their order.
func exchanges(x, y *call) Section {
	s := Section{Part: HTTP}
	a, moreA := exchangesOf(x.Run)
	b, moreB := exchangesOf(y.Run)
	s.None = len(a)+len(b) == 0
	if moreA || moreB {
		s.Note = fmt.Sprintf("the first %s requests are compared, or %s of bodies", quote.Count(maxExchanges), units.Size(maxBodies))
	}
	known := map[string]uint64{}
	ids := func(all []*exchange) []uint64 {
		out := make([]uint64, len(all))
		for i, x := range all {
			key := x.request.Method + " " + x.request.URL
			if _, ok := known[key]; !ok {
				known[key] = uint64(len(known)) + 1
			}
			out[i] = known[key]
		}
		return out
	}
	matches, _ := align(ids(a), ids(b), maxEdits)
	doneA, doneB := 0, 0
	gap := func(toA, toB int) {
		for ; doneA < toA; doneA++ {
			x := a[doneA]
			s.add(Row{Kind: Removed, Where: x.name(), A: x.outcome(), EventA: x.first, HasA: true})
		}
		for ; doneB < toB; doneB++ {
			x := b[doneB]
			s.add(Row{Kind: Added, Where: x.name(), B: x.outcome(), EventB: x.first, HasB: true})
		}
	}
	for _, m := range matches {
		gap(m.a, m.b)
		for i := range m.n {
			s.exchange(a[m.a+i], b[m.b+i])
		}
		doneA, doneB = m.a+m.n, m.b+m.n
	}
	gap(len(a), len(b))
	return s
}

func (x *exchange) outcome() string {
	switch {
	case x.answer.Kind != "":
		return string(x.answer.Kind)
	case x.answer.Status > 0:
		return fmt.Sprint(x.answer.Status)
	}
	return "no answer"
}

func (s *Section) exchange(a, b *exchange) {
	from := len(s.Rows)
	name := a.name()
	one := func(what, x, y string, k Kind) {
		if x != y {
			s.add(Row{Kind: k, Where: name + " " + what, A: x, B: y})
		}
	}
	s.headers(name+" request", a.request.Headers, b.request.Headers)
	s.values(name+" request body", a.request.Body, b.request.Body, nil)
	one("request body file", a.request.File, b.request.File, Changed)
	one("answer", a.outcome(), b.outcome(), Changed)
	one("hops", fmt.Sprint(a.hops), fmt.Sprint(b.hops), Changed)
	one("mock", quote.Pointer(a.answer.Mock), quote.Pointer(b.answer.Mock), Changed)
	s.headers(name+" answer", a.answer.Headers, b.answer.Headers)
	s.values(name+" answer body", a.answer.Body, b.answer.Body, nil)
	if a.answer.File != "" || b.answer.File != "" {
		one("answer into "+quote.Pointer(a.answer.File), bytesText(a.answer.Bytes), bytesText(b.answer.Bytes), Changed)
	}
	one("took", units.Duration(a.answer.Took), units.Duration(b.answer.Took), Moving)
	for i := from; i < len(s.Rows); i++ {
		r := &s.Rows[i]
		r.EventA, r.EventB, r.HasA, r.HasB = a.first, b.first, true, true
	}
}

// headers compares headers by name. Secrets are told to be there and no more.
func (s *Section) headers(where string, a, b []event.Header) {
	values := func(all []event.Header) (names []string, by map[string]string) {
		by = map[string]string{}
		for _, h := range all {
			name, v := strings.ToLower(h.Name), h.Value
			if h.Hidden {
				v = "hidden"
			}
			if was, ok := by[name]; ok {
				v = was + ", " + v
			} else {
				names = append(names, name)
			}
			by[name] = v
		}
		return names, by
	}
	namesA, inA := values(a)
	namesB, inB := values(b)
	for _, n := range namesA {
		if v, ok := inB[n]; !ok || v != inA[n] {
			s.header(where, n, Row{A: quote.Text(inA[n]), B: quoted(v, ok), Kind: map[bool]Kind{true: Changed, false: Removed}[ok]})
		}
	}
	for _, n := range namesB {
		if _, ok := inA[n]; !ok {
			s.header(where, n, Row{B: quote.Text(inB[n]), Kind: Added})
		}
	}
}

func quoted(v string, ok bool) string {
	if !ok {
		return ""
	}
	return quote.Text(v)
}

func (s *Section) header(where, name string, r Row) {
	r.Where = where + " " + quote.Pointer(name)
	switch name {
	case "date", "age", "x-request-id", "request-id", "traceparent", "cf-ray":
		if r.Kind == Changed {
			r.Kind = Moving
		}
	}
	s.add(r)
}

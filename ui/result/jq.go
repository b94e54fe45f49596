package result

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"perch/engine/jsonread"
	"perch/inspect/jsonview"
	"perch/inspect/query"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/edit"
	"perch/ui/list"
	"perch/ui/prose"
	"perch/ui/words"
)

// maxEarlier is how many earlier filters are kept.
const maxEarlier = 50

// jq is the filter over the tab JSON: what is typed, and what the last filter
// gave that worked.
type jq struct {
	bar    *edit.Editor // nil: no filter
	typing bool
	want   *query.Filter // to be run
	serial int           // of the text
	opened int           // serial of the first text of this bar
	shown  int           // serial of what is shown
	busy   int           // serial of the filter that runs, 0: none
	slow   bool          // it has run for a while, and is said to run
	wrong  string        // why the text is no filter

	worked string // the filter whose results are shown
	values []query.Value
	notes  []string
	stop   string // why there are no more results
	doc    *jsonview.Doc
	rows   *list.List

	earlier []string
	past    int
}

// Filtering is a filter to be run away from the screen: it takes up to a second.
type Filtering struct {
	serial int
	filter *query.Filter
	input  jsonread.Value
}

// Filtered is what a filter gave.
type Filtered struct {
	serial int
	text   string
	result query.Result
	doc    *jsonview.Doc
	ended  bool // before it was done
}

// Run runs the filter.
func (f Filtering) Run(ctx context.Context) Filtered {
	r := f.filter.Run(ctx, f.input, query.Limits{})
	return Filtered{f.serial, f.filter.Text(), r, jsonview.New(joined(r.Values)), ctx.Err() != nil}
}

// joined is the results as one text: as they are, or as a list.
func joined(all []query.Value) []byte {
	if len(all) == 1 {
		return all[0].Text
	}
	var b bytes.Buffer
	b.WriteByte('[')
	for i, v := range all {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(v.Text)
	}
	b.WriteByte(']')
	return b.Bytes()
}

// Filtering is the filter that is to be run now, once; false when there is none.
func (p *Pane) Filtering() (Filtering, bool) {
	f := p.jq.want
	if f == nil || p.answerRows() == nil || p.doc.JSON() == nil {
		return Filtering{}, false
	}
	p.jq.want, p.jq.busy, p.jq.slow = nil, p.jq.serial, false
	root := p.doc.JSON().Root()
	input := root.Get("result")
	if input.IsZero() {
		input = root
	}
	return Filtering{p.jq.serial, f, input}, true
}

// Filtered takes what a filter gave, unless a later one gave something before
// it. What is typed by now may be no filter yet.
func (p *Pane) Filtered(f Filtered) {
	q := &p.jq
	if f.serial == q.busy {
		q.busy, q.slow = 0, false
	}
	if f.serial <= q.shown || f.serial < q.opened || f.ended || q.bar == nil {
		return
	}
	stop := ""
	if f.result.Err != nil {
		stop = f.result.Err.Error()
		if len(f.result.Values) == 0 { // what was shown stays
			if f.serial == q.serial {
				q.wrong = stop
			}
			return
		}
	}
	q.shown, q.stop = f.serial, stop
	q.worked, q.values, q.notes, q.doc = f.text, f.result.Values, f.result.Notes, f.doc
	q.doc.Fit(400)
	q.rows = list.New(jsonRows{p, q.doc})
	p.searchAnew(JSON)
}

// Filters reports whether a filter runs that is still wanted.
func (p *Pane) Filters() bool { return p.jq.busy != 0 && p.jq.busy == p.jq.serial }

// Serial tells a filter that runs from those after it.
func (f Filtering) Serial() int { return f.serial }

// Slow says that the filter with that serial has run for a while. It reports
// whether it still does.
func (p *Pane) Slow(serial int) bool {
	if !p.Filters() || p.jq.busy != serial {
		return false
	}
	p.jq.slow = true
	return true
}

// StopFilter forgets the filter that runs; false when none does.
func (p *Pane) StopFilter() bool {
	if !p.Filters() {
		return false
	}
	p.jq.busy, p.jq.slow, p.jq.wrong = 0, false, "stopped before its end"
	p.jq.opened = p.jq.serial + 1 // what it still gives is not wanted
	return true
}

// openFilter puts the caret into the bar, over the answer as JSON.
func (p *Pane) openFilter() bool {
	if p.call.Run == nil || p.running() {
		return false
	}
	if p.answerRows() == nil || p.doc.JSON() == nil {
		return false
	}
	p.turn(JSON)
	p.find.Close()
	if p.jq.bar == nil {
		p.jq.bar = edit.NewLine(".")
		p.jq.bar.End()
		p.filterTyped()
		p.jq.opened = p.jq.serial
	}
	p.jq.typing, p.jq.past = true, len(p.jq.earlier)
	return true
}

// Changed takes what was typed.
func (p *Pane) Changed() {
	if p.find.Typing {
		p.find.Changed()
		p.searchAnew(p.tab)
		return
	}
	p.onceDotted()
	p.filterTyped()
}

// onceDotted takes the dot that the bar begins with for the one a person begins
// a filter with by habit: a second dot in a row is typed by who means "..".
func (p *Pane) onceDotted() {
	q := &p.jq
	if q.bar == nil || q.serial != q.opened {
		return
	}
	if text := q.bar.Text(); strings.HasPrefix(text, "..") {
		q.bar.SetText(text[1:])
		q.bar.End()
	}
}

// filterTyped takes what was typed as a filter.
func (p *Pane) filterTyped() {
	q := &p.jq
	if q.bar == nil {
		return
	}
	q.serial++
	q.want, q.wrong, q.slow = nil, "", false
	f, err := query.Parse(q.bar.Text())
	var fault *query.Error
	switch {
	case errors.As(err, &fault):
		q.wrong = fault.Text
		if !fault.Early {
			q.wrong += ", at byte " + words.Count(fault.Offset)
		}
	case err != nil:
		q.wrong = err.Error()
	default:
		q.want = f
	}
}

// Input is where the caret is, nil when it is not here.
func (p *Pane) Input() *edit.Editor {
	if p.find.Typing {
		return p.find.Bar
	}
	if p.jq.typing && p.tab == JSON && p.current() != nil {
		return p.jq.bar
	}
	return nil
}

// Out leaves the bar, then the filter; it reports whether there was either.
func (p *Pane) Out() bool {
	switch {
	case p.find.Bar != nil:
		p.find.Close()
		p.searchAnew(p.tab)
		return true
	case p.leave():
		return true
	}
	q := &p.jq
	if q.bar == nil || p.tab != JSON {
		return false
	}
	if q.typing && q.worked != "" && q.bar.Text() == q.worked && q.wrong == "" {
		q.keep()
		return true
	}
	p.dropFilter()
	return true
}

// dropFilter shows the whole answer again. Earlier filters are kept.
func (p *Pane) dropFilter() {
	p.jq.keep()
	p.jq = jq{earlier: p.jq.earlier, serial: p.jq.serial + 1}
}

// filterNext is dropFilter for another run: over the next answer of the same
// tool the filter stays, and is run anew.
func (p *Pane) filterNext(same bool) {
	q := p.jq
	if q.bar == nil || !same {
		p.dropFilter()
		return
	}
	p.jq = jq{bar: q.bar, typing: q.typing, earlier: q.earlier, past: q.past, serial: q.serial, opened: q.serial + 1, shown: q.serial}
	p.filterTyped()
}

// keep pins the filter.
func (q *jq) keep() {
	q.typing = false
	if n := len(q.earlier); q.worked == "" || n > 0 && q.earlier[n-1] == q.worked {
		return
	}
	q.earlier = append(q.earlier, q.worked)
	if len(q.earlier) > maxEarlier {
		q.earlier = q.earlier[1:]
	}
}

// doFilter does the commands of the bar.
func (p *Pane) doFilter(id string) bool {
	q := &p.jq
	switch id {
	case "result.jq":
		return p.openFilter()
	case "type.accept":
		if q.typing && q.wrong == "" {
			q.keep()
		}
		return q.bar != nil
	case "type.up", "type.down":
		to := q.past + map[string]int{"type.up": -1, "type.down": 1}[id]
		if q.bar == nil || to < 0 || to > len(q.earlier) || len(q.earlier) == 0 {
			return true
		}
		q.past = to
		text := "."
		if to < len(q.earlier) {
			text = q.earlier[to]
		}
		q.bar.SetText(text)
		q.bar.End()
		p.filterTyped()
		return true
	}
	return false
}

// filterHead is what stands above the results.
func (p *Pane) filterHead(k *cell.Look, w int, focused bool) cell.Block {
	q := &p.jq
	const label = " jq "
	out := cell.Block{k.Row(cell.Own(themes.Muted, label), len(label)) + q.bar.View(k, max(w-len(label), 1), 1, focused && q.typing)[0]}
	say := func(role themes.Role, text string) {
		for _, l := range prose.Text(k, role, text, w-1) {
			out = append(out, k.Row(l, w))
		}
	}
	if q.wrong != "" {
		text := "✗ " + q.wrong
		if q.worked != "" {
			text += "; shown is the last filter that worked"
		}
		say(themes.Error, k.Sign(text))
	}
	if q.slow && p.Filters() {
		say(themes.Notice, k.Sign("» filtering · ctrl+c ends it"))
	}
	if q.doc == nil {
		return out
	}
	count := words.Plural(len(q.values), "result")
	if q.wrong != "" {
		count += " of " + q.worked
	}
	say(themes.Muted, count)
	if q.stop != "" && q.wrong == "" {
		say(themes.Warning, k.Sign("▲ "+q.stop))
	}
	for i, note := range q.notes {
		if i < 3 {
			say(themes.Muted, note)
		}
	}
	return out
}

// origin is where a value of the results stands in the answer; false for one
// that the filter made.
func (q *jq) origin(v jsonread.Value) (pointer string, ok bool) {
	at, within := 0, q.doc.JSON().Root()
	if len(q.values) != 1 {
		at = -1
		for i, e := range within.Elements() {
			if e.Start() <= v.Start() && v.End() <= e.End() {
				at, within = i, e
				break
			}
		}
	}
	if at < 0 || at >= len(q.values) || q.values[at].From.IsZero() {
		return "", false
	}
	return q.values[at].From.Pointer() + v.PointerFrom(within), true
}

// takenResult is a value of what a filter gave.
func (p *Pane) takenResult(v jsonread.Value) Taken {
	t := p.takenValue("the selected value, filtered", v)
	if t.Pointer, t.Placed = p.jq.origin(v); !t.Placed {
		t.Line = nil
	}
	return t
}

// Answered reports whether there is an answer to be filtered.
func (p *Pane) Answered() bool {
	return p.call.Run != nil && !p.running() && p.answerRows() != nil && p.doc.JSON() != nil
}

package stream

import (
	"slices"
	"strings"

	"perch/engine/event"
	"perch/inspect/report"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/excerpt"
	"perch/ui/findings"
	"perch/ui/list"
)

// What was found about HTTP and files is about an event of the host, not about
// a line: it is told at the row that the event belongs to.

// hostNotes tell what was found about a row. Titles that begin with told are
// shown there already.
func hostNotes(all []rules.Finding, told string, a ask) []cell.Line {
	var out []cell.Line
	for i, f := range all {
		out = append(out, cell.Line{})
		if i == maxNotes {
			return append(out, cell.Own(themes.Muted, "0 lists what else was found here"))
		}
		if told == "" || !strings.HasPrefix(f.Title, told) {
			sign, _, role := findings.Severity(f.Severity)
			out = append(out, hanging(a.look, cell.Own(role, sign+" "), 2, themes.Text, f.Title, a.w-3)...)
		}
		if rest := findings.Rest(f); rest != "" {
			out = append(out, sentences(a.look, themes.Muted, rest, a.w-3)...)
		}
		if by := findings.WrittenBy(f.Stack); by != "" {
			out = append(out, label(a.look, "called by", themes.Text, by, a.w-3)...)
		}
		if f.Fix != "" {
			out = append(out, label(a.look, "fix", themes.Text, f.Fix, a.w-3)...)
		}
		out = append(out, label(a.look, "rule", themes.Muted, a.look.Sign(string(f.Rule)+" · "+report.Whose(f)), a.w-3)...)
	}
	return out
}

// marked is text with ^ below what is pointed at, and notes below it.
func (d *document) marked(a ask, b []byte, marks []excerpt.Mark, notes []cell.Line) {
	from, to := excerpt.Part(int64(len(b)), int64(marks[0].From))
	for i := range marks {
		marks[i].From, marks[i].To = marks[i].From-int(from), marks[i].To-int(from)
	}
	t := excerpt.Text{Look: a.look, Role: themes.HTTP, W: a.w - list.Frame, Marks: marks}
	lines := append(excerpt.Before(from), t.Rows(string(b[from:to]), false)...)
	lines = append(lines, excerpt.After(int64(len(b)), to)...)
	d.reveal = max(excerpt.CaretRow(lines)-1, 0)
	d.body = list.Lines(append(lines, notes...))
}

// foundIn is what was found about an exchange.
func (c *web) foundIn(row int) []rules.Finding {
	x := c.exchanges[row]
	var out []rules.Finding
	for _, f := range c.book.host {
		if f.Rule.Group() == "http" && c.belongs(x, f) {
			if out = append(out, f); len(out) > maxNotes {
				break // no more are told of
			}
		}
	}
	return out
}

// belongs reports whether a finding is of an exchange: what the host found comes
// between the events of one, or behind the last before the next begins.
func (c *web) belongs(x *exchange, f rules.Finding) bool {
	if f.Event < x.first {
		return false
	}
	return f.Event <= x.last || x.row+1 == len(c.exchanges) || f.Event < c.exchanges[x.row+1].first
}

// pointed are the places in the request that findings point at: those of the
// finding that was gone to come first.
func (c *web) pointed(row int, all whole) []excerpt.Mark {
	if all.request == nil {
		return nil
	}
	found := c.foundIn(row)
	if c.point != nil {
		found = append([]rules.Finding{*c.point}, slices.DeleteFunc(found, func(f rules.Finding) bool { return oneFinding(f, *c.point) })...)
	}
	var out []excerpt.Mark
	for _, f := range found {
		if r, ok := findings.InRequest(f, all.request.Raw); ok {
			out = append(out, excerpt.Mark{From: int(r.From), To: int(r.To), Caption: f.Title})
		}
	}
	return out
}

// rowOf implements pointer: the exchange that a finding is about.
func (c *web) rowOf(f rules.Finding) (row int, ok bool) {
	if f.RunID != c.run.ID() || f.Rule.Group() != "http" {
		return 0, false
	}
	row = slices.IndexFunc(c.exchanges, func(x *exchange) bool { return c.belongs(x, f) })
	return row, row >= 0
}

// finding implements pointer.
func (c *web) finding(row int) (rules.Finding, bool) { return firstOf(c.foundIn(row)) }

func firstOf(all []rules.Finding) (rules.Finding, bool) {
	if len(all) == 0 {
		return rules.Finding{}, false
	}
	return all[0], true
}

// foundIn is what was found about a file, or an attempt.
func (c *files) foundIn(row int) []rules.Finding {
	if row >= len(c.rows) || c.rows[row].mount != nil {
		return nil
	}
	var out []rules.Finding
	for _, f := range c.book.host {
		if f.Rule.Group() == "files" && c.touched(c.rows[row], c.calledAt(f.Event)) {
			if out = append(out, f); len(out) > maxNotes {
				break // no more are told of
			}
		}
	}
	return out
}

// calledAt is the moment of an event: the call of the host that it tells of.
func (c *files) calledAt(seq uint64) Moment {
	m, ok := c.called[seq]
	if !ok {
		m, _ = momentOf(c.run, seq)
		if c.called == nil {
			c.called = map[uint64]Moment{}
		}
		c.called[seq] = m
	}
	return m
}

// rowOf implements pointer: the file, or the attempt, that a finding is about.
func (c *files) rowOf(f rules.Finding) (row int, ok bool) {
	if f.RunID != c.run.ID() || f.Rule.Group() != "files" {
		return 0, false
	}
	m := c.calledAt(f.Event)
	from, to := c.rowsOf(m)
	for row = to - 1; row > from && !c.holds(row, m); row-- {
	}
	return row, to > from
}

// finding implements pointer.
func (c *files) finding(row int) (rules.Finding, bool) { return firstOf(c.foundIn(row)) }

// rowOf implements pointer: a jump to bytes leads to the panes that show them
// better.
func (c *events) rowOf(rules.Finding) (row int, ok bool) { return 0, false }

// finding implements pointer: what a breach is in the list of findings.
func (c *events) finding(row int) (rules.Finding, bool) {
	e, ok := c.run.Event(uint64(row))
	if !ok {
		return rules.Finding{}, false
	}
	b, is := e.Body.(event.Breach)
	if !is {
		return rules.Finding{}, false
	}
	if f, ok := c.book.first(b.Rule); ok && f.Event == e.Seq {
		return f, true
	}
	f := rules.Of(b)
	f.Run, f.RunID, f.Event = c.begin().Kind, c.run.ID(), e.Seq
	return f, true
}

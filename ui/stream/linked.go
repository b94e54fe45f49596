package stream

import (
	"maps"
	"slices"

	"perch/inspect/record"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/list"
)

// Marker is a place in a run that a person marked, with a note.
type Marker struct {
	Seq  uint64
	Note string // as it was typed, "" when there is none
}

// exact is a content that has a row for each event.
type exact interface {
	rowAt(seq uint64) (row int, ok bool)
}

// aimer is a content that turns towards a moment before it is shown.
type aimer interface{ aim(m Moment) }

// SelectMoment implements Pane.
func (p *panel) SelectMoment(m Moment) bool {
	if p.run == nil || m.Run != p.run.ID() {
		p.other, p.linked = Moment{}, [2]int{}
		return false
	}
	same := m == p.other
	p.other = m
	p.linked[0], p.linked[1] = p.c.rowsOf(m)
	if p.linked[0] >= p.linked[1] {
		return false
	}
	if !same && !p.find.Typing && !(p.live() && p.rows.Following()) {
		p.bring(m)
	}
	return true
}

// bring selects the row of a moment: that of its event, else the first one.
// Where no row is its event, one that belongs to it and is selected already
// stays so.
func (p *panel) bring(m Moment) {
	if a, ok := p.c.(aimer); ok {
		a.aim(m)
	}
	if e, ok := p.c.(exact); ok {
		if row, ok := e.rowAt(m.Seq); ok && p.lets(row) {
			p.rows.Show(p.linked[0])
			p.rows.Select(row)
			return
		}
	}
	if row, ok := p.rows.Selected(); ok && p.belongs(row) && p.lets(row) {
		p.rows.Select(row)
		return
	}
	for row := p.linked[0]; row < min(p.linked[1], p.linked[0]+maxSteps); row++ {
		if p.belongs(row) && p.lets(row) {
			p.rows.Select(row)
			return
		}
	}
}

// lets reports whether the sieve and the filter let a row through.
func (p *panel) lets(row int) bool { return p.shown == nil || p.shown.Has(row) }

// belongs reports whether a row belongs to the moment of another pane.
func (p *panel) belongs(row int) bool {
	if row < p.linked[0] || row >= p.linked[1] {
		return false
	}
	h, picks := p.c.(holder)
	return !picks || h.holds(row, p.other)
}

// markKey names a row that was marked: by its number, or by its name in a
// content whose rows are numbered anew.
type markKey struct {
	row  int
	name string
}

// namer is a content whose rows are numbered anew as they change.
type namer interface{ nameOf(row int) string }

func (p *panel) markKey(row int) markKey {
	if n, ok := p.c.(namer); ok {
		return markKey{name: n.nameOf(row)}
	}
	return markKey{row: row}
}

// maxMarks is how many rows of a run can be marked in a pane.
const maxMarks = 10_000

// toggleMark marks a row, or takes its mark away.
func (p *panel) toggleMark(row int) {
	k := p.markKey(row)
	if p.marks[k] {
		delete(p.marks, k)
		return
	}
	if len(p.marks) < maxMarks {
		p.marks[k] = true
	}
}

// Marked implements Pane.
func (p *panel) Marked() []Moment {
	if p.run == nil || len(p.marks) == 0 {
		return nil
	}
	var out []Moment
	take := func(row int) {
		if m, ok := p.c.moment(row); ok {
			out = append(out, m)
		}
	}
	if _, named := p.c.(namer); named {
		for row := range p.c.Len() {
			if p.marks[p.markKey(row)] {
				take(row)
			}
		}
		return out
	}
	for k := range p.marks {
		take(k.row)
	}
	return out
}

// remarked takes the markers of the run over. changed says that rows are
// others.
func (p *panel) remarked(changed bool) {
	if p.Markers == nil || p.run == nil {
		return
	}
	all := p.Markers(p.run)
	if slices.Equal(all, p.markers) && (!changed || len(all) == 0) {
		return
	}
	p.markers = append(p.markers[:0], all...)
	noted := map[int]string{}
	for _, m := range p.markers {
		if row, ok := p.rowAt(m.Seq); ok {
			noted[row] = m.Note
		}
	}
	if !maps.Equal(noted, p.noted) {
		p.noted, p.det.made = noted, false
	}
}

// rowAt is the row of an event.
func (p *panel) rowAt(seq uint64) (int, bool) {
	if e, ok := p.c.(exact); ok {
		return e.rowAt(seq)
	}
	e, ok := p.run.Event(seq)
	if !ok {
		return 0, false
	}
	from, to := p.c.rowsOf(Moment{Run: p.run.ID(), Seq: seq, Time: e.Time, From: seq, To: seq, Since: e.Time, Until: e.Time})
	return from, from < to
}

// marksOf are the marks of a run; those of the runs before stay known until
// there is none.
func (p *panel) marksOf(r *record.Run) map[markKey]bool {
	if r == nil {
		p.allMarks = nil
		return nil
	}
	if p.allMarks == nil {
		p.allMarks = map[*record.Run]map[markKey]bool{}
	}
	if p.allMarks[r] == nil {
		p.allMarks[r] = map[markKey]bool{}
	}
	return p.allMarks[r]
}

// complete takes all that came, for a jump; a search goes on by itself.
func (p *panel) complete() {
	for p.pending && p.Sync() {
	}
}

// Show implements Pane.
func (p *panel) Show() {
	if l, ok := p.c.(lazy); ok {
		l.show()
	}
}

// lags reports whether what is in sight has more to read.
func (p *panel) lags() bool {
	l, ok := p.c.(lazy)
	return ok && l.more()
}

// Zoomed reports whether a part of the run fills the pane.
func (p *panel) Zoomed() bool {
	z, ok := p.c.(interface{ zoomed() bool })
	return ok && z.zoomed()
}

// Times implements Pane.
func (p *panel) Times() Times { return p.book.times }

// SetTimes implements Pane.
func (p *panel) SetTimes(t Times) {
	p.book.times = t % timesEnd
	p.det.made = false
}

// Stays implements Pane.
func (p *panel) Stays() bool { return p.stays }

// SetStays implements Pane.
func (p *panel) SetStays(on bool) { p.stays = on }

// Mark implements list.Marker.
func (r rowsOf) Mark(i int) list.Mark {
	var m list.Mark
	if r.p.belongs(i) {
		m |= list.Linked
	}
	if len(r.p.marks) > 0 && r.p.marks[r.p.markKey(i)] {
		m |= list.Marked
	}
	if _, ok := r.p.noted[i]; ok {
		m |= list.Noted
	}
	return m
}

// noteOf is the note of a row's marker, for its detail.
func (p *panel) noteOf(row int) []cell.Line {
	note, ok := p.noted[row]
	if !ok {
		return nil
	}
	var l cell.Line
	l.Blank(1).Own(cell.Fg(themes.Accent), "▼ marker").Blank(2)
	return []cell.Line{*l.Text(cell.Fg(themes.Text), note)}
}

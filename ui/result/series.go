package result

import (
	"time"

	"perch/themes"
	"perch/ui/cell"
	"perch/ui/words"
)

// Series is what came of calls in a row, as far as they were made.
type Series struct {
	Total                 int // that were asked for
	OK, ToolError, Broken int
	Stopped               bool // by the person
	Live                  bool // more come
	Min, Median, Max      time.Duration
	First                 int // number of the first call that failed, in the history; 0: none did
	Until                 bool
	Has                   func(run uint32) bool
}

// Done is how many calls were made.
func (s Series) Done() int { return s.OK + s.ToolError + s.Broken }

// SetSeries says what came of calls in a row; it is told above each of them.
func (p *Pane) SetSeries(s *Series) { p.series = s }

// seriesHead are the rows above a call that was one in a row.
func (p *Pane) seriesHead(k *cell.Look, w, h int) cell.Block {
	s := p.series
	if s == nil || p.call.Run == nil || !s.Has(p.call.Run.ID()) || h < 8 {
		return nil
	}
	lines := []cell.Line{s.counts(), s.times()}
	if s.First > 0 {
		var l cell.Line
		l.Blank(1).OwnIn(cell.Fg(themes.Muted), "failed", 9).Own(cell.Fg(themes.Text), "first in call "+words.Count(s.First))
		if s.Until && !s.Live {
			l.Own(cell.Fg(themes.Muted), ", which ended it")
		}
		lines = append(lines, l)
	}
	lines = append(lines, cell.Line{})
	return k.Lines(lines, w, len(lines))
}

// counts are the outcomes by their number.
func (s Series) counts() cell.Line {
	var l cell.Line
	l.Blank(1).OwnIn(cell.Fg(themes.Muted), words.Count(s.Done())+" of "+words.Count(s.Total), 9)
	for i, x := range []struct {
		sign, word string
		n          int
		role       themes.Role
	}{{"✓ ", " ok", s.OK, themes.OK}, {"▲ ", " tool error", s.ToolError, themes.Warning}, {"✗ ", " broken", s.Broken, themes.Error}} {
		if x.n == 0 && (i > 0 || s.Done() > 0) {
			continue
		}
		if len(l.Spans) > 2 {
			l.Blank(2)
		}
		l.Own(cell.Fg(x.role), x.sign+words.Count(x.n)+x.word)
	}
	if s.Stopped {
		l.Own(cell.Fg(themes.Muted), "  · stopped by you")
	}
	return l
}

// times are how long the calls took.
func (s Series) times() cell.Line {
	var l cell.Line
	l.Blank(1).OwnIn(cell.Fg(themes.Muted), "took", 9)
	if s.Done() == 0 {
		return *l.Own(cell.Fg(themes.Muted), "not known yet")
	}
	for i, x := range []struct {
		name string
		d    time.Duration
	}{{"min ", s.Min}, {"median ", s.Median}, {"max ", s.Max}} {
		if i > 0 {
			l.Blank(2)
		}
		l.Own(cell.Fg(themes.Muted), x.name).Own(cell.Fg(themes.Text), words.Duration(x.d))
	}
	return l
}

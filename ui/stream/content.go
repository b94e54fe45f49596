package stream

import (
	"strings"
	"time"

	"perch/engine/event"
	"perch/inspect/jsonview"
	"perch/inspect/record"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/find"
	"perch/ui/list"
	"perch/ui/words"
)

// content is what tells the panes apart: the rows, and what is told of one.
type content interface {
	list.Source
	// reset shows another run, nil for none.
	reset(run *record.Run)
	// sync takes what came; its work is bounded, and pending says that there is
	// more to do.
	sync() (changed, pending bool)
	facts() (string, themes.Role)
	// moment is the moment of a row, rowsOf the rows of a moment: from to
	// before to, none when they are equal.
	moment(row int) (Moment, bool)
	rowsOf(m Moment) (from, to int)
	// text is what a search looks at; it is valid until the next call. budget
	// is how many rows may be looked at in one frame.
	text(row int) []byte
	budget() int
	// columns stand above the rows, notes below them where there is room,
	// losses always: what is no longer kept.
	columns(w int) []cell.Line
	notes(w int) []cell.Line
	losses() []cell.Line
	// about is what the detail says of a row. stamp changes when it would say
	// something else.
	about(row int, a ask) document
	stamp(row int) uint64
	copyRow(row int) (text string, raw []byte, ok bool)
	empty() string
	// do does a command of this pane alone on the selected row, -1: none.
	do(id string, row int) bool
}

// dropper is a content whose oldest rows go.
type dropper interface{ first() int }

// newest is a content whose newest row is not its last.
type newest interface{ newestRow() int }

// holder is a content whose rows of a moment do not all stand side by side.
type holder interface {
	holds(row int, m Moment) bool
}

// sieve is a content that shows some of its rows only.
type sieve interface {
	sieved() bool
	lets(row int) bool
}

// painter is a content that draws its rows in a way of its own.
type painter interface {
	paint(v View) cell.Block // exactly v.H rows of v.W cells
	cursorY() (int, bool)
	clickAt(x, y int) bool
	wheel(dx, dy int)
}

// lazy is a content that reads nothing before it came into sight.
type lazy interface {
	show()
	more() bool // there is more to read
}

// still is a content that has no end to follow.
type still interface{ still() }

// pointer is a content whose rows have bytes that findings point at.
type pointer interface {
	// rowOf is the row of the bytes that a finding points at.
	rowOf(f rules.Finding) (row int, ok bool)
	// finding is what was found about a row, the most important first.
	finding(row int) (rules.Finding, bool)
}

// asker is a content with a question below its rows.
type asker interface {
	question(k *cell.Look, w int) []cell.Line
	// dismiss takes the question away and reports whether there was one.
	dismiss() bool
}

// ask is for what a detail is made.
type ask struct {
	look *cell.Look
	w    int // cells of the pane
	tab  string
}

// document is what a detail shows.
type document struct {
	title  cell.Line // what it is of
	of     string    // the same in a word or two, for a title rule
	tabs   []string
	tab    int
	apart  bool      // the tabs stand in a row of their own
	right  cell.Line // at the right of that row
	head   []cell.Line
	body   list.Source
	json   *jsonview.Doc                      // what the body shows, when it can be folded
	docAt  func(row int) (*jsonview.Doc, int) // the same of a body with several, and where it begins
	hex    bool                               // the body is bytes in hexadecimal
	ways   []way                              // in which the body can be shown; none: in one
	way    way                                // that was asked for
	reveal int                                // row of the body to be seen first
	folds  func(id string, row int) bool      // folds what is no JSON, nil: nothing
}

// Times is how times are written, in all panes alike.
type Times uint8

// The ways to write times, in the order in which they are gone through.
const (
	SinceStart Times = iota
	SinceLast
	Clock
	timesEnd
)

// String says it in words.
func (t Times) String() string {
	return [...]string{"since the start", "since the row before", "by the clock"}[t]
}

// Next is the way that follows.
func (t Times) Next() Times { return (t + 1) % timesEnd }

// shared is what all contents of a pane need.
type shared struct {
	Options
	run    *record.Run
	look   *cell.Look // of what is being drawn
	find   find.Finder
	latest time.Duration  // of what came: the time column fits it
	own    Moment         // of the selected row
	point  *rules.Finding // whose bytes are to be seen, nil: those of the row
}

// live reports whether the run that is shown goes on.
func (s *shared) live() bool {
	if s.run == nil {
		return false
	}
	if s.Live != nil {
		return s.Live(s.run)
	}
	_, ended := s.run.End()
	return !ended
}

// timeWidth is how many cells a time takes.
func (s *shared) timeWidth() int {
	switch s.book.times {
	case Clock:
		return len("14:03:07.512")
	case SinceLast:
		return len(words.Moment(s.latest)) + 1
	}
	return len(words.Moment(s.latest))
}

// addTime adds the time of a row, right in its column, and two blanks. prev is
// the time of the row before.
func (s *shared) addTime(l *cell.Line, at time.Duration, prev func() (time.Duration, bool)) {
	l.NumberIn(cell.Fg(themes.Muted), s.moments(at, prev), s.timeWidth()).Blank(2)
}

// moments is a time in a list, as the person wants it. prev is the time of the
// row before.
func (s *shared) moments(at time.Duration, prev func() (time.Duration, bool)) string {
	if s.book.times == SinceLast {
		if before, ok := prev(); ok {
			return "+" + words.Moment(at-before)
		}
	}
	return s.when(at)
}

// when is a time that stands alone, in a detail.
func (s *shared) when(at time.Duration) string {
	if s.book.times == Clock {
		return s.run.Begin().Started.Add(at).Format("15:04:05.000")
	}
	return words.Moment(at)
}

// addTimeHead adds the name of the time column.
func (s *shared) addTimeHead(l *cell.Line) {
	l.OwnIn(cell.Fg(themes.Faint), "time", s.timeWidth()).Blank(2)
}

// begin is what the run was begun with.
func (s *shared) begin() event.Begin {
	if s.run == nil {
		return event.Begin{}
	}
	return s.run.Begin()
}

// tabOf is the tab of that name among tabs, 0 when there is none. Text that is
// no JSON calls Text what is Raw of a message.
func tabOf(tabs []string, name string) int {
	name, _, _ = strings.Cut(name, " ") // Hops 2
	for i, t := range tabs {
		t, _, _ = strings.Cut(t, " ")
		if t == name || t == "Text" && name == "Raw" || t == "Raw" && name == "Text" {
			return i
		}
	}
	return 0
}

package stream

import (
	"time"

	"perch/inspect/record"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/edit"
	"perch/ui/picture"
)

// Pane is one stream: a list and the detail of its selected row. It is for one
// goroutine. The app draws the title rule and decides where list and detail
// stand; a pane draws both below their titles, and may be asked for one of them
// alone.
type Pane interface {
	// Digit is the number of the pane, 4 to 10; its last digit is the key
	// that focuses it.
	Digit() int
	// Name is the pane's name in the strip of streams, Short the one for narrow
	// titles.
	Name() string
	Short() string
	// Facts is the count that stands after the name: "4", "1,204,331", "✗1".
	// The role is None unless it tells something.
	Facts() (string, themes.Role)

	// SetRun shows a run from its start, or its end while it lives; nil shows
	// that there is none yet. The same run again changes nothing.
	SetRun(*record.Run)
	// Sync takes what came since the last call and reports whether what is
	// shown may have changed. It is to be called at most once a frame: its cost
	// follows what is new, and is bounded. Pending says that there is more.
	Sync() bool
	Pending() bool

	// List draws the list, Detail the selected row: exactly v.H rows of exactly
	// v.W cells.
	List(v View) cell.Block
	Detail(v View) cell.Block
	// DetailTitle is the title of a detail that does not stand beside its list:
	// its tabs and what it is of. The app draws it and asks for Detail with
	// v.Titled.
	DetailTitle(focused bool) cell.Title

	// Selected is the moment of the selected row; false when there is none.
	Selected() (Moment, bool)
	// SelectMoment marks the rows of a moment with ◆, selects the first one and
	// brings it into sight, unless the pane follows a live run. It reports
	// whether there is one. The zero Moment takes the marks away.
	SelectMoment(Moment) bool
	// Goto selects the row of a moment, for a jump; false when there is none.
	Goto(Moment) bool

	// Marked are the moments of the rows that were marked by hand.
	Marked() []Moment
	// Show says that the pane comes into sight.
	Show()
	// Times is how all panes write times; SetTimes chooses it.
	Times() Times
	SetTimes(Times)

	// Point goes to the bytes that a finding is about and shows them marked;
	// false when they are not in this pane.
	Point(f rules.Finding) bool
	// Finding is what was found about the selected row, the most important
	// first; false when nothing was.
	Finding() (rules.Finding, bool)

	// Do does what a command means here and reports whether it means anything:
	//
	//	nav.up nav.down nav.top nav.bottom nav.page_up nav.page_down
	//	nav.half_up nav.half_down  nav.in nav.toggle nav.left nav.right
	//	text.wrap text.left text.right  stream.follow stream.time
	//	tab.prev tab.next content.next  result.fold result.unfold
	//	find.open find.filter find.mode find.regex find.case find.next find.prev
	//	type.accept type.up type.down  events.kinds
	//
	// In a list nav.in, nav.left and nav.right are the app's (the detail, out)
	// where the row has nothing to unfold: Do then reports false.
	Do(id string, inDetail bool) bool
	// SetTab chooses a tab of the detail.
	SetTab(i int)
	// NextWay is how content.next would show the bytes of the detail, in a word;
	// "" where it goes to the next tab.
	NextWay() string
	// Redraw makes the detail anew: a picture came, or looks otherwise.
	Redraw()

	// Input is where the caret is: the find bar while it is typed into, else
	// nil. Changed is to be called when its text changed.
	Input() *edit.Editor
	Changed()
	// Searching reports whether a pinned search owns n and N.
	Searching() bool
	// Out undoes the latest step in (the bar, the search, the filter, a
	// question) and reports whether there was one.
	Out() bool

	// Click selects what is at a place of what was drawn last; it reports
	// whether something was there. Wheel scrolls, dy rows or dx half panes.
	Click(x, y int, inDetail bool) bool
	Wheel(dx, dy int, inDetail bool)
	// Cursor is the place of the caret, or of the selected row.
	Cursor(inDetail bool) (x, y int, ok bool)

	// Copy is the selected row as text that is safe to show, and its bytes as
	// they came; false when there is nothing to copy.
	Copy() (text string, raw []byte, ok bool)
	// Empty says what would fill a pane without rows.
	Empty() string

	// RefusedHost is the host that HTTP asks about: one that is not in the
	// allowlist. It is "" when there is no such question.
	RefusedHost() string

	// Following reports whether the list stays at the end.
	Following() bool
	// Stays reports whether following was turned off by its command, which holds
	// for the runs to come too; SetStays turns it off or on for them.
	Stays() bool
	SetStays(bool)
}

// View is what a pane is drawn for.
type View struct {
	Look    *cell.Look
	W, H    int
	Focused bool
	// Titled: the app has drawn DetailTitle above the detail, so the tabs are
	// not shown again.
	Titled bool
}

// Moment is a place in a run: an event, and those that belong to it because
// they happened in the same call of the host.
type Moment struct {
	Run      uint32        // the run's number, 0: no moment
	Seq      uint64        // the event
	Time     time.Duration // its time since the start of the run
	From, To uint64        // the events that belong to it, To included
	Since    time.Duration // time of the first of them
	Until    time.Duration // time of the last of them
}

// holds reports whether an event belongs to the moment.
func (m Moment) holds(seq uint64) bool { return m.Run != 0 && seq >= m.From && seq <= m.To }

// Options are what the panes need of the app beside a run.
type Options struct {
	// Markers are those of a run, in the order of their events. Nil: there are
	// none.
	Markers func(*record.Run) []Marker
	// ReadFile reads a file below the run's volume by its name in the guest, at
	// most n bytes from its start; size is that of the whole file. Nil: no
	// files can be read, as of a record.
	ReadFile func(run uint32, path string, n int64) (b []byte, size int64, err error)
	// Before is a file below the run's volume as it was before the run. Nil:
	// it is known of none.
	Before func(run uint32, path string) Was
	// Holds are the files below a folder of the guest as they are now, at most n
	// of them, how many there are, and a number that changes with them. Nil: it
	// is not known.
	Holds func(folder string, n int) (files []Held, all int, seen uint64)
	// Live reports whether a run goes on. Nil: a run goes on until its last
	// event came.
	Live func(*record.Run) bool
	// Findings is what was found in a run so far. It is asked once a frame and
	// must cost little when nothing is new. Nil: what its record alone shows.
	Findings func(*record.Run) Found
	// Run is a run by its number, for findings of another run than the one that
	// is shown; nil where there is none. Nil: there are no others.
	Run func(id uint32) *record.Run
	// File is the bytes of a file of the package by its name, nil when they are
	// not at hand. Nil: none are.
	File func(name string) []byte

	// Picture draws a picture in at most w×h cells, its frame included. Nil:
	// pictures are told in words.
	Picture func(p picture.Picture, w, h int) cell.Block
	// Probes is how far probes of the package are. Nil: there are none.
	Probes func() Progress

	book *book // shared by the panes of an app
}

// ready gives options a book of findings.
func (o Options) ready() Options {
	if o.book == nil {
		o.book = &book{found: o.Findings}
	}
	return o
}

// Package list is the virtual list behind every pane of rows: it draws what is
// in sight and looks at nothing else, whether there are ten rows or ten
// million. A place is a row's number, never a distance from the top, so rows
// that come, go or are filtered do not move what a person is looking at.
//
// The package knows rows by number; what is in them is the business of its
// Source.
package list

import (
	"perch/themes"
	"perch/ui/cell"
)

// Source has the rows. They are numbered from 0; a number stays with its row.
type Source interface {
	// Len is one more than the number of the last row.
	Len() int
	// Row is row i, for a room of w cells. It is asked for rows in sight only.
	Row(i, w int) cell.Line
}

// Dropper is a Source whose oldest rows go.
type Dropper interface {
	// First is the number of the oldest row that is still there.
	First() int
}

// Marker is a Source that knows of rows to be told apart.
type Marker interface {
	Mark(i int) Mark
}

// Newer is a Source that says which row is selected while the list follows its
// end, where that is not the last one.
type Newer interface {
	Newest() int
}

// Mark says how a row is told apart.
type Mark uint8

// The marks.
const (
	Linked Mark = 1 << iota // belongs to the moment: ◆ at the right edge
	Marked                  // chosen by hand: • in the first cell
	Noted                   // has a marker: ▼ in the first cell
)

// List is the state of one list. The zero List is empty; use New.
type List struct {
	src    Source
	filter *Index // rows to show, nil: all
	search *Index // matches that n and N walk

	sel    int // number of the selected row
	top    place
	follow bool
	quiet  bool // follow without selecting the newest row
	bare   bool // draw the selected row as the others
	wrap   bool
	x      int // cells scrolled sideways
	seen   int // Len when following ended
	reveal bool
	jump   bool // reveal, with room below
	scroll int  // rows to scroll once heights are known

	width, height int
	drawn         []int // row number on each drawn row, -1: none
}

// place is a row and how many of its wrapped rows are above the edge.
type place struct{ row, sub int }

// New makes a list that shows src from its start.
func New(src Source) *List { return &List{src: src} }

// SetSource shows other rows, from their start.
func (l *List) SetSource(src Source) {
	*l = List{src: src, wrap: l.wrap, bare: l.bare, width: l.width, height: l.height}
}

// Source is what the list shows.
func (l *List) Source() Source { return l.src }

// first is the number of the oldest row.
func (l *List) first() int {
	if d, ok := l.src.(Dropper); ok {
		return d.First()
	}
	return 0
}

// count is how many rows can be shown.
func (l *List) count() int {
	if l.src == nil {
		return 0
	}
	if l.filter != nil {
		return l.filter.Len()
	}
	return max(l.src.Len()-l.first(), 0)
}

// row is the number of the row at a position among those that can be shown.
func (l *List) row(pos int) int {
	if l.filter != nil {
		return l.filter.At(pos)
	}
	return l.first() + pos
}

// pos is the position of a row, or of the next one that can be shown.
func (l *List) pos(row int) int {
	if l.filter != nil {
		return l.filter.Seek(row)
	}
	return row - l.first()
}

// clampPos is pos within what there is.
func (l *List) clampPos(row int) int { return max(min(l.pos(row), l.count()-1), 0) }

// Len is how many rows can be shown: all, or those of the filter.
func (l *List) Len() int { return l.count() }

// Selected is the number of the selected row; false when there is none.
func (l *List) Selected() (int, bool) {
	if l.count() == 0 {
		return 0, false
	}
	if l.follow && !l.quiet {
		if n, ok := l.src.(Newer); ok {
			return l.row(l.clampPos(n.Newest())), true
		}
		return l.row(l.count() - 1), true
	}
	return l.row(l.clampPos(l.sel)), true
}

// Position is the selected row's place among those shown, from 0.
func (l *List) Position() int {
	if row, ok := l.Selected(); ok {
		return l.clampPos(row)
	}
	return 0
}

// Select selects a row and brings it into sight. Following ends.
func (l *List) Select(row int) {
	l.Unfollow()
	l.sel, l.reveal = row, true
}

// Jump is Select with what follows the row in sight too: it stands in the upper
// two thirds.
func (l *List) Jump(row int) {
	l.Select(row)
	l.jump = true
}

// Show brings a row into sight and selects nothing, unless the list follows.
func (l *List) Show(row int) {
	if l.follow || l.count() == 0 {
		return
	}
	pos := l.clampPos(row)
	if top := l.clampPos(l.top.row); pos >= top && pos < top+max(l.height, 1) {
		return
	}
	l.top = place{row: l.row(max(pos-l.height/3, 0))}
}

// Move moves the selection by n rows. Up ends following.
func (l *List) Move(n int) {
	if l.count() == 0 {
		return
	}
	pos := l.Position()
	to := max(min(pos+n, l.count()-1), 0)
	if l.follow && to == pos {
		return // at the end already
	}
	l.Select(l.row(to))
}

// Page moves the selection by n pages, HalfPage by n half ones.
func (l *List) Page(n int) { l.Move(n * max(l.height-1, 1)) }

// HalfPage is Page by halves.
func (l *List) HalfPage(n int) { l.Move(n * max(l.height/2, 1)) }

// Top selects the first row.
func (l *List) Top() {
	if l.count() > 0 {
		l.Select(l.row(0))
	}
}

// Bottom selects the last row, and follows where rows keep coming.
func (l *List) Bottom(follow bool) {
	if l.count() > 0 {
		l.Select(l.row(l.count() - 1))
	}
	if follow {
		l.Follow()
	}
}

// Scroll moves what is in sight by n rows, up when negative, as the wheel
// does; the selection stays where it is. Up ends following.
func (l *List) Scroll(n int) {
	if n == 0 || l.follow && n > 0 {
		return
	}
	if l.follow {
		l.Unfollow()
	}
	l.reveal = false
	l.scroll += n
}

// Follow stays at the end as rows come, and selects the newest.
func (l *List) Follow() { l.follow, l.quiet, l.scroll = true, false, 0 }

// FollowQuietly stays at the end as rows come; the selection stays.
func (l *List) FollowQuietly() {
	l.Follow()
	l.quiet = true
}

// Unfollow ends following, with the newest row selected.
func (l *List) Unfollow() {
	if !l.follow {
		return
	}
	if row, ok := l.Selected(); ok {
		l.sel = row
	}
	l.follow, l.quiet = false, false
	l.seen = l.src.Len()
}

// Following reports whether the list stays at the end.
func (l *List) Following() bool { return l.follow }

// New is how many rows came since following ended. It is 0 for a list that
// never followed.
func (l *List) New() int {
	if l.follow || l.seen == 0 || l.src == nil {
		return 0
	}
	return max(l.src.Len()-l.seen, 0)
}

// Wrap sets whether long lines are wrapped.
func (l *List) Wrap(on bool) {
	l.wrap, l.reveal = on, true
	if on {
		l.x = 0
	}
}

// Wrapping reports whether long lines are wrapped.
func (l *List) Wrapping() bool { return l.wrap }

// Bare sets whether the selected row is drawn as the others: in text that is
// read and not chosen from.
func (l *List) Bare(on bool) { l.bare = on }

// Sideways scrolls by n half panes, to the left when negative.
func (l *List) Sideways(n int) {
	if !l.wrap {
		l.x = max(l.x+n*max(l.width/2, 1), 0)
	}
}

// X is how many cells the list is scrolled sideways.
func (l *List) X() int { return l.x }

// At is the row drawn on row y of the pane.
func (l *List) At(y int) (int, bool) {
	if y < 0 || y >= len(l.drawn) || l.drawn[y] < 0 {
		return 0, false
	}
	return l.drawn[y], true
}

// Click selects the row drawn on row y of the pane.
func (l *List) Click(y int) bool {
	row, ok := l.At(y)
	if ok {
		l.Select(row)
	}
	return ok
}

// SelectedY is the pane's row on which the selected row begins, for the
// cursor; false when it is out of sight.
func (l *List) SelectedY() (int, bool) {
	row, ok := l.Selected()
	if !ok {
		return 0, false
	}
	for y, r := range l.drawn {
		if r == row {
			return y, true
		}
	}
	return 0, false
}

// Filter shows the rows of an index only; nil shows all again. The selected
// row stays, or the next one that is shown takes its place.
func (l *List) Filter(ix *Index) {
	if row, ok := l.Selected(); ok {
		l.sel = row
	}
	l.filter, l.reveal = ix, true
}

// Filtered reports whether a filter is on.
func (l *List) Filtered() bool { return l.filter != nil }

// Search pins the matches that NextMatch and PrevMatch walk; nil lets go.
func (l *List) Search(ix *Index) { l.search = ix }

// Searching is the pinned search, or nil.
func (l *List) Searching() *Index { return l.search }

// NextMatch selects the next match after the selected row, around the end.
func (l *List) NextMatch() bool { return l.match((*Index).Next) }

// PrevMatch selects the match before the selected row, around the start.
func (l *List) PrevMatch() bool { return l.match((*Index).Prev) }

func (l *List) match(step func(*Index, int) (int, bool)) bool {
	if l.search == nil {
		return false
	}
	row, ok := l.Selected()
	if !ok {
		return false
	}
	if row, ok = step(l.search, row); ok {
		l.Select(row)
	}
	return ok
}

// styleOf is the ground of a row.
func styleOf(selected, focused bool) cell.Style {
	switch {
	case selected && focused:
		return cell.Style{Bg: themes.Selection}
	case selected:
		return cell.Style{Bg: themes.SelectionQuiet}
	}
	return cell.Style{}
}

// Package layout divides the terminal: which panes there are at which size, and
// where. It is arithmetic alone and knows nothing of what panes show.
package layout

// Class is how much room there is.
type Class uint8

// The size classes.
const (
	None   Class = iota // one line
	Narrow              // one pane
	Tall                // a pane, and a stream below
	Normal              // three panes, streams below
	Wide                // as Normal, and a second stream beside
)

// Sizes in cells where classes begin.
const (
	MinWidth, MinHeight       = 40, 10
	normalWidth, normalHeight = 100, 28
	WideWidth, WideHeight     = 160, 40
	tallHeight                = 44
	stripHeight               = 16 // narrow, with a strip of digits
	besideWidth               = 100
	belowHeight               = 14 // rows of a stream that has its detail below
	dockWidth                 = 50
	openWidth                 = 80 // of the list in Open
)

// Of is the class of a terminal of w times h cells.
func Of(w, h int) Class {
	switch {
	case w < MinWidth || h < MinHeight:
		return None
	case w >= WideWidth && h >= WideHeight:
		return Wide
	case w >= normalWidth && h >= normalHeight:
		return Normal
	case w < normalWidth && h >= tallHeight:
		return Tall
	}
	return Narrow
}

// Rect is a place on the screen, in cells from the upper left.
type Rect struct{ X, Y, W, H int }

// Empty reports whether there is no room in it.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Has reports whether a cell is in it.
func (r Rect) Has(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Body is what lies between header and footer.
func Body(w, h int) Rect { return Rect{0, 1, w, max(h-2, 0)} }

// Explore is where the panes of the view Explore are. Panes that are not drawn
// are empty. Each has its title rule in its first row, the streams one for
// list, detail and dock together.
type Explore struct {
	Class  Class
	Strip  Rect // of digits, above a single pane
	First  Rect // Tools
	Second Rect // Arguments
	Third  Rect // Result
	Stream Stream
	// Handles are the edges that can be moved.
	Handles Handles
}

// Stream is where a stream is. The list and the detail stand below the title;
// what is not drawn is empty.
type Stream struct {
	Title, List, Detail Rect
	DockTitle, Dock     Rect
	// Below says that the detail stands below the list.
	Below bool
	// Instead says that there is room for one of them only.
	Instead bool
}

// State is what decides beside the size.
type State struct {
	Pane   int  // 1 to 3 of the view, 4 and above a stream: the one that has focus
	Upper  int  // the pane of the view that was in focus last, 1 to 3
	Zoom   bool // the pane that has focus takes it all
	Detail bool // the detail of the stream has focus
	Edges  Edges
}

// ForExplore divides w times h cells.
func ForExplore(w, h int, s State) Explore {
	e := Explore{Class: Of(w, h)}
	body := Body(w, h)
	switch {
	case e.Class == None:
	case s.Zoom:
		e.single(body, s)
	case e.Class == Narrow:
		if h >= stripHeight {
			e.Strip = Rect{0, body.Y, w, 1}
			body.Y, body.H = body.Y+1, body.H-1
		}
		e.single(body, s)
	case e.Class == Tall:
		e.Strip = Rect{0, body.Y, w, 1}
		body.Y, body.H = body.Y+1, body.H-1
		top := e.tallTop(body, s.Edges)
		e.upper(Rect{0, body.Y, w, top}, s.Upper)
		e.handle(Lower, Rect{0, body.Y + top, w, 1}, true)
		e.stream(Rect{0, body.Y + top, w, body.H - top}, s, false)
	default:
		e.normal(body, s)
	}
	return e
}

// single gives all room to the pane that has focus.
func (e *Explore) single(body Rect, s State) {
	if s.Pane > 3 {
		e.stream(body, s, false)
		return
	}
	e.upper(body, s.Pane)
}

// upper gives the room to one pane of the view.
func (e *Explore) upper(r Rect, pane int) {
	switch pane {
	case 1:
		e.First = r
	case 3:
		e.Third = r
	default:
		e.Second = r
	}
}

// Open is where the parts of the gallery are: the list, and what is told of the
// selected package beside it where there is room.
type Open struct{ List, Beside Rect }

// ForOpen divides w times h cells.
func ForOpen(w, h int) Open {
	body := Body(w, h)
	if w < openWidth+31 {
		return Open{List: body}
	}
	return Open{List: Rect{0, body.Y, openWidth, body.H}, Beside: Rect{openWidth + 1, body.Y, w - openWidth - 1, body.H}}
}

// Check is where the parts of the view Check are: the findings, and the
// imports beside them where there is room.
type Check struct{ Findings, Imports Rect }

// ForCheck divides w times h cells.
func ForCheck(w, h int) Check {
	body := Body(w, h)
	if w < normalWidth {
		return Check{Findings: body}
	}
	n := max(w*58/100, 56)
	return Check{Findings: Rect{0, body.Y, n, body.H}, Imports: Rect{n + 1, body.Y, w - n - 1, body.H}}
}

// Centre is the place of a box of bw times bh cells: centred, a third from the
// top.
func Centre(w, h, bw, bh int) Rect {
	return Rect{max((w-bw)/2, 0), max((h-bh)/3, 0), bw, bh}
}

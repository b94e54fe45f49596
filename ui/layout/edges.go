package layout

// Edge is an edge between two parts.
type Edge uint8

// The edges that can be moved.
const (
	NoEdge Edge = iota
	First       // between Tools and what is right of it
	Second      // between Arguments and Result
	Lower       // between the panes of the view and the streams
	List        // between the list of a stream and its detail
	Dock        // between that and the stream beside it
	edges
)

// No pane is made smaller than this by moving edges.
const (
	leastWidth  = 18
	leastHeight = 3
)

// Panes that can be hidden, as bits of Edges.Hidden. The streams are one.
const (
	HideFirst  = 1 << 1
	HideSecond = 1 << 2
	HideThird  = 1 << 3
	HideStream = 1 << 4
)

// Edges are what a person moved and hid. The zero Edges is the layout as it
// comes.
type Edges struct {
	// By are the cells by which an edge lies farther right or lower than it
	// comes, by its Edge.
	By [edges]int `json:"by"`
	// Hidden are bits of panes.
	Hidden int `json:"hidden,omitempty"`
}

// Moved is the edges with one of them moved.
func (e Edges) Moved(edge Edge, by int) Edges {
	e.By[edge] += by
	return e
}

// hides reports whether a pane is not drawn. The one that has focus always is.
func (s State) hides(bit int) bool {
	pane := bit
	switch {
	case s.Pane > 3:
		pane = HideStream
	default:
		pane = 1 << s.Pane
	}
	return s.Edges.Hidden&bit != 0 && pane != bit
}

// Handle is where an edge can be taken.
type Handle struct {
	Edge Edge
	At   Rect
	Rows bool // it moves up and down, and lies on a title rule
}

// Handles are the edges of a layout, as many as there are.
type Handles struct {
	all [edges]Handle
	n   int
}

// All are the handles.
func (h Handles) All() []Handle { return h.all[:h.n] }

// Has reports whether an edge can be moved.
func (h Handles) Has(edge Edge) bool {
	for _, x := range h.All() {
		if x.Edge == edge {
			return true
		}
	}
	return false
}

func (e *Explore) handle(edge Edge, at Rect, rows bool) {
	e.Handles.all[e.Handles.n] = Handle{edge, at, rows}
	e.Handles.n++
}

// within brings a size between its bounds; the lower one wins.
func within(n, least, most int) int { return max(min(n, most), least) }

// tallTop is how many rows the upper pane has where a stream stands below.
func (e *Explore) tallTop(body Rect, edges Edges) int {
	return within(body.H*55/100+edges.By[Lower], leastHeight+1, body.H-leastHeight-2)
}

// normal divides the body into three panes above and the streams below.
func (e *Explore) normal(body Rect, s State) {
	top := body.H - body.H*45/100
	hidden := s.hides(HideFirst) && s.hides(HideSecond) && s.hides(HideThird)
	switch {
	case hidden:
		top = 0
	case s.hides(HideStream):
		top = body.H
	default:
		top = within(top+s.Edges.By[Lower], leastHeight+1, body.H-leastHeight-2)
		e.handle(Lower, Rect{0, body.Y + top, body.W, 1}, true)
	}
	if !hidden {
		e.three(Rect{0, body.Y, body.W, top}, s)
	}
	if top < body.H {
		e.stream(Rect{0, body.Y + top, body.W, body.H - top}, s, e.Class == Wide)
	}
}

// three divides the room of the panes of the view.
func (e *Explore) three(r Rect, s State) {
	x := r.X
	tools := min(max(r.W*10/54, 18), 28)
	rest := r.W - tools - 2
	second := min((rest+1)/2, 72)
	if s.hides(HideFirst) {
		rest = r.W - 1
		second = min((rest+1)/2, 72)
	} else {
		least := leastWidth + 1
		if !s.hides(HideSecond) && !s.hides(HideThird) {
			least += leastWidth + 1
		}
		if s.hides(HideSecond) && s.hides(HideThird) {
			e.First = r
			return
		}
		moved := within(tools+s.Edges.By[First], leastWidth, r.W-least)
		rest -= moved - tools
		second = within(second-(moved-tools)/2, leastWidth, rest-leastWidth)
		e.First = Rect{x, r.Y, moved, r.H}
		x += moved + 1
		e.handle(First, Rect{x - 1, r.Y, 1, r.H}, false)
	}
	switch room := (Rect{x, r.Y, r.X + r.W - x, r.H}); {
	case s.hides(HideSecond):
		if !s.hides(HideThird) {
			e.Third = room
		}
	case s.hides(HideThird):
		e.Second = room
	default:
		second = within(second+s.Edges.By[Second], leastWidth, rest-leastWidth)
		e.Second = Rect{x, r.Y, second, r.H}
		e.Third = Rect{x + second + 1, r.Y, room.W - second - 1, r.H}
		e.handle(Second, Rect{x + second, r.Y, 1, r.H}, false)
	}
}

// stream divides the room of a stream, its title included.
func (e *Explore) stream(r Rect, s State, dock bool) {
	out := &e.Stream
	if dock {
		w := within(dockWidth-s.Edges.By[Dock], leastWidth, r.W-besideWidth-1)
		at := r.X + r.W - w
		out.DockTitle = Rect{at, r.Y, w, 1}
		out.Dock = Rect{at, r.Y + 1, w, r.H - 1}
		e.handle(Dock, Rect{at - 1, r.Y + 1, 1, r.H - 1}, false)
		r.W -= w + 1
	}
	out.Title = Rect{r.X, r.Y, r.W, 1}
	r.Y, r.H = r.Y+1, r.H-1
	switch {
	case r.W >= besideWidth:
		list := within(r.W*54/100+s.Edges.By[List], leastWidth, r.W-leastWidth-1)
		out.List = Rect{r.X, r.Y, list, r.H}
		out.Detail = Rect{r.X + list + 1, r.Y, r.W - list - 1, r.H}
		e.handle(List, Rect{r.X + list, r.Y, 1, r.H}, false)
	case r.H+1 >= belowHeight:
		list := (r.H - 1) / 2
		out.Below = true
		out.List = Rect{r.X, r.Y, r.W, list}
		out.Detail = Rect{r.X, r.Y + list + 1, r.W, r.H - list - 1} // a rule between
	case s.Detail:
		out.Instead, out.Detail = true, r
	default:
		out.Instead, out.List = true, r
	}
}

package layout_test

import (
	"testing"

	"perch/ui/layout"
)

func TestClasses(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want layout.Class
	}{
		{0, 0, layout.None}, {39, 50, layout.None}, {80, 9, layout.None}, {40, 10, layout.Narrow}, {80, 24, layout.Narrow},
		{99, 43, layout.Narrow}, {99, 44, layout.Tall}, {200, 27, layout.Narrow}, {100, 28, layout.Normal}, {159, 80, layout.Normal},
		{160, 39, layout.Normal}, {160, 40, layout.Wide}, {250, 80, layout.Wide},
	} {
		if got := layout.Of(c.w, c.h); got != c.want {
			t.Errorf("%dx%d is %d, want %d", c.w, c.h, got, c.want)
		}
	}
}

func TestExploreOfTheDesign(t *testing.T) {
	type rect = layout.Rect
	for _, c := range []struct {
		w, h  int
		state layout.State
		want  layout.Explore
	}{
		{120, 40, layout.State{Pane: 1, Upper: 1}, layout.Explore{Class: layout.Normal,
			First: rect{0, 1, 22, 21}, Second: rect{23, 1, 48, 21}, Third: rect{72, 1, 48, 21},
			Stream: layout.Stream{Title: rect{0, 22, 120, 1}, List: rect{0, 23, 64, 16}, Detail: rect{65, 23, 55, 16}}}},
		{200, 60, layout.State{Pane: 4, Upper: 2}, layout.Explore{Class: layout.Wide,
			First: rect{0, 1, 28, 32}, Second: rect{29, 1, 72, 32}, Third: rect{102, 1, 98, 32},
			Stream: layout.Stream{Title: rect{0, 33, 149, 1}, List: rect{0, 34, 80, 25}, Detail: rect{81, 34, 68, 25},
				DockTitle: rect{150, 33, 50, 1}, Dock: rect{150, 34, 50, 25}}}},
		{80, 24, layout.State{Pane: 2, Upper: 2}, layout.Explore{Class: layout.Narrow, Strip: rect{0, 1, 80, 1}, Second: rect{0, 2, 80, 21}}},
		{40, 10, layout.State{Pane: 3, Upper: 3}, layout.Explore{Class: layout.Narrow, Third: rect{0, 1, 40, 8}}},
		{40, 10, layout.State{Pane: 4, Upper: 3, Detail: true}, layout.Explore{Class: layout.Narrow,
			Stream: layout.Stream{Title: rect{0, 1, 40, 1}, Detail: rect{0, 2, 40, 7}, Instead: true}}},
		{120, 40, layout.State{Pane: 2, Upper: 2, Zoom: true}, layout.Explore{Class: layout.Normal, Second: rect{0, 1, 120, 38}}},
	} {
		got := layout.ForExplore(c.w, c.h, c.state)
		got.Handles = layout.Handles{}
		if got != c.want {
			t.Errorf("%dx%d %+v\n got %+v\nwant %+v", c.w, c.h, c.state, got, c.want)
		}
	}
}

// TestNothingLiesOutside: at every size each part lies on the screen.
func TestNothingLiesOutside(t *testing.T) {
	for w := 40; w <= 260; w += 7 {
		for h := 10; h <= 90; h += 3 {
			for pane := 1; pane <= 8; pane++ {
				for _, s := range []layout.State{{Pane: pane, Upper: 2}, {Pane: pane, Upper: 2, Edges: moved(40)}, {Pane: pane, Upper: 1, Edges: moved(-90)}, {Pane: pane, Upper: 1, Detail: true}, {Pane: pane, Upper: 3, Zoom: true}} {
					e := layout.ForExplore(w, h, s)
					for _, r := range []layout.Rect{e.Strip, e.First, e.Second, e.Third, e.Stream.Title, e.Stream.List, e.Stream.Detail, e.Stream.Dock, e.Stream.DockTitle} {
						if !r.Empty() && (r.X < 0 || r.Y < 1 || r.X+r.W > w || r.Y+r.H > h-1) {
							t.Fatalf("%dx%d %+v: %+v", w, h, s, r)
						}
					}
				}
			}
		}
	}
}

// moved are all edges far from where they come.
func moved(by int) layout.Edges {
	var e layout.Edges
	for _, edge := range []layout.Edge{layout.First, layout.Second, layout.Lower, layout.List, layout.Dock} {
		e = e.Moved(edge, by)
	}
	return e
}

// TestEdges: each edge moves what lies beside it, no pane gets too small, and
// what is hidden leaves its room to the others.
func TestEdges(t *testing.T) {
	at := func(e layout.Edges, pane int) layout.Explore {
		return layout.ForExplore(200, 60, layout.State{Pane: pane, Upper: min(pane, 3), Edges: e})
	}
	plain := at(layout.Edges{}, 1)
	for _, edge := range []layout.Edge{layout.First, layout.Second, layout.Lower, layout.List, layout.Dock} {
		for _, h := range plain.Handles.All() {
			if h.Edge != edge {
				continue
			}
			got := at(layout.Edges{}.Moved(edge, 3), 1)
			for _, g := range got.Handles.All() {
				want := h.At.X + 3
				if g.Rows {
					want = h.At.Y + 3
				}
				if g.Edge == edge && g.At.X != want && g.At.Y != want {
					t.Errorf("edge %d is at %+v, it was at %+v", edge, g.At, h.At)
				}
			}
		}
		if !plain.Handles.Has(edge) {
			t.Errorf("edge %d cannot be moved", edge)
		}
		for _, by := range []int{-500, 500} {
			e := at(layout.Edges{}.Moved(edge, by), 1)
			for _, r := range []layout.Rect{e.First, e.Second, e.Third, e.Stream.List, e.Stream.Detail, e.Stream.Dock} {
				if r.W < 18 || r.H < 3 {
					t.Errorf("edge %d by %d: %+v", edge, by, r)
				}
			}
		}
	}
	for _, c := range []struct {
		name  string
		hide  int
		pane  int
		drawn [4]bool // first, second, third, streams
	}{
		{"Tools", layout.HideFirst, 2, [4]bool{false, true, true, true}},
		{"Arguments", layout.HideSecond, 3, [4]bool{true, false, true, true}},
		{"Result", layout.HideThird, 2, [4]bool{true, true, false, true}},
		{"streams", layout.HideStream, 2, [4]bool{true, true, true, false}},
		{"the pane in focus", layout.HideFirst, 1, [4]bool{true, true, true, true}},
		{"all but one", layout.HideFirst | layout.HideThird | layout.HideStream, 2, [4]bool{false, true, false, false}},
		{"all of the view", layout.HideFirst | layout.HideSecond | layout.HideThird, 5, [4]bool{false, false, false, true}},
	} {
		e := at(layout.Edges{Hidden: c.hide}, c.pane)
		if got := [4]bool{!e.First.Empty(), !e.Second.Empty(), !e.Third.Empty(), !e.Stream.Title.Empty()}; got != c.drawn {
			t.Errorf("%s hidden: drawn are %v, want %v", c.name, got, c.drawn)
		}
		cells := 0
		for _, r := range []layout.Rect{e.First, e.Second, e.Third} {
			cells += max(r.W, 0) * max(r.H, 0)
		}
		if e.Stream.Title.Empty() && cells < 190*58 {
			t.Errorf("%s hidden: %d cells are drawn", c.name, cells)
		}
	}
}

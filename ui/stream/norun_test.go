package stream_test

import (
	"strings"
	"testing"

	"perch/ui/stream"
)

// TestWithoutARun gives each pane all that may come while it shows no run, one
// that never had any and one whose run is gone.
func TestWithoutARun(t *testing.T) {
	acts := strings.Fields("nav.up nav.down nav.top nav.bottom nav.page_up nav.page_down nav.half_up nav.half_down nav.in nav.toggle nav.left " +
		"nav.right text.wrap text.left text.right stream.follow stream.time tab.prev tab.next content.next result.fold result.unfold find.open " +
		"find.filter find.mode find.regex find.case find.next find.prev type.accept type.up type.down events.kinds")
	for _, old := range []bool{false, true} {
		for _, p := range stream.New(stream.Options{}) {
			if old {
				p.SetRun(broken().Run(1))
				p.Show()
				for p.Sync() || p.Pending() {
				}
			}
			p.SetRun(nil)
			for _, h := range []int{1, 2, 6, 20} {
				v := stream.View{Look: look(t, "dusk", false), W: 60, H: h, Focused: true}
				p.Show()
				p.Sync()
				for _, id := range acts {
					p.Do(id, false)
					p.Do(id, true)
					text(t, p.List(v), v.W, v.H)
					text(t, p.Detail(v), v.W, v.H)
					p.Cursor(false)
					p.Cursor(true)
				}
				for y := range h {
					p.Click(3, y, false)
					p.Click(3, y, true)
				}
				p.Wheel(1, 0, false)
				p.Wheel(0, -1, true)
				p.SelectMoment(stream.Moment{Seq: 3})
				p.Goto(stream.Moment{Seq: 3})
				if m, is := p.Selected(); is {
					t.Errorf("%s: a moment is selected without a run: %+v", p.Name(), m)
				}
				if _, _, is := p.Copy(); is {
					t.Errorf("%s: something can be copied without a run", p.Name())
				}
			}
		}
	}
}

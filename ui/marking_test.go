package ui

import (
	"testing"
)

// TestMarkWithCaret: where a caret takes letters, the footer names the way to
// copy what the mouse marked that is none.
func TestMarkWithCaret(t *testing.T) {
	d, _ := start(t, "sample:greeter", 120, 40)
	s := accepted(d)
	x, y, ok := s.Find("Ada")
	if !ok {
		t.Fatal("the field of the name is not in sight")
	}
	d.Drag(x, y, x+2, y)
	d.WaitForText("typing", "marked 3 characters", "ctrl+x y copies")
	d.Press("ctrl+x")
	d.WaitForText("Commands of this row")
	d.Press("y")
	d.WaitForText("copied 3 B")
}

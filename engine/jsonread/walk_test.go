package jsonread_test

import (
	"fmt"
	"strings"
	"testing"

	"perch/engine/jsonread"
)

// TestWalk: each value is visited in its order, what was gone into once more
// behind it; each is found again by its number, and knows its parent and whether
// it is the last.
func TestWalk(t *testing.T) {
	for _, c := range []struct{ text, stay, want string }{
		{`1`, "", "0 1 last"},
		{`[]`, "", "0 [] last, 0 [] closed"},
		{`{"a":1,"b":[2,{"c":[]}],"d":"x"}`, "",
			`0 {"a":1,"b":[2,{"c":[]}],"d":"x"} last, 1 1, 1 [2,{"c":[]}], 2 2, 2 {"c":[]} last, 3 [] last, 3 [] closed, 2 {"c":[]} closed, 1 [2,{"c":[]}] closed, 1 "x" last, 0 {"a":1,"b":[2,{"c":[]}],"d":"x"} closed`},
		{`[[1,2],[3]]`, "[1,2]", "0 [[1,2],[3]] last, 1 [1,2], 1 [3] last, 2 3 last, 1 [3] closed, 0 [[1,2],[3]] closed"},
	} {
		doc, fault := jsonread.Parse([]byte(c.text))
		if fault != nil {
			t.Fatal(fault)
		}
		var got []string
		doc.Walk(func(v jsonread.Value, depth int, closed bool) bool {
			line := fmt.Sprintf("%d %s", depth, v.Raw())
			if closed {
				line += " closed"
			} else if v.Last() {
				line += " last"
			}
			got = append(got, line)
			if same := doc.Nth(v.Number()); string(same.Raw()) != string(v.Raw()) || same.Start() != v.Start() {
				t.Errorf("%s: number %d is %s", v.Raw(), v.Number(), same.Raw())
			}
			p, n := v.Parent(), 0
			for ; !p.IsZero(); p, n = p.Parent(), n+1 {
				if p.Start() >= v.Start() || p.End() <= v.End() && v.Number() != 0 {
					t.Errorf("%s does not stand in %s", v.Raw(), p.Raw())
				}
			}
			if n != depth {
				t.Errorf("%s has %d parents, not %d", v.Raw(), n, depth)
			}
			return string(v.Raw()) != c.stay
		})
		if all := strings.Join(got, ", "); all != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.text, all, c.want)
		}
	}
}

package findings

import (
	"fmt"

	"perch/inspect/rules"
)

// Node is a row of findings by cause: a cause that several share, or a finding,
// which may stand below its cause or below what it follows from.
type Node struct {
	Finding *rules.Finding // nil: a cause
	Cause   string
	Below   int    // rows that stand below it, folded or not
	Depth   int    // 0, or 1 below another
	Key     string // tells it from all others, whenever the tree is made
}

// Tree puts findings below their causes, in their order. What stands below a
// row whose key is folded is left out. Its cost grows with the number of
// findings, which is bounded.
func Tree(all []rules.Finding, folded map[string]bool) []Node {
	t := tree{shared: map[string]int{}, follows: map[origin][]*rules.Finding{}, keys: map[string]int{}, folded: folded}
	roots := map[origin]bool{}
	for i := range all {
		if f := &all[i]; !f.Follows && f.Cause != "" {
			t.shared[f.Cause]++
			roots[origin{f.RunID, f.Cause}] = true
		}
	}
	for i := range all {
		if f := &all[i]; f.Follows {
			from := origin{f.RunID, f.Cause}
			if !roots[from] {
				from.cause = ""
			}
			t.follows[from] = append(t.follows[from], f)
		}
	}
	done := map[string]bool{}
	for i := range all {
		f := &all[i]
		switch {
		case f.Follows:
		case f.Cause == "" || t.shared[f.Cause] < 2:
			t.root(f)
		case !done[f.Cause]:
			done[f.Cause] = true
			t.cause(all, f.Cause)
		}
	}
	for i := range all { // what follows from something that is not there
		if f := &all[i]; f.Follows && !roots[origin{f.RunID, f.Cause}] && len(t.follows[origin{f.RunID, ""}]) > 0 {
			t.add(Node{Finding: f})
		}
	}
	return t.out
}

// origin is what a finding follows from: the finding of its run with its cause;
// an empty cause is the first finding of the run.
type origin struct {
	run   uint32
	cause string
}

type tree struct {
	shared  map[string]int // findings of a cause
	follows map[origin][]*rules.Finding
	keys    map[string]int
	folded  map[string]bool
	out     []Node
}

// add adds a row with a key of its own.
func (t *tree) add(n Node) string {
	key := "cause " + n.Cause
	if f := n.Finding; f != nil {
		key = fmt.Sprintf("%d %s %s %d %d %s", f.RunID, f.Rule, f.Where.Stream, f.Where.Offset, f.Event, f.Where.Pointer)
	}
	t.keys[key]++
	if again := t.keys[key]; again > 1 {
		key = fmt.Sprintf("%s #%d", key, again)
	}
	n.Key = key
	t.out = append(t.out, n)
	return key
}

// after takes what follows from a finding: what has its cause, and below the
// first finding of a run what names no other.
func (t *tree) after(f *rules.Finding) []*rules.Finding {
	var below []*rules.Finding
	for _, cause := range []string{f.Cause, ""} {
		from := origin{f.RunID, cause}
		below = append(below, t.follows[from]...)
		delete(t.follows, from)
	}
	return below
}

// root adds a finding and what follows from it.
func (t *tree) root(f *rules.Finding) {
	below := t.after(f)
	if t.folded[t.add(Node{Finding: f, Below: len(below)})] {
		return
	}
	for _, g := range below {
		t.add(Node{Finding: g, Depth: 1})
	}
}

// cause adds a cause, the findings that share it and what follows from them.
func (t *tree) cause(all []rules.Finding, cause string) {
	var below []*rules.Finding
	for i := range all {
		f := &all[i]
		if f.Cause == cause && !f.Follows {
			below = append(below, f)
			below = append(below, t.after(f)...)
		}
	}
	if t.folded[t.add(Node{Cause: cause, Below: len(below)})] {
		return
	}
	for _, f := range below {
		t.add(Node{Finding: f, Depth: 1})
	}
}

package jsonread

// IssueKind is what is odd about a valid text.
type IssueKind byte

// The kinds of issues.
const (
	DuplicateMember IssueKind = iota + 1 // a name twice in one object
	LoneSurrogate                        // \ud800 without its other half
	InexactNumber                        // a double does not hold it
)

// Issue is something in a valid JSON text on which readers differ.
type Issue struct {
	Kind  IssueKind
	Value Value // the second name, the string (or name), the number
	First Value // of a doubled member: the name's first place
}

// Issues lists what is odd about the text, in its order, doubled members by
// the place of the second name. It is worked out at each call.
func (d *Doc) Issues() []Issue {
	var issues []Issue
	first := d.duplicates()
	for i := range d.nodes {
		v := Value{d, uint32(i)}
		if f, ok := first[uint32(i)]; ok {
			issues = append(issues, Issue{DuplicateMember, v, Value{d, f}})
		}
		switch n := &d.nodes[i]; {
		case n.kind == String && n.flags&flagLone != 0:
			issues = append(issues, Issue{Kind: LoneSurrogate, Value: v})
		case n.kind == Number && !v.Double():
			issues = append(issues, Issue{Kind: InexactNumber, Value: v})
		}
	}
	return issues
}

// duplicates maps each repeated name to the first one like it.
func (d *Doc) duplicates() map[uint32]uint32 {
	var found map[uint32]uint32
	for i := range d.nodes {
		if d.nodes[i].kind != Object || d.nodes[i].count < 2 {
			continue
		}
		d.repeated(Value{d, uint32(i)}, func(second, first uint32) {
			if found == nil {
				found = make(map[uint32]uint32)
			}
			found[second] = first
		})
	}
	return found
}

// few is up to how many members comparing each with each is cheaper than a map.
const few = 8

func (d *Doc) repeated(object Value, report func(second, first uint32)) {
	if object.Len() > few {
		seen := make(map[string]uint32, object.Len())
		for name := range object.Members() {
			s := name.String()
			if first, ok := seen[s]; ok {
				report(name.i, first)
				continue
			}
			seen[s] = name.i
		}
		return
	}
	var names [few]Value
	n := 0
next:
	for name := range object.Members() {
		for _, earlier := range names[:n] {
			if sameText(earlier, name) {
				report(name.i, earlier.i)
				continue next
			}
		}
		names[n] = name
		n++
	}
}

// sameText compares two strings decoded.
func sameText(a, b Value) bool {
	if (a.node().flags|b.node().flags)&flagEscaped == 0 {
		return string(a.Raw()) == string(b.Raw())
	}
	return a.String() == b.String()
}

package jsonread

import (
	"hash/maphash"
	"slices"
)

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
	doubled, odd := d.Doubled(len(d.nodes)), d.Odd(len(d.nodes))
	if len(odd) == 0 {
		return doubled
	}
	issues := append(doubled, odd...)
	slices.SortStableFunc(issues, func(a, b Issue) int { return int(a.Value.i) - int(b.Value.i) })
	return issues
}

// Odd lists the strings and names with a lone surrogate escape and the numbers
// that a double does not hold, in the text's order and at most so many of
// either. It is worked out at each call.
func (d *Doc) Odd(most int) []Issue {
	var issues []Issue
	lone, inexact, left := 0, 0, d.about.odd
	for i := uint32(0); left > 0; i += d.width(i) {
		n := &d.nodes[i]
		if !n.has(flagOdd) {
			continue
		}
		left--
		switch v := (Value{d, i}); {
		case d.src[n.start] == '"':
			if lone++; lone <= most {
				issues = append(issues, Issue{Kind: LoneSurrogate, Value: v})
			}
		case inexact < most && !v.Double():
			inexact++
			issues = append(issues, Issue{Kind: InexactNumber, Value: v})
		}
	}
	return issues
}

// width is how many nodes stand for one value without its children.
func (d *Doc) width(i uint32) uint32 {
	if c := d.src[d.nodes[i].start]; c == '{' || c == '[' {
		return containerWidth
	}
	return scalarWidth
}

// Doubled lists repeated member names, by the place of the second one; once
// there are so many, it looks no further. It is worked out at each call.
func (d *Doc) Doubled(most int) []Issue {
	var issues []Issue
	left := d.about.crowded
	for i := uint32(0); left > 0; i += d.width(i) {
		if d.src[d.nodes[i].start] != '{' || d.nodes[i+1].children() < 2 {
			continue
		}
		left--
		if issues = d.repeated(Value{d, i}, issues, most); len(issues) >= most {
			break
		}
	}
	order := func(a, b Issue) int { return int(a.Value.i) - int(b.Value.i) }
	if !slices.IsSortedFunc(issues, order) { // an object's names stand around those within it
		slices.SortFunc(issues, order)
	}
	return issues
}

// few is up to how many members comparing each with each is cheaper than a map.
const few = 8

// repeated adds the names of an object that stand in it before.
func (d *Doc) repeated(object Value, issues []Issue, most int) []Issue {
	if object.Len() > few {
		return d.repeatedMany(object, issues, most)
	}
	var names [few]Value
	n := 0
next:
	for name := range object.Members() {
		for _, earlier := range names[:n] {
			if sameText(earlier, name) {
				issues = append(issues, Issue{DuplicateMember, name, earlier})
				continue next
			}
		}
		names[n] = name
		n++
	}
	return issues
}

// repeatedMany finds names by their hashes: no name is copied. Names of one
// hash are the same but by a chance that nobody can bring about, as the seed is
// new each time; those that are not are compared one by one.
func (d *Doc) repeatedMany(object Value, issues []Issue, most int) []Issue {
	seed := maphash.MakeSeed()
	seen := make(map[uint64]uint32, min(object.Len(), 1<<10))
	var others []Value // whose hash another name has
	for name := range object.Members() {
		if len(issues) >= most {
			break
		}
		h := maphash.Bytes(seed, name.text())
		first, ok := seen[h]
		if !ok {
			seen[h] = name.i
			continue
		}
		if earlier := (Value{d, first}); sameText(earlier, name) {
			issues = append(issues, Issue{DuplicateMember, name, earlier})
		} else if i := slices.IndexFunc(others, func(o Value) bool { return sameText(o, name) }); i >= 0 {
			issues = append(issues, Issue{DuplicateMember, name, others[i]})
		} else {
			others = append(others, name)
		}
	}
	return issues
}

// text is the decoded text of a name.
func (v Value) text() []byte {
	n := v.node()
	body := v.doc.src[n.start+1 : n.end-1]
	if !n.has(flagEscaped) {
		return body
	}
	return unescape(make([]byte, 0, len(body)), body)
}

// sameText compares two strings decoded.
func sameText(a, b Value) bool {
	if !a.node().has(flagEscaped) && !b.node().has(flagEscaped) {
		return string(a.Raw()) == string(b.Raw())
	}
	return a.String() == b.String()
}

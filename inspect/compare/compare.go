// Package compare holds two calls side by side: what was asked and answered, what
// the model reads, wire, HTTP, files and stderr. Values are compared by what they
// say: the order of members, the spelling of numbers and white space are told
// apart from what differs, and so are ids and times, which always do.
//
// It is a pure function of two recorded runs, bounded in time and memory
// whatever a module wrote. It knows nothing of panes or colours: its texts are
// short and quoted, those of Text have to be made safe by whoever shows them.
package compare

import (
	"fmt"

	"perch/engine/event"
	"perch/engine/quote"
	"perch/engine/units"
	"perch/inspect/model"
	"perch/inspect/record"
	"perch/inspect/rules"
)

// Bounds; all are our own.
const (
	MaxRows = 2_000   // differences of one part that are listed
	MaxText = 4 << 20 // bytes of a text that are compared
)

// Kind says how two values differ.
type Kind byte

// The kinds of differences. The last three are none by value.
const (
	Same Kind = iota
	Removed
	Added
	Changed
	Moving    // an id or a time: it differs in every call
	Respelled // the same value, written in another way
	Reordered // the same members in another order
)

// Real reports whether values differ in what they say.
func (k Kind) Real() bool { return k == Removed || k == Added || k == Changed }

// String names the kind: "changed", "id or time".
func (k Kind) String() string {
	return [...]string{"same", "removed", "added", "changed", "id or time", "written in another way", "in another order"}[k]
}

// Part is what of two calls is compared.
type Part string

// The parts, in their order.
const (
	Arguments Part = "arguments"
	Outcome   Part = "outcome"
	Result    Part = "result"
	Model     Part = "model"
	Wire      Part = "wire"
	HTTP      Part = "HTTP"
	Files     Part = "files"
	Stderr    Part = "stderr"
	Findings  Part = "findings"
)

// Call is one of the two.
type Call struct {
	Run      *record.Run // it has ended
	Model    []model.Block
	Findings []rules.Finding
}

// Row is one difference.
type Row struct {
	Kind  Kind
	Where string // a pointer, a line, a header, a path: quoted, bounded
	A, B  string // what stands there, quoted and bounded; "" on the side that has none

	// The events that the sides are about, where HasA and HasB say that there
	// are such.
	EventA, EventB uint64
	HasA, HasB     bool

	text func() *Text
}

// Text is the difference line by line, made when it is asked for; nil where
// there is none.
func (r Row) Text() *Text {
	if r.text == nil {
		return nil
	}
	return r.text()
}

// HasText reports whether Text gives one; it costs nothing.
func (r Row) HasText() bool { return r.text != nil }

// Section is a part with its differences, real ones first.
type Section struct {
	Part Part
	Rows []Row
	More int    // rows past MaxRows
	None bool   // neither call has anything of this part
	Note string // what is not compared, and why; "" when all is
}

// Same reports whether nothing differs by value.
func (s Section) Same() bool {
	for _, r := range s.Rows {
		if r.Kind.Real() {
			return false
		}
	}
	return true
}

func (s *Section) add(r Row) {
	if len(s.Rows) >= MaxRows {
		s.More++
		return
	}
	s.Rows = append(s.Rows, r)
}

// sort puts what differs by value first; else the order stays.
func (s *Section) sort() {
	sorted := make([]Row, 0, len(s.Rows))
	for _, wanted := range []bool{true, false} {
		for _, r := range s.Rows {
			if r.Kind.Real() == wanted {
				sorted = append(sorted, r)
			}
		}
	}
	s.Rows = sorted
}

// Calls compares two calls. It reads both whole, so it takes up to a second for
// the largest: not to be called while drawing.
func Calls(a, b Call) []Section {
	x, y := read(a), read(b)
	all := []Section{
		arguments(x, y), outcome(x, y), result(x, y), blocks(x, y), wire(x, y), exchanges(x, y), files(x, y), stderr(x, y), findings(x, y),
	}
	for i := range all {
		all[i].sort()
	}
	return all
}

// SameInAll reports whether nothing differs by value in any part.
func SameInAll(all []Section) bool {
	for _, s := range all {
		if !s.Same() {
			return false
		}
	}
	return true
}

func arguments(x, y *call) Section {
	s := Section{Part: Arguments}
	if x.begin.Tool != y.begin.Tool {
		s.add(Row{Kind: Changed, Where: "tool", A: quote.Text(x.begin.Tool), B: quote.Text(y.begin.Tool)})
	}
	s.values("", x.begin.Arguments, y.begin.Arguments, nil)
	return s
}

func outcome(x, y *call) Section {
	s := Section{Part: Outcome}
	for _, p := range []struct {
		where string
		a, b  string
		kind  Kind
	}{
		{"outcome", string(x.end.Outcome), string(y.end.Outcome), Changed},
		{"rule", string(x.verdict.Rule), string(y.verdict.Rule), Changed},
		{"exit", exitText(x.exit), exitText(y.exit), Changed},
		{"memory", units.Size(x.end.Usage.MemoryPeak), units.Size(y.end.Usage.MemoryPeak), Changed},
		{"took", units.Duration(x.end.Usage.Time), units.Duration(y.end.Usage.Time), Moving},
	} {
		if p.a != p.b {
			s.add(Row{Kind: p.kind, Where: p.where, A: p.a, B: p.b})
		}
	}
	return s
}

func exitText(e event.Exit) string {
	switch {
	case e.Trap != "":
		return "trap: " + quote.TextTo(e.Trap, 200)
	case e.Stopped != "":
		return "stopped: " + quote.TextTo(e.Stopped, 200)
	case e.Code != nil:
		return fmt.Sprintf("exit %d", *e.Code)
	}
	return ""
}

func bytesText[N int | int64](n N) string { return quote.Count(n) + " B" }

func findings(x, y *call) Section {
	s := Section{Part: Findings, None: len(x.Findings)+len(y.Findings) == 0}
	type id struct{ rule, title string }
	count := func(all []rules.Finding) map[id]int {
		m := map[id]int{}
		for _, f := range all {
			m[id{string(f.Rule), f.Title}]++
		}
		return m
	}
	inA, inB := count(x.Findings), count(y.Findings)
	told := map[id]bool{}
	tell := func(all []rules.Finding, here, there map[id]int, k Kind) {
		for _, f := range all {
			at := id{string(f.Rule), f.Title}
			if told[at] || here[at] <= there[at] {
				continue
			}
			told[at] = true
			text := quote.Pointer(f.Title)
			if n := here[at] - there[at]; n > 1 || there[at] > 0 {
				text += fmt.Sprintf(" (%d more)", n)
			}
			r := Row{Kind: k, Where: string(f.Rule)}
			if k == Removed {
				r.A, r.EventA, r.HasA = text, f.Event, f.RunID != 0
			} else {
				r.B, r.EventB, r.HasB = text, f.Event, f.RunID != 0
			}
			s.add(r)
		}
	}
	tell(x.Findings, inA, inB, Removed)
	tell(y.Findings, inB, inA, Added)
	return s
}

package probe

import (
	"bytes"
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/quote"
	"perch/engine/wire"
	"perch/inspect/record"
	"perch/inspect/rules"
)

// Stable holds the tools of a second upload run against those of the first, as
// they were sent, and returns the one finding of list/stable, about the first
// run's line; false when both are the same.
func Stable(upload *record.Run, first, second []wire.Tool) (rules.Finding, bool) {
	at, detail := difference(first, second)
	if detail == "" {
		return rules.Finding{}, false
	}
	b := event.Breach{Rule: abi.ListStable, Detail: detail + ".\n" + Mark, Cause: string(abi.ListStable),
		Fix: "List the same tools in the same order each time: sort what comes out of a hash map by name, and leave out what changes from run to run."}
	if at < len(first) {
		b.Where = first[at].Where
	} else if len(first) > 0 {
		b.Where = first[len(first)-1].Where
	}
	f := rules.Of(b)
	f.Run, f.RunID, f.Event = event.Upload, upload.ID(), lineEvent(upload, f.Where.Line)
	return f, true
}

// lineEvent is the number of the event of a line on stdout.
func lineEvent(run *record.Run, line int) uint64 {
	for i, seq := range run.Of(record.KindMessage) {
		if i == maxMessages {
			break
		}
		e, _ := run.Event(uint64(seq))
		if m, is := e.Body.(event.Message); is && m.Line == line {
			return e.Seq
		}
	}
	return 0
}

// difference says in what two lists differ, and where the first one does; ""
// when they are the same.
func difference(first, second []wire.Tool) (at int, detail string) {
	for at = 0; at < len(first) && at < len(second) && bytes.Equal(first[at].Raw, second[at].Raw); at++ {
	}
	if at == len(first) && at == len(second) {
		return 0, ""
	}
	gone, added := missing(first, second), missing(second, first)
	switch {
	case len(gone)+len(added) > 0:
		detail = "a second run lists other tools"
		if len(gone) > 0 {
			detail += ", without " + named(gone)
		}
		if len(added) > 0 {
			detail += ", with " + named(added) + " besides"
		}
	case len(first) != len(second):
		detail = fmt.Sprintf("a second run lists %s, the first one %d", quote.Plural(len(second), "tool"), len(first))
	case sameTools(first, second):
		detail = fmt.Sprintf("a second run lists the tools in another order: %s; the first one: %s", named(names(second)), named(names(first)))
	default:
		changed := changedTools(first, second)
		detail = "a second run writes " + named(changed) + " in another way"
	}
	return at, detail + ". What the first run lists is what the package offers, until its next version"
}

func names(tools []wire.Tool) []string {
	list := make([]string, len(tools))
	for i, t := range tools {
		list[i] = t.Name
	}
	return list
}

// missing are the names of a that b does not have.
func missing(a, b []wire.Tool) []string {
	there := make(map[string]bool, len(b))
	for _, t := range b {
		there[t.Name] = true
	}
	var list []string
	for _, t := range a {
		if !there[t.Name] {
			list = append(list, t.Name)
		}
	}
	return list
}

// sameTools reports whether both have the same tools, in whatever order.
func sameTools(a, b []wire.Tool) bool {
	left := make(map[string]int, len(a))
	for _, t := range a {
		left[string(t.Raw)]++
	}
	for _, t := range b {
		left[string(t.Raw)]--
	}
	for _, n := range left {
		if n != 0 {
			return false
		}
	}
	return true
}

// changedTools are the names of the tools of a that b writes otherwise.
func changedTools(a, b []wire.Tool) []string {
	other := make(map[string][]byte, len(b))
	for _, t := range b {
		other[t.Name] = t.Raw
	}
	var list []string
	for _, t := range a {
		if !bytes.Equal(other[t.Name], t.Raw) {
			list = append(list, t.Name)
		}
	}
	return list
}

// named lists some names.
func named(all []string) string {
	const most = 4
	var shown []string
	for i, name := range all {
		if i == most {
			return strings.Join(shown, ", ") + fmt.Sprintf(" and %d more", len(all)-most)
		}
		shown = append(shown, quote.Text(name))
	}
	return strings.Join(shown, ", ")
}

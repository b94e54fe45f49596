package rules

import (
	"cmp"
	"fmt"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/record"
)

// maxSame is how many findings of one rule are made apart; the others are
// counted in the last of them.
const maxSame = 20

// Checker finds what is wrong with a run as its events come. It is not safe
// for use by several goroutines.
type Checker struct {
	run   *record.Run
	probe bool   // the run is one of perch's own: who made it judges it
	next  uint64 // the first event that was not looked at
	found []Finding
	same  map[string]bool    // what was found, by rule and what it is about
	count map[abi.RuleID]int // findings in found
	more  map[abi.RuleID]int // that are not in found
	files filesCheck

	known    Known
	requests map[int]*event.Request // by their line on stdin
	changes  uint64                 // of what Found would say
	folds    map[string]*fold       // by rule and what it is about
	upload   uploadCheck
	pictures pictureCheck
	http     httpPlace
}

// NewChecker returns a checker of this run that has looked at nothing yet.
func NewChecker(r *record.Run, k Known) *Checker {
	return &Checker{run: r, same: make(map[string]bool), count: make(map[abi.RuleID]int),
		more: make(map[abi.RuleID]int), files: newFilesCheck(), known: k, requests: make(map[int]*event.Request),
		folds: make(map[string]*fold)}
}

// Run returns all findings of a run as it stands.
func Run(r *record.Run, k Known) []Finding { return NewChecker(r, k).Findings() }

// Take looks at the run's next event, which its record has already.
func (c *Checker) Take(e event.Event) {
	c.look(e)
	c.next = e.Seq + 1
}

// Findings looks at what came since the last time and returns all findings. Of
// events that the record no longer keeps, or that cannot be read back, it says
// nothing.
func (c *Checker) Findings() []Finding {
	_ = c.run.Range(c.next, func(e event.Event) bool {
		c.Take(e)
		return true
	})
	return c.Found()
}

// Changes is a number that grows when Found would say something else.
func (c *Checker) Changes() uint64 { return c.changes }

// Found returns the findings among the events that were looked at so far; it
// reads no record. They are at most some thousand, however many faults there
// are.
func (c *Checker) Found() []Finding {
	all := append([]Finding(nil), c.found...)
	c.further(all)
	counted := make(map[abi.RuleID]bool)
	for i := len(all) - 1; i >= 0; i-- {
		f := &all[i]
		if n := c.more[f.Rule]; n > 0 && !counted[f.Rule] {
			counted[f.Rule] = true
			f.Detail = fmt.Sprintf("%s. %d more like it are not listed", withoutStop(f.Detail), n)
		}
	}
	return Sort(all)
}

func (c *Checker) look(e event.Event) {
	if c.probe {
		return
	}
	switch b := e.Body.(type) {
	case event.Begin:
		c.probe = b.Kind == event.Probe
		c.files.begin(b)
	case event.Request:
		c.requests[b.Line] = &b
	case event.HTTPRequest, event.HTTPRead:
		c.http.take(b)
	case event.Message:
		c.message(e, b)
	case event.Breach:
		c.breach(e, b)
	case event.WASI:
		c.files.call(c, e, b)
	case event.FileEffect:
		c.files.effect(b)
	case event.Link:
		c.link(e, b)
	case event.End:
		c.end(e, b)
	}
}

// breach takes a breach of the engine's. One that explains an earlier one
// better stands in its place.
func (c *Checker) breach(e event.Event, b event.Breach) {
	if b.Instead != "" {
		for i := range c.found {
			if c.found[i].Rule == b.Instead && !c.found[i].Follows {
				c.found[i] = c.finding(c.found[i].Event, b)
				c.changes++
				return
			}
		}
	}
	if b.Rule == abi.RPCHandshake {
		c.followError(b.Where.Line)
	}
	if b.Cause != "" && b.Where.Stream == event.Stdout && abi.RuleOf(b.Rule).Effect() == abi.NoEffect {
		c.fold(e.Seq, b, b.Cause, fmt.Sprintf("line %d", b.Where.Line))
		return
	}
	if b.Rule.Group() == "http" && abi.RuleOf(b.Rule).Effect() == abi.NoEffect {
		c.fold(e.Seq, b, b.Where.Name+" "+b.Where.Pointer+" "+cmp.Or(b.Cause, b.Detail), c.http.place)
		return
	}
	if n, name, ok := c.upload.at(b.Where); ok && b.Cause != "" && b.Rule.Group() == "tool" {
		c.fold(e.Seq, b, fmt.Sprint(b.Cause, b.Follow), calledTool(n, name))
		return
	}
	c.add(e, b, "")
}

// followError says of what was found in an error that it follows from what its
// line is about: an older revision has codes of its own.
func (c *Checker) followError(line int) {
	for i := range c.found {
		if f := &c.found[i]; f.Rule.Group() == "error" && f.Where.Line == line {
			f.Follows = true
		}
	}
}

// add makes a finding of a breach. Findings of one rule about the same thing,
// if about is not empty, are made once.
func (c *Checker) add(e event.Event, b event.Breach, about string) {
	key := string(b.Rule) + " " + about
	switch {
	case about != "" && c.same[key]:
		return
	case c.count[b.Rule] == maxSame:
		c.more[b.Rule]++
		c.changes++
		return
	case about != "":
		c.same[key] = true
	}
	c.changes++
	c.count[b.Rule]++
	c.found = append(c.found, c.finding(e.Seq, b))
}

func (c *Checker) finding(seq uint64, b event.Breach) Finding {
	f := Of(b)
	f.Run, f.RunID, f.Event = c.run.Begin().Kind, c.run.ID(), seq
	f.AlsoMCP = c.alsoMCP(b)
	f.Tool = c.upload.toolAt(b.Where)
	return f
}

func (c *Checker) end(e event.Event, b event.End) {
	c.pictureBodies(e)
	stderr := c.run.Stream(event.Stderr)
	if c.run.Begin().Kind != event.Call || b.Outcome != event.Broken || stderr.Len() == 0 {
		return
	}
	n := min(stderr.Len(), abi.StderrTail)
	detail := fmt.Sprintf("the model is told the last %d B of stderr", n)
	if stderr.Len() > n {
		detail += fmt.Sprintf(", of %d B: what came before is cut", stderr.Len())
	}
	c.add(e, event.Breach{Rule: abi.LifeStderrTail, Detail: detail,
		Where: event.Where{Stream: event.Stderr, Line: int(stderr.LineAt(stderr.Len() - n)), Offset: stderr.Len() - n, End: stderr.Len()}}, "")
}

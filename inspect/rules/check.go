package rules

import (
	"fmt"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/record"
)

// maxSame is how many findings of one rule are made apart; the others of the
// same rule are counted in the last.
const maxSame = 20

// Checker finds what is wrong with a run as its events come. It is not safe
// for use by several goroutines.
type Checker struct {
	run   *record.Run
	next  uint64 // the first event that was not looked at
	found []Finding
	same  map[string]int // place in found, by rule and what it is about
	count map[abi.RuleID]int
	files filesCheck
	ended bool
}

// NewChecker returns a checker of this run that has looked at nothing yet.
func NewChecker(r *record.Run) *Checker {
	return &Checker{run: r, same: make(map[string]int), count: make(map[abi.RuleID]int), files: newFilesCheck()}
}

// Run returns all findings of a run as it stands.
func Run(r *record.Run) []Finding { return NewChecker(r).Findings() }

// Take looks at the run's next event, which its record has already.
func (c *Checker) Take(e event.Event) {
	c.look(e)
	c.next = e.Seq + 1
}

// Findings looks at what came since the last time and returns all findings.
func (c *Checker) Findings() []Finding {
	_ = c.run.Range(c.next, func(e event.Event) bool {
		c.look(e)
		c.next = e.Seq + 1
		return true
	})
	return Sort(append([]Finding(nil), c.found...))
}

func (c *Checker) look(e event.Event) {
	switch b := e.Body.(type) {
	case event.Breach:
		c.breach(e, b)
	case event.WASI:
		c.files.call(c, e, b)
	case event.FileEffect:
		c.files.effect(c, e, b)
	case event.Link:
		if b.Problem != "" {
			c.add(e, event.Breach{Rule: abi.BlockLinkVolume, Detail: fmt.Sprintf("block %d, %s: %s", b.Block+1, b.URI, b.Problem),
				Fix:   "Link a PNG, JPEG, GIF or WebP file below /volume that is there when the module exits, each segment percent-encoded.",
				Where: event.Where{Stream: event.Stdout, Pointer: fmt.Sprintf("/result/content/%d/uri", b.Block)}}, "")
		}
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
				f := Of(b)
				f.Run, f.Event = c.run.Begin().Kind, c.found[i].Event
				c.found[i] = f
				return
			}
		}
	}
	c.add(e, b, "")
}

// add makes a finding of a breach. Findings of one rule about the same thing,
// if about is not empty, are made once.
func (c *Checker) add(e event.Event, b event.Breach, about string) {
	key := string(b.Rule) + " " + about
	if about != "" {
		if _, ok := c.same[key]; ok {
			return
		}
		c.same[key] = len(c.found)
	}
	c.count[b.Rule]++
	if n := c.count[b.Rule]; n > maxSame {
		c.more(b.Rule, n-maxSame)
		return
	}
	f := Of(b)
	f.Run, f.Event = c.run.Begin().Kind, e.Seq
	c.found = append(c.found, f)
}

func (c *Checker) more(rule abi.RuleID, n int) {
	for i := len(c.found) - 1; i >= 0; i-- {
		if f := &c.found[i]; f.Rule == rule {
			f.Detail = fmt.Sprintf("%s. The same rule %d times more", f.Title, n)
			return
		}
	}
}

func (c *Checker) end(e event.Event, b event.End) {
	stderr := c.run.Stream(event.Stderr)
	if b.Outcome != event.Broken || stderr.Len() == 0 {
		return
	}
	n := min(stderr.Len(), abi.StderrTail)
	detail := fmt.Sprintf("The model is told the last %d B of stderr", n)
	if stderr.Len() > n {
		detail += fmt.Sprintf(", of %d B: what came before is cut", stderr.Len())
	}
	c.add(e, event.Breach{Rule: abi.LifeStderrTail, Detail: detail,
		Where: event.Where{Stream: event.Stderr, Line: int(stderr.LineAt(stderr.Len() - n)), Offset: stderr.Len() - n, End: stderr.Len()}}, "")
}

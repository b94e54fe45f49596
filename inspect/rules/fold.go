package rules

import (
	"fmt"
	"strings"

	"perch/engine/event"
	"perch/engine/quote"
)

// maxAlso is how many further places of one fault a finding points at, and
// maxPlaces how many of them it names; the others are counted.
const (
	maxAlso   = 64
	maxPlaces = 8
)

// fold is one finding of a fault that stands in several places.
type fold struct {
	at     int      // in Checker.found; -1: past maxSame, it is only counted
	places []string // named further places
	n      int      // further places
	last   string
}

// fold makes one finding of the same fault in several places, and returns it
// when this is the first of them. place names where this one is, "line 2": what
// is found in it again is one place.
func (c *Checker) fold(seq uint64, b event.Breach, about, place string) *Finding {
	key := string(b.Rule) + " " + about
	f := c.folds[key]
	if f == nil {
		if f = c.firstOf(seq, b, place); f.at < 0 {
			return nil
		}
		c.folds[key] = f
		return &c.found[f.at]
	}
	found := &c.found[f.at]
	if len(found.Also) < maxAlso && b.Where.Stream != "" { // else it points at no bytes of a stream
		found.Also = append(found.Also, b.Where)
		c.changes++
	}
	if place == f.last {
		return nil
	}
	f.last = place
	f.n++
	c.changes++
	f.about(found, c.upload.toolAt(b.Where))
	if len(f.places) < maxPlaces {
		f.places = append(f.places, place)
	}
	return nil
}

// about notes that the finding is about one more tool. What is about none is
// about none.
func (f *fold) about(found *Finding, tool string) {
	if f.n == 1 && found.Tool != "" {
		found.Tools = []string{found.Tool}
	}
	found.Tool = "" // it is about several
	if tool != "" && len(found.Tools) < maxAlso {
		found.Tools = append(found.Tools[:len(found.Tools):len(found.Tools)], tool)
	}
}

func (c *Checker) firstOf(seq uint64, b event.Breach, place string) *fold {
	at := len(c.found)
	c.add(event.Event{Seq: seq}, b, "")
	if len(c.found) == at {
		at = -1
	}
	return &fold{at: at, last: place}
}

// further says of each folded finding where else it stands.
func (c *Checker) further(all []Finding) {
	for _, f := range c.folds {
		if f.n == 0 {
			continue
		}
		d := &all[f.at]
		places := f.places
		if more := f.n - len(places); more > 0 {
			places = append(places[:len(places):len(places)], fmt.Sprintf("%d more", more))
		}
		rest := strings.TrimPrefix(withoutStop(d.Detail), d.Title)
		if strings.HasPrefix(f.last, "tool ") {
			d.Title += fmt.Sprintf(" (and %s)", quote.Plural(f.n, "more tool"))
		}
		d.Detail = d.Title + rest + ". The same in " + enumerate(places)
	}
}

// enumerate writes "a, b and c".
func enumerate(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

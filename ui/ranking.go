package ui

import (
	"slices"
	"strings"
	"unicode"

	"perch/ui/box"
)

// How well a text fits what was typed, the best first.
const (
	fitExact = iota
	fitPrefix
	fitWordStarts // each word begins a word of the text
	fitWords      // each word is in it
	fitLetters    // the letters are in it, in their order
	noFit
)

// fit is how well a text fits a query; both are lower case.
func fit(text, query string) int {
	all := strings.Fields(query)
	switch {
	case text == query:
		return fitExact
	case strings.HasPrefix(text, query):
		return fitPrefix
	case startsWords(text, all):
		return fitWordStarts
	case containsAll(text, all):
		return fitWords
	case inOrder(text, query):
		return fitLetters
	}
	return noFit
}

// startsWords reports whether each word begins a word of the text.
func startsWords(text string, all []string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for _, w := range all {
		if !slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, w) }) {
			return false
		}
	}
	return len(all) > 0
}

// ranked are the commands that a query fits by title or id: the better the fit
// the farther up, then those that were done lately, then as they came.
func ranked(items []box.Item, query string, recent []string) []box.Item {
	query = strings.ToLower(strings.TrimSpace(query))
	type placed struct {
		it        box.Item
		fit, late int
	}
	var all []placed
	for _, it := range items {
		c, _ := it.Value.(command)
		p := placed{it: it, late: slices.Index(recent, c.id)}
		if p.late < 0 || it.Disabled != "" {
			p.late = len(recent)
		}
		if query != "" {
			p.fit = min(fit(strings.ToLower(it.Label+it.Name), query), fit(c.id, query))
		}
		if p.fit < noFit {
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(p, q placed) int {
		if p.fit != q.fit {
			return p.fit - q.fit
		}
		if off := able(q.it) - able(p.it); off != 0 {
			return off
		}
		return p.late - q.late
	})
	out := make([]box.Item, len(all))
	for i, p := range all {
		out[i] = p.it
	}
	return out
}

// able is 1 for what can be done now.
func able(it box.Item) int {
	if it.Disabled != "" {
		return 0
	}
	return 1
}

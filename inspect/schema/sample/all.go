package sample

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"perch/engine/jsonread"
	"perch/engine/quote"
	"perch/inspect/schema"
)

// Sample is an instance with a name for people.
type Sample struct {
	Name string // "minimal", "full", "example 2", `"n" at its minimum, 1`
	JSON []byte // on one line
}

// Limits of what All lists.
const (
	maxExamples = 8
	maxEdges    = 64
)

// All are instances of a schema for an object, each once and all of them right:
// the smallest, the fullest, examples, and values at their bounds. It is empty
// when none was found.
func All(v jsonread.Value) []Sample {
	var list []Sample
	add := func(name string, b []byte) {
		if len(b) == 0 || b[0] != '{' || slices.ContainsFunc(list, func(s Sample) bool { return bytes.Equal(s.JSON, b) }) {
			return
		}
		list = append(list, Sample{name, b})
	}
	add("minimal", jsonread.Compact(nil, Minimal(v)))
	add("full", jsonread.Compact(nil, Full(v)))
	examples := Examples(v, maxExamples)
	for i, b := range examples {
		name := "examples"
		if len(examples) > 1 {
			name = "example " + quote.Count(i+1)
		}
		add(name, b)
	}
	for _, e := range Edges(v, maxEdges) {
		add(e.What, e.JSON)
	}
	return list
}

// Edges are objects that a schema allows with one member at an edge: at a
// bound, empty, null, of the largest digits. What names the member and the
// edge. At most so many.
func Edges(v jsonread.Value, most int) []Variant {
	s := sampler{root: v, steps: maxSteps}
	p := s.of(v)
	w := wrong{s: &s, p: p}
	for _, name := range p.members() {
		value, ok := s.sample(s.member(p, name), 1)
		if !ok {
			return nil
		}
		w.base = append(w.base, pair{name, value})
	}
	if p.never || p.lost || p.typ() != "object" {
		return nil
	}
	judge := schema.Compile(v)
	var list []Variant
	for _, name := range p.properties(most) {
		s.steps = maxSteps
		w.found = w.found[:0]
		w.edges(name, s.member(p, name))
		for _, x := range w.found {
			x.JSON = jsonread.Compact(nil, x.JSON)
			same := slices.ContainsFunc(list, func(y Variant) bool { return bytes.Equal(x.JSON, y.JSON) })
			if !same && !unfit(judge, x.JSON) {
				list = append(list, x)
			}
		}
		if len(list) >= most {
			return list[:most]
		}
	}
	return list
}

// at adds the base with a member at an edge.
func (w *wrong) at(name string, value []byte, edge string) {
	w.with(name, value, quote.Text(name)+" "+edge)
}

func (w *wrong) edges(name string, p parts) {
	if p.never || p.lost {
		return
	}
	if enum := p.get("enum"); enum.Len() > 0 {
		for i, v := range enum.Elements() {
			if i == maxExamples {
				break
			}
			w.at(name, v.Raw(), "as "+brief(v.Raw()))
		}
		return
	}
	if !p.get("const").IsZero() {
		return
	}
	switch p.typ() {
	case "integer", "number":
		w.numberEdges(name, p)
	case "boolean":
		w.at(name, []byte("true"), "true")
		w.at(name, []byte("false"), "false")
	case "string":
		w.textEdges(name, p)
	case "array":
		w.listEdges(name, p)
	}
	if p.allows("null") && p.choice().IsZero() && len(p.all("type")) > 0 || w.takesNull(p) {
		w.at(name, []byte("null"), "null")
	}
}

// takesNull reports whether a branch takes null.
func (w *wrong) takesNull(p parts) bool {
	for _, b := range p.choice().Elements() {
		if b.Get("type").Is("null") {
			return true
		}
	}
	return false
}

func (w *wrong) numberEdges(name string, p parts) {
	whole := p.typ() == "integer"
	lo, hi := p.limits(whole)
	if !math.IsInf(lo, -1) && math.Abs(lo) < 1<<53 {
		n := appendNumber(nil, lo)
		w.at(name, n, fmt.Sprintf("at its minimum, %s", n))
	}
	if !math.IsInf(hi, 1) && math.Abs(hi) < 1<<53 {
		n := appendNumber(nil, hi)
		w.at(name, n, fmt.Sprintf("at its maximum, %s", n))
	}
	w.at(name, []byte("0"), "zero")
	w.at(name, []byte("-1"), "below zero")
	w.at(name, []byte("9007199254740993"), "larger than a double holds")
	if !whole {
		w.at(name, []byte("0.1"), "with a fraction")
		w.at(name, []byte("1e-7"), "with an exponent")
	}
}

func (w *wrong) textEdges(name string, p parts) {
	w.at(name, []byte(`""`), "empty")
	if n, ok := float(p.get("minLength")); ok && n >= 1 && n <= maxLong {
		w.at(name, jsonread.AppendQuote(nil, strings.Repeat("a", int(n))), fmt.Sprintf("at its shortest, %s", quote.Plural(int(n), "character")))
	}
	if n, ok := float(p.get("maxLength")); ok && n >= 1 && n <= maxLong {
		w.at(name, jsonread.AppendQuote(nil, strings.Repeat("a", int(n))), fmt.Sprintf("at its longest, %s", quote.Plural(int(n), "character")))
	}
	if p.get("pattern").IsZero() && p.get("format").IsZero() {
		w.at(name, []byte(`"a\n\"b\"\t\\ ü 取引 👍🏽"`), "with line break, quotes and letters of many scripts")
	}
}

func (w *wrong) listEdges(name string, p parts) {
	w.at(name, []byte("[]"), "empty")
	element, ok := w.s.sample(w.s.of(p.items(0)...), 2)
	if !ok {
		return
	}
	list := func(n int) []byte {
		return slices.Concat([]byte("["), bytes.Join(slices.Repeat([][]byte{element}, n), []byte(",")), []byte("]"))
	}
	least, most := p.bound("minItems", slices.Max), p.numbers("maxItems")
	if least < 1 {
		w.at(name, list(1), "with one element")
	} else if least <= maxLong {
		w.at(name, list(int(least)), fmt.Sprintf("at its fewest, %s", quote.Plural(int(least), "element")))
	}
	if len(most) > 0 && most[0] >= 1 && int(min(most[0], maxBytes))*(len(element)+1) < maxBytes {
		w.at(name, list(int(most[0])), fmt.Sprintf("at its most, %s", quote.Plural(int(most[0]), "element")))
	}
}

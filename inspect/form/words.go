package form

import (
	"slices"
	"strings"

	"perch/engine/jsonread"
	"perch/engine/quote"
	"perch/inspect/schema"
)

// maxWords is how many options words list.
const maxWords = 8

// wordsOf says what may be in a field, short.
func (f *Form) wordsOf(p *place) string {
	s := p.shape
	if p.refused || s.never {
		return "not allowed"
	}
	if !s.worded {
		s.words, s.worded = s.makeWords(), true
	}
	return s.words
}

func (s *shape) makeWords() string {
	if s.options != nil {
		return s.optionWords()
	}
	var list []string
	for _, t := range s.types {
		list = append(list, s.withLimits(t))
	}
	switch {
	case len(list) == 0 && s.null:
		return "null"
	case len(list) == 0:
		return "any JSON"
	case s.null:
		list = append(list, "null")
	}
	return strings.Join(list, " | ")
}

// optionWords lists the options. Texts alone go without their quotes; among
// other values these tell "1" from 1.
func (s *shape) optionWords() string {
	texts := !slices.ContainsFunc(s.values, func(v jsonread.Value) bool { return v.Kind() != jsonread.String })
	var list []string
	for i, v := range s.values {
		if i == maxWords {
			list = append(list, quote.Count(len(s.values)-i)+" more")
			break
		}
		text := s.options[i].Raw
		if texts && parsed(v.String()).IsZero() && v.String() != "" {
			text = v.String() // quotes say nothing here
		}
		text, _ = brief(text, quote.Longest)
		list = append(list, text)
	}
	return strings.Join(list, " · ")
}

// withLimits names a type with its bounds and its format.
func (s *shape) withLimits(typ string) string {
	words := typ
	switch typ {
	case "array":
		words += s.itemWords()
	case "object":
		words += s.keyWords()
	case "string", "integer", "number":
		if s.format != "" {
			text, _ := brief(s.format, 24)
			words += " · " + text
		}
	}
	if limits := s.limitWords(typ); limits != "" {
		words += " " + limits
	}
	return words
}

func (s *shape) itemWords() string {
	if len(s.prefix) > 0 || len(s.rest) != 1 {
		return ""
	}
	types := typesOf(s.rest[0], 4)
	if len(types) != 1 || types[0] == "object" {
		return ""
	}
	return " of " + types[0]
}

// keyWords say what the values of a map are: " of integer".
func (s *shape) keyWords() string {
	if len(s.order) > 0 || s.free != someKeys {
		return ""
	}
	for _, p := range s.flat.parts {
		if extra, ok := p.Additional(); ok && !extra.Never() {
			if types := typesOf(extra, 4); len(types) == 1 {
				return " of " + types[0]
			}
		}
	}
	return ""
}

// limitWords are the bounds of a type: "≥ 1", "1–50", "1–64 characters".
func (s *shape) limitWords(typ string) string {
	for _, p := range s.flat.parts {
		switch typ {
		case "integer", "number":
			low, high, openLow, openHigh := p.Bounds()
			words := rangeWords(low, high, openLow, openHigh)
			if m := p.Multiple(); !m.IsZero() && !(typ == "integer" && string(m.Raw()) == "1") {
				words = strings.TrimSpace(words + " × " + quote.Number(m))
			}
			if words != "" {
				return words
			}
		case "string":
			least, most := p.Lengths()
			if words := rangeWords(least, most, false, false); words != "" {
				return words + " characters"
			}
		case "array":
			least, most, _, _ := p.Counts()
			if words := rangeWords(least, most, false, false); words != "" {
				return words
			}
		}
	}
	return ""
}

// rangeWords writes two bounds, of which each may be absent or open.
func rangeWords(low, high jsonread.Value, openLow, openHigh bool) string {
	a, b := quote.Number(low), quote.Number(high)
	above, below := "≥ ", "≤ "
	if openLow {
		above = "> "
	}
	if openHigh {
		below = "< "
	}
	switch {
	case low.IsZero() && high.IsZero():
		return ""
	case high.IsZero():
		return above + a
	case low.IsZero():
		return below + b
	case low.Equal(high) && !openLow && !openHigh:
		return a
	case openLow || openHigh:
		return above + a + ", " + below + b
	}
	return a + "–" + b
}

// notesOf are what a person should know of a field.
func (f *Form) notesOf(p *place) []string {
	s := p.shape
	var list []string
	for _, ref := range s.flat.lost {
		list = append(list, lostWords(ref))
	}
	if s.unchecked != "" {
		list = append(list, "pattern not checked: "+s.unchecked)
	}
	if len(s.patterns) > 0 {
		text, _ := brief(strings.Join(s.patterns, "  "), 2*quote.Longest)
		list = append(list, "keys that fit "+text)
	}
	if s.oldPrefix {
		list = append(list, "old spelling; under 2020-12 items must be one schema")
	}
	if s.openAPI {
		list = append(list, "nullable is a word of OpenAPI; by JSON Schema null does not fit")
	}
	if p.optional {
		list = append(list, "depends on a condition that cannot be told here")
	}
	if names := p.beside; len(names) > 0 {
		text, _ := brief(strings.Join(names, ", "), 2*quote.Longest)
		list = append(list, "when it is set, "+text+" must be there too")
	}
	if s.deprecated {
		list = append(list, "deprecated")
	}
	return list
}

// misfit reports whether a default surely does not fit its own schema.
func (s *shape) misfits() bool {
	if !s.judged {
		s.judged = true
		s.misfit = s.defOf.Fits(s.def) == schema.No
	}
	return s.misfit
}

// summary says in one line what is in a group: "2 rows", `sku "MUG-2", qty 1`.
func summary(v jsonread.Value, most int) string {
	if v.Kind() == jsonread.Array {
		return quote.Plural(v.Len(), "row")
	}
	var b strings.Builder
	for name, m := range v.Members() {
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		if b.Len() > most {
			b.WriteString("…")
			break
		}
		text, _ := brief(name.String(), quote.Longest)
		b.WriteString(text)
		b.WriteByte(' ')
		switch m.Kind() {
		case jsonread.Array:
			b.WriteString(quote.Plural(m.Len(), "row"))
		case jsonread.Object:
			b.WriteString("{…}")
		default:
			raw := string(m.Raw())
			if text, isCut := brief(raw, quote.Longest/2); isCut {
				raw = text + "…"
			}
			b.WriteString(raw)
		}
	}
	return b.String()
}

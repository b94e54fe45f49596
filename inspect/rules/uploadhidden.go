package rules

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/engine/quote"
	"perch/inspect/safe"
)

// hidden tells of characters in a tool's description and inputSchema that no
// person sees and a model reads. Subako takes them, so it is a notice beside
// the rule about descriptions. What emoji and scripts need is none of them.
func (s shaped) hidden(tool jsonread.Value) {
	s.hiddenIn(tool.Get("description"), "the description of "+s.of)
	s.hiddenIn(tool.Get("inputSchema"), "inputSchema of "+s.of)
}

func (s shaped) hiddenIn(v jsonread.Value, of string) {
	if v.IsZero() || !mayHide(v.Raw()) {
		return
	}
	var all unseen
	at := jsonread.Value{}
	for _, text := range texts(v) {
		if before := all.total(); all.add(text.String()) > before && at.IsZero() {
			at = text
		}
	}
	if all.total() == 0 {
		return
	}
	f := s.c.fold(s.h.seq, event.Breach{Rule: abi.ToolDescription, Where: s.h.where(at),
		Detail: fmt.Sprintf("%s has %s that nobody sees: %s. A model reads them; Subako takes them (our reading)", of, quote.Plural(all.total(), "character"), all.kinds()),
		Fix:    "Take them out. They come along when text is pasted, and can carry words for the model alone."}, "hidden "+all.kinds(), s.place)
	if f != nil {
		f.Class, f.Severity, f.AlsoMCP = abi.ClassS, abi.Notice, false
	}
}

// mayHide is false for JSON of plain ASCII, which most schemas are.
func mayHide(raw []byte) bool {
	return bytes.ContainsFunc(raw, func(r rune) bool { return r >= utf8.RuneSelf || r < ' ' || r == 0x7f }) || bytes.Contains(raw, []byte(`\`))
}

// texts lists the strings and member names of a value, however deep it is.
func texts(v jsonread.Value) (list []jsonread.Value) {
	for open := []jsonread.Value{v}; len(open) > 0; {
		v, open = open[len(open)-1], open[:len(open)-1]
		switch v.Kind() {
		case jsonread.String:
			list = append(list, v)
		case jsonread.Object:
			for name, member := range v.Members() {
				list = append(list, name)
				open = append(open, member)
			}
		case jsonread.Array:
			for _, element := range v.Elements() {
				open = append(open, element)
			}
		}
	}
	return list
}

// unseen counts characters that do not show, by class.
type unseen struct {
	turning, width, tags, controls, other int
	first                                 []rune // of each class the first
}

func (u *unseen) total() int { return u.turning + u.width + u.tags + u.controls + u.other }

// add counts those of a text, and returns the total.
func (u *unseen) add(text string) int {
	if safe.IsPlain(text) {
		return u.total()
	}
	text = withoutFlags(text)
	rightToLeft := strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
	})
	for unit := range (safe.Mode{}).Units(text) {
		if !unit.Hidden {
			continue
		}
		switch r, _ := utf8.DecodeRuneInString(text[unit.Start:unit.End]); {
		case r == '\n', r == '\r', r == '\t', r == 0xad: // layout, and a place to break a word
		case (r == 0x200e || r == 0x200f || r == 0x61c) && rightToLeft: // marks that such texts need
		case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x61c:
			u.count(&u.turning, r)
		case r >= 0xe0000 && r <= 0xe007f:
			u.count(&u.tags, r)
		case r < 0x20, r >= 0x7f && r < 0xa0:
			u.count(&u.controls, r)
		case r >= 0x200b && r <= 0x200d, r >= 0x2060 && r <= 0x2064, r == 0xfeff:
			u.count(&u.width, r)
		case unicode.Is(unicode.M, r) && !unicode.Is(unicode.Variation_Selector, r), r == utf8.RuneError: // a mark by itself
		default:
			u.count(&u.other, r)
		}
	}
	return u.total()
}

func (u *unseen) count(n *int, r rune) {
	if *n++; *n == 1 {
		u.first = append(u.first, r)
	}
}

// kinds names what was counted: "1 of text direction and 3 tag letters (first
// U+202E and U+E0049)".
func (u *unseen) kinds() string {
	var parts []string
	for _, k := range []struct {
		n    int
		text string
	}{
		{u.turning, quote.Count(u.turning) + " of text direction"}, {u.width, quote.Count(u.width) + " of no width"},
		{u.tags, quote.Plural(u.tags, "tag letter")}, {u.controls, quote.Plural(u.controls, "control character")}, {u.other, quote.Count(u.other) + " of another kind"},
	} {
		if k.n > 0 {
			parts = append(parts, k.text)
		}
	}
	var first []string
	for _, r := range u.first {
		first = append(first, fmt.Sprintf("U+%04X", r))
	}
	return enumerate(parts) + " (first " + enumerate(first) + ")"
}

// withoutFlags takes the tags out that spell the flag of a region, as those of
// England and Wales: a black flag, up to six tags and the tag that ends them.
func withoutFlags(text string) string {
	const flag, end = "\U0001F3F4", "\U000E007F"
	if !strings.Contains(text, flag) {
		return text
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, flag)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString(flag)
		if tags, rest, ok := strings.Cut(after, end); ok && len(tags) <= 6*4 && strings.Trim(tags, tagLetters()) == "" {
			after = rest
		}
		text = after
	}
}

func tagLetters() string {
	var b strings.Builder
	for r := rune(0xe0030); r <= 0xe007a; r++ {
		b.WriteRune(r)
	}
	return b.String()
}

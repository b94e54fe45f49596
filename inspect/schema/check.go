package schema

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"perch/engine/jsonread"
	"perch/engine/quote"
)

// kindOf is the types that a value has: a whole number is an integer and a
// number.
func kindOf(v jsonread.Value) types {
	switch v.Kind() {
	case jsonread.Null:
		return typeNull
	case jsonread.True, jsonread.False:
		return typeBoolean
	case jsonread.Number:
		if v.IsInteger() {
			return typeInteger | typeNumber
		}
		return typeNumber
	case jsonread.String:
		return typeString
	case jsonread.Array:
		return typeArray
	}
	return typeObject
}

// String lists the types: "integer or null".
func (t types) String() string {
	var list []string
	for i, name := range typeNames() {
		if t&(1<<i) != 0 {
			list = append(list, name)
		}
	}
	return orList(list)
}

// orList is "a", "a or b", "a, b or c".
func orList(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " or " + list[last]
}

// shown is a value at the beginning of a sentence.
func shown(v jsonread.Value) string {
	switch v.Kind() {
	case jsonread.Object:
		return "the object"
	case jsonread.Array:
		return "the list"
	case jsonread.True:
		return "true"
	case jsonread.False:
		return "false"
	}
	return quote.Value(v)
}

// misfit says that a value has another type: "ten" is a string where the schema
// says integer.
func misfit(v jsonread.Value, want types) string {
	is := "null stands"
	switch v.Kind() {
	case jsonread.True, jsonread.False:
		is = shown(v) + " is a boolean"
	case jsonread.Number:
		is = quote.Number(v) + " is a number"
	case jsonread.String:
		is = quote.Value(v) + " is a string"
	case jsonread.Array:
		is = "a list stands"
	case jsonread.Object:
		is = "an object stands"
	}
	return is + " where the schema says " + want.String()
}

// typed reports whether a value has one of a schema's types. In draft 4 a
// number with a fraction, 1.0 too, is no integer.
func (r *run) typed(n *node, v jsonread.Value) bool {
	if n.types&(typeInteger|typeNumber) == typeNumber && v.Kind() == jsonread.Number {
		return true
	}
	has := kindOf(v)
	if has&typeInteger != 0 && n.res.dialect == Draft4 && strings.ContainsAny(string(v.Raw()), ".eE") {
		has &^= typeInteger
	}
	return n.types&has != 0
}

// oneOfValues applies enum and const.
func (r *run) oneOfValues(n *node, v jsonread.Value) verdict {
	x, said := n.values, yes
	if !r.spend(len(v.Raw()) / 16) {
		return maybe
	}
	form, ok := canonical(v)
	if !ok {
		return r.cannot("it nests too deep")
	}
	if !x.enum.IsZero() && !x.members[form] {
		if x.partly {
			return r.cannot("an enum of the schema nests too deep")
		}
		said = r.say(false, v, n, "enum", func() string { return shown(v) + " is none of the values of enum" + listed(x.enum) })
	}
	if !x.constant.IsZero() {
		if !r.spend(len(x.constant.Raw()) / 16) {
			return maybe
		}
		want, ok := canonical(x.constant)
		if !ok {
			return r.cannot("a const of the schema nests too deep")
		}
		said = min(said, r.say(form == want, v, n, "const", func() string {
			if k := x.constant.Kind(); k == jsonread.Object || k == jsonread.Array {
				return shown(v) + " is not the value of const, the only one that is allowed"
			}
			return shown(v) + " is not " + quote.Value(x.constant) + ", the only value that is allowed"
		}))
	}
	return said
}

// listed are the first values of an enum.
func listed(enum jsonread.Value) string {
	const most = 6
	var list []string
	for i, e := range enum.Elements() {
		if i == most {
			return ": " + strings.Join(list, ", ") + " and " + quote.Count(enum.Len()-most) + " more"
		}
		list = append(list, shown(e))
	}
	if len(list) == 0 {
		return ", which is empty"
	}
	return ": " + orList(list)
}

// number applies the bounds of numbers, by their exact values.
func (r *run) number(n *node, v jsonread.Value) verdict {
	x, said := n.numbers, yes
	if !r.spend(len(v.Raw()) / 16) {
		return maybe
	}
	bound := func(limit jsonread.Value, keyword, text string, fits func(order int) bool) {
		if !limit.IsZero() {
			said = min(said, r.say(fits(jsonread.CompareNumbers(v, limit)), v, n, keyword,
				func() string { return fmt.Sprintf("%s is %s, %s", quote.Number(v), text, quote.Number(limit)) }))
		}
	}
	if x.openMin {
		bound(x.min, "minimum", "not above the minimum", func(o int) bool { return o > 0 })
	} else {
		bound(x.min, "minimum", "below the minimum", func(o int) bool { return o >= 0 })
	}
	if x.openMax {
		bound(x.max, "maximum", "not below the maximum", func(o int) bool { return o < 0 })
	} else {
		bound(x.max, "maximum", "above the maximum", func(o int) bool { return o <= 0 })
	}
	bound(x.above, "exclusiveMinimum", "not above the exclusive minimum", func(o int) bool { return o > 0 })
	bound(x.below, "exclusiveMaximum", "not below the exclusive maximum", func(o int) bool { return o < 0 })
	if !x.multiple.IsZero() {
		is, known := jsonread.MultipleOf(v, x.multiple)
		if !known {
			return min(said, r.cannot("a number is too long to be divided"))
		}
		said = min(said, r.say(is, v, n, "multipleOf", func() string { return quote.Number(v) + " is no multiple of " + quote.Number(x.multiple) }))
	}
	return said
}

// text applies the bounds of strings. Characters are Unicode code points.
func (r *run) text(n *node, v jsonread.Value) verdict {
	x, said := n.strings, yes
	if !r.spend(len(v.Raw()) / 64) {
		return maybe
	}
	if raw := v.Raw(); x.pattern == nil && !bytes.Contains(raw, []byte(`\`)) {
		return r.counted(n, v, utf8.RuneCount(raw)-len(`""`), func() string { return quote.Value(v) + " has" }, "character", x.min, x.max, "minLength", "maxLength")
	}
	text := v.String()
	said = min(said, r.counted(n, v, utf8.RuneCountInString(text), func() string { return quote.Text(text) + " has" }, "character", x.min, x.max, "minLength", "maxLength"))
	if x.pattern != nil {
		fits := r.match(x.pattern, text)
		r.say(fits != no, v, n, "pattern", func() string { return quote.Text(text) + " does not match the pattern " + quote.Text(x.pattern.text) })
		said = min(said, fits)
	}
	return said
}

// match runs a pattern.
func (r *run) match(p *pattern, text string) verdict {
	if p.program == nil {
		return r.cannot("the pattern " + quote.Text(p.text) + " is not checked: " + p.unchecked)
	}
	if !r.spend(4 + len(text)*p.size/maxMatch) { // to begin a match costs something too
		return maybe
	}
	return sure(p.program.MatchString(text))
}

// counted applies a pair of keywords that bound a count.
func (r *run) counted(n *node, v jsonread.Value, count int, has func() string, thing string, least, most jsonread.Value, leastName, mostName string) verdict {
	said := yes
	if !least.IsZero() && count < limit(least) {
		said = r.say(false, v, n, leastName, func() string {
			return fmt.Sprintf("%s %s; at least %s asked for", has(), quote.Plural(count, thing), are(least))
		})
	}
	if !most.IsZero() && count > limit(most) {
		said = r.say(false, v, n, mostName, func() string {
			return fmt.Sprintf("%s %s; at most %s allowed", has(), quote.Plural(count, thing), are(most))
		})
	}
	return said
}

// are is a number with its verb: "1 is", "2 are".
func are(v jsonread.Value) string {
	if limit(v) == 1 {
		return quote.Number(v) + " is"
	}
	return quote.Number(v) + " are"
}

// limit is the number of a keyword that counts; beyond all counts where it is
// larger than any.
func limit(v jsonread.Value) int {
	if n, ok := v.Int(); ok && n <= math.MaxInt32 {
		return int(n)
	}
	return math.MaxInt32
}

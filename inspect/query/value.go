package query

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"

	"github.com/itchyny/gojq"

	"perch/engine/jsonread"
	"perch/engine/quote"
)

// given is the input in the forms that jq works with, and the way back: which
// list or object of it is which value of the text. jq never changes a list or an
// object in place, so what is the same container has the same text.
type given struct {
	value any
	lists map[*any]jsonread.Value
	maps  map[uintptr]jsonread.Value
	odd   int // numbers that a double does not hold
}

// convert reads a value into jq's forms. Numbers stay as they are written.
func convert(v jsonread.Value) (*given, error) {
	g := &given{lists: map[*any]jsonread.Value{}, maps: map[uintptr]jsonread.Value{}}
	var err error
	g.value, err = g.take(v, 0)
	return g, err
}

func (g *given) take(v jsonread.Value, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("the value is nested deeper than %s; a filter takes no more (our limit)", count(maxDepth))
	}
	switch v.Kind() {
	case jsonread.Null:
		return nil, nil
	case jsonread.False, jsonread.True:
		return v.Kind() == jsonread.True, nil
	case jsonread.Number:
		if !v.Double() {
			g.odd++
		}
		return json.Number(v.Raw()), nil
	case jsonread.String:
		return v.String(), nil
	case jsonread.Array:
		list := make([]any, 0, v.Len())
		for _, e := range v.Elements() {
			x, err := g.take(e, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, x)
		}
		if len(list) > 0 {
			g.lists[&list[0]] = v
		}
		return list, nil
	}
	object := make(map[string]any, v.Len())
	for name, e := range v.Members() {
		x, err := g.take(e, depth+1)
		if err != nil {
			return nil, err
		}
		object[name.String()] = x
	}
	g.maps[address(object)] = v
	return object, nil
}

// address tells maps apart: a map is a pointer.
func address(m map[string]any) uintptr { return reflect.ValueOf(m).Pointer() }

// origin is the value of the input that a list or an object is; absent when it
// is another one, or a scalar.
func (g *given) origin(v any) jsonread.Value {
	switch v := v.(type) {
	case []any:
		if len(v) > 0 {
			if from := g.lists[&v[0]]; from.Len() == len(v) {
				return from
			}
		}
	case map[string]any:
		return g.maps[address(v)]
	}
	return jsonread.Value{}
}

// output writes results as JSON text, up to a limit.
type output struct {
	from    *given
	limit   int // bytes that are left
	buf     []byte
	sorted  bool // an object was made, its members are sorted
	doubles int  // numbers that were computed as doubles
	clipped int  // numbers that no double is: infinite, or none
}

func (o *output) full() error {
	return fmt.Errorf("the results are over the limit of output: the rest is not shown (our limit)")
}

// source is the text of a value of the input, without the white space between
// its tokens.
func (o *output) source(v jsonread.Value) ([]byte, bool) {
	text := jsonread.Compact(make([]byte, 0, min(len(v.Raw()), o.limit)), v.Raw())
	if len(text) > o.limit {
		return nil, false
	}
	o.limit -= len(text)
	return text, true
}

// append writes one result.
func (o *output) append(v any) ([]byte, error) {
	o.buf = o.buf[:0]
	if err := o.write(v, 0); err != nil {
		return nil, err
	}
	o.limit -= len(o.buf)
	return slices.Clone(o.buf), nil
}

func (o *output) write(v any, depth int) error {
	switch {
	case len(o.buf) > o.limit:
		return o.full()
	case depth > maxDepth:
		return fmt.Errorf("a result is nested deeper than %s (our limit)", count(maxDepth))
	}
	if from := o.from.origin(v); !from.IsZero() {
		o.buf = jsonread.Compact(o.buf, from.Raw())
		return o.over()
	}
	switch v := v.(type) {
	case nil:
		o.buf = append(o.buf, "null"...)
	case bool:
		o.buf = strconv.AppendBool(o.buf, v)
	case string:
		if len(v) > o.limit {
			return o.full()
		}
		o.buf = jsonread.AppendQuote(o.buf, v)
	case []any:
		return o.list(v, depth)
	case map[string]any:
		return o.object(v, depth)
	default:
		o.number(v)
	}
	return o.over()
}

func (o *output) over() error {
	if len(o.buf) > o.limit {
		return o.full()
	}
	return nil
}

func (o *output) number(v any) {
	switch v := v.(type) {
	case json.Number:
		o.buf = append(o.buf, v...)
	case int:
		o.buf = strconv.AppendInt(o.buf, int64(v), 10)
	case *big.Int:
		o.buf = v.Append(o.buf, 10)
	case float64:
		o.doubles++
		if math.IsInf(v, 0) || math.IsNaN(v) {
			o.clipped++
		}
		text, err := gojq.Marshal(v)
		if err == nil {
			o.buf = append(o.buf, text...)
		}
	}
}

func (o *output) list(v []any, depth int) error {
	o.buf = append(o.buf, '[')
	for i, e := range v {
		if i > 0 {
			o.buf = append(o.buf, ',')
		}
		if err := o.write(e, depth+1); err != nil {
			return err
		}
	}
	o.buf = append(o.buf, ']')
	return nil
}

func (o *output) object(v map[string]any, depth int) error {
	names := make([]string, 0, len(v))
	for name := range v {
		names = append(names, name)
	}
	slices.Sort(names)
	o.sorted = o.sorted || len(names) > 1
	o.buf = append(o.buf, '{')
	for i, name := range names {
		if i > 0 {
			o.buf = append(o.buf, ',')
		}
		o.buf = append(jsonread.AppendQuote(o.buf, name), ':')
		if err := o.write(v[name], depth+1); err != nil {
			return err
		}
	}
	o.buf = append(o.buf, '}')
	return nil
}

// notes say in what the results are not the input's own text.
func (o *output) notes(computes bool) []string {
	var notes []string
	if o.sorted {
		notes = append(notes, "objects made by the filter have their members sorted by name")
	}
	if o.clipped > 0 {
		notes = append(notes, fmt.Sprintf("%s no double holds: jq writes the largest double, or null", quote.Plural(o.clipped, "computed number")))
	}
	switch odd := o.from.odd; {
	case odd > 0 && (computes || o.doubles > 0):
		notes = append(notes, fmt.Sprintf("%s of the input %s held by a double: kept as written where selected, rounded where compared or computed",
			quote.Plural(odd, "number"), map[bool]string{true: "is not", false: "are not"}[odd == 1]))
	case o.doubles > o.clipped:
		notes = append(notes, fmt.Sprintf("%s of the results computed as doubles", map[bool]string{true: "1 number was",
			false: quote.Plural(o.doubles-o.clipped, "number") + " were"}[o.doubles-o.clipped == 1]))
	}
	return notes
}

func count(n int) string { return quote.Count(n) }

package query

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"github.com/itchyny/gojq"
)

// A single step of jq's machine can take time and memory without end: a value
// may hold one list a thousand times, and that list another one, and writing or
// comparing it unfolds them all. So the filter is given checks, which jq's own
// functions do not have: of what goes into a function, an operator or a new
// list. They change nothing of what a filter gives.

// Names of the checks inside a filter. No filter that people write has them.
const (
	guardSmall   = "_perch_small"
	guardOperand = "_perch_operand"
	guardFew     = "_perch_few"
	guardText    = "_perch_text"
	guardTimes   = "_perch_times"
	budgetName   = "$_perch_budget" // what the run may still spend: a check costs too
)

// Bounds of one value, in its elements, members and bytes of text.
const (
	maxUnits   = 4 << 20
	maxOperand = 1 << 20   // elements, or bytes, of what + adds to
	maxFew     = 10_000    // elements of what - compares each with each
	maxPattern = 512 << 10 // bytes of a text that is searched by a pattern
	maxDigits  = 100_000   // of a number that is computed with
	maxRepeat  = 4 << 20   // bytes of a text that * repeats
)

// watch puts the checks into a filter.
type watch struct {
	own      map[string]bool // functions that the filter defines, and their parameters
	computes bool
	unknown  string // a format that there is not
	ours     string // a name of a check, which is not for filters
}

func newWatch(q *gojq.Query) *watch {
	w := &watch{own: map[string]bool{}}
	each(reflect.ValueOf(q), func(node any) {
		switch n := node.(type) {
		case *gojq.FuncDef:
			w.own[n.Name] = true
			for _, a := range n.Args {
				w.own[a] = true
			}
		case *gojq.Func:
			if strings.HasPrefix(strings.TrimPrefix(n.Name, "$"), "_perch_") {
				w.ours = n.Name
			}
		}
	})
	return w
}

// query puts checks around each part of a filter.
func (w *watch) query(q *gojq.Query) {
	each(reflect.ValueOf(q), func(node any) {
		switch n := node.(type) {
		case *gojq.Query:
			w.operator(n)
		case *gojq.String:
			for i, part := range n.Queries {
				if part.Term == nil || part.Term.Str == nil { // not the text between
					n.Queries[i] = parens(checked(part, guardSmall))
				}
			}
		case *gojq.Term:
			w.term(n)
		}
	})
}

// operator checks the operands of an operator.
func (w *watch) operator(q *gojq.Query) {
	guard := ""
	switch q.Op {
	case gojq.OpAdd, gojq.OpDiv, gojq.OpMod:
		guard = guardOperand
	case gojq.OpSub:
		guard = guardFew
	case gojq.OpEq, gojq.OpNe, gojq.OpGt, gojq.OpLt, gojq.OpGe, gojq.OpLe:
		guard = guardSmall
	case gojq.OpMul:
		w.computes = true
		become(q, call("_perch_multiply", q.Left, q.Right))
		return
	case gojq.OpAssign, gojq.OpModify, gojq.OpUpdateAdd, gojq.OpUpdateDiv, gojq.OpUpdateMod, gojq.OpUpdateAlt:
		w.computes = true
		q.Right = checked(q.Right, guardSmall)
		return
	case gojq.OpUpdateSub:
		w.computes = true
		q.Right = checked(q.Right, guardFew)
		return
	case gojq.OpUpdateMul: // a text that is repeated: $times is checked with it
		w.computes = true
		become(q, &gojq.Query{Left: parens(q.Right), Op: gojq.OpPipe, Patterns: []*gojq.Pattern{{Name: "$_perch_times"}},
			Right: &gojq.Query{Left: q.Left, Op: gojq.OpModify, Right: call("_perch_multiply", identity(), call("$_perch_times"))}})
		return
	default:
		return
	}
	w.computes = true
	q.Left, q.Right = checked(q.Left, guard), checked(q.Right, guard)
}

// become puts a query in the place of another one, behind its definitions.
func become(q, other *gojq.Query) {
	other.Meta, other.Imports, other.FuncDefs = q.Meta, q.Imports, q.FuncDefs
	*q = *other
}

func parens(q *gojq.Query) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeQuery, Query: q}}
}

// term checks what a new list or object holds, and what a function works on.
func (w *watch) term(t *gojq.Term) {
	inner := *t
	inner.SuffixList = nil
	switch t.Type {
	case gojq.TermTypeArray, gojq.TermTypeObject:
		*t = gojq.Term{Type: gojq.TermTypeQuery, SuffixList: t.SuffixList, Query: checked(&gojq.Query{Term: &inner}, guardSmall)}
	case gojq.TermTypeFormat:
		w.format(t.Format)
		*t = gojq.Term{Type: gojq.TermTypeQuery, SuffixList: t.SuffixList, Query: before(&gojq.Query{Term: &inner}, guardSmall)}
	case gojq.TermTypeFunc:
		f := t.Func
		if f.Name[0] == '$' || f.Name[0] == '_' || w.own[f.Name] || slices.Contains(light(), f.Name) {
			return
		}
		w.computes = true
		for i := range f.Args {
			f.Args[i] = checked(f.Args[i], guardSmall)
		}
		guard := guardSmall
		if slices.Contains(patterns(), f.Name) {
			guard = guardText
		}
		*t = gojq.Term{Type: gojq.TermTypeQuery, SuffixList: t.SuffixList, Query: before(&gojq.Query{Term: &inner}, guard)}
	}
}

// format notes a format that jq does not have; it would only find that out as it
// runs.
func (w *watch) format(name string) {
	if w.unknown == "" && !slices.Contains([]string{"@text", "@json", "@html", "@uri", "@urid", "@csv", "@tsv", "@sh", "@base64", "@base64d"}, name) {
		w.unknown = name
	}
}

// light are the functions that do not look into the values they are given.
func light() []string {
	return []string{"empty", "not", "type", "length", "select", "map", "map_values", "recurse", "values", "nulls", "booleans",
		"numbers", "strings", "arrays", "objects", "iterables", "scalars", "keys", "has", "first", "last", "nth", "until", "while",
		"repeat", "range", "limit", "skip", "isempty", "any", "all", "path", "paths", "del", "to_entries", "with_entries", "in",
		"null", "true", "false", "now", "infinite", "nan", "input", "inputs", "env", "builtins", "debug", "getpath"}
}

// patterns are the functions that make a value of each match in a text.
func patterns() []string {
	return []string{"match", "test", "capture", "scan", "splits", "sub", "gsub", "split", "explode", "ascii"}
}

// wrapped is the filter behind the definitions of the checks. A check hands on
// its input as it is, a path too.
func (w *watch) wrapped(q *gojq.Query) *gojq.Query {
	// jq takes the right operand first, and each left one for it.
	prelude, err := gojq.Parse(`def _perch_multiply(l; r): r as $r | l as $l | ` + guardTimes + `(` + budgetName + `; $l; $r) | $l * $r; .`)
	if err != nil {
		panic(err) // it is ours and does not change
	}
	out := &gojq.Query{Meta: q.Meta, Imports: q.Imports, FuncDefs: prelude.FuncDefs}
	body := *q
	body.Meta, body.Imports = nil, nil
	out.Term = parens(&body).Term
	return out
}

// checked is what a query gives, each value checked: q | if check then . else . end.
func checked(q *gojq.Query, guard string) *gojq.Query {
	return &gojq.Query{Left: parens(q), Op: gojq.OpPipe, Right: check(guard)}
}

// before checks what goes into a query.
func before(q *gojq.Query, guard string) *gojq.Query {
	return &gojq.Query{Left: check(guard), Op: gojq.OpPipe, Right: q}
}

func check(guard string) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeIf, If: &gojq.If{Cond: call(guard, call(budgetName)), Then: identity(), Else: identity()}}}
}

func identity() *gojq.Query { return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeIdentity}} }

func call(name string, args ...*gojq.Query) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeFunc, Func: &gojq.Func{Name: name, Args: args}}}
}

// each visits the nodes of a filter, what is within a node before it.
func each(v reflect.Value, visit func(node any)) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		each(v.Elem(), visit)
		visit(v.Interface())
	case reflect.Struct:
		for i := range v.NumField() {
			each(v.Field(i), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			each(v.Index(i), visit)
		}
	}
}

// errLarge is what a check says of a value; it ends the filter.
type errLarge struct{ text string }

func (e *errLarge) Error() string { return e.text }

func tooLarge(format string, a ...any) error { return &errLarge{fmt.Sprintf(format, a...)} }

// small checks a value whole: all that it holds, as often as it holds it.
func small(v any, args []any) any {
	left := maxUnits
	err := weigh(v, &left, 0)
	if b, ok := args[0].(*budget); ok {
		b.left -= (maxUnits - left) / unitsPerStep
	}
	if err != nil {
		return err
	}
	return true
}

// unitsPerStep is how much of a value is checked in the time of one step.
const unitsPerStep = 16

func weigh(v any, left *int, depth int) error {
	*left--
	switch v := v.(type) {
	case string:
		*left -= len(v)
	case json.Number:
		*left -= len(v)
	case *big.Int:
		*left -= v.BitLen() / 3
	case []any:
		for _, e := range v {
			if err := weigh(e, left, depth+1); err != nil {
				return err
			}
		}
	case map[string]any:
		for name, e := range v {
			*left -= len(name)
			if err := weigh(e, left, depth+1); err != nil {
				return err
			}
		}
	}
	switch {
	case *left < 0:
		return tooLarge("a value grows over %s units of text and elements (our limit)", count(maxUnits))
	case depth > maxDepth:
		return tooLarge("a value is nested deeper than %s (our limit)", count(maxDepth))
	}
	return nil
}

// operand checks what + and its like copy: the value's own elements or bytes.
func operand(v any, _ []any) any {
	if n := size(v); n > maxOperand {
		return tooLarge("a value of %s elements or bytes is not added to (our limit)", count(n))
	}
	return digits(v)
}

// few checks what - compares, each element of one list with each of the other.
func few(v any, args []any) any {
	if list, ok := v.([]any); ok {
		if len(list) > maxFew {
			return tooLarge("a list of %s elements is not subtracted from another (our limit)", count(len(list)))
		}
		return small(v, args)
	}
	return digits(v)
}

// shortText checks a text that is searched: each match becomes a value.
func shortText(v any, args []any) any {
	if s, ok := v.(string); ok && len(s) > maxPattern {
		return tooLarge("a text of %s B is not searched by a pattern (our limit)", count(len(s)))
	}
	return small(v, args)
}

// times checks the operands of *, which repeats a text or merges two objects.
func times(_ any, args []any) any {
	sides := args[1:]
	for i, v := range sides {
		s, ok := v.(string)
		n, isNumber := gojq.ToFloat64(sides[1-i])
		if ok && isNumber && float64(len(s))*n > maxRepeat {
			return tooLarge("a text repeated to over %s B (our limit)", count(maxRepeat))
		}
		if _, is := v.(map[string]any); is {
			if err, bad := small(v, args).(error); bad {
				return err
			}
		}
		if err, bad := digits(v).(error); bad {
			return err
		}
	}
	return true
}

func size(v any) int {
	switch v := v.(type) {
	case string:
		return len(v)
	case []any:
		return len(v)
	case map[string]any:
		return len(v)
	}
	return 0
}

// digits checks a number that is computed with.
func digits(v any) any {
	n := 0
	switch v := v.(type) {
	case json.Number:
		n = len(v)
	case *big.Int:
		n = v.BitLen() / 3
	}
	if n > maxDigits {
		return tooLarge("a number of %s digits is not computed with (our limit)", count(n))
	}
	return true
}

// limited reports whether an error is that of a check.
func limited(err error) bool {
	var e *errLarge
	return errors.As(err, &e)
}

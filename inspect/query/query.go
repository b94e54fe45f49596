// Package query filters a JSON value with a jq filter. What a filter only
// selects comes back as it was written, byte for byte; what it computes is
// computed as jq does, and said so. A filter ends within bounds of work, memory
// and output, whatever it asks for and whatever a module wrote.
//
// The package knows JSON values and filters, and nothing of panes or keys.
package query

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/itchyny/gojq"

	"perch/engine/jsonread"
)

// Bounds of a filter and of its work; all are our own.
const (
	MaxFilter = 16 << 10 // bytes of a filter

	defaultSteps  = 20_000_000
	defaultValues = 100_000
	defaultBytes  = 4 << 20
	maxDepth      = 10_000 // nesting of a value
)

// Limits of a run. A zero field is the default.
type Limits struct {
	Steps  int // of jq's machine, 20,000,000: about a second
	Values int // results, 100,000
	Bytes  int // of all results together, 4 MiB
}

func (l Limits) ready() Limits {
	if l.Steps <= 0 {
		l.Steps = defaultSteps
	}
	if l.Values <= 0 {
		l.Values = defaultValues
	}
	if l.Bytes <= 0 {
		l.Bytes = defaultBytes
	}
	return l
}

// Filter is a filter that can be run, several times and at once.
type Filter struct {
	text     string
	code     *gojq.Code // nil: the filter is empty, and gives its input
	computes bool       // it has more than selection: numbers may be computed
}

// Parse reads a filter. The error is an *Error. A filter of white space and
// comments alone is ".". It takes well under a millisecond for what people
// type, so that it can follow each key.
func Parse(text string) (f *Filter, err error) {
	if len(text) > MaxFilter {
		return nil, &Error{Offset: MaxFilter, End: len(text), Text: fmt.Sprintf("the filter is over %d B (our limit)", MaxFilter)}
	}
	defer func() {
		if p := recover(); p != nil { // a fault of the library is no fault of ours
			f, err = nil, &Error{End: len(text), Text: "the filter cannot be read"}
		}
	}()
	if blank(text) {
		return &Filter{text: text}, nil
	}
	q, perr := gojq.Parse(text)
	if perr != nil {
		return nil, parseError(text, perr)
	}
	w := newWatch(q)
	if w.ours != "" {
		e := find(text, w.ours)
		e.Text = "names that begin with _perch_ are perch's own"
		return nil, e
	}
	w.query(q)
	if w.unknown != "" {
		return nil, noFormat(text, w.unknown)
	}
	code, cerr := gojq.Compile(w.wrapped(q), gojq.WithVariables([]string{budgetName}),
		gojq.WithFunction(guardSmall, 1, 1, small), gojq.WithFunction(guardOperand, 1, 1, operand), gojq.WithFunction(guardFew, 1, 1, few),
		gojq.WithFunction(guardText, 1, 1, shortText), gojq.WithFunction(guardTimes, 3, 3, times))
	if cerr != nil {
		return nil, compileError(text, cerr)
	}
	return &Filter{text: text, code: code, computes: w.computes}, nil
}

// Text is the filter as it was given.
func (f *Filter) Text() string { return f.text }

// Value is one result.
type Value struct {
	Text []byte // JSON on one line
	// From is the value of the input that this is, unchanged; absent when it was
	// made by the filter.
	From jsonread.Value
}

// Result is what a filter gave.
type Result struct {
	Values []Value
	// Err says why there are no more results: a fault of the filter on this
	// input, or a limit. What came before it stands in Values. nil: that is all.
	Err error
	// Limited says that Err is one of our limits, or that ctx was cancelled.
	Limited bool
	// Notes say in what the results are not the input's own text: objects whose
	// members were sorted, numbers that went through doubles.
	Notes []string
}

// Text is the results as text, one in each line.
func (r Result) Text() []byte {
	n := 0
	for _, v := range r.Values {
		n += len(v.Text) + 1
	}
	b := make([]byte, 0, n)
	for _, v := range r.Values {
		b = append(append(b, v.Text...), '\n')
	}
	return b
}

// Run filters a value. It returns when ctx is done, or at a limit; it takes up
// to about a second, so it is not to be called while drawing.
func (f *Filter) Run(ctx context.Context, input jsonread.Value, l Limits) (r Result) {
	l = l.ready()
	out := output{limit: l.Bytes}
	if input.IsZero() {
		r.Err = errors.New("there is no value to filter")
		return r
	}
	if f.code == nil {
		text, ok := out.source(input)
		if !ok {
			return Result{Err: out.full(), Limited: true}
		}
		return Result{Values: []Value{{text, input}}}
	}
	defer func() {
		if p := recover(); p != nil {
			r.Err = errors.New("the filter cannot be run on this value")
		}
	}()
	in, err := convert(input)
	if err != nil {
		return Result{Err: err, Limited: true}
	}
	out.from = in
	b := newBudget(ctx, l.Steps)
	b.enter()
	defer b.leave()
	r = f.collect(f.code.RunWithContext(b, in.value, b), b, &out, l)
	r.Notes = out.notes(f.computes)
	return r
}

func (f *Filter) collect(iter gojq.Iter, b *budget, out *output, l Limits) (r Result) {
	for {
		v, ok := iter.Next()
		if !ok {
			return r
		}
		if err, is := v.(error); is {
			r.Err, r.Limited = b.explain(err)
			return r
		}
		if len(r.Values) == l.Values {
			r.Err, r.Limited = fmt.Errorf("more than %s results: the rest is not shown (our limit)", count(l.Values)), true
			return r
		}
		from := out.from.origin(v)
		text, err := out.append(v)
		if err != nil {
			r.Err, r.Limited = err, true
			return r
		}
		r.Values = append(r.Values, Value{text, from})
	}
}

// blank reports whether a filter has nothing but white space and comments.
func blank(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return false
		}
	}
	return true
}

package form

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"perch/engine/jsonread"
	"perch/engine/quote"
	"perch/inspect/schema"
)

// Level says how much a problem weighs. None keeps anything from being sent:
// Subako does not look at arguments.
type Level uint8

// The levels of problems.
const (
	Wrong   Level = iota // the value does not fit the schema
	Missing              // something that must be there is not
	Doubt                // it is not as its format has it; formats are not checked by JSON Schema
	Note                 // worth knowing
)

// Problem is something about a value that is worth telling.
type Problem struct {
	Path       string // of the field
	Start, End int    // bytes in the text; of what is missing those of the object's opening bracket
	Level      Level
	Text       string // a sentence without its place
	Keyword    string // of the schema, "" where none says it
	Fix        string // what was probably meant, as it would be typed; "" when it cannot be told
}

// problems are the problems of one text.
type problems struct {
	list      []Problem
	at        map[string][]Problem
	inside    map[string]int
	more      int
	unchecked string
}

// Problems are all that is worth telling about the values, in the order of the
// fields. While the text is no JSON object they are those of the last one.
func (f *Form) Problems() []Problem {
	f.judge()
	return f.problems.list
}

// MoreProblems is how many problems are not listed.
func (f *Form) MoreProblems() int {
	f.judge()
	return f.problems.more
}

// Unchecked says why something could not be checked, "" when all was.
func (f *Form) Unchecked() string {
	f.judge()
	return f.problems.unchecked
}

// NextProblem is the place of the first problem behind that of a row, around
// the end if need be; PrevProblem that before it. ok is false when there are
// none. Problems that are but notes are passed by.
func (f *Form) NextProblem(path string) (next string, ok bool) { return f.walkProblems(path, 1) }

// PrevProblem is the place of the last problem before that of a row.
func (f *Form) PrevProblem(path string) (prev string, ok bool) { return f.walkProblems(path, -1) }

func (f *Form) walkProblems(path string, step int) (string, bool) {
	f.judge()
	var paths []string
	for _, p := range f.problems.list {
		if p.Level != Note && !slices.Contains(paths, p.Path) {
			paths = append(paths, p.Path)
		}
	}
	if len(paths) == 0 {
		return "", false
	}
	i := slices.Index(paths, path)
	if i < 0 { // it has no problem: the nearest in the order of the tree
		at := f.order(path)
		i = slices.IndexFunc(paths, func(p string) bool { return slices.Compare(f.order(p), at) > 0 })
		if i < 0 {
			i = len(paths)
		}
		if step > 0 {
			i--
		}
	}
	return paths[(i+step+len(paths))%len(paths)], true
}

func (f *Form) problemsAt(path string) []Problem {
	f.judge()
	return f.problems.at[path]
}

func (f *Form) problemsWithin(path string) int {
	f.judge()
	return f.problems.inside[path]
}

// judge holds the values against the schema when something has changed since.
func (f *Form) judge() {
	if f.said == f.rev {
		return
	}
	f.said = f.rev
	res := f.schema.Validate(f.doc.Root())
	list := make([]Problem, 0, len(res.Faults))
	for _, fault := range res.Faults {
		list = append(list, f.problemsOf(fault, 0)...)
	}
	list = f.beyondSchema(list)
	order := make(map[string][]int, len(list))
	for _, p := range list {
		if order[p.Path] == nil {
			order[p.Path] = f.order(p.Path)
		}
	}
	slices.SortStableFunc(list, func(a, b Problem) int {
		return cmp.Or(slices.Compare(order[a.Path], order[b.Path]), cmp.Compare(a.Level, b.Level))
	})
	f.problems = problems{list: list, more: res.More, unchecked: res.Unchecked, at: map[string][]Problem{}, inside: map[string]int{}}
	for _, p := range list {
		f.problems.at[p.Path] = append(f.problems.at[p.Path], p)
		if p.Level == Note {
			continue
		}
		for up, _, ok := cut(p.Path); ok; up, _, ok = cut(up) {
			f.problems.inside[up]++
		}
	}
}

// problemsOf is what a fault is to a form. Where no branch of a choice takes a
// value, it is what the branch says that is shown.
func (f *Form) problemsOf(fault schema.Fault, depth int) []Problem {
	chosen, ok := f.branchOf(fault)
	if !ok || depth > 4 {
		return []Problem{problemOf(fault)}
	}
	var list []Problem
	for _, inner := range chosen.Faults(fault.Value) {
		inner.Pointer = fault.Pointer + inner.Pointer
		list = append(list, f.problemsOf(inner, depth+1)...)
	}
	if len(list) == 0 {
		return []Problem{problemOf(fault)}
	}
	return list
}

// branchOf is the branch that is shown of the choice that a fault is about.
func (f *Form) branchOf(fault schema.Fault) (schema.Part, bool) {
	if fault.Keyword != "anyOf" && fault.Keyword != "oneOf" {
		return schema.Part{}, false
	}
	chain, ok := f.locate(fault.Pointer)
	if !ok {
		return schema.Part{}, false
	}
	flat := chain[len(chain)-1].shape.flat
	for _, c := range flat.choices {
		for _, p := range flat.parts {
			if c.key == choiceKey(p, fault.Keyword) && p.Text().Pointer()+"/"+fault.Keyword == fault.Schema {
				b := c.branches[c.at]
				return b, b.Fits(fault.Value) == schema.No
			}
		}
	}
	return schema.Part{}, false
}

// problemOf is what a fault is to a form: a member that is missing is a problem
// of its own field.
func problemOf(fault schema.Fault) Problem {
	p := Problem{Path: fault.Pointer, Start: fault.Value.Start(), End: fault.Value.End(), Text: fault.Text, Keyword: fault.Keyword}
	if fault.Missing {
		p.Path, p.Level, p.End = member(p.Path, fault.Member), Missing, p.Start+1
	}
	return p
}

// order is where a place stands in the tree: the ranks of the members and the
// indexes on the way to it.
func (f *Form) order(path string) []int {
	chain := []place{f.rootPlace()}
	var list []int
	for token := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if path == "" {
			break
		}
		up := &chain[len(chain)-1]
		name := unescape(token)
		if i := index(token); i >= 0 && up.value.Kind() == jsonread.Array {
			list = append(list, i)
		} else if rank, ok := up.shape.rank[name]; ok {
			list = append(list, rank)
		} else {
			v := up.value.Get(name)
			list = append(list, len(up.shape.order)+v.Start())
		}
		if len(list) == maxDepth || !f.isGroup(up) {
			break
		}
		p := f.child(up, token)
		f.resolve(&p)
		chain = append(chain, p)
	}
	return list
}

// child is the place below a group that a token of a pointer leads to.
func (f *Form) child(up *place, token string) place {
	if f.kindOf(up) == List {
		i := max(index(token), 0)
		return up.element(i, up.value.Index(i))
	}
	name := unescape(token)
	return up.member(name, up.value.Get(name))
}

// beyondSchema adds what no schema says: numbers that are none, formats,
// spellings and names that other readers take otherwise.
func (f *Form) beyondSchema(list []Problem) []Problem {
	b := &builder{f: f, mode: present, left: maxRows, rows: make([]place, 0, len(f.rows)+8)}
	root := f.rootPlace()
	b.within(&root, -1)
	twice := len(f.doc.Doubled(1)) > 0
	if twice {
		list = doubled(list, &root)
	}
	for i := range b.rows {
		p := &b.rows[i]
		if p.kind != Field {
			continue
		}
		if twice {
			list = doubled(list, p)
		}
		add := func(level Level, text, fix string) {
			list = append(list, Problem{Path: p.path, Start: p.value.Start(), End: p.value.End(), Level: level, Text: text, Fix: fix})
		}
		switch k := f.kindOf(p); {
		case (k == Number || k == Integer) && p.value.Kind() == jsonread.String:
			list = notNumber(list, p)
		case k == Integer && p.value.Kind() == jsonread.Number && p.value.IsInteger() && strings.ContainsAny(string(p.value.Raw()), ".eE"):
			add(Note, quote.Number(p.value)+" is a whole number by JSON Schema; many readers take whole numbers without point and exponent alone", "")
		}
		if len(list) > 4*maxParts {
			break
		}
		if text := formatDoubt(p.shape.format, p.value); text != "" {
			add(Doubt, text, "")
		}
	}
	return list
}

// notNumber says of a text in a field for numbers what was probably meant, in
// place of that it is a string. Where the schema takes strings too it is a
// doubt.
func notNumber(list []Problem, p *place) []Problem {
	text := p.value.String()
	fix := suggestion(text)
	said := quote.Text(text) + " is not a JSON number"
	if fix == text {
		return list // a number in quotes: the schema's word is enough
	}
	if fix != "" {
		said += "; write " + fix
	}
	said += ". It is sent as a string"
	for i := range list {
		if list[i].Path == p.path && list[i].Level == Wrong {
			list[i].Text, list[i].Fix = said, fix
			return list
		}
	}
	return append(list, Problem{Path: p.path, Start: p.value.Start(), End: p.value.End(), Level: Doubt, Text: said, Fix: fix})
}

// doubled tells of names that an object has twice.
func doubled(list []Problem, p *place) []Problem {
	if p.value.Kind() != jsonread.Object {
		return list
	}
	seen := make(map[string]int, p.value.Len())
	for name, v := range p.value.Members() {
		text := name.String()
		if seen[text]++; seen[text] == 2 && len(list) < 4*maxParts {
			list = append(list, Problem{Path: member(p.path, text), Start: name.Start(), End: v.End(), Level: Note,
				Text: fmt.Sprintf("%s is there more than once; most readers take the last one", quote.Text(text))})
		}
	}
	return list
}

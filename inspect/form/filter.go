package form

import (
	"slices"
	"strings"
)

// filter says which fields have rows.
type filter struct {
	text                 string
	required, set, wrong bool
}

func (x filter) none() bool { return x == filter{} }

// SetFilter leaves the fields alone whose name, title or description holds all
// of the words, without regard to case, and the groups around them. The words
// :required, :set and :wrong leave those that must be there, that are sent, and
// that have a problem. An empty filter shows all.
func (f *Form) SetFilter(words string) {
	var x filter
	var rest []string
	for _, w := range strings.Fields(words) {
		switch w {
		case ":required":
			x.required = true
		case ":set":
			x.set = true
		case ":wrong":
			x.wrong = true
		default:
			rest = append(rest, strings.ToLower(w))
		}
	}
	x.text = strings.Join(rest, " ")
	if x != f.filter {
		f.filter = x
		f.rev++
	}
}

// filtered are the rows that the filter leaves, folded or not.
func (f *Form) filtered() []place {
	all := f.build(search)
	keep := make([]bool, len(all))
	words := strings.Fields(f.filter.text)
	for i := range all {
		if all[i].kind != Field || !f.passes(&all[i], words) {
			continue
		}
		for at := i; at >= 0 && !keep[at]; at = all[at].parent {
			keep[at] = true
		}
	}
	moved := make([]int, len(all))
	rows := make([]place, 0, len(all))
	for i, p := range all {
		if !keep[i] {
			continue
		}
		moved[i] = len(rows)
		if p.parent >= 0 {
			p.parent = moved[p.parent]
		}
		rows = append(rows, p)
	}
	for i := range rows { // a group is open when something of it is shown
		rows[i].open = i+1 < len(rows) && rows[i+1].parent == i
	}
	return slices.Clip(rows)
}

// passes reports whether a field is what the filter asks for.
func (f *Form) passes(p *place, words []string) bool {
	x := f.filter
	switch {
	case x.required && !p.required,
		x.set && p.value.IsZero(),
		x.wrong && f.problemsAt(p.path) == nil:
		return false
	}
	if len(words) == 0 {
		return true
	}
	text := strings.ToLower(p.name + "\n" + p.shape.title + "\n" + p.shape.description)
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// Package toolsdiff holds the tools of a package against those that it had
// before it was built again: which are new, gone and changed, and of each what
// is another: description, fields, other members, by value. It is a pure function
// of two lists, bounded whatever a module lists. Its texts are not safe for a
// terminal: names and values are the module's. It knows nothing of screens.
package toolsdiff

import (
	"bytes"
	"strings"

	"perch/engine/wire"
	"perch/inspect/compare"
	"perch/inspect/rules"
)

// Bounds, all our own.
const (
	MaxChanges = 200       // listed of one tool
	MaxListed  = 2_000     // of all tools together
	maxText    = 512 << 10 // bytes of a tool up to which its members are compared
)

// Kind is what became of a tool.
type Kind byte

// The kinds.
const (
	Same Kind = iota
	New
	Changed
	Gone
)

// Sign is the mark of a kind: + ~ -; "" for none.
func (k Kind) Sign() string { return [...]string{"", "+", "~", "-"}[k] }

// Tool is what became of one tool.
type Tool struct {
	Name    string
	Kind    Kind
	Old     wire.Tool // of New: empty
	Now     wire.Tool // of Gone: empty
	Changes []compare.Change
	More    int // changes that are not listed
	// Budgets are the limits of which another part is used.
	Budgets []Budget
	// Big says that the tool is too large to be compared member by member.
	Big bool
}

// Budget is how much of a limit was used, and is.
type Budget struct{ Old, Now rules.Budget }

// Diff is what became of all tools.
type Diff struct {
	Tools              []Tool // those that are not the same: in the order of the new list, gone ones behind
	New, Changed, Gone int
	Kept               int // that are the same
	Reordered          bool
	OldModel, NowModel int // bytes that the model is given of all tools
	OldTotal, NowTotal []rules.Budget
}

// Same reports whether nothing is another by value.
func (d Diff) Same() bool { return d.New+d.Changed+d.Gone == 0 }

// Of holds tools against those of before. Of several with one name each is held
// against the one of the same rank.
func Of(before, now []wire.Tool) Diff {
	d := Diff{OldTotal: rules.PackageBudgets(before), NowTotal: rules.PackageBudgets(now)}
	old := map[string][]int{}
	for i, t := range before {
		old[t.Name] = append(old[t.Name], i)
		d.OldModel += given(t)
	}
	used := make([]bool, len(before))
	last, room := -1, MaxListed
	for _, t := range now {
		d.NowModel += given(t)
		at := old[t.Name]
		if len(at) == 0 {
			d.New++
			d.Tools = append(d.Tools, Tool{Name: t.Name, Kind: New, Now: t})
			continue
		}
		old[t.Name], used[at[0]] = at[1:], true
		d.Reordered = d.Reordered || at[0] < last
		last = at[0]
		one, same := hold(before[at[0]], t, min(room, MaxChanges))
		if same {
			d.Kept++
			continue
		}
		room = max(room-len(one.Changes), 0)
		d.Changed++
		d.Tools = append(d.Tools, one)
	}
	for i, t := range before {
		if !used[i] {
			d.Gone++
			d.Tools = append(d.Tools, Tool{Name: t.Name, Kind: Gone, Old: t})
		}
	}
	return d
}

// hold compares two tools of one name.
func hold(a, b wire.Tool, most int) (t Tool, same bool) {
	if bytes.Equal(a.Raw, b.Raw) {
		return Tool{}, true
	}
	t = Tool{Name: b.Name, Kind: Changed, Old: a, Now: b}
	if len(a.Raw)+len(b.Raw) > maxText {
		t.Big = true
	} else {
		changes, more := compare.JSON(a.Value, b.Value, most)
		for _, c := range changes {
			if c.Kind.Real() || c.Kind == compare.Moving { // nothing in a list of tools moves by itself
				c.Kind = real(c.Kind)
				t.Changes = append(t.Changes, c)
			}
		}
		if t.More = more; len(t.Changes) == 0 && more == 0 {
			return Tool{}, true // written in another way
		}
	}
	was := map[string]rules.Budget{}
	for _, x := range rules.ToolBudgets(a) {
		was[x.Name] = x
	}
	for _, x := range rules.ToolBudgets(b) {
		if y := was[x.Name]; y.Used != x.Used {
			t.Budgets = append(t.Budgets, Budget{y, x})
		}
	}
	return t, false
}

func real(k compare.Kind) compare.Kind {
	if k == compare.Moving {
		return compare.Changed
	}
	return k
}

// given are the bytes that the model is given of a tool: its name, its
// description and its inputSchema, as sent.
func given(t wire.Tool) int {
	return len(t.Value.Get("name").Raw()) + len(t.Value.Get("description").Raw()) + len(t.InputSchema.Raw())
}

// Fields are the fields that a tool takes: the named properties of its
// inputSchema that are new, gone and changed, at any depth.
type Fields struct{ New, Changed, Gone []string }

// FieldsOf finds them among the changes of a tool, in their order.
func (t Tool) FieldsOf() Fields {
	var f Fields
	seen := map[string]bool{}
	for _, c := range t.Changes {
		path, whole, ok := fieldOf(c.Pointer)
		if !ok || seen[path] {
			continue
		}
		seen[path] = true
		switch {
		case whole && c.Kind == compare.Added:
			f.New = append(f.New, path)
		case whole && c.Kind == compare.Removed:
			f.Gone = append(f.Gone, path)
		default:
			f.Changed = append(f.Changed, path)
		}
	}
	return f
}

func unescaped(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}

// fieldOf is the field that a place of a tool is about: the names behind
// /properties/, joined by dots; whole says that all of the field is meant.
func fieldOf(pointer string) (name string, whole, ok bool) {
	rest, ok := strings.CutPrefix(pointer, "/inputSchema/properties/")
	if !ok {
		return "", false, false
	}
	var parts []string
	tokens := strings.Split(rest, "/")
	for i := 0; i < len(tokens); i++ {
		parts = append(parts, unescaped(tokens[i]))
		whole = i == len(tokens)-1
		switch {
		case i+2 < len(tokens) && tokens[i+1] == "properties":
			i++
		case i+3 < len(tokens) && tokens[i+1] == "items" && tokens[i+2] == "properties":
			i += 2
		default:
			return strings.Join(parts, "."), whole, true
		}
	}
	return strings.Join(parts, "."), whole, true
}

package form

import (
	"bytes"
	"slices"

	"perch/engine/jsonread"
	"perch/inspect/schema"
)

// Branch takes branch n of a choice: of the picker that stands at a place, and
// of several the one of this index. What belongs to the branch that was taken
// is put away and comes back with it; what belongs to both, or to neither,
// stays. The member that tells the branches apart is set.
func (f *Form) Branch(path string, picker, n int) error {
	return f.act("", path, func(e *editor) error {
		_, p, err := e.place(path)
		if err != nil {
			return err
		}
		if picker < 0 || picker >= len(p.shape.flat.choices) {
			return ErrNothing
		}
		c := p.shape.flat.choices[picker]
		if n < 0 || n >= len(c.branches) || n == c.at {
			return ErrNothing
		}
		return e.settling(path, func() error { return e.branch(p, c, n) })
	})
}

func (e *editor) branch(p *place, c choice, n int) error {
	f, path := e.f, p.path
	var away []byte
	switch {
	case p.value.Kind() == jsonread.Object && takesObject(c.branches[c.at]):
		var err error
		if away, err = e.putAway(p, c, n); err != nil {
			return err
		}
	case !p.value.IsZero():
		away = bytes.Clone(p.value.Raw())
	}
	f.now.pick(path+c.key, pick{n: n})
	if away != nil {
		f.now.draft(branchDraft(path, c, c.at), string(away))
	}
	back, kept := f.now.drafts[branchDraft(path, c, n)]
	_, now, err := e.place(path)
	if err != nil {
		return err
	}
	switch v := parsed(back); {
	case kept && v.Kind() == jsonread.Object && (path == "" || f.kindOf(now) == Object):
		if err := e.bringBack(path, v); err != nil {
			return err
		}
	case kept && path != "":
		return e.put(path, []byte(back))
	case now.value.IsZero() || fitsKind(f.kindOf(now), now.value):
	case plain(f.kindOf(now)) && fitsKind(f.kindOf(now), parsed(string(f.retyped(p, now)))):
		return e.put(path, f.retyped(p, now))
	case now.index >= 0:
		return e.put(path, f.blank(now))
	case path != "":
		if err := e.take(path); err != nil {
			return err
		}
	}
	return e.tagChosen(path)
}

// plain reports whether a field of a kind is typed into.
func plain(k Kind) bool { return k == String || k == Number || k == Integer || k == Boolean }

// retyped is what stands in a field, typed into the field that it is now.
func (f *Form) retyped(old, now *place) []byte {
	if f.isGroup(old) {
		return nil
	}
	return encode(f.kindOf(now), now.shape, typed(f.kindOf(old), old.value))
}

// tagChosen sets the members that tell the chosen branches apart; the object
// comes into being for them.
func (e *editor) tagChosen(path string) error {
	_, p, err := e.place(path)
	if err != nil || e.f.kindOf(p) != Object {
		return err
	}
	tagged := slices.ContainsFunc(p.shape.flat.choices, func(c choice) bool { return tagOf(c.branches) != "" })
	if !tagged {
		return nil
	}
	if p.value.Kind() == jsonread.Object {
		return e.tag(path)
	}
	return e.around(path)
}

// putAway takes the members out of an object that its branch alone knows, and
// returns them as an object.
func (e *editor) putAway(p *place, c choice, n int) ([]byte, error) {
	known := namesOf(c.branches[c.at])
	common := namesOf(c.branches[n])
	for _, part := range p.shape.flat.parts {
		if !reaches(c.branches[c.at], part) {
			common = append(common, part.Properties()...)
		}
	}
	stays := make(map[string]bool, len(common))
	for _, name := range common {
		stays[name] = true
	}
	if tag := tagOf(c.branches); tag != "" {
		delete(stays, tag)
	}
	away := []byte{'{'}
	for _, name := range known {
		v := p.value.Get(name)
		if v.IsZero() || stays[name] {
			continue
		}
		if len(away) > 1 {
			away = append(away, ',')
		}
		away = append(append(jsonread.AppendQuote(away, name), ':'), v.Raw()...)
		if err := e.take(member(p.path, name)); err != nil {
			return nil, err
		}
	}
	return append(away, '}'), nil
}

// bringBack puts members into an object that it has not.
func (e *editor) bringBack(path string, v jsonread.Value) error {
	for name, m := range v.Members() {
		child := member(path, name.String())
		if !e.f.doc.Root().At(child).IsZero() {
			continue
		}
		if err := e.put(child, m.Raw()); err != nil {
			return err
		}
	}
	return nil
}

func takesObject(p schema.Part) bool {
	types := typesOf(p, 4)
	return len(types) == 0 || slices.Contains(types, "object")
}

// namesOf are the members that a schema speaks of, with what it refers to and
// all its branches.
func namesOf(p schema.Part) []string {
	var names []string
	for _, q := range reach(p) {
		for _, name := range slices.Concat(q.Properties(), q.Required()) {
			if !slices.Contains(names, name) && len(names) < maxChildren {
				names = append(names, name)
			}
		}
	}
	return names
}

// reach are the schemas that may apply to a value with this one.
func reach(p schema.Part) []schema.Part {
	list := []schema.Part{p}
	for i := 0; i < len(list) && len(list) < maxParts; i++ {
		q := list[i]
		refs, _ := q.Refs()
		_, then, els, _ := q.Condition()
		for _, r := range slices.Concat(refs, q.AllOf(), q.AnyOf(), q.OneOf(), []schema.Part{then, els}) {
			if r.ID() >= 0 && !slices.Contains(list, r) {
				list = append(list, r)
			}
		}
	}
	return list
}

func reaches(p, q schema.Part) bool { return slices.Contains(reach(p), q) }

// SwitchType takes another of the types that a field may have. What is typed is
// kept: 7 as an integer is 7, as a string "7".
func (f *Form) SwitchType(path string, n int) error {
	return f.act("", path, func(e *editor) error {
		_, p, err := e.place(path)
		if err != nil {
			return err
		}
		types := p.shape.types
		if n < 0 || n >= len(types) || len(types) < 2 || p.shape.options != nil {
			return ErrNothing
		}
		old, k := f.kindOf(p), kindNamed(types[n])
		if old == k {
			return ErrNothing
		}
		f.now.pick(typeKey(path), pick{name: types[n]})
		if p.value.IsZero() || p.value.Kind() == jsonread.Null {
			return nil
		}
		f.now.draft(typeKey(path)+types[f.typeIndex(types, old)], string(p.value.Raw()))
		if raw, ok := f.now.drafts[typeKey(path)+types[n]]; ok && (group(k) || group(old)) {
			return e.change(path, []byte(raw))
		}
		switch {
		case fitsKind(k, p.value) && k != String:
			return nil
		case group(k):
			return e.change(path, empty(k))
		case group(old):
			return e.change(path, f.blankOf(k))
		}
		return e.change(path, encode(k, p.shape, typed(old, p.value)))
	})
}

func group(k Kind) bool { return k == Object || k == List }

func (f *Form) blankOf(k Kind) []byte {
	if raw := empty(k); raw != nil {
		return raw
	}
	return []byte("null")
}

// typeIndex is the type of a kind.
func (f *Form) typeIndex(types []string, k Kind) int {
	return max(0, slices.IndexFunc(types, func(t string) bool { return kindNamed(t) == k }))
}

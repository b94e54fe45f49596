package form

import (
	"slices"

	"perch/engine/jsonread"
	"perch/inspect/schema"
)

// SetValue is what a person types into a field: the whole text of it. See the
// package's comment for what is sent. Texts that are typed into one field one
// after the other are one step to undo.
func (f *Form) SetValue(path, text string) error {
	return f.act("set "+path, path, func(e *editor) error {
		up, p, err := e.place(path)
		if err != nil {
			return err
		}
		k := f.kindOf(p)
		switch {
		case k == Never:
			return ErrNotAllowed
		case text == "" && k != String && p.index < 0 && up != nil:
			return e.clear(path)
		}
		return e.change(path, encode(k, p.shape, text))
	})
}

// SetRaw gives a field a value in JSON, such as an option that was picked.
func (f *Form) SetRaw(path string, raw []byte) error {
	return f.act("", path, func(e *editor) error {
		v, err := jsonread.Parse(raw)
		if err != nil {
			return err
		}
		return e.change(path, v.Root().Raw())
	})
}

// Pick gives a field the option of this index.
func (f *Form) Pick(path string, option int) error {
	return f.act("", path, func(e *editor) error {
		_, p, err := e.place(path)
		if err != nil {
			return err
		}
		if option < 0 || option >= len(p.shape.options) {
			return ErrNothing
		}
		return e.change(path, []byte(p.shape.options[option].Raw))
	})
}

// PickItem puts an option of a list's elements in, or takes it out where it is.
func (f *Form) PickItem(path string, option int) error {
	return f.act("", path, func(e *editor) error {
		_, p, err := e.place(path)
		if err != nil {
			return err
		}
		if option < 0 || option >= len(p.shape.itemOptions) {
			return ErrNothing
		}
		raw := p.shape.itemOptions[option].Raw
		want := parsed(raw)
		for i, v := range p.value.Elements() {
			if v.Equal(want) {
				return e.take(element(path, i))
			}
		}
		return e.put(element(path, p.value.Len()), []byte(raw))
	})
}

// Toggle turns true and false into each other; a field that is left out
// becomes true.
func (f *Form) Toggle(path string) error {
	return f.act("", path, func(e *editor) error {
		_, p, err := e.place(path)
		if err != nil {
			return err
		}
		if f.kindOf(p) != Boolean {
			return ErrNothing
		}
		raw := "true"
		if p.value.Kind() == jsonread.True {
			raw = "false"
		}
		return e.change(path, []byte(raw))
	})
}

// SetNull gives a field the value null. What was in it comes back by Restore.
func (f *Form) SetNull(path string) error {
	return f.act("", path, func(e *editor) error {
		up, p, err := e.place(path)
		switch {
		case err != nil:
			return err
		case up == nil, p.value.Kind() == jsonread.Null:
			return ErrNothing
		}
		e.remember(path, p.value)
		return e.change(path, []byte("null"))
	})
}

// SetEmpty gives a field the empty value of its kind: "", [] or {}. Numbers
// have none.
func (f *Form) SetEmpty(path string) error {
	return f.act("", path, func(e *editor) error {
		_, p, err := e.place(path)
		if err != nil {
			return err
		}
		k := f.kindOf(p)
		raw := empty(k)
		if raw == nil || string(raw) == string(p.value.Raw()) {
			return ErrNothing
		}
		e.remember(path, p.value)
		if err := e.change(path, raw); err != nil {
			return err
		}
		f.now.make(path, false)
		if k == Object {
			return e.tag(path)
		}
		return nil
	})
}

// LeaveOut takes a field out, so that it is not sent, or a row out of its list.
// Where that leaves an object empty that came into being for it and need not be
// there, bare is its pointer: a person may want to keep {} or leave it out too.
func (f *Form) LeaveOut(path string) (bare string, err error) {
	err = f.act("", path, func(e *editor) error {
		up, p, err := e.place(path)
		switch {
		case err != nil:
			return err
		case up == nil, p.value.IsZero():
			return ErrNothing
		}
		if p.index < 0 {
			e.remember(path, p.value)
		}
		return e.settling(path, func() error { return e.take(path) })
	})
	if err != nil {
		return "", err
	}
	return f.bareAround(path), nil
}

// bareAround is the object around a place if that is empty and may be left out.
func (f *Form) bareAround(path string) string {
	parent, _, ok := cut(path)
	if !ok || parent == "" {
		return ""
	}
	chain, ok := f.locate(parent)
	if !ok {
		return ""
	}
	p := &chain[len(chain)-1]
	if p.value.Kind() != jsonread.Object || p.value.Len() > 0 || p.required || p.index >= 0 {
		return ""
	}
	return parent
}

// Restore brings back what was in a field before it was null or left out.
func (f *Form) Restore(path string) error {
	return f.act("", path, func(e *editor) error {
		raw, ok := f.now.drafts[path]
		if !ok {
			return ErrNothing
		}
		_, p, err := e.place(path)
		if err != nil {
			return err
		}
		if string(p.value.Raw()) == raw {
			return ErrNothing
		}
		return e.change(path, []byte(raw))
	})
}

// Draft reports whether a field has something that Restore would bring back.
func (f *Form) Draft(path string) (raw string, ok bool) {
	raw, ok = f.now.drafts[path]
	return raw, ok
}

// FillDefault gives a field its default. A group without one of its own gets
// those of what is within and left out, as far as they fit their schemas.
func (f *Form) FillDefault(path string) error {
	return f.act("", path, func(e *editor) error {
		_, p, err := e.place(path)
		if err != nil {
			return err
		}
		if def := p.shape.def; !def.IsZero() && path != "" {
			e.remember(path, p.value)
			return e.change(path, []byte(compact(def.Raw())))
		}
		filled := 0
		if err := e.fillDefaults(path, 0, &filled); err != nil {
			return err
		}
		if filled == 0 {
			return ErrNothing
		}
		return nil
	})
}

// fillDefaults fills in the defaults within an object.
func (e *editor) fillDefaults(path string, depth int, filled *int) error {
	_, p, err := e.place(path)
	if err != nil || e.f.kindOf(p) != Object || depth > 8 || *filled > maxChildren {
		return err
	}
	for _, name := range p.shape.order {
		child := member(path, name)
		_, c, err := e.place(child)
		switch {
		case err != nil:
			return err
		case !c.value.IsZero() && c.value.Kind() != jsonread.Object:
		case c.value.IsZero() && !c.shape.def.IsZero():
			if c.shape.misfits() {
				continue
			}
			*filled++
			if err := e.put(child, []byte(compact(c.shape.def.Raw()))); err != nil {
				return err
			}
		case !c.value.IsZero():
			if err := e.fillDefaults(child, depth+1, filled); err != nil {
				return err
			}
		}
	}
	return nil
}

// pin keeps the branches and types that a person sees while values are set in
// them, whatever else these would fit.
func (e *editor) pin(path string) {
	chain, ok := e.f.locate(path)
	if !ok {
		return
	}
	set := func(key string, p pick) {
		if old, ok := e.f.now.picks[key]; !ok || old.soft {
			e.f.now.pick(key, p)
		}
	}
	for i := range chain {
		p := &chain[i]
		for _, c := range p.shape.flat.choices {
			set(p.path+c.key, pick{n: c.at})
		}
		if types := p.shape.types; len(types) > 1 {
			set(typeKey(p.path), pick{name: types[e.f.typeAt(p)]})
		}
	}
}

// change gives a field a value and settles what depends on it.
func (e *editor) change(path string, raw []byte) error {
	e.pin(path)
	return e.settling(path, func() error { return e.put(path, raw) })
}

// clear leaves a field out that was emptied by typing, and what came into being
// for it alone.
func (e *editor) clear(path string) error {
	return e.settling(path, func() error {
		for {
			if err := e.take(path); err != nil {
				return err
			}
			parent, _, ok := cut(path)
			if !ok || !e.f.now.made[parent] {
				return nil
			}
			if v := e.f.doc.Root().At(parent); v.Kind() != jsonread.Object || v.Len() > 0 {
				return nil
			}
			path = parent
		}
	})
}

// settling does something and then puts away what belongs to the ways of
// conditions that are no longer taken, and brings back what belongs to those
// that are.
func (e *editor) settling(path string, do func() error) error {
	before := e.conditions(path)
	if err := do(); err != nil || before == nil {
		return err
	}
	for _, now := range e.conditions(path) {
		i := slices.IndexFunc(before, func(c conditionAt) bool {
			return c.path == now.path && c.then == now.then && c.els == now.els
		})
		if i < 0 || before[i].taken == now.taken {
			continue
		}
		if err := e.switchWay(now.path, now.condition); err != nil {
			return err
		}
	}
	return nil
}

// conditionAt is a condition of the object at a place.
type conditionAt struct {
	condition
	path string
}

// conditions are those of the objects around a place.
func (e *editor) conditions(path string) []conditionAt {
	chain, ok := e.f.locate(path)
	if !ok {
		return nil
	}
	var all []conditionAt
	for i := range chain {
		p := &chain[i]
		if p.value.Kind() != jsonread.Object {
			continue
		}
		for _, c := range p.shape.flat.conds {
			all = append(all, conditionAt{c, p.path})
		}
	}
	return all
}

// switchWay puts away the members of the way that is not taken.
func (e *editor) switchWay(path string, c condition) error {
	on, off := c.then, c.els
	switch c.taken {
	case schema.No:
		on, off = off, on
	case schema.Unsure:
		return nil
	}
	_, p, err := e.place(path)
	if err != nil {
		return err
	}
	for _, name := range namesOf(off) {
		if v := p.value.Get(name); !v.IsZero() && p.shape.members[name] == nil {
			child := member(path, name)
			e.f.now.draft(child+ofCondition, string(v.Raw()))
			if err := e.take(child); err != nil {
				return err
			}
			if _, p, err = e.place(path); err != nil {
				return err
			}
		}
	}
	for _, name := range namesOf(on) {
		child := member(path, name)
		raw, kept := e.f.now.drafts[child+ofCondition]
		if kept && p.value.Get(name).IsZero() {
			if err := e.put(child, []byte(raw)); err != nil {
				return err
			}
		}
	}
	return nil
}

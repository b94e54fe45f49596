package form

import (
	"bytes"
	"strings"

	"perch/engine/jsonread"
	"perch/inspect/jsonedit"
)

// Add makes room for something: a list gets a row at its end, a row one behind
// it, an object that is left out comes into being. It returns the place that is
// new. A row for a number, a choice or any JSON begins with null, which a
// person types over: no value is made up.
func (f *Form) Add(path string) (added string, err error) {
	err = f.act("", path, func(e *editor) error {
		up, p, err := e.place(path)
		if err != nil {
			return err
		}
		e.pin(path)
		k := f.kindOf(p)
		switch {
		case k == List:
			added = element(path, p.value.Len())
			if p.value.Kind() != jsonread.Array {
				added = element(path, 0)
			}
			return e.addElement(path, added)
		case p.index >= 0:
			added = element(up.path, p.index+1)
			return e.insertElement(up.path, p.index+1, nil)
		case k == Object && p.value.Kind() != jsonread.Object:
			added = path
			if err := e.around(path); err != nil {
				return err
			}
			f.now.make(path, false) // it was asked for
			return nil
		}
		return ErrNothing
	})
	if err == nil {
		f.folds[path] = true
		f.Show(added)
		f.folds[added] = true // what was just made is seen, also where it is a group in its own kind
	}
	return added, err
}

// addElement puts the first value of a row behind the end of a list.
func (e *editor) addElement(list, path string) error {
	if err := e.around(list); err != nil {
		return err
	}
	e.f.now.make(list, false)
	_, p, err := e.place(path)
	if err != nil {
		return err
	}
	return e.put(path, e.f.blank(p))
}

// blank is what a new row, or key, begins with.
func (f *Form) blank(p *place) []byte {
	switch f.kindOf(p) {
	case String:
		return []byte(`""`)
	case Object:
		return []byte("{}")
	case List:
		return []byte("[]")
	case Boolean:
		return []byte("false")
	}
	return []byte("null")
}

// insertElement puts a row into a list; without raw it is a blank one.
func (e *editor) insertElement(list string, i int, raw []byte) error {
	_, up, err := e.place(list)
	if err != nil {
		return err
	}
	if raw == nil {
		p := up.element(i, jsonread.Value{})
		e.f.resolve(&p)
		raw = e.f.blank(&p)
	}
	if err := e.to(jsonedit.InsertElement(e.f.doc, up.value, i, raw)); err != nil {
		return err
	}
	to := func(n int) int {
		if n >= i {
			return n + 1
		}
		return n
	}
	e.f.now.moved(list, to)
	e.f.folds = moveKeys(e.f.folds, list, to)
	return nil
}

// row finds an element of a list that is there.
func (e *editor) row(path string) (up, p *place, err error) {
	up, p, err = e.place(path)
	if err == nil && (up == nil || p.index < 0 || p.value.IsZero()) {
		err = ErrNothing
	}
	return up, p, err
}

// Duplicate puts a copy of a row behind it and returns its place.
func (f *Form) Duplicate(path string) (added string, err error) {
	err = f.act("", path, func(e *editor) error {
		up, p, err := e.row(path)
		if err != nil {
			return err
		}
		added = element(up.path, p.index+1)
		return e.insertElement(up.path, p.index+1, bytes.Clone(p.value.Raw()))
	})
	return added, err
}

// Move exchanges a row with the next one, or with the one before for a negative
// step, and returns where it is then.
func (f *Form) Move(path string, step int) (to string, err error) {
	err = f.act("", path, func(e *editor) error {
		up, p, err := e.row(path)
		if err != nil {
			return err
		}
		at := p.index + 1
		if step < 0 {
			at = p.index - 1
		}
		if at < 0 || at >= up.value.Len() {
			return ErrNothing
		}
		to = element(up.path, at)
		if err := e.to(jsonedit.Swap(f.doc, p.value, up.value.Index(at))); err != nil {
			return err
		}
		swap := func(n int) int {
			switch n {
			case p.index:
				return at
			case at:
				return p.index
			}
			return n
		}
		f.now.moved(up.path, swap)
		f.folds = moveKeys(f.folds, up.path, swap)
		return nil
	})
	return to, err
}

// AddKey gives an object another member and returns its place. A key that is
// there already, or that the schema does not allow, is refused: the JSON text
// takes these.
func (f *Form) AddKey(path, name string) (added string, err error) {
	name = strings.ToValidUTF8(name, "\ufffd")
	added = member(path, name)
	err = f.act("", added, func(e *editor) error {
		_, p, err := e.place(path)
		switch {
		case err != nil:
			return err
		case f.kindOf(p) != Object:
			return ErrNothing
		case !p.value.Get(name).IsZero():
			return ErrKeyExists
		case p.shape.member(name).refused:
			return ErrNotAllowed
		}
		e.pin(path)
		if err := e.around(path); err != nil {
			return err
		}
		_, c, err := e.place(added)
		if err != nil {
			return err
		}
		return e.change(added, f.blank(c))
	})
	if err != nil {
		return "", err
	}
	f.folds[path] = true
	f.Show(added)
	return added, nil
}

// Rename gives a member that no property names another key.
func (f *Form) Rename(path, name string) (to string, err error) {
	name = strings.ToValidUTF8(name, "\ufffd")
	err = f.act("", path, func(e *editor) error {
		up, p, err := e.place(path)
		switch {
		case err != nil:
			return err
		case up == nil || p.index >= 0 || p.value.IsZero() || !p.extra || p.name == name:
			return ErrNothing
		case !up.value.Get(name).IsZero():
			return ErrKeyExists
		case up.shape.member(name).refused:
			return ErrNotAllowed
		}
		to = member(up.path, name)
		return e.settling(up.path, func() error { return e.to(jsonedit.Rename(f.doc, p.value, name)) })
	})
	return to, err
}

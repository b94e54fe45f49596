package form

import (
	"errors"
	"fmt"
	"strings"

	"perch/engine/jsonread"
	"perch/inspect/jsonedit"
)

// What an act may say instead of being done.
var (
	// ErrReadOnly: the text is no JSON object; it must be mended as text first.
	ErrReadOnly = errors.New("the text is not a JSON object: mend it as JSON first")
	// ErrNoPlace: the form has no such field.
	ErrNoPlace = errors.New("there is no such field")
	// ErrNotAllowed: the schema allows no value there, or no such member.
	ErrNotAllowed = errors.New("the schema allows nothing here; the JSON text takes it all the same")
	// ErrKeyExists: the object has a member of that name.
	ErrKeyExists = errors.New("there is such a key already")
	// ErrNothing: there is nothing to do.
	ErrNothing = errors.New("there is nothing to do here")
	// ErrTooLarge: a list would get too many holes.
	ErrTooLarge = errors.New("that is too far behind the end of the list")
)

// editor is the text at work in one act.
type editor struct {
	f *Form
}

// act does something as one step: it is done whole or not at all. Acts with
// the same burst that follow each other are one step.
func (f *Form) act(burst, path string, do func(e *editor) error) error {
	if f.err != nil {
		return ErrReadOnly
	}
	old, doc := f.now, f.doc
	if strings.Trim(f.now.raw, " \t\r\n") == "" { // nothing written is {}
		f.now.raw = string(f.doc.Source())
	}
	err := do(&editor{f})
	f.rev++
	if err != nil {
		f.now, f.doc, f.top = old, doc, top{}
		return err
	}
	if f.now.raw != old.raw || f.now.maps != old.maps {
		f.keep(old, burst, path)
	}
	return nil
}

// to takes a new text.
func (e *editor) to(text []byte) error {
	doc, err := jsonread.Parse(text)
	if err != nil {
		return fmt.Errorf("change the text: %w", err)
	}
	e.f.doc, e.f.now.raw = doc, string(text)
	return nil
}

// place finds a place as it is now.
func (e *editor) place(path string) (up, p *place, err error) {
	chain, ok := e.f.locate(path)
	if !ok {
		return nil, nil, ErrNoPlace
	}
	p = &chain[len(chain)-1]
	if len(chain) > 1 {
		up = &chain[len(chain)-2]
	}
	return up, p, nil
}

// put gives a place a value, in JSON. What is around it comes into being.
func (e *editor) put(path string, raw []byte) error {
	up, p, err := e.place(path)
	switch {
	case err != nil:
		return err
	case up == nil && parsed(string(raw)).Kind() != jsonread.Object:
		return ErrNotAllowed
	case !p.value.IsZero():
		return e.to(jsonedit.Replace(e.f.doc, p.value, raw))
	}
	if err := e.around(up.path); err != nil {
		return err
	}
	if up, p, err = e.place(path); err != nil {
		return err
	}
	if !p.value.IsZero() { // it came with what is around it
		return e.to(jsonedit.Replace(e.f.doc, p.value, raw))
	}
	if p.index >= 0 {
		return e.putElement(up, p.index, raw)
	}
	return e.to(jsonedit.InsertMember(e.f.doc, up.value, up.placeFor(p.name), p.name, raw))
}

// placeFor is where among the members that are there a new one stands, so that
// the order is the schema's: behind the last one that comes before it.
func (p *place) placeFor(name string) int {
	rank, known := p.shape.rank[name]
	if !known {
		return p.value.Len()
	}
	at, i, later := -1, 0, -1
	for n := range p.value.Members() {
		r, ok := p.shape.rank[n.String()]
		switch {
		case ok && r < rank:
			at = i + 1
		case ok && later < 0:
			later = i
		}
		i++
	}
	switch {
	case at >= 0:
		return at
	case later >= 0:
		return later
	}
	return p.value.Len()
}

// putElement puts an element behind the end of a list; what is left open before
// it is null, since a list has no holes.
func (e *editor) putElement(up *place, i int, raw []byte) error {
	if i > up.value.Len()+maxParts {
		return ErrTooLarge
	}
	for n := up.value.Len(); n <= i; n++ {
		item := []byte("null")
		if n == i {
			item = raw
		}
		list := e.f.doc.Root().At(up.path)
		if err := e.to(jsonedit.InsertElement(e.f.doc, list, n, item)); err != nil {
			return err
		}
	}
	return nil
}

// around makes the object or list at path, and those around it, where they are
// not there.
func (e *editor) around(path string) error {
	_, p, err := e.place(path)
	if err != nil {
		return err
	}
	kind := e.f.kindOf(p)
	if kind == List && p.value.Kind() == jsonread.Array || kind == Object && p.value.Kind() == jsonread.Object {
		return nil
	}
	raw := empty(kind)
	if raw == nil || kind == Raw {
		return ErrNoPlace
	}
	fresh := p.value.IsZero()
	if !fresh {
		e.f.now.draft(path, string(p.value.Raw()))
	}
	if err := e.put(path, raw); err != nil {
		return err
	}
	if fresh {
		e.f.now.make(path, true)
	}
	return e.tag(path)
}

// tag sets the members that tell the chosen branch of an object from others.
func (e *editor) tag(path string) error {
	_, p, err := e.place(path)
	if err != nil {
		return err
	}
	for _, c := range p.shape.flat.choices {
		name := tagOf(c.branches)
		if name == "" || e.f.kindOf(p) != Object {
			continue
		}
		to := target(c.branches[c.at])
		tag, _ := to.Property(name)
		want := constOf(tag)
		if p.value.Get(name).Equal(want) {
			continue
		}
		if err := e.put(member(path, name), []byte(compact(want.Raw()))); err != nil {
			return err
		}
		if _, p, err = e.place(path); err != nil {
			return err
		}
	}
	return nil
}

// take removes a member, with all of its name, or an element.
func (e *editor) take(path string) error {
	for {
		up, p, err := e.place(path)
		switch {
		case err != nil:
			return err
		case up == nil:
			return ErrNothing
		case p.value.IsZero():
			return nil
		}
		if err := e.to(jsonedit.Remove(e.f.doc, up.value, p.value)); err != nil {
			return err
		}
		e.f.now.make(path, false)
		if p.index >= 0 {
			e.f.now.moved(up.path, func(i int) int {
				switch {
				case i == p.index:
					return -1
				case i > p.index:
					return i - 1
				}
				return i
			})
			e.f.folds = moveKeys(e.f.folds, up.path, func(i int) int {
				switch {
				case i == p.index:
					return -1
				case i > p.index:
					return i - 1
				}
				return i
			})
			return nil
		}
	}
}

// remember keeps a value for the time when it is wanted again.
func (e *editor) remember(path string, v jsonread.Value) {
	if !v.IsZero() && v.Kind() != jsonread.Null {
		e.f.now.draft(path, string(v.Raw()))
	}
}

// Package jsonedit changes one place of a JSON text and leaves every other byte
// as it is: the order of members, doubled names, how numbers are spelled and
// how the text is laid out. What it puts in follows the layout around it.
//
// Each function takes a parsed text and gives a new one. The package knows
// nothing of schemas or of forms.
package jsonedit

import (
	"bytes"

	"perch/engine/jsonread"
)

// Replace puts raw, which is JSON, in the place of a value.
func Replace(doc *jsonread.Doc, v jsonread.Value, raw []byte) []byte {
	return splice(doc.Source(), v.Start(), v.End(), raw)
}

// Rename gives a member another name. v is the member's value.
func Rename(doc *jsonread.Doc, v jsonread.Value, name string) []byte {
	old := v.Name()
	return splice(doc.Source(), old.Start(), old.End(), jsonread.AppendQuote(nil, name))
}

// InsertMember puts a member into an object, so that it stands at index at
// among the members: 0 is the first place, object.Len() the last.
func InsertMember(doc *jsonread.Doc, object jsonread.Value, at int, name string, raw []byte) []byte {
	l := layoutOf(doc, object)
	item := jsonread.AppendQuote(nil, name)
	item = append(append(append(item, ':'), l.colon...), raw...)
	return insert(doc.Source(), object, l, at, item)
}

// InsertElement puts an element into a list, so that it has this index: 0 is
// the first place, list.Len() the last.
func InsertElement(doc *jsonread.Doc, list jsonread.Value, at int, raw []byte) []byte {
	return insert(doc.Source(), list, layoutOf(doc, list), at, raw)
}

// Remove takes a member or an element out, with one comma beside it. v is the
// member's value; of the root nothing is removed.
func Remove(doc *jsonread.Doc, parent, v jsonread.Value) []byte {
	src, all := doc.Source(), spans(parent)
	for i, s := range all {
		if s.end != v.End() || s.value != v.Start() {
			continue
		}
		switch {
		case len(all) == 1:
			return splice(src, parent.Start()+1, parent.End()-1, nil)
		case i == 0:
			return splice(src, s.start, all[1].start, nil)
		}
		return splice(src, all[i-1].end, s.end, nil)
	}
	return bytes.Clone(src)
}

// Swap exchanges the texts of two values of which none lies in the other.
func Swap(doc *jsonread.Doc, a, b jsonread.Value) []byte {
	if a.Start() > b.Start() {
		a, b = b, a
	}
	src := doc.Source()
	dst := make([]byte, 0, len(src))
	dst = append(dst, src[:a.Start()]...)
	dst = append(dst, b.Raw()...)
	dst = append(dst, src[a.End():b.Start()]...)
	dst = append(dst, a.Raw()...)
	return append(dst, src[b.End():]...)
}

// splice is src with other bytes from start to end.
func splice(src []byte, start, end int, with []byte) []byte {
	dst := make([]byte, 0, len(src)-(end-start)+len(with))
	return append(append(append(dst, src[:start]...), with...), src[end:]...)
}

// insert puts an item among those of a container.
func insert(src []byte, parent jsonread.Value, l layout, at int, item []byte) []byte {
	all := spans(parent)
	switch {
	case len(all) == 0:
		item = append(append(bytes.Clone(l.lead), item...), l.tail...)
		return splice(src, parent.Start()+1, parent.End()-1, item)
	case at <= 0:
		item = append(append(bytes.Clone(item), ','), l.between...)
		return splice(src, all[0].start, all[0].start, item)
	}
	end := all[min(at, len(all))-1].end
	return splice(src, end, end, append(append([]byte{','}, l.between...), item...))
}

// span is where a member, or an element, stands in the text.
type span struct{ start, value, end int }

func spans(parent jsonread.Value) []span {
	list := make([]span, 0, parent.Len())
	for name, v := range parent.Members() {
		list = append(list, span{name.Start(), v.Start(), v.End()})
	}
	for _, v := range parent.Elements() {
		list = append(list, span{v.Start(), v.Start(), v.End()})
	}
	return list
}

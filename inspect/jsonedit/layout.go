package jsonedit

import (
	"bytes"

	"perch/engine/jsonread"
)

// layout is the white space that goes with an item of a container.
type layout struct {
	lead    []byte // behind the opening bracket
	between []byte // behind a comma
	tail    []byte // before the closing bracket
	colon   []byte // behind a colon
}

// layoutOf reads the layout of a container from its items; where it has none,
// from the rest of the text. A text that holds nothing yet is laid out on
// several lines, two blanks a level.
func layoutOf(doc *jsonread.Doc, parent jsonread.Value) layout {
	src, all := doc.Source(), spans(parent)
	if len(all) == 0 {
		return emptyLayout(doc, parent)
	}
	l := layout{lead: blanks(src, parent.Start()+1)}
	l.between = l.lead
	if len(all) > 1 && !bytes.ContainsRune(l.lead, '\n') {
		comma := all[0].end + bytes.IndexByte(src[all[0].end:], ',')
		l.between = blanks(src, comma+1)
	}
	l.colon = colonOf(src, parent)
	return l
}

// emptyLayout is the layout of a container's first item.
func emptyLayout(doc *jsonread.Doc, parent jsonread.Value) layout {
	src, root := doc.Source(), doc.Root()
	lines := bytes.IndexByte(src, '\n') >= 0
	if !lines && root.Len() > 0 {
		return layout{colon: colonOf(src, root)}
	}
	newline := "\n"
	if bytes.Contains(src, []byte("\r\n")) {
		newline = "\r\n"
	}
	outer := newline + string(indentAt(src, parent.Start()))
	return layout{
		lead:  append([]byte(outer), unit(src, root)...),
		tail:  []byte(outer),
		colon: []byte{' '},
	}
}

// colonOf is what stands behind the colons of an object; of one without
// members, or a list, what the other colons of such texts have.
func colonOf(src []byte, object jsonread.Value) []byte {
	for name, v := range object.Members() {
		at := bytes.IndexByte(src[name.End():v.Start()], ':') + name.End()
		return src[at+1 : v.Start()]
	}
	return nil
}

// unit is how far one level is indented.
func unit(src []byte, root jsonread.Value) []byte {
	for _, s := range spans(root) {
		inner, outer := indentAt(src, s.start), indentAt(src, root.Start())
		if rest, ok := bytes.CutPrefix(inner, outer); ok && len(rest) > 0 {
			return rest
		}
		break
	}
	return []byte("  ")
}

// indentAt is the white space at the beginning of the line of a byte.
func indentAt(src []byte, at int) []byte {
	start := bytes.LastIndexByte(src[:at], '\n') + 1
	return blanks(src[:at], start)
}

// blanks is the white space of JSON at a byte.
func blanks(src []byte, at int) []byte {
	end := at
	for end < len(src) && (src[end] == ' ' || src[end] == '\t' || src[end] == '\n' || src[end] == '\r') {
		end++
	}
	return src[at:end:end]
}

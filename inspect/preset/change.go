package preset

import (
	"bytes"
	"unicode/utf8"

	"perch/engine/jsonread"
	"perch/inspect/jsonedit"
)

// Put saves arguments under a name; a preset that has the name is replaced.
func (f *File) Put(tool, name string, args []byte) error {
	args = bytes.Trim(args, " \t\r\n")
	doc, err := jsonread.Parse(args)
	switch {
	case !named(name), !utf8.ValidString(tool):
		return ErrName
	case err != nil || doc.Root().Kind() != jsonread.Object:
		return ErrArgs
	case len(args) > MaxArgs:
		return ErrSize
	}
	old := f.doc
	put := func() error {
		if err := f.object(f.doc.Root(), list); err != nil {
			return err
		}
		if err := f.object(f.tools(), tool); err != nil {
			return err
		}
		presets := f.tools().Get(tool)
		if v := presets.Get(name); !v.IsZero() {
			return f.to(jsonedit.Replace(f.doc, v, indented(args, f.indent(v))))
		}
		if err := f.to(jsonedit.InsertMember(f.doc, presets, presets.Len(), name, []byte("{}"))); err != nil {
			return err
		}
		v := f.tools().Get(tool).Get(name)
		return f.to(jsonedit.Replace(f.doc, v, indented(args, f.indent(v))))
	}
	if err := put(); err != nil {
		f.doc = old
		return err
	}
	return nil
}

// object makes a member an object where it is none.
func (f *File) object(parent jsonread.Value, name string) error {
	switch v := parent.Get(name); v.Kind() {
	case jsonread.Object:
		return nil
	case jsonread.Absent:
		return f.to(jsonedit.InsertMember(f.doc, parent, parent.Len(), name, []byte("{}")))
	default:
		return f.to(jsonedit.Replace(f.doc, v, []byte("{}")))
	}
}

// Rename gives a preset another name.
func (f *File) Rename(tool, name, to string) error {
	presets := f.tools().Get(tool)
	v := presets.Get(name)
	switch {
	case v.IsZero():
		return ErrNone
	case !named(to):
		return ErrName
	case name == to:
		return nil
	case !presets.Get(to).IsZero():
		return ErrExists
	}
	return f.to(jsonedit.Rename(f.doc, v, to))
}

// Remove takes a preset out, and the tool when it was its last.
func (f *File) Remove(tool, name string) error {
	removed := false
	for {
		presets := f.tools().Get(tool)
		v := presets.Get(name)
		switch {
		case v.IsZero() && !removed:
			return ErrNone
		case v.IsZero():
			if presets.Len() > 0 {
				return nil
			}
			return f.to(jsonedit.Remove(f.doc, f.tools(), presets))
		}
		if err := f.to(jsonedit.Remove(f.doc, presets, v)); err != nil {
			return err
		}
		removed = true
	}
}

// indent is the white space at the beginning of the line of a value.
func (f *File) indent(v jsonread.Value) []byte {
	src := f.doc.Source()
	start := bytes.LastIndexByte(src[:v.Start()], '\n') + 1
	end := start
	for end < v.Start() && (src[end] == ' ' || src[end] == '\t') {
		end++
	}
	return src[start:end:end]
}

// indented are arguments as they stand in the file: their lines begin below
// their name. A line break can only stand between tokens.
func indented(args, indent []byte) []byte {
	return bytes.ReplaceAll(args, []byte("\n"), append([]byte("\n"), indent...))
}

// args are arguments as they were put in: without the indent that all their
// lines have in the file.
func (f *File) args(v jsonread.Value) []byte {
	raw, indent := v.Raw(), f.indent(v)
	lead := append([]byte("\n"), indent...)
	if len(indent) == 0 || bytes.Count(raw, []byte("\n")) != bytes.Count(raw, lead) {
		return bytes.Clone(raw)
	}
	return bytes.ReplaceAll(raw, lead, []byte("\n"))
}

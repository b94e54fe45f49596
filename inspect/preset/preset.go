// Package preset reads and writes a file of saved arguments: by tool and name,
// plain JSON that people read, edit and commit beside a package. Arguments stand
// in it as they were written; a change touches its one place and no other byte,
// so that a file that was edited by hand stays as its author left it:
//
//	{
//	  "perch-presets": 1,
//	  "tools": {
//	    "greet": {
//	      "warm": {"name":"Ada","style":"warm"}
//	    }
//	  }
//	}
//
// A file may come with a package that is hostile: it is data, it is bounded, and
// what in it is no preset is named and passed over. The package reads and writes
// no disk and knows nothing of schemas.
package preset

import (
	"bytes"
	"errors"
	"fmt"
	"unicode"
	"unicode/utf8"

	"perch/engine/jsonread"
	"perch/engine/quote"
)

// Limits, all ours.
const (
	MaxFile = 4 << 20 // bytes of a file
	MaxArgs = 1 << 20 // bytes of the arguments of one preset
	MaxAll  = 2_000   // presets that are listed of one tool, and tools
	MaxName = 100     // characters of a name
	maxTold = 16      // issues that are listed
	version = 1
	mark    = "perch-presets"
	list    = "tools"
)

// Errors of changing a file.
var (
	ErrExists = errors.New("there is a preset of that name already")
	ErrNone   = errors.New("there is no preset of that name")
	ErrName   = fmt.Errorf("a preset's name has 1 to %d characters, all of them visible", MaxName)
	ErrArgs   = errors.New("a preset holds a JSON object")
	ErrSize   = errors.New("that is larger than a file of presets may be, 4 MiB, or than arguments may be, 1 MiB")
)

// Preset are saved arguments.
type Preset struct {
	Name string
	Args []byte // a JSON object, as it was written
}

// Issue is something in a file that is no preset and was passed over.
type Issue struct {
	Offset  int    // of its first byte
	Pointer string // where it stands
	Text    string // what is there, without its place
}

// File is a file of presets. It is for one goroutine.
type File struct{ doc *jsonread.Doc }

// New is a file without presets.
func New() *File {
	f := &File{}
	_ = f.to([]byte("{\n  \"" + mark + "\": 1,\n  \"" + list + "\": {}\n}\n")) // it is JSON
	return f
}

// Error says why a text is no file of presets.
type Error struct {
	Offset int // in bytes
	Text   string
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("%s (byte %d)", e.Text, e.Offset) }

// Parse reads a file. It keeps a copy of the text. The error is a
// *jsonread.Error where the text is no JSON, else an *Error.
func Parse(src []byte) (*File, error) {
	if len(src) > MaxFile {
		return nil, &Error{MaxFile, "a file of presets has at most 4 MiB"}
	}
	doc, err := jsonread.Parse(bytes.Clone(src))
	if err != nil {
		return nil, err
	}
	root := doc.Root()
	is := root.Get(mark)
	n, whole := is.Int()
	switch {
	case root.Kind() != jsonread.Object:
		return nil, &Error{root.Start(), "a file of presets is an object, this is " + root.Kind().String()}
	case is.IsZero():
		return nil, &Error{root.Start(), `it has no member "` + mark + `"`}
	case !whole || n != version:
		return nil, &Error{is.Start(), `"` + mark + `" is ` + quote.Value(is) + ", known is 1"}
	}
	return &File{doc}, nil
}

// Bytes is the text of the file. It must not be changed.
func (f *File) Bytes() []byte { return f.doc.Source() }

func (f *File) to(text []byte) error {
	if len(text) > MaxFile {
		return ErrSize
	}
	doc, err := jsonread.Parse(text)
	if err != nil {
		return fmt.Errorf("change the presets: %w", err)
	}
	f.doc = doc
	return nil
}

func (f *File) tools() jsonread.Value { return f.doc.Root().Get(list) }

// Tools are the tools that have presets, in the order of the file.
func (f *File) Tools() []string {
	var names []string
	seen := map[string]bool{}
	for name, v := range f.tools().Members() {
		text := name.String()
		if v.Kind() == jsonread.Object && !seen[text] && len(names) < MaxAll {
			seen[text] = true
			names = append(names, text)
		}
	}
	return names
}

// Presets are those of a tool, in the order of the file. Of doubled names the
// last counts.
func (f *File) Presets(tool string) []Preset {
	var all []Preset
	at := map[string]int{}
	for name, v := range f.tools().Get(tool).Members() {
		text := name.String()
		if v.Kind() != jsonread.Object || !named(text) || len(v.Raw()) > MaxArgs {
			continue
		}
		if i, again := at[text]; again {
			all[i].Args = f.args(v)
			continue
		}
		if len(all) == MaxAll {
			break
		}
		at[text] = len(all)
		all = append(all, Preset{text, f.args(v)})
	}
	return all
}

// Get is a preset of a tool.
func (f *File) Get(tool, name string) (Preset, bool) {
	v := f.tools().Get(tool).Get(name)
	if v.Kind() != jsonread.Object || !named(name) || len(v.Raw()) > MaxArgs {
		return Preset{}, false
	}
	return Preset{name, f.args(v)}, true
}

// Issues are what in the file is no preset, the first 16.
func (f *File) Issues() []Issue {
	var all []Issue
	tell := func(v jsonread.Value, text string) {
		if len(all) < maxTold {
			all = append(all, Issue{v.Start(), v.Pointer(), text})
		}
	}
	tools := f.tools()
	if k := tools.Kind(); k != jsonread.Object && k != jsonread.Absent {
		tell(tools, "is "+k.String()+"; it holds an object for each tool")
	}
	for _, t := range tools.Members() {
		if t.Kind() != jsonread.Object {
			tell(t, "is "+quote.Value(t)+"; a tool has an object of presets")
		}
		for name, v := range t.Members() {
			switch text := name.String(); {
			case !named(text):
				tell(name, "is "+quote.Text(text)+"; "+ErrName.Error())
			case v.Kind() != jsonread.Object:
				tell(v, "is "+quote.Value(v)+"; "+ErrArgs.Error())
			case len(v.Raw()) > MaxArgs:
				tell(v, "has "+quote.Plural(len(v.Raw()), "byte")+"; arguments have at most 1 MiB")
			}
		}
	}
	return all
}

// named reports whether a name can be shown and chosen.
func named(name string) bool {
	if name == "" || utf8.RuneCountInString(name) > MaxName {
		return false
	}
	for _, r := range name {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

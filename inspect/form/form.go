package form

import (
	"bytes"
	"errors"

	"perch/engine/jsonread"
	"perch/engine/wire"
	"perch/inspect/jsonedit"
	"perch/inspect/schema"
)

// Form is the form of one tool's arguments. Use New.
type Form struct {
	schema *schema.Schema // that values are held against
	root   []schema.Part  // that fields are made of
	about  string

	now  state
	doc  *jsonread.Doc // of the text, or of the last one that was an object
	err  error         // why the text cannot be sent
	rev  int           // grows with each change of what is shown
	said int           // rev of the problems

	past, future []step
	burst        string // what the next act may be one step with

	folds  map[string]bool // true: open
	filter filter
	shapes map[string]*shape
	static map[schema.Part]*flat

	branchNames map[string][]string

	top      top
	rows     []place
	rowsRev  int
	rowOf    map[string]int
	problems problems
}

// New is the form of a schema, with nothing set. A schema that cannot be read
// gives a form for free keys.
func New(s *schema.Schema) *Form {
	f := &Form{schema: s, rev: 1, folds: map[string]bool{}, shapes: map[string]*shape{}, static: map[schema.Part]*flat{}}
	f.root = []schema.Part{s.Root()}
	if why := s.Unjudged(); why != "" {
		f.about = "the schema is not judged: " + why
		if t, ok := withoutDialect(s.Root().Text()); ok {
			f.root = []schema.Part{t.Root()}
			f.about += ". The fields are those of " + schema.Default.String()
		}
	}
	f.set("{}")
	return f
}

// withoutDialect reads a schema whose $schema is not known as one that has
// none: its fields are more use to a person than none.
func withoutDialect(v jsonread.Value) (*schema.Schema, bool) {
	name := v.Get("$schema")
	if name.IsZero() {
		return nil, false
	}
	doc, err := jsonread.Parse(bytes.Clone(v.Raw()))
	if err != nil {
		return nil, false
	}
	doc, err = jsonread.Parse(jsonedit.Remove(doc, doc.Root(), doc.Root().Get("$schema")))
	if err != nil {
		return nil, false
	}
	s := schema.Compile(doc.Root())
	return s, s.Unjudged() == ""
}

// About says what a person should know of the form as a whole, "" for nothing.
func (f *Form) About() string { return f.about }

// Revision grows with each change of what the form shows.
func (f *Form) Revision() int { return f.rev }

// Text is the text as it was written: the text of a JSON editor.
func (f *Form) Text() string { return f.now.raw }

// Sends is byte for byte what goes out as arguments; the error says why nothing
// can: *jsonread.Error when the text is no JSON, *wire.ArgumentsError when it
// is no object.
func (f *Form) Sends() ([]byte, error) {
	if f.err != nil {
		return nil, f.err
	}
	return wire.Arguments([]byte(f.now.raw))
}

// Fault says why the text cannot be sent, and at which byte; nil when it can.
// Until it is mended the fields show the last object and can only be read.
func (f *Form) Fault() (at int, err error) {
	var broken *jsonread.Error
	if errors.As(f.err, &broken) {
		return broken.Offset, f.err
	}
	return 0, f.err
}

// set takes a text, whatever it is.
func (f *Form) set(raw string) {
	f.now.raw = raw
	f.rev++
	src := []byte(raw)
	if len(bytes.Trim(src, " \t\r\n")) == 0 { // nothing written is no arguments
		f.doc, f.err = mustParse("{}"), nil
		return
	}
	doc, err := jsonread.Parse(src)
	switch {
	case err != nil:
		f.err = err
	case doc.Root().Kind() != jsonread.Object:
		f.err = &wire.ArgumentsError{Kind: doc.Root().Kind()}
	default:
		f.doc, f.err = doc, nil
	}
	if f.doc == nil {
		f.doc = mustParse("{}")
	}
}

// mustParse reads a text of our own.
func mustParse(text string) *jsonread.Doc {
	doc, err := jsonread.Parse([]byte(text))
	if err != nil {
		panic("form: " + err.Error())
	}
	return doc
}

// SetText takes the whole text, from a JSON editor, a sample or a preset. It is
// kept as it is. Texts that follow each other are one step to undo.
func (f *Form) SetText(raw string) {
	if raw == f.now.raw {
		return
	}
	old := f.now
	f.now.soften()
	f.set(raw)
	f.keep(old, "text", "")
}

// Reload gives the form another schema, of a package that was built again, and
// keeps the text and what was not sent. It returns the places of values that
// fitted before and do not now, in their order.
func (f *Form) Reload(s *schema.Schema) (misfits []string) {
	before := map[string]bool{}
	for _, p := range f.Problems() {
		before[p.Path] = true
	}
	g := New(s)
	g.now, g.folds, g.rev = f.now, f.folds, f.rev+1
	g.now.picks = nil // they are of the old schema's branches
	g.set(f.now.raw)
	if g.err != nil {
		g.doc = f.doc
	}
	g.past, g.future, g.filter = f.past, f.future, f.filter
	*f = *g
	seen := map[string]bool{}
	for _, p := range f.Problems() {
		if p.Level != Missing && !before[p.Path] && !seen[p.Path] {
			seen[p.Path] = true
			misfits = append(misfits, p.Path)
		}
	}
	return misfits
}

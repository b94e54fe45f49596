package form

import (
	"slices"

	"perch/engine/jsonread"
	"perch/engine/quote"
	"perch/inspect/schema"
)

// Kind is what a field is for.
type Kind uint8

// The kinds of fields.
const (
	Raw     Kind = iota // any JSON
	String              // a text
	Number              // a number
	Integer             // a whole number
	Boolean             // true or false
	Null                // null and nothing else
	Choice              // one of some values
	Object              // a group of members
	List                // a list of elements
	Never               // no value is allowed
)

// kindNamed is the kind of a type of JSON Schema.
func kindNamed(typ string) Kind {
	switch typ {
	case "string":
		return String
	case "number":
		return Number
	case "integer":
		return Integer
	case "boolean":
		return Boolean
	case "null":
		return Null
	case "object":
		return Object
	case "array":
		return List
	}
	return Raw
}

// shape is what several schemas together say of a value, without the value. It
// is worked out once for each set of schemas.
type shape struct {
	flat    *flat
	types   []string // that may be chosen, null apart
	null    bool
	openAPI bool // null by OpenAPI's word alone
	never   bool

	title, description string
	format             string
	deprecated         bool
	def                jsonread.Value
	defOf              schema.Part // the schema that names the default
	examples           []jsonread.Value
	options            []Option
	values             []jsonread.Value // of the options
	itemOptions        []Option
	words              string // worked out with the first row
	worded             bool
	misfit, judged     bool // whether the default fits its own schema

	order    []string // of the properties
	rank     map[string]int
	members  map[string]*inside
	required map[string]bool
	beside   map[string][]string // what is required beside a member
	free     freedom
	patterns []string

	prefix    []schema.Part
	rest      []schema.Part
	restNever bool
	oldPrefix bool

	unchecked string // why the pattern is not checked
}

// Option is a value that can be chosen.
type Option struct {
	Raw   string // in JSON
	Title string // "" where the value speaks for itself
}

// inside are the schemas of a member.
type inside struct {
	start    []schema.Part
	declared bool // a property names it
	optional bool // by a condition that cannot be told
	refused  bool // no schema takes it
}

// freedom says which members an object may have besides its properties.
type freedom uint8

const (
	anyKeys  freedom = iota // nothing is said of them
	someKeys                // a schema, or a pattern, is for them
	noKeys
)

func (f *Form) shapeOf(x *flat) *shape {
	if x.shape == nil {
		x.shape = f.makeShape(x)
	}
	return x.shape
}

func (f *Form) makeShape(x *flat) *shape {
	key := x.key()
	if s := f.shapes[key]; s != nil {
		t := *s // what depends on the value is another
		t.flat = x
		return &t
	}
	s := &shape{flat: x, never: x.never}
	s.typed()
	s.notes()
	s.optionsOf()
	s.object()
	s.list()
	f.shapes[key] = s
	return s
}

// typed puts the types together: those that all parts name.
func (s *shape) typed() {
	var types []string
	said := false
	for _, p := range s.flat.parts {
		t := p.Types()
		if len(t) == 0 {
			continue
		}
		if !said {
			types, said = slices.Clone(t), true
			continue
		}
		types = slices.DeleteFunc(types, func(name string) bool {
			return !slices.Contains(t, name) && (name != "integer" || !slices.Contains(t, "number")) &&
				(name != "number" || !slices.Contains(t, "integer"))
		})
		for i, name := range types {
			if name == "number" && !slices.Contains(t, "number") {
				types[i] = "integer"
			}
		}
	}
	s.null = s.flat.null || slices.Contains(types, "null")
	if len(types) != 1 || types[0] != "null" || s.flat.null {
		types = slices.DeleteFunc(types, func(t string) bool { return t == "null" })
	}
	if !said {
		types = s.guessed()
	}
	s.types = types
	for _, p := range s.flat.parts {
		if p.Text().Get("nullable").Kind() == jsonread.True && !s.null && said {
			s.null, s.openAPI = true, true
		}
	}
}

// guessed is the type that the keywords are about where none is named.
func (s *shape) guessed() []string {
	for _, p := range s.flat.parts {
		low, high, _, _ := p.Bounds()
		least, most := p.Lengths()
		pattern, _ := p.Pattern()
		switch {
		case p.IsObject():
			return []string{"object"}
		case p.IsList():
			return []string{"array"}
		case !low.IsZero(), !high.IsZero(), !p.Multiple().IsZero():
			return []string{"number"}
		case !least.IsZero(), !most.IsZero(), pattern != "", p.Text().Get("format").Kind() == jsonread.String:
			return []string{"string"}
		}
	}
	return nil
}

// notes takes what is told and not checked; of several the outermost counts.
func (s *shape) notes() {
	for _, p := range slices.Concat(s.flat.notes, s.flat.parts) {
		text := p.Text()
		if s.title == "" {
			s.title, _ = text.Get("title").Text()
		}
		if s.description == "" {
			s.description, _ = text.Get("description").Text()
		}
		if s.format == "" {
			s.format, _ = text.Get("format").Text()
		}
		if s.def.IsZero() {
			s.def, s.defOf = p.Default(), p
		}
		for _, e := range p.Examples().Elements() {
			if len(s.examples) < 8 {
				s.examples = append(s.examples, e)
			}
		}
		s.deprecated = s.deprecated || text.Get("deprecated").Kind() == jsonread.True
		if _, why := p.Pattern(); why != "" && s.unchecked == "" {
			s.unchecked = why
		}
	}
}

// optionsOf takes the values that can be chosen.
func (s *shape) optionsOf() {
	for _, p := range s.flat.parts {
		if c := p.Const(); !c.IsZero() {
			s.options, s.values = []Option{{Raw: compact(c.Raw())}}, []jsonread.Value{c}
			return
		}
		if p.Enum().Len() > 0 && s.options == nil {
			s.options, s.values = enumOptions(p)
		}
	}
	if s.options != nil {
		return
	}
	for _, p := range s.flat.consts {
		title, _ := p.Text().Get("title").Text()
		if title == "" {
			title, _ = p.Text().Get("description").Text()
		}
		s.options = append(s.options, Option{compact(constOf(p).Raw()), title})
		s.values = append(s.values, constOf(p))
	}
}

func enumOptions(p schema.Part) (list []Option, values []jsonread.Value) {
	for _, e := range p.Enum().Elements() {
		list, values = append(list, Option{Raw: compact(e.Raw())}), append(values, e)
	}
	return list, values
}

// optionAt is the option that a value is, -1 for none.
func (s *shape) optionAt(v jsonread.Value) int {
	return slices.IndexFunc(s.values, v.Equal)
}

// object takes the properties, in the order of the schema.
func (s *shape) object() {
	s.required, s.members, s.rank = map[string]bool{}, map[string]*inside{}, map[string]int{}
	for _, p := range s.flat.parts {
		for _, name := range p.Properties() {
			s.property(name, false)
		}
		for _, name := range p.Required() {
			s.required[name] = true
		}
		s.patterns = append(s.patterns, p.Patterns()...)
		for _, d := range p.Dependents() {
			if s.beside == nil {
				s.beside = map[string][]string{}
			}
			s.beside[d.Name] = append(s.beside[d.Name], d.Required...)
		}
		extra, ok := p.Additional()
		if _, m, _, more := p.Unevaluated(); more && !ok {
			extra, ok = m, true
		}
		switch {
		case ok && extra.Never() && len(p.Patterns()) == 0:
			s.free = noKeys
		case (ok || len(p.Patterns()) > 0) && s.free != noKeys:
			s.free = someKeys
		}
	}
	for _, p := range s.flat.either {
		for _, name := range target(p).Properties() {
			s.property(name, true)
		}
	}
	for _, p := range s.flat.parts { // what is required is asked for even where no property says so
		for _, name := range p.Required() {
			if s.free == noKeys && s.members[name] == nil {
				continue
			}
			s.property(name, false)
		}
	}
}

func (s *shape) property(name string, optional bool) {
	if _, ok := s.rank[name]; ok {
		return
	}
	s.rank[name] = len(s.order)
	s.order = append(s.order, name)
	in := s.schemasFor(name)
	in.optional = optional
	in.declared = true
	s.members[name] = in
}

// schemasFor are the schemas of a member by its name.
func (s *shape) schemasFor(name string) *inside {
	in := &inside{}
	for _, p := range s.flat.parts {
		looked := false
		if m, ok := p.Property(name); ok {
			in.start, looked = append(in.start, m), true
			in.declared = true
		}
		if m := p.Matching(name); len(m) > 0 {
			in.start, looked = append(in.start, m...), true
		}
		if m, ok := p.Additional(); ok && !looked {
			in.start = append(in.start, m)
			in.refused = in.refused || m.Never()
		}
	}
	for _, p := range s.flat.either {
		if m, ok := target(p).Property(name); ok {
			in.start = append(in.start, m)
		}
	}
	if len(in.start) == 0 {
		for _, p := range s.flat.parts {
			if _, m, _, ok := p.Unevaluated(); ok {
				in.start = append(in.start, m)
				in.refused = in.refused || m.Never()
			}
		}
	}
	return in
}

// member are the schemas of a member, of properties without searching.
func (s *shape) member(name string) *inside {
	if in := s.members[name]; in != nil {
		return in
	}
	return s.schemasFor(name)
}

// isRequired reports whether a member must be there.
func (s *shape) isRequired(name string) bool {
	return s.required[name] || slices.Contains(s.flat.also, name)
}

// list takes the schemas of elements.
func (s *shape) list() {
	for _, p := range s.flat.parts {
		if prefix := p.Prefix(); len(prefix) > 0 && s.prefix == nil {
			s.prefix, s.oldPrefix = prefix, p.OldPrefix()
		}
		if rest, ok := p.Rest(); ok {
			s.rest = append(s.rest, rest)
			s.restNever = s.restNever || rest.Never()
		}
	}
	if s.rest == nil {
		for _, p := range s.flat.parts {
			if rest, _, ok, _ := p.Unevaluated(); ok {
				s.rest = append(s.rest, rest)
				s.restNever = s.restNever || rest.Never()
			}
		}
	}
	for _, p := range s.rest {
		if e := target(p); e.Enum().Len() > 0 && s.itemOptions == nil {
			s.itemOptions, _ = enumOptions(e)
		}
	}
}

// item are the schemas of an element.
func (s *shape) item(i int) []schema.Part {
	if i < len(s.prefix) {
		return s.prefix[i : i+1]
	}
	return s.rest
}

func compact(raw []byte) string { return string(jsonread.Compact(nil, raw)) }

// lostWords says of a reference that is not followed what it is.
func lostWords(ref string) string {
	if schema.External(ref) {
		return "external reference not followed: " + quote.Text(ref)
	}
	return "the reference " + quote.Text(ref) + " leads nowhere"
}

package themes

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// ParseError is a fault of a palette. Lines and columns count from 1; 0 is
// the whole file.
type ParseError struct {
	Name      string // of the palette, or of its file
	Line, Col int
	Key       string // what the line is about, "" when it is about no one key
	What      string // with the key
}

func (e *ParseError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.Name, e.What)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.Name, e.Line, e.Col, e.What)
}

// Parse reads a palette. Each line of it is KEY = "VALUE", where the keys are
// base, ground, note and the roles, and a role's value is any of the words bold
// dim italic underline reverse, then at most one colour: #rrggbb, a name of the
// 16 (red, bright-red), or default. Without base every role must be given; with
// it the others are those of the embedded palette that it names. The error is a
// *ParseError.
func Parse(name string, src []byte) (Theme, error) {
	d, err := read(name, src)
	if err != nil {
		return Theme{}, err
	}
	return d.build(Load)
}

// pair is a line of a palette.
type pair struct {
	key, value string
	line, col  int
}

// document is a palette as it is written: keys and values, each key once.
type document struct {
	name  string
	pairs []pair
}

func (d *document) fault(p pair, format string, args ...any) error {
	return &ParseError{d.name, p.line, p.col, p.key, fmt.Sprintf(format, args...)}
}

// base is the line that names what the palette stands on.
func (d *document) base() (pair, bool) {
	for _, p := range d.pairs {
		if p.key == "base" {
			return p, true
		}
	}
	return pair{}, false
}

// read takes a palette apart.
func read(name string, src []byte) (*document, error) {
	d := &document{name: name}
	var p unstable.Parser
	p.Reset(src)
	seen := map[string]bool{}
	for p.NextExpression() {
		e := p.Expression()
		start := p.Shape(keyRange(e)).Start
		line := pair{key: keyOf(e), line: start.Line, col: start.Column}
		if e.Kind != unstable.KeyValue {
			return nil, d.fault(line, "a theme has no tables, only lines KEY = \"VALUE\"")
		}
		value := e.Value()
		switch {
		case !known(line.key):
			return nil, d.fault(line, "no role is named %q", brief(line.key))
		case value.Kind != unstable.String:
			return nil, d.fault(line, "%s: the value must be text in quotes", line.key)
		case seen[line.key]:
			return nil, d.fault(line, "%s is given twice", line.key)
		}
		seen[line.key] = true
		line.value = string(value.Data)
		d.pairs = append(d.pairs, line)
	}
	if err := p.Error(); err != nil {
		return nil, syntaxFault(&p, name, err)
	}
	return d, nil
}

// known reports whether a palette may have a key.
func known(key string) bool {
	_, role := roleOf(key)
	return role || key == "base" || key == "ground" || key == "note"
}

// build makes the palette; base finds what it stands on.
func (d *document) build(base func(name string) (Theme, error)) (Theme, error) {
	t := Theme{Ground: Any}
	p, based := d.base()
	if based {
		var err error
		if t, err = base(p.value); err != nil {
			return Theme{}, d.fault(p, "base: %v", err)
		}
		t.Note = ""
	}
	t.Name = d.name
	var seen [Roles]bool
	for _, p := range d.pairs {
		if err := t.set(p.key, p.value, &seen); err != nil {
			return Theme{}, d.fault(p, "%v", err)
		}
	}
	if !based {
		if err := d.missing(&seen); err != nil {
			return Theme{}, err
		}
	}
	return t, nil
}

// missing is the fault of a palette that stands on no other and leaves roles
// out.
func (d *document) missing(seen *[Roles]bool) error {
	var first Role
	more := -1
	for r := Roles - 1; r >= Bg; r-- {
		if !seen[r] {
			first = r
			more++
		}
	}
	switch {
	case more < 0:
		return nil
	case more == 0:
		return &ParseError{Name: d.name, Key: first.String(), What: fmt.Sprintf("the role %s is missing", first)}
	}
	return &ParseError{Name: d.name, Key: first.String(), What: fmt.Sprintf(
		"the role %s and %d more are missing. A line base = \"dusk\" takes them from another theme", first, more)}
}

func keyOf(e *unstable.Node) string {
	var parts []string
	for it := e.Key(); it.Next(); {
		parts = append(parts, string(it.Node().Data))
	}
	return strings.Join(parts, ".")
}

func keyRange(e *unstable.Node) unstable.Range {
	it := e.Key()
	if !it.Next() {
		return e.Raw
	}
	return it.Node().Raw
}

func syntaxFault(p *unstable.Parser, name string, err error) error {
	out := &ParseError{Name: name, What: err.Error()}
	var pe *unstable.ParserError
	if errors.As(err, &pe) {
		out.What = "not TOML: " + pe.Message
		start := p.Shape(p.Range(pe.Highlight)).Start
		out.Line, out.Col = start.Line, start.Column
	}
	return out
}

func (t *Theme) set(key, value string, seen *[Roles]bool) error {
	switch key {
	case "base":
		return nil
	case "ground":
		switch g := Ground(value); g {
		case Dark, Light, Any:
			t.Ground = g
			return nil
		}
		return fmt.Errorf("ground is dark, light or any, not %q", brief(value))
	case "note":
		if len([]rune(value)) > maxNote {
			return fmt.Errorf("note: the text has more than %d characters", maxNote)
		}
		t.Note = value
		return nil
	}
	r, _ := roleOf(key)
	seen[r] = true
	tint, err := parseTint(value)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	t.Tints[r] = tint
	return nil
}

// maxNote is how many characters a note has at most: it stands in the picker.
const maxNote = 40

// brief shortens what a file says to what fits a message.
func brief(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

func parseTint(value string) (Tint, error) {
	var t Tint
	coloured := false
	for word := range strings.FieldsSeq(value) {
		if a, ok := attrOf(word); ok {
			t.Attr |= a
			continue
		}
		c, err := parseColor(word)
		if err != nil {
			return Tint{}, err
		}
		if coloured {
			return Tint{}, fmt.Errorf("%q is a second colour", word)
		}
		t.Color, coloured = c, true
	}
	return t, nil
}

func attrOf(word string) (Attr, bool) {
	switch word {
	case "bold":
		return Bold, true
	case "dim":
		return Dim, true
	case "italic":
		return Italic, true
	case "underline":
		return Underline, true
	case "reverse":
		return Reverse, true
	}
	return 0, false
}

func parseColor(word string) (Color, error) {
	if word == "default" {
		return Color{}, nil
	}
	if hex, ok := strings.CutPrefix(word, "#"); ok {
		n, err := strconv.ParseUint(hex, 16, 32)
		if err != nil || len(hex) != 6 {
			return Color{}, fmt.Errorf("%q is no colour: write # and six hex digits", brief(word))
		}
		return Color{Kind: RGB, R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n)}, nil
	}
	name, bright := strings.CutPrefix(word, "bright-")
	for i, n := range colourNames() {
		if n == name {
			if bright {
				i += 8
			}
			return Color{Kind: Named, Index: uint8(i)}, nil
		}
	}
	return Color{}, fmt.Errorf("%q is no colour and no attribute", brief(word))
}

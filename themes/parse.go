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
	Name      string // of the palette
	Line, Col int
	What      string
}

func (e *ParseError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.Name, e.What)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.Name, e.Line, e.Col, e.What)
}

// Parse reads a palette. Each line of it is KEY = "VALUE", where the keys are
// ground, note and the roles, and a role's value is any of the words bold dim
// italic underline reverse, then at most one colour: #rrggbb, a name of the 16
// (red, bright-red), or default. Every role must be given. The error is a
// *ParseError.
func Parse(name string, src []byte) (Theme, error) {
	t := Theme{Name: name, Ground: Any}
	var p unstable.Parser
	p.Reset(src)
	var seen [Roles]bool
	for p.NextExpression() {
		e := p.Expression()
		fault := func(at unstable.Range, format string, args ...any) (Theme, error) {
			start := p.Shape(at).Start
			return Theme{}, &ParseError{name, start.Line, start.Column, fmt.Sprintf(format, args...)}
		}
		if e.Kind != unstable.KeyValue {
			return fault(keyRange(e), "a theme has no tables, only lines KEY = \"VALUE\"")
		}
		key := keyOf(e)
		at := keyRange(e)
		value := e.Value()
		if value.Kind != unstable.String {
			return fault(at, "%s: the value must be text in quotes", key)
		}
		if err := t.set(key, string(value.Data), &seen); err != nil {
			return fault(at, "%v", err)
		}
	}
	if err := p.Error(); err != nil {
		return Theme{}, syntaxFault(&p, name, err)
	}
	for r := Bg; r < Roles; r++ {
		if !seen[r] {
			return Theme{}, &ParseError{Name: name, What: fmt.Sprintf("the role %s is missing", r)}
		}
	}
	return t, nil
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
	case "ground":
		switch g := Ground(value); g {
		case Dark, Light, Any:
			t.Ground = g
			return nil
		}
		return fmt.Errorf("ground is dark, light or any, not %q", value)
	case "note":
		t.Note = value
		return nil
	}
	r, ok := roleOf(key)
	if !ok {
		return fmt.Errorf("no role is named %q", key)
	}
	if seen[r] {
		return fmt.Errorf("%s is given twice", key)
	}
	seen[r] = true
	tint, err := parseTint(value)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	t.Tints[r] = tint
	return nil
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
			return Color{}, fmt.Errorf("%q is no colour: write # and six hex digits", word)
		}
		return Color{Kind: RGB, R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n)}, nil
	}
	name, bright := strings.CutPrefix(word, "bright-")
	for i, n := range strings.Fields("black red green yellow blue magenta cyan white") {
		if n == name {
			if bright {
				i += 8
			}
			return Color{Kind: Named, Index: uint8(i)}, nil
		}
	}
	return Color{}, fmt.Errorf("%q is no colour and no attribute", word)
}

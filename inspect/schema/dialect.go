package schema

import (
	"strings"

	"perch/engine/abi"
	"perch/engine/jsonread"
	"perch/engine/quote"
)

// Dialect is a draft of JSON Schema. Later drafts are greater.
type Dialect byte

// The dialects that are known.
const (
	Draft4 Dialect = iota + 1
	Draft6
	Draft7
	Draft2019
	Draft2020
)

// Default is the dialect of a schema without $schema (MCP 2026-07-28).
const Default = Draft2020

// String names the dialect as people do: "draft 7", "2020-12".
func (d Dialect) String() string {
	switch d {
	case Draft4:
		return "draft 4"
	case Draft6:
		return "draft 6"
	case Draft7:
		return "draft 7"
	case Draft2019:
		return "2019-09"
	case Draft2020:
		return "2020-12"
	}
	return "unknown"
}

// URI is how the dialect is written as $schema.
func (d Dialect) URI() string {
	switch d {
	case Draft4:
		return "http://json-schema.org/draft-04/schema#"
	case Draft6:
		return "http://json-schema.org/draft-06/schema#"
	case Draft7:
		return "http://json-schema.org/draft-07/schema#"
	case Draft2019:
		return "https://json-schema.org/draft/2019-09/schema"
	case Draft2020:
		return "https://json-schema.org/draft/2020-12/schema"
	}
	return ""
}

// before names the dialect before this one.
func (d Dialect) before() Dialect { return d - 1 }

// dialectOf reads a $schema. An empty fragment is no difference; http in the
// place of https, or the other way round, is a slip that is told (exact is
// false) and understood.
func dialectOf(uri string) (d Dialect, exact bool) {
	bare := strings.TrimSuffix(uri, "#")
	for d := Draft4; d <= Draft2020; d++ {
		known := strings.TrimSuffix(d.URI(), "#")
		if bare == known {
			return d, true
		}
		if withoutScheme(bare) == withoutScheme(known) {
			return d, false
		}
	}
	return 0, false
}

func withoutScheme(uri string) string {
	_, rest, _ := strings.Cut(uri, "://")
	return strings.TrimSuffix(rest, "/")
}

// dialect reads the $schema of a schema that stands by itself. inherited is
// what counts without one. 0: an unknown one, which is told and not guessed.
func (c *compiler) dialect(v jsonread.Value, inherited Dialect) Dialect {
	if v.IsZero() {
		return inherited
	}
	uri, ok := v.Text()
	if !ok {
		c.issue(abi.SchemaValid, v, "is "+quote.Value(v)+"; $schema is a string", `Leave it out, or write "`+Default.URI()+`".`)
		return inherited
	}
	d, exact := dialectOf(uri)
	switch {
	case d == 0:
		c.issue(abi.SchemaDialect, v, "is "+quote.Text(uri)+", a dialect that is not known here. The schema is not judged, and no value is held against it",
			`Leave $schema out, or write "`+Default.URI()+`". Drafts 4, 6, 7, 2019-09 and 2020-12 are known.`)
	case !exact:
		c.issue(abi.SchemaDialect, v, "is "+quote.Text(uri)+", a slip for "+d.String()+". It is read as "+d.String()+"; readers that compare the text do not know it",
			`Write "`+d.URI()+`".`)
	}
	return d
}

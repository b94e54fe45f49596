package schema

import (
	"fmt"
	"strings"
	"sync"

	"perch/engine/abi"
	"perch/engine/jsonread"
	"perch/engine/near"
	"perch/engine/quote"
)

// keyword is a keyword of the drafts from one to another. read takes it; nil
// where it says nothing about values.
type keyword struct {
	from, to Dialect
	read     func(c *compiler, n *node, v jsonread.Value)
	// quiet keywords say nothing about values: in another draft they do no harm.
	quiet bool
	// instead says what to write in a later draft.
	instead string
}

// keywords is the vocabulary of all drafts by name.
var keywords = sync.OnceValue(func() map[string]keyword {
	all := make(map[string]keyword)
	for _, add := range []func(map[string]keyword){addCore, addLogic, addNumbers, addArrays, addObjects, addNotes} {
		add(all)
	}
	return all
})

func addCore(all map[string]keyword) {
	text := func(c *compiler, n *node, v jsonread.Value) { c.text(n, v) }
	all["$schema"] = keyword{from: Draft4, to: Draft2020} // read with the dialect
	all["$id"] = keyword{from: Draft6, to: Draft2020, read: text, quiet: true}
	all["id"] = keyword{from: Draft4, to: Draft4, read: text, instead: "$id"}
	all["$anchor"] = keyword{from: Draft2019, to: Draft2020, read: text, quiet: true}
	all["$dynamicAnchor"] = keyword{from: Draft2020, to: Draft2020, read: text}
	all["$recursiveAnchor"] = keyword{from: Draft2019, to: Draft2019, read: func(c *compiler, n *node, v jsonread.Value) { c.flag(n, v) }, instead: "$dynamicAnchor"}
	all["$ref"] = keyword{from: Draft4, to: Draft2020, read: func(c *compiler, n *node, v jsonread.Value) { c.reference(n, v, plainRef) }}
	all["$dynamicRef"] = keyword{from: Draft2020, to: Draft2020, read: func(c *compiler, n *node, v jsonread.Value) { c.reference(n, v, dynamicRef) }}
	all["$recursiveRef"] = keyword{from: Draft2019, to: Draft2019, read: func(c *compiler, n *node, v jsonread.Value) { c.reference(n, v, recursiveRef) }, instead: "$dynamicRef"}
	all["$defs"] = keyword{from: Draft4, to: Draft2020, read: func(c *compiler, n *node, v jsonread.Value) { c.schemaMap(n, v) }}
	all["definitions"] = all["$defs"]
	all["$vocabulary"] = keyword{from: Draft2019, to: Draft2020, read: func(c *compiler, n *node, v jsonread.Value) { c.kind(n, v, jsonread.Object) }, quiet: true}
	all["$comment"] = keyword{from: Draft7, to: Draft2020, read: text, quiet: true}
	all["format"] = keyword{from: Draft4, to: Draft2020, read: text}
}

func addLogic(all map[string]keyword) {
	list := func(into func(*logic) *[]*node) keyword {
		return keyword{from: Draft4, to: Draft2020, read: func(c *compiler, n *node, v jsonread.Value) { *into(n.log()) = c.schemaList(n, v) }}
	}
	one := func(from Dialect, into func(*logic) **node) keyword {
		return keyword{from: from, to: Draft2020, read: func(c *compiler, n *node, v jsonread.Value) { *into(n.log()) = c.node(v, n.res) }}
	}
	all["allOf"] = list(func(l *logic) *[]*node { return &l.all })
	all["anyOf"] = list(func(l *logic) *[]*node { return &l.any })
	all["oneOf"] = list(func(l *logic) *[]*node { return &l.one })
	all["not"] = one(Draft4, func(l *logic) **node { return &l.not })
	all["if"] = one(Draft7, func(l *logic) **node { return &l.if_ })
	all["then"] = one(Draft7, func(l *logic) **node { return &l.then })
	all["else"] = one(Draft7, func(l *logic) **node { return &l.els_ })
	all["type"] = keyword{from: Draft4, to: Draft2020, read: (*compiler).typeKeyword}
	all["enum"] = keyword{from: Draft4, to: Draft2020, read: (*compiler).enumKeyword}
	all["const"] = keyword{from: Draft6, to: Draft2020, read: func(c *compiler, n *node, v jsonread.Value) { n.val().constant = v }}
}

func addNumbers(all map[string]keyword) {
	number := func(into func(*numbers) *jsonread.Value) keyword {
		return keyword{from: Draft4, to: Draft2020, read: func(c *compiler, n *node, v jsonread.Value) {
			if c.number(n, v) {
				*into(n.num()) = v
			}
		}}
	}
	all["minimum"] = number(func(x *numbers) *jsonread.Value { return &x.min })
	all["maximum"] = number(func(x *numbers) *jsonread.Value { return &x.max })
	all["exclusiveMinimum"] = keyword{from: Draft4, to: Draft2020, read: func(c *compiler, n *node, v jsonread.Value) {
		c.exclusive(n, v, "minimum", &n.num().above, &n.num().openMin)
	}}
	all["exclusiveMaximum"] = keyword{from: Draft4, to: Draft2020, read: func(c *compiler, n *node, v jsonread.Value) {
		c.exclusive(n, v, "maximum", &n.num().below, &n.num().openMax)
	}}
	all["multipleOf"] = keyword{from: Draft4, to: Draft2020, read: func(c *compiler, n *node, v jsonread.Value) {
		if !c.number(n, v) {
			return
		}
		if raw := v.Raw(); raw[0] == '-' || v.Equal(zero()) {
			c.bad(n, v, "is "+quote.Number(v)+"; multipleOf is a number above 0", "Write a number above 0, or leave it out.")
			return
		}
		n.num().multiple = v
	}}
	all["minLength"] = count(Draft4, func(n *node) *jsonread.Value { return &n.str().min })
	all["maxLength"] = count(Draft4, func(n *node) *jsonread.Value { return &n.str().max })
	all["pattern"] = keyword{from: Draft4, to: Draft2020, read: func(c *compiler, n *node, v jsonread.Value) {
		if c.text(n, v) {
			n.str().pattern = c.pattern(n, v)
		}
	}}
}

// count is a keyword that counts something.
func count(from Dialect, into func(*node) *jsonread.Value) keyword {
	return keyword{from: from, to: Draft2020, read: func(c *compiler, n *node, v jsonread.Value) {
		if v.Kind() == jsonread.Number && v.IsInteger() && (v.Raw()[0] != '-' || v.Equal(zero())) {
			*into(n) = v
			return
		}
		c.bad(n, v, "is "+quote.Value(v)+"; "+c.key+" is a whole number from 0", "Write a whole number without quotes, or leave it out.")
	}}
}

// zero is the number 0.
func zero() jsonread.Value {
	doc, _ := jsonread.Parse([]byte("0"))
	return doc.Root()
}

func addArrays(all map[string]keyword) {
	one := func(from, to Dialect, into func(*arrays) **node) keyword {
		return keyword{from: from, to: to, read: func(c *compiler, n *node, v jsonread.Value) {
			m := c.node(v, n.res)
			m.boolean4 = from == Draft4
			*into(n.arr()) = m
		}}
	}
	all["minItems"] = count(Draft4, func(n *node) *jsonread.Value { return &n.arr().min })
	all["maxItems"] = count(Draft4, func(n *node) *jsonread.Value { return &n.arr().max })
	all["minContains"] = count(Draft2019, func(n *node) *jsonread.Value { return &n.arr().least })
	all["maxContains"] = count(Draft2019, func(n *node) *jsonread.Value { return &n.arr().most })
	all["uniqueItems"] = keyword{from: Draft4, to: Draft2020, read: func(c *compiler, n *node, v jsonread.Value) {
		n.arr().unique = c.flag(n, v) && v.Kind() == jsonread.True
	}}
	all["items"] = keyword{from: Draft4, to: Draft2020, read: (*compiler).itemsKeyword}
	all["prefixItems"] = keyword{from: Draft2020, to: Draft2020, read: func(c *compiler, n *node, v jsonread.Value) {
		n.arr().prefix, n.arr().prefixName = c.schemaList(n, v), "prefixItems"
	}}
	additional := one(Draft4, Draft2019, func(a *arrays) **node { return &a.additional })
	additional.instead = "items, with prefixItems for the first ones"
	all["additionalItems"] = additional
	all["contains"] = one(Draft6, Draft2020, func(a *arrays) **node { return &a.contains })
	all["unevaluatedItems"] = one(Draft2019, Draft2020, func(a *arrays) **node { return &a.unevaluated })
}

func addObjects(all map[string]keyword) {
	one := func(from Dialect, into func(*objects) **node) keyword {
		return keyword{from: from, to: Draft2020, read: func(c *compiler, n *node, v jsonread.Value) {
			m := c.node(v, n.res)
			m.boolean4 = from == Draft4
			*into(n.obj()) = m
		}}
	}
	all["minProperties"] = count(Draft4, func(n *node) *jsonread.Value { return &n.obj().min })
	all["maxProperties"] = count(Draft4, func(n *node) *jsonread.Value { return &n.obj().max })
	all["required"] = keyword{from: Draft4, to: Draft2020, read: (*compiler).requiredKeyword}
	all["properties"] = keyword{from: Draft4, to: Draft2020, read: func(c *compiler, n *node, v jsonread.Value) {
		n.obj().properties, n.obj().order = c.schemaMap(n, v)
	}}
	all["patternProperties"] = keyword{from: Draft4, to: Draft2020, read: (*compiler).patternProperties}
	all["additionalProperties"] = one(Draft4, func(o *objects) **node { return &o.additional })
	all["propertyNames"] = one(Draft6, func(o *objects) **node { return &o.names })
	all["unevaluatedProperties"] = one(Draft2019, func(o *objects) **node { return &o.unevaluated })
	all["dependencies"] = keyword{from: Draft4, to: Draft7, read: (*compiler).dependencies, instead: "dependentRequired or dependentSchemas"}
	all["dependentRequired"] = keyword{from: Draft2019, to: Draft2020, read: (*compiler).dependencies}
	all["dependentSchemas"] = keyword{from: Draft2019, to: Draft2020, read: (*compiler).dependencies}
}

func addNotes(all map[string]keyword) {
	text := func(c *compiler, n *node, v jsonread.Value) { c.text(n, v) }
	flag := func(c *compiler, n *node, v jsonread.Value) { c.flag(n, v) }
	all["title"] = keyword{from: Draft4, to: Draft2020, read: text}
	all["description"] = keyword{from: Draft4, to: Draft2020, read: text}
	all["default"] = keyword{from: Draft4, to: Draft2020, read: func(c *compiler, n *node, v jsonread.Value) { n.def = v }}
	all["examples"] = keyword{from: Draft6, to: Draft2020, quiet: true, read: func(c *compiler, n *node, v jsonread.Value) {
		if c.kind(n, v, jsonread.Array) {
			n.examples = v
		}
	}}
	all["deprecated"] = keyword{from: Draft2019, to: Draft2020, read: flag, quiet: true}
	all["readOnly"] = keyword{from: Draft7, to: Draft2020, read: flag, quiet: true}
	all["writeOnly"] = keyword{from: Draft7, to: Draft2020, read: flag, quiet: true}
	all["contentMediaType"] = keyword{from: Draft7, to: Draft2020, read: text, quiet: true}
	all["contentEncoding"] = keyword{from: Draft7, to: Draft2020, read: text, quiet: true}
	all["contentSchema"] = keyword{from: Draft2019, to: Draft2020, quiet: true, read: func(c *compiler, n *node, v jsonread.Value) { c.node(v, n.res) }}
}

// foreignKeyword tells of a keyword of another draft, which has no effect here.
func (c *compiler) foreignKeyword(n *node, name string, k keyword, v jsonread.Value) {
	if k.quiet || name == "id" && v.Kind() != jsonread.String ||
		name == "additionalItems" && n.at.Get("items").Kind() == jsonread.Array { // that is told of items
		if name == "additionalItems" {
			n.arr().additional = c.node(v, n.res)
		}
		return
	}
	if n.res.dialect > k.to {
		c.issue(abi.SchemaDraftMix, v, fmt.Sprintf("is a keyword of %s and before; in %s it has no effect", k.to, n.res.dialect), "Write "+k.instead+".")
		return
	}
	c.issue(abi.SchemaDraftMix, v, fmt.Sprintf("is a keyword since %s; in %s it has no effect", k.from, n.res.dialect),
		"Leave $schema out: then "+Default.String()+" counts.")
}

// unknownKeyword tells of keywords that no known draft has and that people
// write for one that it has. All others may be anything.
func (c *compiler) unknownKeyword(n *node, name string, v jsonread.Value) {
	told := func(text, fix string) { c.issue(abi.SchemaDraftMix, v, text, fix) }
	switch name {
	case "nullable":
		if v.Kind() == jsonread.True && !nullIn(n.at.Get("type")) {
			told("is a keyword of OpenAPI 3.0; in JSON Schema it has no effect, and null does not fit", `Write "null" into the list of type.`)
		}
	case "divisibleBy":
		told("is a keyword of draft 3; in "+n.res.dialect.String()+" it has no effect", "Write multipleOf.")
	case "extends":
		if v.Kind() == jsonread.Object || v.Kind() == jsonread.Array {
			told("is a keyword of draft 3; in "+n.res.dialect.String()+" it has no effect", "Write allOf.")
		}
	case "disallow":
		if v.Kind() == jsonread.String || v.Kind() == jsonread.Array {
			told("is a keyword of draft 3; in "+n.res.dialect.String()+" it has no effect", "Write not.")
		}
	default:
		if right := c.slip(n, name); right != "" {
			told("is a keyword of no draft; "+right+" seems to be meant (our reading)", "Write "+right+", or leave it out.")
		}
	}
}

// nullIn reports whether a type takes null, as no type at all does.
func nullIn(v jsonread.Value) bool {
	for _, e := range v.Elements() {
		if e.Is("null") {
			return true
		}
	}
	return v.IsZero() || v.Is("null")
}

// typeNames are the types in the order of their bits.
func typeNames() []string {
	return []string{"null", "boolean", "integer", "number", "string", "array", "object"}
}

// typeKeyword reads type: a name, or a list of them.
func (c *compiler) typeKeyword(n *node, v jsonread.Value) {
	switch {
	case v.Kind() == jsonread.Array && v.Len() > 0:
		for _, e := range v.Elements() {
			t := c.typeName(n, e)
			if t != 0 && n.types&t != 0 {
				c.bad(n, e, "is "+quote.Value(e)+" for the second time; type names each once", "Name each type once.")
			}
			n.types |= t
		}
		if n.vague {
			n.types = 0
		}
	case v.Kind() == jsonread.Array:
		c.bad(n, v, "is an empty list; no value has none of the types", "Name a type, or leave type out.")
	default:
		n.types = c.typeName(n, v)
	}
}

// typeName reads the name of a type; 0 when it is none.
func (c *compiler) typeName(n *node, v jsonread.Value) types {
	name, ok := v.Text()
	for i, known := range typeNames() {
		if ok && name == known {
			return 1 << i
		}
	}
	if c.full(abi.SchemaValid) { // what was meant is not looked for in vain
		c.bad(n, v, "", "")
		return 0
	}
	fix := "Types are " + strings.Join(typeNames(), ", ") + "."
	if meant := meantType(name); meant != "" {
		fix = `Write "` + meant + `".`
	}
	switch v.Kind() {
	case jsonread.String:
		c.bad(n, v, "is "+quote.Text(name)+", which is no type", fix)
	case jsonread.Null:
		c.bad(n, v, "is null; a type is a name in quotes", `Write "null" for the type of null, or leave type out.`)
	default:
		c.bad(n, v, "is "+quote.Value(v)+"; a type is a name in quotes, or a list of names", fix)
	}
	return 0
}

// meantType is the type that a name from elsewhere means.
func meantType(name string) string {
	lower := strings.ToLower(name)
	for _, words := range [][2]string{
		{"str text char varchar uuid date datetime date-time email uri url file", "string"},
		{"int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 long short byte", "integer"},
		{"float float32 float64 double decimal real numeric", "number"},
		{"bool", "boolean"},
		{"list tuple set slice vec vector", "array"},
		{"dict map struct record hash json", "object"},
		{"none nil undefined void", "null"},
	} {
		for word := range strings.SplitSeq(words[0], " ") {
			if word == lower {
				return words[1]
			}
		}
	}
	return near.Word(name, typeNames())
}

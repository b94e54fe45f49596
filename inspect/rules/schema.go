package rules

import (
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/engine/quote"
	"perch/inspect/schema"
)

// schemas looks at the schemas of one tool; n counts from 1 over all pages.
// That inputSchema is an object with the type object, that outputSchema is an
// object, and their sizes are judged elsewhere.
func (c *Checker) schemas(h heard, tool jsonread.Value, n int) {
	name, _ := tool.Get("name").Text()
	called := calledTool(n, name)
	for _, member := range []string{"inputSchema", "outputSchema"} {
		v := tool.Get(member)
		if v.Kind() != jsonread.Object {
			continue
		}
		s := c.known.Schemas.Compile(v)
		at := h.where(v)
		for _, i := range s.Issues() {
			b := event.Breach{Rule: i.Rule, Where: inSchema(at, i), Fix: i.Fix,
				Detail: fmt.Sprintf("%s%s of %s %s", member, quote.Pointer(i.Pointer), called, i.Text)}
			c.fold(h.seq, b, member+i.Pointer+" "+i.Text, called)
		}
		for _, rule := range schemaRules() {
			c.more[rule] += s.More(rule)
		}
	}
}

// schemaRules are the rules that a schema's issues are of.
func schemaRules() []abi.RuleID {
	return []abi.RuleID{abi.SchemaValid, abi.SchemaDialect, abi.SchemaRef, abi.SchemaDraftMix,
		abi.SchemaRequired, abi.SchemaDefault, abi.SchemaPattern}
}

// inSchema is the place of an issue in the schema that stands at a place.
func inSchema(at event.Where, i schema.Issue) event.Where {
	at.Offset, at.End = at.Offset+int64(i.Start), at.Offset+int64(i.End)
	if at.Pointer += i.Pointer; len(at.Pointer) > maxPointer {
		at.Pointer = ""
	}
	return at
}

// structured holds a call's structuredContent against its tool's outputSchema
// and against the text blocks. A tool error needs neither.
func (c *Checker) structured(h heard) {
	result := h.doc.Root().Get("result")
	if result.Get("isError").Kind() == jsonread.True {
		return
	}
	v := result.Get("structuredContent")
	if promise := c.promised(c.run.Begin().Tool); !promise.IsZero() {
		c.promise(h, result, v, promise)
	}
	if !v.IsZero() {
		c.sameInText(h, v)
	}
}

// promised is the outputSchema of a tool, as the upload run listed it.
func (c *Checker) promised(tool string) jsonread.Value {
	for _, t := range c.known.Tools {
		if t.Name == tool && t.OutputSchema.Kind() == jsonread.Object {
			return t.OutputSchema
		}
	}
	return jsonread.Value{}
}

// promise holds a structured result against the outputSchema (MCP 2026-07-28:
// it must fit). What could not be checked makes no finding.
func (c *Checker) promise(h heard, result, v, outputSchema jsonread.Value) {
	tool := quote.Text(c.run.Begin().Tool)
	e := event.Event{Seq: h.seq}
	if v.IsZero() {
		c.add(e, event.Breach{Rule: abi.CallStructured, Where: h.where(result),
			Detail: "the result has no structuredContent, and " + tool + " has an outputSchema that promises it. MCP asks for it; the model reads content alone",
			Fix:    "Answer structuredContent with a value that fits outputSchema, or leave outputSchema out."}, "")
		return
	}
	said := c.known.Schemas.Compile(outputSchema).Validate(v)
	for _, f := range said.Faults {
		c.add(e, event.Breach{Rule: abi.CallStructured, Where: h.where(f.Value),
			Detail: fmt.Sprintf("structuredContent%s does not fit the outputSchema of %s: %s. MCP asks that it fits", quote.Pointer(f.Pointer), tool, f.Text),
			Fix:    "Answer what outputSchema promises, or change the promise." + keywordAt(f)}, "")
	}
	if c.more[abi.CallStructured] += said.More; said.More > 0 {
		c.changes++
	}
}

// keywordAt says which keyword of a schema a value breaks.
func keywordAt(f schema.Fault) string {
	if f.Keyword == "" {
		return ""
	}
	return " It is said at outputSchema" + quote.Pointer(f.Schema) + "."
}

// sameInText looks for a text block that carries the structured result, for
// those that read content alone: the model does.
func (c *Checker) sameInText(h heard, v jsonread.Value) {
	content := h.doc.Root().Get("result").Get("content")
	if !says(content) {
		return // told as call/content or call/empty
	}
	want := ""               // the value's canonical form, when it is needed
	var other jsonread.Value // the one block that is other JSON
	var block, candidates int
	for i, b := range content.Elements() {
		text, ok := b.Get("text").Text()
		if !ok || !b.Get("type").Is("text") || i >= abi.MaxListed {
			continue
		}
		if text == string(v.Raw()) || v.Is(text) {
			return
		}
		doc, err := whole.Parse([]byte(text))
		if err != nil || doc.Root().Kind() != v.Kind() {
			continue
		}
		if want == "" {
			if want, ok = schema.Canonical(v); !ok {
				return // it nests too deep to be compared
			}
		}
		if got, ok := schema.Canonical(doc.Root()); !ok || got == want {
			return
		}
		other, block = doc.Root(), i
		candidates++
	}
	detail, at := "no text block carries the value of structuredContent", v
	if candidates == 1 {
		detail = fmt.Sprintf("block %d has another value than structuredContent%s", block+1, difference(other, v))
		at = content.Index(block).Get("text")
	}
	c.add(event.Event{Seq: h.seq}, event.Breach{Rule: abi.CallStructuredText, Where: h.where(at),
		Detail: detail + ". The model reads content alone, and MCP asks that it says the same (a should)",
		Fix:    "Put the JSON of structuredContent into a text block."}, "")
}

// says reports whether a result has anything for the model to read.
func says(content jsonread.Value) bool {
	for _, b := range content.Elements() {
		if text, ok := b.Get("text").Text(); !ok || strings.TrimSpace(text) != "" {
			return true
		}
	}
	return false
}

// difference says where two values of the same kind differ first: ": at /n, 1
// and not 2". Empty where it is not told.
func difference(a, b jsonread.Value) string {
	const deepest, largest = 6, 16 << 10
	if len(a.Raw())+len(b.Raw()) > largest {
		return ""
	}
	base := len(b.Pointer())
	for range deepest {
		x, y := firstOther(a, b)
		if y.IsZero() {
			break
		}
		a, b = x, y
	}
	if a.Kind() == b.Kind() && (a.Kind() == jsonread.Object || a.Kind() == jsonread.Array) {
		return "" // another number of members, or deeper than we look
	}
	place := ""
	if p := b.Pointer()[base:]; p != "" {
		place = "at " + quote.Pointer(p) + ", "
	}
	if a.IsZero() {
		return ": " + place + "nothing and not " + quote.Value(b)
	}
	return ": " + place + quote.Value(a) + " and not " + quote.Value(b)
}

// firstOther is the first member or element of b that a has otherwise.
func firstOther(a, b jsonread.Value) (x, y jsonread.Value) {
	if a.Kind() != b.Kind() {
		return
	}
	for name, value := range b.Members() {
		if own := a.Get(name.String()); !own.Equal(value) {
			return own, value
		}
	}
	for i, value := range b.Elements() {
		if own := a.Index(i); !own.Equal(value) {
			return own, value
		}
	}
	return
}

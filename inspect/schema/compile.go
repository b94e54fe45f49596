package schema

import (
	"bytes"
	"cmp"
	"slices"

	"perch/engine/abi"
	"perch/engine/jsonread"
	"perch/engine/quote"
)

// Compile reads a schema. It always gives one: what is wrong with it is in its
// issues, and a part that could not be read takes every value. The schema keeps
// a copy of the text and nothing of the value's document.
func Compile(v jsonread.Value) *Schema {
	s := &Schema{resources: make(map[string]*resource), more: make(map[abi.RuleID]int)}
	if len(v.Raw()) > maxText {
		s.unjudged = "it is larger than " + quote.Plural(maxText, "byte")
		return s
	}
	doc, err := jsonread.Options{MaxDepth: -1}.Parse(bytes.Clone(v.Raw()))
	if err != nil {
		s.unjudged = "it is no JSON"
		return s
	}
	s.doc = doc
	c := &compiler{s: s, known: make(map[jsonread.Value]*node), index: make(map[jsonread.Value]map[string]jsonread.Value),
		lists: make(map[jsonread.Value][]jsonread.Value), count: make(map[abi.RuleID]int), doubled: len(doc.Doubled(1)) > 0}
	c.compile()
	slices.SortStableFunc(s.issues, func(a, b Issue) int { return cmp.Compare(a.Start, b.Start) })
	return s
}

// compiler reads one schema, schema by schema from a queue.
type compiler struct {
	s     *Schema
	known map[jsonread.Value]*node
	queue []*node
	refs  []*ref
	index map[jsonread.Value]map[string]jsonread.Value // members of large objects
	lists map[jsonread.Value][]jsonread.Value          // elements of lists
	count map[abi.RuleID]int                           // issues that are listed
	slips map[string]string                            // what unknown keywords most likely stand for

	key     string // the keyword that is read
	doubled bool   // some object has a name twice
	several bool   // a schema within has an id
	program int    // size of all patterns
}

func (c *compiler) compile() {
	root := c.s.doc.Root()
	d := Default
	if root.Kind() == jsonread.Object {
		d = c.dialect(root.Get("$schema"), Default)
	}
	res := &resource{dialect: d, anchors: make(map[string]anchor)}
	c.s.root = c.node(root, res)
	res.root = c.s.root
	if d == 0 {
		c.s.unjudged = "its dialect is not known"
		return
	}
	c.drain()
	for i := 0; i < len(c.refs); i++ { // a reference may lead to more of them
		c.resolve(c.refs[i])
		c.drain()
	}
	c.s.dynamic = c.s.dynamic && c.several
	c.loops()
	c.required()
	c.ownValues()
}

// node takes a value for a schema that is to be read.
func (c *compiler) node(v jsonread.Value, res *resource) *node {
	if n := c.known[v]; n != nil {
		return n
	}
	n := &node{at: v, id: len(c.s.nodes), res: res}
	c.known[v] = n
	c.s.nodes = append(c.s.nodes, n)
	c.queue = append(c.queue, n)
	return n
}

func (c *compiler) drain() {
	for len(c.queue) > 0 {
		n := c.queue[len(c.queue)-1]
		c.queue = c.queue[:len(c.queue)-1]
		c.read(n)
	}
}

// read reads the keywords of one schema and queues those within it.
func (c *compiler) read(n *node) {
	switch n.at.Kind() {
	case jsonread.True:
		n.fixed = always
	case jsonread.False:
		n.fixed = never
	case jsonread.Object:
		c.object(n)
		return
	default:
		n.fixed = unknown
		text := "a schema is an object, true or false"
		if n.res.dialect == Draft4 {
			text = "a schema is an object"
		}
		c.issue(abi.SchemaValid, n.at, "is "+quote.Value(n.at)+"; "+text, "Write {} where any value will do.")
		return
	}
	if n.res.dialect == Draft4 && !n.boolean4 {
		c.issue(abi.SchemaDraftMix, n.at, "is "+quote.Value(n.at)+", a schema by draft 6 and later; in draft 4 it is an object", "Write {} for true, {\"not\":{}} for false.")
	}
}

func (c *compiler) object(n *node) {
	c.identify(n)
	keywords := keywords()
	for name, v := range n.at.Members() {
		text := name.String()
		if c.doubled && c.member(n.at, text) != v {
			continue
		}
		c.key = text
		k, ok := keywords[text]
		switch {
		case !ok:
			c.unknownKeyword(n, text, v)
		case n.res.dialect < k.from || n.res.dialect > k.to:
			c.foreignKeyword(n, text, k, v)
		case k.read != nil:
			k.read(c, n, v)
		}
	}
	c.finish(n)
}

// finish puts together what several keywords say.
func (c *compiler) finish(n *node) {
	n.alone = n.res.dialect <= Draft7 && len(n.refs) > 0
	if a := n.arrays; a != nil && a.prefixName == "items" {
		a.rest, a.restName = a.additional, "additionalItems"
	}
	if n.arrays != nil && n.arrays.unevaluated != nil || n.objects != nil && n.objects.unevaluated != nil {
		c.s.evaluates = true
	}
	if n.logic != nil || len(n.refs) > 1 || n.arrays != nil && n.arrays.contains != nil ||
		n.objects != nil && (len(n.objects.patterns) > 0 || len(n.objects.dependents) > 0) {
		c.s.forks = true
	}
	if n.res.dialect >= Draft2019 && !n.at.Get("$defs").IsZero() {
		if old := n.at.Get("definitions"); old.Kind() == jsonread.Object {
			c.issue(abi.SchemaDraftMix, old, "stands beside $defs, which is its name since 2019-09. Both are read", "Move its members to $defs.")
		}
	}
}

// issue notes something about a value of the schema.
func (c *compiler) issue(rule abi.RuleID, at jsonread.Value, text, fix string) {
	if c.full(rule) {
		c.s.more[rule]++
		return
	}
	c.count[rule]++
	c.s.issues = append(c.s.issues, Issue{rule, at.Start(), at.End(), at.Pointer(), text, fix})
}

// full reports whether no more issues of a rule are listed.
func (c *compiler) full(rule abi.RuleID) bool { return c.count[rule] >= maxIssues }

// bad notes a keyword that is not as its dialect has it; it is read as absent.
func (c *compiler) bad(n *node, at jsonread.Value, text, fix string) {
	n.vague = true
	c.issue(abi.SchemaValid, at, text, fix)
}

// few is how many members of an object are searched one by one.
const few = 8

// member is a member of an object, by name; the last one of doubled names.
// Names of large objects are indexed: references may ask for each of them.
func (c *compiler) member(object jsonread.Value, name string) jsonread.Value {
	if object.Len() <= few {
		return object.Get(name)
	}
	names := c.index[object]
	if names == nil {
		names = make(map[string]jsonread.Value, object.Len())
		for n, v := range object.Members() {
			names[n.String()] = v
		}
		c.index[object] = names
	}
	return names[name]
}

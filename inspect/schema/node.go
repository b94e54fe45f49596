package schema

import (
	"net/url"

	"perch/engine/jsonread"
)

// node is one schema within a schema.
type node struct {
	at    jsonread.Value
	id    int // its place in nodes
	res   *resource
	fixed fixed
	vague bool // a keyword of it could not be read: it never says yes for sure
	alone bool // has a $ref beside which nothing counts (drafts 4 to 7)

	refs     []*ref
	types    types
	values   *values
	numbers  *numbers
	strings  *stringRules
	arrays   *arrays
	objects  *objects
	logic    *logic
	def      jsonread.Value
	examples jsonread.Value

	boolean4 bool // may be true or false in draft 4
	shared   bool // reached by a reference: what it says of a value is remembered
}

// fixed is what a schema says that looks at no value.
type fixed byte

const (
	looks   fixed = iota // an object: it looks
	always               // true
	never                // false
	unknown              // no schema at all
)

// resource is a schema with an identity of its own, and what is within it.
type resource struct {
	root      *node
	base      *url.URL
	dialect   Dialect
	anchors   map[string]anchor
	recursive bool // $recursiveAnchor
}

type anchor struct {
	to      *node
	dynamic bool
}

// ref is a reference to another schema.
type ref struct {
	from    *node
	at      jsonread.Value // what $ref says
	kind    refKind
	to      *node  // nil: it leads nowhere
	dynamic string // the anchor to look for on the way, of a $dynamicRef
}

type refKind byte

const (
	plainRef refKind = iota
	dynamicRef
	recursiveRef
)

// types is a set of JSON types.
type types uint8

const (
	typeNull types = 1 << iota
	typeBoolean
	typeInteger
	typeNumber
	typeString
	typeArray
	typeObject
)

type values struct {
	enum     jsonread.Value
	constant jsonread.Value
	members  map[string]bool // the values of enum in their canonical form
	partly   bool            // a value of enum has none
}

type numbers struct {
	min, max, above, below, multiple jsonread.Value
	openMin, openMax                 bool // draft 4: min and max themselves are outside
}

type stringRules struct {
	min, max jsonread.Value
	pattern  *pattern
}

type arrays struct {
	min, max    jsonread.Value
	unique      bool
	prefix      []*node
	prefixName  string // prefixItems, or items where that may be a list
	rest        *node  // of the elements behind the prefix
	restName    string // items, or additionalItems
	additional  *node  // additionalItems, which counts beside a list alone
	contains    *node
	least, most jsonread.Value // elements that contains takes
	unevaluated *node
}

type objects struct {
	min, max    jsonread.Value
	required    []jsonread.Value
	properties  map[string]*node
	order       []string
	patterns    []patternSchema
	additional  *node
	names       *node
	dependents  []dependent
	unevaluated *node
}

type patternSchema struct {
	pattern *pattern
	schema  *node
}

// dependent is what an object with a member must have, or fit, as well.
type dependent struct {
	name     string
	keyword  string
	required []jsonread.Value
	schema   *node
}

type logic struct {
	all, any, one        []*node
	not, if_, then, els_ *node
}

func (n *node) num() *numbers {
	if n.numbers == nil {
		n.numbers = &numbers{}
	}
	return n.numbers
}

func (n *node) str() *stringRules {
	if n.strings == nil {
		n.strings = &stringRules{}
	}
	return n.strings
}

func (n *node) arr() *arrays {
	if n.arrays == nil {
		n.arrays = &arrays{}
	}
	return n.arrays
}

func (n *node) obj() *objects {
	if n.objects == nil {
		n.objects = &objects{}
	}
	return n.objects
}

func (n *node) log() *logic {
	if n.logic == nil {
		n.logic = &logic{}
	}
	return n.logic
}

func (n *node) val() *values {
	if n.values == nil {
		n.values = &values{}
	}
	return n.values
}

// edge leads to a schema that is held against the same value.
type edge struct {
	to  *node
	via *ref // nil: it stands within
}

// same are the schemas that are held against the same value as this one.
func (n *node) same() []edge {
	var list []edge
	for _, r := range n.refs {
		if r.to != nil {
			list = append(list, edge{r.to, r})
		}
	}
	if n.alone {
		return list
	}
	within := func(nodes ...*node) {
		for _, m := range nodes {
			if m != nil {
				list = append(list, edge{m, nil})
			}
		}
	}
	if l := n.logic; l != nil {
		within(l.all...)
		within(l.any...)
		within(l.one...)
		within(l.not, l.if_, l.then, l.els_)
	}
	if n.objects != nil {
		for _, d := range n.objects.dependents {
			within(d.schema)
		}
	}
	return list
}

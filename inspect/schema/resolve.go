package schema

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"perch/engine/abi"
	"perch/engine/jsonread"
	"perch/engine/near"
	"perch/engine/quote"
)

// reference reads a keyword that refers to another schema. Where it leads is
// looked up when all schemas are known.
func (c *compiler) reference(n *node, v jsonread.Value, kind refKind) {
	if !c.text(n, v) {
		return
	}
	r := &ref{from: n, at: v, kind: kind}
	if kind != plainRef {
		c.s.dynamic = true
	}
	n.refs = append(n.refs, r)
	c.refs = append(c.refs, r)
}

// resolve looks up where a reference leads. Nothing is ever fetched.
func (c *compiler) resolve(r *ref) {
	text := r.at.String()
	id, fragment, _ := strings.Cut(text, "#")
	res := r.from.res
	if id != "" {
		u, err := url.Parse(id)
		if err != nil {
			c.lost(r, "which is no URI reference", `Write "#/$defs/NAME".`)
			return
		}
		if res = c.s.resources[absolute(res.base, u).String()]; res == nil {
			c.external(r, u)
			return
		}
	}
	fragment, err := url.PathUnescape(fragment)
	switch {
	case err != nil:
		c.lost(r, "which has a % that begins no escape", "Write %25 for a % in a reference.")
	case fragment == "":
		c.lead(r, res.root)
	case fragment[0] == '/':
		c.follow(r, res, fragment)
	default:
		a, ok := res.anchors[fragment]
		if !ok {
			c.lost(r, "a name that no $anchor has", c.meant(fragment))
			return
		}
		if r.kind == dynamicRef && a.dynamic {
			r.dynamic = fragment
		}
		c.lead(r, a.to)
	}
}

func (c *compiler) lead(r *ref, to *node) {
	r.to = to
	to.shared = true
}

// lost tells of a reference that leads nowhere.
func (c *compiler) lost(r *ref, why, fix string) {
	r.from.vague = true
	c.issue(abi.SchemaRef, r.at, "is "+quote.Text(r.at.String())+", "+why, fix)
}

// external tells of a reference out of the schema.
func (c *compiler) external(r *ref, u *url.URL) {
	where := "which is another document"
	switch {
	case u.Scheme == "file":
		where = "which is a file"
	case u.Scheme != "" && u.Host != "":
		where = "which is an address"
	case u.Scheme != "":
		where = "which is not within the schema"
	}
	fix := `Copy what it refers to into $defs, and write "#/$defs/NAME".`
	if meant := c.named(lastToken(r.at.String())); meant != "" {
		fix = `Write "` + meant + `".`
	}
	c.lost(r, where+". No reference is ever followed out of a schema", fix)
}

// follow walks a JSON pointer through a resource.
func (c *compiler) follow(r *ref, res *resource, pointer string) {
	v := res.root.at
	for token := range strings.SplitSeq(pointer[1:], "/") {
		name, ok := unescape(token)
		if !ok {
			c.lost(r, "which has a ~ that begins no escape", "Write ~0 for ~ and ~1 for / in a JSON pointer.")
			return
		}
		next := c.child(v, name)
		if next.IsZero() {
			c.nowhere(r, v, name)
			return
		}
		v = next
		if n := c.known[v]; n != nil {
			res = n.res
		}
	}
	switch v.Kind() {
	case jsonread.Object, jsonread.True, jsonread.False:
		c.lead(r, c.node(v, res))
	default:
		c.lost(r, "which leads to "+quote.Value(v)+", and that is no schema", "Point at an object that is a schema.")
	}
}

func (c *compiler) child(v jsonread.Value, name string) jsonread.Value {
	switch v.Kind() {
	case jsonread.Object:
		return c.member(v, name)
	case jsonread.Array:
		return c.element(v, name)
	}
	return jsonread.Value{}
}

// element is an element of a list, by the token of a JSON pointer. Lists are
// indexed like objects.
func (c *compiler) element(list jsonread.Value, token string) jsonread.Value {
	i, err := strconv.Atoi(token)
	if err != nil || strconv.Itoa(i) != token || i < 0 || i >= list.Len() {
		return jsonread.Value{}
	}
	all := c.lists[list]
	if all == nil {
		all = make([]jsonread.Value, 0, list.Len())
		for _, e := range list.Elements() {
			all = append(all, e)
		}
		c.lists[list] = all
	}
	return all[i]
}

// unescape decodes a token of a JSON pointer (RFC 6901).
func unescape(token string) (string, bool) {
	if !strings.Contains(token, "~") {
		return token, true
	}
	if rest := strings.ReplaceAll(strings.ReplaceAll(token, "~0", ""), "~1", ""); strings.Contains(rest, "~") {
		return "", false
	}
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~"), true
}

// nowhere tells of a pointer that has nothing at one of its tokens.
func (c *compiler) nowhere(r *ref, at jsonread.Value, name string) {
	if c.full(abi.SchemaRef) {
		c.lost(r, "", "")
		return
	}
	place := "the schema"
	if p := at.Pointer(); p != "" {
		place = quote.Pointer(p)
	}
	var names []string
	for n := range at.Members() {
		if names = append(names, n.String()); len(names) == maxLike {
			break
		}
	}
	fix := c.meant(lastToken(r.at.String()))
	if like := near.Word(name, names); like != "" {
		fix = fmt.Sprintf("%s has %s.", place, quote.Text(like))
		if head, is := strings.CutSuffix(r.at.String(), "/"+name); is {
			fix = "Write " + quote.Text(head+"/"+like) + "."
		}
	}
	c.lost(r, fmt.Sprintf("which leads nowhere: %s has no %s", place, quote.Text(name)), fix)
}

// meant says what a name that was not found may be.
func (c *compiler) meant(name string) string {
	if found := c.named(name); found != "" {
		return "Write " + quote.Text(found) + "."
	}
	return "Add it to $defs, or take the reference out."
}

// named is the reference to a definition of this name at the top of the schema.
func (c *compiler) named(name string) string {
	for _, defs := range []string{"$defs", "definitions"} {
		if at := c.member(c.s.root.at, defs); name != "" && !c.child(at, name).IsZero() {
			return "#/" + defs + "/" + name
		}
	}
	return ""
}

// lastToken is what stands behind the last / or # of a reference.
func lastToken(ref string) string { return ref[strings.LastIndexAny(ref, "/#")+1:] }

// loops tells of references that come back to where they are without going
// into the value: a reader that follows them never ends.
func (c *compiler) loops() {
	type step struct {
		edges []edge
		next  int
		via   *ref // the last reference on the way here
	}
	const (
		fresh = iota
		open
		done
	)
	state := make(map[*node]int, len(c.s.nodes))
	for _, start := range c.s.nodes {
		if state[start] != fresh {
			continue
		}
		path := []step{{edges: start.same()}}
		nodes := []*node{start}
		state[start] = open
		for len(path) > 0 {
			top := &path[len(path)-1]
			if top.next == len(top.edges) {
				state[nodes[len(nodes)-1]] = done
				path, nodes = path[:len(path)-1], nodes[:len(nodes)-1]
				continue
			}
			e := top.edges[top.next]
			top.next++
			via := e.via
			if via == nil {
				via = top.via
			}
			switch state[e.to] {
			case fresh:
				state[e.to] = open
				path, nodes = append(path, step{edges: e.to.same(), via: via}), append(nodes, e.to)
			case open:
				via.from.vague, c.s.forks = true, true
				c.issue(abi.SchemaRef, via.at, "is "+quote.Text(via.at.String())+", which comes back to itself without going into the value: it never ends",
					"Let the reference stand below properties or items, or take it out.")
			}
		}
	}
}

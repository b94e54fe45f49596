package rules

import (
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/engine/quote"
)

// shaped holds the members of one object, and of those within it, against the
// shapes that MCP gives them.
type shaped struct {
	c     *Checker
	h     heard
	rule  abi.RuleID
	of    string // what the object belongs to, `tool 1 ("greet")`; empty: the line
	place string // in a list of places
	// at is the place of a value, where that is found in a shorter way than
	// from the root; nil: heard.where.
	at func(jsonread.Value) event.Where
}

func (s shaped) where(v jsonread.Value) event.Where {
	if s.at == nil {
		return s.h.where(v)
	}
	w := s.at(v)
	if len(w.Pointer) > maxPointer {
		w.Pointer = ""
	}
	return w
}

// say makes a finding, one for all places with the same about.
func (s shaped) say(v jsonread.Value, about, detail, fix string) {
	s.c.fold(s.h.seq, event.Breach{Rule: s.rule, Where: s.where(v), Detail: detail, Fix: fix}, about, s.place)
}

// called is how a sentence calls a member.
func (s shaped) called(path string) string {
	if s.of == "" {
		return path
	}
	return path + " of " + s.of
}

// is holds a value that may be absent against the kind that it must have.
func (s shaped) is(v jsonread.Value, path string, kinds ...jsonread.Kind) bool {
	if v.IsZero() {
		return true
	}
	for _, k := range kinds {
		if v.Kind() == k {
			return true
		}
	}
	want := kinds[0].String()
	if kinds[0] == jsonread.True {
		want = "true or false"
	}
	s.say(v, path, fmt.Sprintf("%s is %s, not %s", s.called(path), quote.Value(v), want), fmt.Sprintf("Write %s, or leave it out.", want))
	return false
}

func (s shaped) text(v jsonread.Value, path string) bool   { return s.is(v, path, jsonread.String) }
func (s shaped) object(v jsonread.Value, path string) bool { return s.is(v, path, jsonread.Object) }
func (s shaped) bool(v jsonread.Value, path string) bool {
	return s.is(v, path, jsonread.True, jsonread.False)
}

// needs tells of a member that is missing; one that is there must be a string.
func (s shaped) needs(in jsonread.Value, path, name string) {
	v := in.Get(name)
	if !v.IsZero() {
		s.text(v, path+"."+name)
		return
	}
	s.say(in, path+"."+name+" missing", fmt.Sprintf("%s has no %s", s.called(path), name), fmt.Sprintf("Write %q, a string.", name))
}

// icons are those of a tool or of a server.
func (s shaped) icons(v jsonread.Value, path string) {
	if !s.is(v, path, jsonread.Array) {
		return
	}
	for i, icon := range v.Elements() {
		if i == maxIcons {
			return
		}
		s.icon(icon, path)
	}
}

// maxIcons is how many icons of one list are looked at.
const maxIcons = 16

func (s shaped) icon(v jsonread.Value, list string) {
	path := "an icon"
	if list != "icons" {
		path = "an icon of " + strings.TrimSuffix(list, ".icons")
	}
	if !s.object(v, path) {
		return
	}
	s.needs(v, path, "src")
	if src, ok := v.Get("src").Text(); ok && !hasScheme(src) {
		s.say(v.Get("src"), path+".src scheme", fmt.Sprintf("%s links %s, which is no URI", s.called(path), quote.Text(src)),
			"Write an https: or data: URI.")
	}
	s.text(v.Get("mimeType"), path+".mimeType")
	if sizes := v.Get("sizes"); s.is(sizes, path+".sizes", jsonread.Array) {
		for _, size := range sizes.Elements() {
			if !s.text(size, path+".sizes[]") {
				break
			}
		}
	}
	if theme := v.Get("theme"); s.text(theme, path+".theme") && !theme.IsZero() && !theme.Is("light") && !theme.Is("dark") {
		s.say(theme, path+".theme value", fmt.Sprintf("%s is %s; MCP knows \"light\" and \"dark\"", s.called(path+".theme"), quote.Value(theme)),
			"Write light or dark, or leave it out.")
	}
}

// hasScheme reports whether a text begins as a URI does (RFC 3986, 3.1).
func hasScheme(s string) bool {
	for i := range len(s) {
		c := s[i]
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z':
		case i > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return i > 0 && c == ':'
		}
	}
	return false
}

// implementation is what a server says of itself.
func (s shaped) implementation(v jsonread.Value, path string) {
	if v.IsZero() || !s.object(v, path) {
		return
	}
	s.needs(v, path, "name")
	s.needs(v, path, "version")
	for _, name := range []string{"title", "description", "websiteUrl"} {
		s.text(v.Get(name), path+"."+name)
	}
	s.icons(v.Get("icons"), path+".icons")
}

// meta holds a _meta against MCP's grammar of keys. known are the keys with the
// reserved prefix that have a meaning here.
func (s shaped) meta(v jsonread.Value, known ...string) {
	if v.IsZero() || !s.object(v, "_meta") {
		return
	}
	n := 0
	for name := range v.Members() {
		if n++; n > abi.MaxListed {
			return
		}
		key := name.String()
		if wrong, about := badKey(key, known); wrong != "" {
			s.say(name, "_meta key "+about, fmt.Sprintf("the key %s of %s %s", quote.Text(key), s.called("_meta"), wrong),
				`Write a name, or a prefix of your own and a name: "com.example/name".`)
		}
	}
}

// badKey says what is wrong with a key of _meta (MCP 2026-07-28, MetaObject),
// and in one word for all keys like it.
func badKey(key string, known []string) (wrong, about string) {
	prefix, name, has := strings.Cut(key, "/")
	if !has {
		prefix, name = "", key
	}
	switch {
	case has && !goodPrefix(prefix):
		return "has a prefix that is none: labels of letters, digits and -, with dots between, and one slash", "prefix"
	case !goodName(name):
		return "is no name: letters, digits, -, _ and ., with a letter or digit at either end", "name"
	case !has || !reserved(prefix):
		return "", ""
	}
	for _, k := range known {
		if k == key {
			return "", ""
		}
	}
	if prefix+"/" == abi.MetaPrefix {
		return "has MCP's own prefix, and MCP " + abi.ProtocolVersion + " has no such key here", "unknown"
	}
	return "has a prefix that is reserved for MCP: its second label is mcp or modelcontextprotocol", "reserved"
}

// goodPrefix reports whether a prefix is of labels that begin with a letter and
// end with a letter or digit.
func goodPrefix(prefix string) bool {
	for _, label := range strings.Split(prefix, ".") {
		if !within(label, "-") || digit(label[0]) {
			return false
		}
	}
	return true
}

func goodName(name string) bool { return name == "" || within(name, "-_.") }

// within reports whether a word is of letters, digits and, but for its ends,
// these others.
func within(word, others string) bool {
	for i := range len(word) {
		c := word[i]
		plain := c|0x20 >= 'a' && c|0x20 <= 'z' || digit(c)
		if !plain && (i == 0 || i == len(word)-1 || strings.IndexByte(others, c) < 0) {
			return false
		}
	}
	return word != ""
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func reserved(prefix string) bool {
	labels := strings.Split(prefix, ".")
	return len(labels) > 1 && (labels[1] == "mcp" || labels[1] == "modelcontextprotocol")
}

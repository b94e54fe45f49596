package rules

import (
	"fmt"
	"strconv"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/engine/quote"
)

// uploadCheck is what is remembered of the answers of an upload run.
type uploadCheck struct {
	tools int               // so far, on all pages
	pages int               // so far
	names map[int][]string  // of the tools of a page, by its line on stdout
	first map[int]int       // number of the first of them, from 1
	hints [2]string         // ttlMs and cacheScope of the first page, as sent; empty: none that count
	slips map[string]string // what names of tools' members most likely stand for
}

// toolAt names the tool that a place in a page of tools/list belongs to.
func (u *uploadCheck) toolAt(w event.Where) string {
	_, name, _ := u.at(w)
	return name
}

// at is the number, from 1 over all pages, and the name of the tool that a
// place in a page of tools/list belongs to.
func (u *uploadCheck) at(w event.Where) (n int, name string, ok bool) {
	rest, ok := strings.CutPrefix(w.Pointer, "/result/tools/")
	if !ok || w.Stream != event.Stdout {
		return 0, "", false
	}
	index, _, _ := strings.Cut(rest, "/")
	i, err := strconv.Atoi(index)
	if names := u.names[w.Line]; err == nil && i >= 0 && i < len(names) {
		return u.first[w.Line] + i, names[i], true
	}
	return 0, "", false
}

// calledTool is how a sentence calls a tool; n counts from 1 over all pages.
func calledTool(n int, name string) string {
	if name == "" {
		return fmt.Sprintf("tool %d", n)
	}
	return fmt.Sprintf("tool %d (%s)", n, quote.Text(name))
}

// discover looks at the answer to server/discover. That it has the revision and
// the tools capability is the engine's to judge.
func (c *Checker) discover(h heard) {
	result := h.doc.Root().Get("result")
	c.hints(h, result, "")
	s := shaped{c: c, h: h, rule: abi.DiscoverShape, place: h.line()}
	s.text(result.Get("instructions"), "instructions")
	for _, v := range result.Get("supportedVersions").Elements() {
		if !s.text(v, "a version of supportedVersions") {
			break
		}
	}
	capabilities := result.Get("capabilities")
	if capabilities.Kind() == jsonread.Object {
		s.capabilities(capabilities)
		c.unused(h, capabilities)
	}
}

// flags are the members of a server's capabilities that are booleans, by the
// capability that they belong to. Those without are objects of any kind.
func flags() []struct{ name, flags string } {
	return []struct{ name, flags string }{
		{"tools", "listChanged"}, {"prompts", "listChanged"}, {"resources", "listChanged subscribe"},
		{"logging", ""}, {"completions", ""}, {"experimental", ""}, {"extensions", ""},
	}
}

func (s shaped) capabilities(v jsonread.Value) {
	for _, k := range flags() {
		path := "capabilities." + k.name
		capability := v.Get(k.name)
		if k.name == "tools" && capability.Kind() != jsonread.Object {
			continue // the engine's judge said so
		}
		if !s.object(capability, path) {
			continue
		}
		for _, flag := range strings.Fields(k.flags) {
			s.bool(capability.Get(flag), path+"."+flag)
		}
	}
	for _, k := range []string{"experimental", "extensions"} {
		n := 0
		for name, setting := range v.Get(k).Members() {
			if n++; n > abi.MaxListed {
				break
			}
			s.object(setting, "a member of capabilities."+k)
			if k == "extensions" {
				s.extension(name)
			}
		}
	}
}

// extension holds the name of an extension against the grammar of keys; its
// prefix is a must, and MCP's own extensions have MCP's.
func (s shaped) extension(name jsonread.Value) {
	key := name.String()
	wrong, about := badKey(key, nil)
	switch {
	case !strings.Contains(key, "/"):
		wrong, about = "has no prefix", "none"
	case about == "unknown" || about == "reserved":
		return
	}
	if wrong != "" {
		s.say(name, "extension "+about, fmt.Sprintf("the extension %s %s", quote.Text(key), wrong), `Write "com.example/name", with a prefix of your own.`)
	}
}

// unused names what the package offers and Subako never asks for.
func (c *Checker) unused(h heard, capabilities jsonread.Value) {
	var names []string
	var first jsonread.Value
	n := 0
	add := func(at jsonread.Value, name string) {
		if n++; n == 1 {
			first = at
		}
		if n <= maxPlaces {
			names = append(names, name)
		}
	}
	for name := range capabilities.Members() {
		if text := name.String(); text != "tools" {
			add(name, quote.Text(text))
		}
	}
	if changed := capabilities.Get("tools").Get("listChanged"); changed.Kind() == jsonread.True {
		add(changed, "tools.listChanged")
	}
	if n == 0 {
		return
	}
	if n > len(names) {
		names = append(names, quote.Count(n-len(names))+" more")
	}
	c.fold(h.seq, event.Breach{Rule: abi.DiscoverUnused, Where: h.where(first),
		Detail: fmt.Sprintf("offers %s, which Subako never uses: it asks for tools alone", enumerate(names)),
		Fix:    `Answer "capabilities":{"tools":{}}; the rest does no harm.`}, "", h.line())
}

// hints looks at how long and for whom an answer may be kept. page names a page
// of tools/list; empty for server/discover.
func (c *Checker) hints(h heard, result jsonread.Value, page string) {
	s := shaped{c: c, h: h, rule: abi.CacheHints, place: h.line()}
	ttl, scope := result.Get("ttlMs"), result.Get("cacheScope")
	fix := `Write "ttlMs":0,"cacheScope":"private", or for how long and for whom the answer holds.`
	var missing []string
	if ttl.IsZero() {
		missing = append(missing, "ttlMs")
	}
	if scope.IsZero() {
		missing = append(missing, "cacheScope")
	}
	if len(missing) > 0 {
		names := strings.Join(missing, " and ")
		s.say(result, "missing "+names, fmt.Sprintf("the result has no %s. MCP asks for both in the answers to %s and %s; Subako does not",
			strings.Join(missing, " and no "), abi.MethodDiscover, abi.MethodList), fix)
	}
	if !ttl.IsZero() && !natural(ttl) {
		s.say(ttl, "ttlMs", fmt.Sprintf("ttlMs is %s, not a whole number of milliseconds, 0 or more", quote.Value(ttl)), fix)
		ttl = jsonread.Value{}
	}
	if !scope.IsZero() && !scope.Is("public") && !scope.Is("private") {
		s.say(scope, "cacheScope", fmt.Sprintf(`cacheScope is %s, neither "public" nor "private"`, quote.Value(scope)), fix)
		scope = jsonread.Value{}
	}
	if page != "" {
		s.sameHints(page, ttl, scope)
	}
}

// natural reports whether a value is a whole number, 0 or more, of any size.
func natural(v jsonread.Value) bool {
	n, small := v.Int()
	return v.IsInteger() && n >= 0 && (small || v.Raw()[0] != '-')
}

// sameHints holds a page's hints against those of the first one.
func (s shaped) sameHints(page string, hints ...jsonread.Value) {
	u := &s.c.upload
	for i, name := range []string{"ttlMs", "cacheScope"} {
		text := hints[i].String()
		if len(text) > quote.Longest {
			text = text[:quote.Longest]
		}
		switch {
		case u.pages == 1:
			u.hints[i] = text
		case u.hints[i] != "" && text != "" && text != u.hints[i]:
			s.say(hints[i], name+" differs", fmt.Sprintf("%s is %s on %s, and %s on page 1. MCP asks for the same on each page", name, quote.Value(hints[i]), page, u.hints[i]),
				"Write the same ttlMs and cacheScope on each page.")
		}
	}
}

// page looks at one page of tools/list. What refuses it is the engine's to judge.
func (c *Checker) page(h heard) {
	u := &c.upload
	u.pages++
	result := h.doc.Root().Get("result")
	c.hints(h, result, fmt.Sprintf("page %d", u.pages))
	tools := result.Get("tools")
	u.remember(h.message.Line, tools)
	for _, v := range tools.Elements() {
		if u.tools++; u.tools > abi.MaxListed {
			break
		}
		if v.Kind() == jsonread.Object {
			c.tool(h, v, u.tools)
			c.schemas(h, v, u.tools)
		}
	}
}

// remember keeps the names of a page's tools, at most abi.MaxListed in all.
func (u *uploadCheck) remember(line int, tools jsonread.Value) {
	if u.names == nil {
		u.names, u.first = make(map[int][]string), make(map[int]int)
	}
	u.first[line] = u.tools + 1
	n := u.tools
	for _, v := range tools.Elements() {
		if n++; n > abi.MaxListed {
			break
		}
		name := ""
		if v := v.Get("name"); len(v.Raw()) <= maxPointer {
			name, _ = v.Text()
		}
		u.names[line] = append(u.names[line], name)
	}
}

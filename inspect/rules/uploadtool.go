package rules

import (
	"fmt"
	"slices"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/engine/near"
	"perch/engine/quote"
	"perch/engine/wire"
)

// tool looks at one tool by itself; n counts from 1 over all pages. Its name,
// inputSchema and sizes are the engine's to judge.
func (c *Checker) tool(h heard, v jsonread.Value, n int) {
	name, _ := v.Get("name").Text()
	called := calledTool(n, name)
	s := shaped{c: c, h: h, rule: abi.ToolShape, of: called, place: called}
	s.text(v.Get("title"), "title")
	s.annotations(v.Get("annotations"))
	s.icons(v.Get("icons"), "icons")
	s.meta(v.Get("_meta"))
	s.object(v.Get("outputSchema"), "outputSchema")
	s.description(v)
	s.hidden(v)
	s.slips(v)
}

func (s shaped) annotations(v jsonread.Value) {
	if v.IsZero() || !s.object(v, "annotations") {
		return
	}
	s.text(v.Get("title"), "annotations.title")
	for _, hint := range hintNames() {
		s.bool(v.Get(hint), "annotations."+hint)
	}
}

func hintNames() []string {
	return []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
}

// description tells of one that is missing or says nothing: Subako takes that,
// so it is a notice beside a rule that refuses.
func (s shaped) description(v jsonread.Value) {
	d := v.Get("description")
	what, at := "has no description", v
	if !d.IsZero() {
		text, ok := d.Text()
		if !ok || strings.TrimSpace(text) != "" {
			return
		}
		what, at = "has an empty description", d
	}
	f := s.c.fold(s.h.seq, event.Breach{Rule: abi.ToolDescription, Where: s.h.where(at),
		Detail: fmt.Sprintf("%s %s. Subako takes it (our reading), but the model has nothing to choose the tool by", s.of, what),
		Fix:    "Say in a sentence what the tool does and when to use it."}, what, s.place)
	if f != nil {
		f.Class, f.Severity, f.AlsoMCP = abi.ClassS, abi.Notice, false
	}
}

// toolMembers are the members of a tool (MCP 2026-07-28, Tool).
func toolMembers() []string {
	return []string{"name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta"}
}

// otherName is the member of a tool that other interfaces have this name for;
// empty for other names.
func otherName(text string) string {
	switch text {
	case "parameters", "params", "arguments", "args", "input", "schema":
		return "inputSchema"
	case "returns", "output", "outputs", "result":
		return "outputSchema"
	case "desc", "summary":
		return "description"
	case "displayName", "display_name":
		return "title"
	case "hints":
		return "annotations"
	case "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint":
		return inAnnotations + text
	}
	return ""
}

const inAnnotations = "annotations."

// slips points out members that were most likely meant to be others, which are
// missing. One in place of inputSchema follows from its absence, which is told.
func (s shaped) slips(tool jsonread.Value) {
	n := 0
	for name := range tool.Members() {
		if n++; n > maxMembers {
			return
		}
		text := name.String()
		right := s.c.upload.meant(text)
		if right == "" || has(tool, right) {
			continue
		}
		b := event.Breach{Rule: abi.ToolMember, Where: s.h.where(name),
			Detail: fmt.Sprintf("%s has the member %s, which MCP does not know: %s seems to be meant", s.of, quote.Text(text), right),
			Fix:    fmt.Sprintf("Call the member %s.", right)}
		if right == "inputSchema" {
			b.Follow, b.Cause = true, wire.NoSchemaCause(tool)
		}
		s.c.fold(s.h.seq, b, text+" "+b.Cause, s.place)
	}
}

// has reports whether a tool has a member, or one of its annotations.
func has(tool jsonread.Value, member string) bool {
	if hint, is := strings.CutPrefix(member, inAnnotations); is {
		return !tool.Get("annotations").Get(hint).IsZero()
	}
	return !tool.Get(member).IsZero()
}

// Of a tool maxMembers members are looked at, and of all tools maxNames
// different names of members that MCP does not know.
const (
	maxMembers = 256
	maxNames   = 256
)

// meant is the member of a tool that another name most likely stands for; "" if
// it is one of them, or like none.
func (u *uploadCheck) meant(text string) string {
	if slices.Contains(toolMembers(), text) {
		return ""
	}
	if right, ok := u.slips[text]; ok || len(u.slips) == maxNames {
		return right
	}
	if u.slips == nil {
		u.slips = make(map[string]string)
	}
	u.slips[text] = nearest(text)
	return u.slips[text]
}

func nearest(text string) string {
	if other := otherName(text); other != "" {
		return other
	}
	word := near.Word(text, toolMembers())
	if d := len(word) - len(text); word == "" || d > 2 || d < -2 {
		return ""
	}
	return word
}

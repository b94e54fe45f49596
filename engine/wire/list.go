package wire

import (
	"fmt"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
)

// Lister takes the pages of tools/list and judges them by the ABI page's rules
// for tools. A Lister is for one goroutine.
type Lister struct {
	pages   int
	tools   []Tool
	count   int // of all tools, those past abi.MaxListed too
	bytes   int // of all tools as sent
	names   map[string]int
	doubled map[string]bool
	cursors []jsonread.Value
	noArray bool
	over    bool // list/size was handed over
	last    *Answer
}

// Tool is an element of a page that is an object, as far as it can be read.
type Tool struct {
	Name           string // decoded, "" when it is missing or no string
	Title          string
	Description    string
	HasTitle       bool // a string is there
	HasDescription bool
	InputSchema    jsonread.Value // absent, or whatever the tool has
	OutputSchema   jsonread.Value
	Value          jsonread.Value
	Raw            []byte // as sent
	Where          event.Where
	Page           int // from 1
	Index          int // over all pages, from 0
	Bad            bool
}

// NewLister returns a Lister that has seen no page.
func NewLister() *Lister {
	return &Lister{names: make(map[string]int), doubled: make(map[string]bool)}
}

// Tools are the tools of the pages so far, bad ones too: one that the host
// refuses can still be called here. Those past abi.MaxListed are only counted.
func (l *Lister) Tools() []Tool { return l.tools }

// Page judges the answer with the next page. cursor is the JSON text of its
// nextCursor as the module wrote it; nil when no further page is to be read.
func (l *Lister) Page(a *Answer) (cursor []byte, breaches []event.Breach) {
	l.pages++
	l.last = a
	list := a.Result.Get("tools")
	if list.Kind() != jsonread.Array {
		l.noArray = true
		detail := "the answer has no tools"
		if !list.IsZero() {
			detail = fmt.Sprintf("tools is %s, not a list", brief(list))
		}
		return nil, []event.Breach{a.breach(abi.ListArray, list, a.Result, detail, `Answer "tools":[…], a list of 1 to 64 tools.`)}
	}
	for _, v := range list.Elements() {
		breaches = append(breaches, l.tool(a, v)...)
	}
	next, found := l.next(a)
	return next, append(breaches, found...)
}

// tool takes one element of a page.
func (l *Lister) tool(a *Answer, v jsonread.Value) []event.Breach {
	l.bytes += len(v.Raw())
	l.count++
	breaches := l.size(a, v)
	if l.count > abi.MaxListed {
		return breaches
	}
	t := readTool(a, v, len(l.tools), l.pages)
	breaches = append(checkTool(a, t), breaches...)
	t.Bad = len(breaches) > 0
	if first, ok := l.names[t.Name]; ok && t.Name != "" {
		t.Bad = true
		if !l.doubled[t.Name] { // the same page again and again is one fault
			l.doubled[t.Name] = true
			name := v.Get("name")
			breaches = append(breaches, a.breach(abi.ListUnique, name, v,
				fmt.Sprintf("tool %d is named %s, like tool %d%s", t.Index+1, show(t.Name), first+1, l.page(first)),
				"Give each tool a name of its own."))
		}
	} else {
		l.names[t.Name] = t.Index
	}
	l.tools = append(l.tools, t)
	return breaches
}

// size is the breach of the tool with which all together become too large. That
// a tool is measured as it was sent is our reading.
func (l *Lister) size(a *Answer, v jsonread.Value) []event.Breach {
	if l.bytes <= abi.MaxAllTools || l.over {
		return nil
	}
	l.over = true
	return []event.Breach{a.breach(abi.ListSize, v, v,
		fmt.Sprintf("all tools together pass %s with tool %d (bytes as sent)", kib(abi.MaxAllTools), l.count),
		"Shorten schemas and descriptions, or split the package.")}
}

// page names the page of a tool where there are several.
func (l *Lister) page(index int) string {
	if l.pages == 1 {
		return ""
	}
	return fmt.Sprintf(" on page %d", l.tools[index].Page)
}

// next reads a page's cursor.
func (l *Lister) next(a *Answer) (cursor []byte, breaches []event.Breach) {
	v := a.Result.Get("nextCursor")
	note := func(cause, detail, fix string) {
		b := a.breach(abi.ListCursor, v, a.Result, detail, fix)
		b.Cause = "nextCursor " + cause
		breaches = append(breaches, b)
	}
	switch v.Kind() {
	case jsonread.Absent:
		return nil, nil
	case jsonread.Null:
		note("null", "nextCursor is null. MCP has no null here; read as no further page (our reading)", "Leave nextCursor out on the last page.")
		return nil, breaches
	case jsonread.String:
		if len(v.Raw()) == len(`""`) {
			note("empty", `nextCursor is "". MCP takes it for a cursor, some readers for the end; the next page is asked for`, "Leave nextCursor out on the last page.")
		}
	default:
		note("kind", fmt.Sprintf("nextCursor is %s, not a string; it is sent back as it is (our reading)", v.Kind()), "Write a string.")
	}
	for i, seen := range l.cursors {
		if seen.Equal(v) {
			note("again", fmt.Sprintf("nextCursor is %s, as on page %d: the same page again", brief(v), i+1), "Leave nextCursor out on the last page.")
			break
		}
	}
	l.cursors = append(l.cursors, v)
	if l.pages == abi.MaxPages {
		b := a.breach(abi.ListPages, v, a.Result,
			fmt.Sprintf("page %d asks for another one; an upload reads at most %d pages", l.pages, abi.MaxPages),
			"Leave nextCursor out on the last page.")
		return nil, append(breaches, b)
	}
	return v.Raw(), breaches
}

// Finish judges all pages together, after the last one.
func (l *Lister) Finish() []event.Breach {
	if l.last == nil || l.noArray {
		return nil
	}
	n := l.count
	if n >= abi.MinTools && n <= abi.MaxTools {
		return nil
	}
	detail := fmt.Sprintf("the package lists %s; at most %d are allowed", plural(n, "tool"), abi.MaxTools)
	fix := "Leave some out, or split the package."
	if n == 0 {
		detail, fix = "the package lists no tools; at least one is needed", "List a tool."
	}
	return []event.Breach{l.last.breach(abi.ListCount, l.last.Result.Get("tools"), l.last.Result, detail, fix)}
}

package main

import (
	"errors"
	"fmt"
	"strings"

	"perch/inspect/form"
	"perch/inspect/schema"
)

// takeField does a verb of the form on the arguments: fields, set, unset, null.
// It reports whether the word is one.
func (p *plain) takeField(word, rest string) bool {
	path, value, hasValue := strings.Cut(strings.TrimSpace(rest), " ")
	switch word {
	case "fields":
		p.sayFields(p.form())
		return true
	case "set", "unset", "null":
	default:
		return false
	}
	if path == "" || word == "set" && !hasValue {
		p.say("%s takes the name of a field, such as %s name%s. Within another: %s customer/id.", word, word,
			map[bool]string{true: " VALUE"}[word == "set"], word)
		return true
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	f := p.form()
	var err error
	switch word {
	case "set":
		err = f.SetValue(path, strings.TrimSpace(value))
	case "null":
		err = f.SetNull(path)
	default:
		_, err = f.LeaveOut(path)
	}
	if errors.Is(err, form.ErrNoPlace) {
		p.say("No field is named %s. fields lists them.", p.safe.Safe.Line(path[1:]))
		return true
	}
	if err != nil {
		p.say("%s: %s.", p.safe.Safe.Line(path[1:]), p.safe.Safe.Line(err.Error()))
		return true
	}
	p.args = []byte(f.Text())
	if r, ok := f.RowAt(path); ok && r.Extra && word != "unset" {
		p.say("The schema names no field %s; it is sent all the same.%s", p.safe.Safe.Line(path[1:]), p.safe.Safe.Line(meant(path[1:], names(f))))
	}
	for _, pr := range f.Problems() {
		if pr.Path == path && pr.Level != form.Note {
			p.say("%s: %s. It is sent as it is: Subako checks no arguments.", p.safe.Safe.Line(path[1:]), p.safe.Safe.Line(pr.Text))
		}
	}
	return true
}

// names are those of the fields that the schema knows.
func names(f *form.Form) []string {
	var all []string
	for i := range f.Len() {
		if r := f.Row(i); r.Kind == form.Field && !r.Extra {
			all = append(all, strings.TrimPrefix(r.Path, "/"))
		}
	}
	return all
}

// form is the form of the tool with the arguments as they are.
func (p *plain) form() *form.Form {
	f := form.New(schema.Compile(p.tool.InputSchema))
	f.SetText(string(p.args))
	f.FoldAll(true)
	return f
}

// mostFields is how many fields are listed.
const mostFields = 200

// sayFields lists the fields, each on a line: its name, its state, what may be
// in it.
func (p *plain) sayFields(f *form.Form) {
	n := f.Len()
	if n == 0 {
		p.say("It has no fields.")
		return
	}
	for i := range min(n, mostFields) {
		r := f.Row(i)
		if r.Kind != form.Field {
			continue
		}
		name := strings.TrimPrefix(r.Path, "/")
		if r.Required {
			name += " (required)"
		}
		line := fmt.Sprintf("%s: %s", name, stateOf(r))
		if r.Words != "" {
			line += "; " + r.Words
		}
		if r.State == form.LeftOut && r.Default != "" {
			line += "; default " + r.Default
		}
		if r.Description != "" {
			line += ". " + r.Description
		}
		p.say("%s", p.safe.Safe.Line(line))
		for _, pr := range r.Problems {
			if pr.Level != form.Note && r.State != form.LeftOut {
				p.say("  %s", p.safe.Safe.Line(pr.Text))
			}
		}
	}
	if n > mostFields {
		p.say("%d more are not listed.", n-mostFields)
	}
}

func stateOf(r form.Row) string {
	switch {
	case r.State == form.LeftOut:
		return "left out"
	case r.State == form.IsNull:
		return "null"
	case r.Group:
		return "filled in"
	}
	return r.Text
}

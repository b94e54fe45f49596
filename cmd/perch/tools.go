package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"perch/engine/abi"
	"perch/engine/jsonread"
	"perch/engine/wire"
	"perch/inspect/report"
	"perch/inspect/rules"
)

func newTools(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "tools PACKAGE",
		Short: "The tools of a package and their schemas",
		Args:  takes(1, 1),
	}
	c.RunE = func(c *cobra.Command, args []string) error { return a.tools(c.Context(), args[0]) }
	a.modelFlag(c)
	return c
}

func (a *app) tools(ctx context.Context, name string) error {
	b, err := a.open(ctx, name)
	if err != nil {
		return err
	}
	defer b.Close()
	u, err := a.upload(ctx, b)
	if err != nil {
		return err
	}
	if a.json {
		a.object(report.WithBudgets(b.Report(u).JSON(), rules.Budgets(u.Tools)))
		return ended(uploadStatus(u, b.Settings.Strict))
	}
	style := textStyle(a.err)
	for i, t := range u.Tools {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		printTool(a, textStyle(a.out), t)
	}
	if tight := budgets(textStyle(a.out), rules.PackageBudgets(u.Tools)); tight != "" {
		fmt.Fprint(a.out, "\n"+tight)
	}
	for _, f := range u.Findings {
		if f.Severity == abi.Error {
			fmt.Fprintln(a.err, style.Finding(f, b.Source))
		}
	}
	return ended(uploadStatus(u, b.Settings.Strict))
}

func printTool(a *app, s report.Style, t wire.Tool) {
	fmt.Fprintln(a.out, s.Safe.Line(t.Name))
	if t.Description != "" {
		for _, line := range strings.Split(t.Description, "\n") {
			fmt.Fprintln(a.out, "  "+s.Safe.Line(line))
		}
	}
	for _, schema := range []struct {
		name  string
		value jsonread.Value
	}{{"inputSchema", t.InputSchema}, {"outputSchema", t.OutputSchema}} {
		if schema.value.IsZero() {
			continue
		}
		fmt.Fprintf(a.out, "  %s, %d B\n", schema.name, len(schema.value.Raw()))
		for _, line := range indented(schema.value) {
			fmt.Fprintln(a.out, "    "+s.Safe.Line(line))
		}
	}
	fmt.Fprint(a.out, budgets(s, rules.ToolBudgets(t)))
}

// budgets are the limits that are nearly used up, a line each.
func budgets(s report.Style, all []rules.Budget) string {
	var b strings.Builder
	for _, budget := range all {
		if budget.Share() >= rules.Tight {
			fmt.Fprintf(&b, "  %s\n", s.Budget(budget))
		}
	}
	return b.String()
}

// signature tells a tool's properties in one line: "name*: string".
func signature(t wire.Tool) string {
	required := map[string]bool{}
	for _, v := range t.InputSchema.Get("required").Elements() {
		required[v.String()] = true
	}
	var parts []string
	for name, v := range t.InputSchema.Get("properties").Members() {
		text := name.String()
		if required[text] {
			text += "*"
		}
		parts = append(parts, text+": "+typeOf(v))
	}
	return strings.Join(parts, ", ")
}

// typeOf names the type of a property as people say it.
func typeOf(v jsonread.Value) string {
	if e := v.Get("enum"); e.Kind() == jsonread.Array {
		var names []string
		for _, x := range e.Elements() {
			names = append(names, x.String())
		}
		return strings.Join(names, "|")
	}
	switch t := v.Get("type"); t.Kind() {
	case jsonread.String:
		return t.String()
	case jsonread.Array:
		var names []string
		for _, x := range t.Elements() {
			names = append(names, x.String())
		}
		return strings.Join(names, "|")
	}
	return "any"
}

// indented writes a value over several lines, tokens as they were sent.
func indented(v jsonread.Value) []string {
	var b bytes.Buffer
	if err := json.Indent(&b, v.Raw(), "", "  "); err != nil {
		return []string{string(v.Raw())}
	}
	return strings.Split(b.String(), "\n")
}

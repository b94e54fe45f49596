package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"perch/engine/abi"
	"perch/engine/units"
	"perch/inspect/model"
	"perch/inspect/report"
)

// modelFlag gives perch tools its --model: what the model is given of the
// package, in the place of all that was listed.
func (a *app) modelFlag(c *cobra.Command) {
	whole := c.RunE
	given := c.Flags().Bool("model", false, "what the model is given, as sent: name, description and inputSchema")
	c.RunE = func(c *cobra.Command, args []string) error {
		if *given {
			return a.toolsModel(c.Context(), args[0])
		}
		return whole(c, args)
	}
}

// toolsModel prints what the model is given to stdout, and to stderr how much
// that is and what is left out.
func (a *app) toolsModel(ctx context.Context, name string) error {
	b, err := a.open(ctx, name)
	if err != nil {
		return err
	}
	defer b.Close()
	u, err := a.upload(ctx, b)
	if err != nil {
		return err
	}
	offer := model.Package(u.Tools)
	if a.json {
		a.object(report.Offer(offer))
		return ended(uploadStatus(u, b.Settings.Strict))
	}
	for i, t := range offer.Tools {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		printGiven(a, textStyle(a.out), t)
	}
	style := textStyle(a.err)
	fmt.Fprintf(a.err, "the model is given %s, %s\n", tools(len(offer.Tools)), units.Size(offer.Bytes))
	if left := leftOut(offer); len(left) > 0 {
		fmt.Fprintf(a.err, "for people, not for the model: %s\n", style.Safe.Line(strings.Join(left, ", ")))
	}
	for _, f := range u.Findings {
		if f.Severity == abi.Error {
			fmt.Fprintln(a.err, style.Finding(f, b.Source))
		}
	}
	return ended(uploadStatus(u, b.Settings.Strict))
}

func printGiven(a *app, s report.Style, t model.Given) {
	fmt.Fprintln(a.out, s.Safe.Line(t.Name.String()))
	if !t.Description.IsZero() {
		fmt.Fprintln(a.out, s.Safe.Text(t.Description.String()))
	}
	fmt.Fprintln(a.out, s.Safe.Line(string(t.InputSchema.Raw())))
}

// leftOut are the names of the members that the model is not given, each once.
func leftOut(o model.Offer) []string {
	var all []string
	seen := make(map[string]bool)
	for _, t := range o.Tools {
		for _, name := range t.LeftOut {
			if !seen[name] && len(all) < 16 {
				seen[name] = true
				all = append(all, name)
			}
		}
	}
	return all
}

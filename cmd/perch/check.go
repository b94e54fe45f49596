package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/bench"
	"perch/inspect/report"
	"perch/inspect/rules"
)

func newCheck(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "check PACKAGE...",
		Short: "The check that Subako makes at upload, tools included",
		Long: "Checks packages as Subako does when they are uploaded: the package, the module,\n" +
			"and one run that asks for its tools.\n\n" +
			"Exit status: 0 accepted, 2 a file cannot be read, 3 refused; of several packages the highest.",
		Args: cobra.MinimumNArgs(1),
	}
	c.RunE = func(c *cobra.Command, args []string) error { return a.check(c.Context(), args) }
	return c
}

func (a *app) check(ctx context.Context, names []string) error {
	var reports []report.Check
	worst := exitOK
	for i, name := range names {
		r, s, err := a.checkOne(ctx, name, i > 0)
		if err != nil && (len(names) == 1 || s == exitCancelled) {
			return err
		}
		if err != nil {
			printError(a.err, err)
		} else {
			reports = append(reports, r)
		}
		worst = max(worst, s)
	}
	if a.json {
		a.printJSON(names, reports)
	}
	return ended(worst)
}

// checkOne checks one package, prints what was found unless that is for the
// JSON report, and returns its status.
func (a *app) checkOne(ctx context.Context, name string, another bool) (report.Check, int, error) {
	b, err := a.open(ctx, name)
	if err != nil {
		return report.Check{}, status(err), err
	}
	defer b.Close()
	done := a.follow(ctx, b.Record, event.Upload)
	u, err := a.upload(ctx, b)
	done()
	if err != nil {
		return report.Check{}, status(err), err
	}
	if !a.json {
		if another {
			fmt.Fprintln(a.out)
		}
		a.printCheck(b, u)
	}
	return b.Report(u), uploadStatus(u, a.strict()), nil
}

func (a *app) printJSON(names []string, reports []report.Check) {
	switch {
	case len(names) > 1:
		a.object(report.Checks(reports))
	case len(reports) == 1:
		a.object(reports[0].JSON())
	}
}

// ended is how a command ends that has said all there is to say.
func ended(status int) error {
	if status == exitOK {
		return nil
	}
	return &exitError{status: status}
}

func uploadStatus(u bench.Upload, strict bool) int {
	if !u.Accepted() || strict && departs(u.Findings) {
		return exitRefused
	}
	return exitOK
}

// departs reports whether a finding stands on MCP alone: --strict makes those
// count.
func departs(all []rules.Finding) bool {
	for _, f := range all {
		if f.Class == abi.ClassM {
			return true
		}
	}
	return false
}

func (a *app) printCheck(b *bench.Bench, u bench.Upload) {
	style := textStyle(a.out)
	fmt.Fprintf(a.out, "%s\n\n", style.Row(heading(b)...))
	for _, f := range u.Findings {
		fmt.Fprintln(a.out, style.Finding(f, b.Source))
	}
	verdict := "would refuse it"
	if u.Accepted() {
		verdict = "would accept it"
	}
	fmt.Fprintf(a.out, "Subako  %s: %s, %s\n", verdict, tools(len(u.Tools)), report.Counts(u.Findings))
}

func tools(n int) string {
	if n == 1 {
		return "1 tool"
	}
	return fmt.Sprintf("%d tools", n)
}

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/near"
	"perch/engine/settings"
	"perch/inspect/bench"
	"perch/inspect/report"
	"perch/inspect/rules"
)

// Formats of the report of a check.
const (
	formatText   = "text"
	formatJSON   = "json"
	formatJUnit  = "junit"
	formatSARIF  = "sarif"
	formatGitHub = "github"
)

func formats() []string {
	return []string{formatText, formatJSON, formatJUnit, formatSARIF, formatGitHub}
}

// checkOptions are the flags of check alone.
type checkOptions struct {
	format   string
	least    abi.Severity  // that fails the check
	deadline time.Duration // of one package
}

func newCheck(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "check PACKAGE...",
		Short: "The check that Subako makes at upload, tools included",
		Long: "Checks packages as Subako does when they are uploaded: the package, the module,\n" +
			"and one run that asks for its tools.\n\n" +
			"Exit status: 0 accepted, 2 a package cannot be opened or its check took too long,\n" +
			"3 refused, or something was found that --fail-on or --strict does not let pass;\n" +
			"of several packages the highest. 130 cancelled.\n\n" +
			"Findings that are known are accepted in perch.toml, with the reason:\n" +
			"  [accept]\n" +
			"  \"schema/pattern\" = \"why\"          # or \"schema/pattern:TOOL\"",
		Args: cobra.MinimumNArgs(1),
	}
	var format, failOn string
	o := checkOptions{}
	f := c.Flags()
	f.StringVar(&format, "format", "", "the report: "+strings.Join(formats(), ", "))
	f.StringVar(&failOn, "fail-on", string(abi.Error), "exit status 3 for what is as bad as this: error, warning or notice")
	f.DurationVar(&o.deadline, "deadline", abi.LocalCheckTime, "limit of the whole check of a package: DURATION, local setting")
	c.RunE = func(c *cobra.Command, names []string) error {
		var err error
		if o.format, err = a.formatOf(format); err != nil {
			return err
		}
		if o.least, err = severityOf(failOn); err != nil {
			return err
		}
		if o.deadline <= 0 {
			return usage("--deadline %v is no time that a check could take. Write 30s, or 3m", o.deadline)
		}
		return a.check(c.Context(), names, o)
	}
	return c
}

func usage(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// formatOf is the format that --format and --json ask for together.
func (a *app) formatOf(flag string) (string, error) {
	switch {
	case flag == "" && a.json, flag == formatJSON:
		return formatJSON, nil
	case flag == "":
		return formatText, nil
	case !slices.Contains(formats(), flag):
		return "", unknownWord("--format", flag, formats())
	case a.json:
		return "", usage("--json and --format %s ask for two formats", flag)
	}
	return flag, nil
}

func severityOf(flag string) (abi.Severity, error) {
	words := []string{string(abi.Error), string(abi.Warning), string(abi.Notice)}
	if !slices.Contains(words, flag) {
		return "", unknownWord("--fail-on", flag, words)
	}
	return abi.Severity(flag), nil
}

// unknownWord says that a flag does not know a word, and which was meant.
func unknownWord(flag, word string, words []string) error {
	if meant := near.Word(word, words); meant != "" {
		return usage("%s knows no %q. Did you mean %s?", flag, word, meant)
	}
	return usage("%s knows no %q. There are %s", flag, word, strings.Join(words, ", "))
}

// document is a report that is printed when all packages were checked.
type document interface {
	Add(report.Check)
	Bytes() []byte
}

// documentOf is the document of a format; nil: each package is printed by
// itself.
func documentOf(format string, packages int) document {
	switch format {
	case formatJUnit:
		return &report.JUnit{}
	case formatSARIF:
		return &report.SARIF{Version: version}
	case formatJSON:
		if packages == 1 {
			return &oneJSON{}
		}
		return &report.JSON{}
	}
	return nil
}

// oneJSON is the JSON of one package: no list, and nothing of a package that
// could not be checked.
type oneJSON struct{ b []byte }

func (o *oneJSON) Bytes() []byte { return o.b }

// Add takes the package.
func (o *oneJSON) Add(c report.Check) {
	if c.Problem == "" {
		o.b = c.JSON()
	}
}

// check checks packages in the order in which they were given. One that cannot
// be checked does not keep the others from it; a cancel does.
func (a *app) check(ctx context.Context, names []string, o checkOptions) error {
	doc := documentOf(o.format, len(names))
	worst, told := exitOK, 0
	tell := func(c report.Check) {
		if doc != nil {
			doc.Add(c)
			return
		}
		a.printCheck(c, o.format, told > 0)
		told++
	}
	for _, name := range names {
		s, err := a.checkOne(ctx, name, o, tell)
		worst = max(worst, s)
		if err != nil {
			printError(a.err, err)
		}
		if s == exitCancelled {
			break
		}
	}
	if doc != nil {
		a.document(doc.Bytes(), o.format)
	}
	return ended(worst)
}

// printCheck prints the report of one package.
func (a *app) printCheck(c report.Check, format string, another bool) {
	switch {
	case format == formatGitHub:
		_, _ = a.out.Write(report.GitHub(c))
		return
	case c.Problem != "": // stderr has it
		return
	case another:
		fmt.Fprintln(a.out)
	}
	fmt.Fprint(a.out, textStyle(a.out).Check(c))
}

// document prints the report of all packages; of none there is nothing.
func (a *app) document(text []byte, format string) {
	switch {
	case len(text) == 0:
	case format == formatJUnit:
		fmt.Fprintf(a.out, "%s\n", text)
	default:
		a.object(text)
	}
}

// errDeadline ends a check that takes longer than it may.
var errDeadline = errors.New("the deadline of the check has passed")

// checkOne checks one package within its deadline, tells what there is to
// report of it, and returns its status.
func (a *app) checkOne(ctx context.Context, name string, o checkOptions, tell func(report.Check)) (int, error) {
	limited, cancel := context.WithTimeoutCause(ctx, o.deadline, errDeadline)
	defer cancel()
	c := checking{app: a, name: name, o: o, stage: "opening the package"}
	s, err := c.run(limited, tell)
	if err == nil {
		return s, nil
	}
	if ctx.Err() == nil && errors.Is(context.Cause(limited), errDeadline) {
		s, err = exitUsage, fmt.Errorf("%s: the check was ended after %v (%s, --deadline), while %s", name, o.deadline, deadlineFrom(o), c.stage)
	}
	tell(report.Check{Path: name, Problem: err.Error()})
	return s, err
}

func deadlineFrom(o checkOptions) string {
	if o.deadline == abi.LocalCheckTime {
		return settings.Local
	}
	return "as asked for"
}

// checking is the check of one package.
type checking struct {
	*app
	name  string
	o     checkOptions
	stage string // what it is at, for who asks why it takes so long
}

// run makes the check and tells its report. With an error nothing was told.
func (c *checking) run(ctx context.Context, tell func(report.Check)) (int, error) {
	b, err := c.open(ctx, c.name)
	if err != nil {
		return status(err), err
	}
	defer b.Close()
	c.stage = "compiling the module"
	if _, err := b.Session.Ready(ctx); err != nil && ctx.Err() != nil {
		return exitCancelled, failure(ctx, err)
	}
	c.stage = "making the upload run"
	done := c.followCheck(ctx, b)
	u, err := c.upload(ctx, b)
	done()
	if err != nil {
		return status(err), err
	}
	r := b.Report(u)
	r.Files = filesOf(b)
	r.Gate = rules.Gate{Least: c.o.least, Strict: b.Settings.Strict}
	tell(r)
	if r.Failed() {
		return exitRefused, nil
	}
	return exitOK, nil
}

// followCheck shows the module's stderr beside a report in text. Each line has
// a mark in front: services that read logs act on lines that begin in ways of
// their own.
func (c *checking) followCheck(ctx context.Context, b *bench.Bench) func() {
	if c.o.format != formatText {
		return func() {}
	}
	return c.follow(ctx, b.Record, event.Upload, "stderr | ")
}

// ended is how a command ends that has said all there is to say.
func ended(status int) error {
	if status == exitOK {
		return nil
	}
	return &exitError{status: status}
}

// uploadStatus is the exit status of a command that makes the upload check
// beside its own work.
func uploadStatus(u bench.Upload, strict bool) int {
	gate := rules.Gate{Strict: strict}
	if !u.Accepted() || len(gate.Failing(u.Findings)) > 0 {
		return exitRefused
	}
	return exitOK
}

// departs reports whether a finding that nobody accepted stands on MCP alone:
// --strict makes those count.
func departs(all []rules.Finding) bool {
	for _, f := range all {
		if f.Class == abi.ClassM && f.Accepted == "" {
			return true
		}
	}
	return false
}

func tools(n int) string {
	if n == 1 {
		return "1 tool"
	}
	return fmt.Sprintf("%d tools", n)
}

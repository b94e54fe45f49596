package main

import (
	"context"
	"errors"
	"fmt"
	"math"
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
	probe    bool          // try what Subako does not
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
		Args: takes(1, math.MaxInt),
	}
	var format, failOn string
	o := checkOptions{}
	f := c.Flags()
	f.StringVar(&format, "format", "", "the report: "+strings.Join(formats(), ", "))
	f.StringVar(&failOn, "fail-on", string(abi.Error), "exit status 3 for what is as bad as this: error, warning or notice")
	f.DurationVar(&o.deadline, "deadline", abi.LocalCheckTime, "limit of the whole check of a package: DURATION, local setting")
	f.BoolVar(&o.probe, "probe", false, "try more than Subako does at upload: odd requests, wrong arguments, other methods")
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

// document takes what is to be reported of packages, and says what there is to
// print when all were checked.
type document interface {
	Add(report.Check)
	Bytes() []byte
}

func (a *app) documentOf(format string, packages int) document {
	switch format {
	case formatJUnit:
		return &report.JUnit{}
	case formatSARIF:
		return &report.SARIF{Version: version}
	case formatGitHub:
		return &gitHubLines{app: a}
	case formatJSON:
		if packages == 1 {
			return &oneJSON{}
		}
		return &report.JSON{}
	}
	return &textReport{app: a}
}

// textReport prints each package at once, and what became of several.
type textReport struct {
	*app
	sum          report.Sum
	told, blocks int
}

// Add prints a package. What could not be checked stderr has.
func (t *textReport) Add(c report.Check) {
	t.sum.Add(c)
	t.told++
	if c.Problem != "" {
		return
	}
	if t.blocks > 0 {
		fmt.Fprintln(t.out)
	}
	t.blocks++
	fmt.Fprint(t.out, textStyle(t.out).Check(c))
}

func (t *textReport) Bytes() []byte {
	switch {
	case t.told < 2:
		return nil
	case t.blocks == 0:
		return []byte(t.sum.String())
	}
	return []byte("\n" + t.sum.String())
}

// gitHubLines prints the annotations of each package at once.
type gitHubLines struct{ *app }

// Add prints a package.
func (g *gitHubLines) Add(c report.Check) {
	_, _ = guardedAs(g.out, formatGitHub).Write(report.GitHub(c))
}

func (g *gitHubLines) Bytes() []byte { return nil }

// oneJSON is the JSON of one package: no list, and nothing of a package that
// could not be checked.
type oneJSON struct{ b []byte }

// Add takes the package.
func (o *oneJSON) Add(c report.Check) {
	if c.Problem == "" {
		o.b = c.JSON()
	}
}

func (o *oneJSON) Bytes() []byte { return o.b }

// check checks packages in the order in which they were given. One that cannot
// be checked does not keep the others from it; a cancel does.
func (a *app) check(ctx context.Context, names []string, o checkOptions) error {
	doc := a.documentOf(o.format, len(names))
	worst := exitOK
	for _, name := range names {
		s, err := a.checkOne(ctx, name, o, doc.Add)
		worst = max(worst, s)
		if err != nil {
			printError(a.err, err)
		}
		if s == exitCancelled {
			break
		}
	}
	switch text := doc.Bytes(); {
	case len(text) == 0:
	case o.format == formatJSON, o.format == formatSARIF:
		a.object(text)
	default:
		fmt.Fprintf(guardedAs(a.out, o.format), "%s\n", text)
	}
	return ended(worst)
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
	err = c.failed(limited, err)
	if !c.told {
		tell(report.Check{Path: name, Problem: err.Error()})
	}
	s = max(s, status(err))
	if errors.Is(context.Cause(limited), errDeadline) {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return s, err
}

// limitOf is the deadline and whose it is.
func limitOf(o checkOptions) string {
	if o.deadline == abi.LocalCheckTime {
		return fmt.Sprintf("%v (%s, --deadline changes it)", o.deadline, settings.Local)
	}
	return fmt.Sprintf("%v (--deadline)", o.deadline)
}

// checking is the check of one package.
type checking struct {
	*app
	name  string
	o     checkOptions
	stage string // what it is at, for who asks why it takes so long
	told  bool   // there is a report of it
}

// failed is why a check, or a part of it, ended early.
func (c *checking) failed(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errDeadline) {
		return &exitError{exitUsage, fmt.Errorf("the check was ended after %s while %s", limitOf(c.o), c.stage)}
	}
	return failure(ctx, err)
}

// run makes the check, tells its report and returns its status. With an error
// the report is not of all that was asked for, or there is none.
func (c *checking) run(ctx context.Context, tell func(report.Check)) (int, error) {
	b, err := c.open(ctx, c.name)
	if err != nil {
		return exitOK, err
	}
	defer b.Close()
	c.stage = "compiling the module"
	if _, err := b.Session.Ready(ctx); ctx.Err() != nil {
		return exitOK, err
	}
	u, err := c.upload(ctx, b)
	if err != nil {
		return exitOK, err
	}
	cut := c.probed(ctx, b, &u)
	r := b.Report(u)
	r.Files = filesOf(b)
	r.Gate = rules.Gate{Least: c.o.least, Strict: b.Settings.Strict}
	if cut != nil {
		r.Incomplete = "not all probes were made: " + c.failed(ctx, cut).Error()
	}
	tell(r)
	c.told = true
	if r.Failed() {
		return exitRefused, cut
	}
	return exitOK, cut
}

// upload makes the upload check, and shows the module's stderr meanwhile.
func (c *checking) upload(ctx context.Context, b *bench.Bench) (bench.Upload, error) {
	c.stage = "making the upload run"
	done := c.followCheck(ctx, b)
	u, err := b.Check(ctx)
	done()
	return u, errors.Join(err, ctx.Err())
}

// probed makes the probes, if they are asked for and the module can be run, and
// adds what they found. The error is why not all were made.
func (c *checking) probed(ctx context.Context, b *bench.Bench, u *bench.Upload) error {
	if !c.o.probe || u.Run == nil {
		return nil
	}
	c.stage = "probing"
	found, err := c.probe(ctx, b, *u)
	if err != nil {
		b.AddSome(u, found)
		return err
	}
	b.Add(u, found)
	return nil
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

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"perch/engine/abi"
	"perch/engine/disk"
	"perch/engine/event"
	"perch/engine/near"
	"perch/engine/quote"
	"perch/engine/wire"
	"perch/inspect/bench"
	"perch/inspect/report"
	"perch/inspect/rules"
)

func newCall(a *app) *cobra.Command {
	var args string
	c := &cobra.Command{
		Use:   "call PACKAGE TOOL [--args JSON|@FILE|-]",
		Short: "Call a tool as Subako does when an agent calls it",
		Long: "Calls a tool: a new instance, one tools/call, exit 0 within a second.\n" +
			"stdout holds what the model would read; findings and the module's stderr go to stderr.\n\n" +
			"Exit status: 0 ok, 1 the tool said isError, 2 usage, 3 the package cannot be run,\n" +
			"4 the call was broken, 130 cancelled.",
		Args: takes(2, 2),
	}
	c.Flags().StringVar(&args, "args", "", "the arguments: a JSON object, @FILE, or - for stdin")
	c.RunE = func(c *cobra.Command, names []string) error {
		text, err := a.arguments(args)
		if err != nil {
			return &exitError{exitUsage, err}
		}
		return a.call(c.Context(), names[0], names[1], text)
	}
	return c
}

// arguments reads what --args names, and says what is wrong with it before
// anything is opened.
func (a *app) arguments(arg string) ([]byte, error) {
	text, name := []byte(arg), "--args"
	var err error
	switch {
	case arg == "-":
		name = "stdin"
		text, err = io.ReadAll(io.LimitReader(a.in, abi.MaxArguments+1))
	case arg == "@":
		return nil, errors.New("--args @ names no file: --args @FILE")
	case strings.HasPrefix(arg, "@"):
		name = arg[1:]
		text, err = disk.ReadFile(name, abi.MaxArguments)
	}
	if err != nil {
		return nil, fmt.Errorf("read the arguments from %s: %w", name, err)
	}
	if len(text) > abi.MaxArguments {
		return nil, fmt.Errorf("the arguments from %s are over %d B (our limit)", name, abi.MaxArguments)
	}
	line, err := wire.Arguments(text)
	if err != nil {
		return nil, badArguments(name, text, err, textStyle(a.err))
	}
	return line, nil
}

func (a *app) call(ctx context.Context, name, tool string, args []byte) error {
	b, err := a.open(ctx, name)
	if err != nil {
		return err
	}
	defer b.Close()
	u, err := a.upload(ctx, b)
	if err != nil {
		return err
	}
	if u.Run == nil {
		return a.notRun(b, u, tool)
	}
	if err := a.listed(b, u, tool); err != nil {
		return err
	}
	done := a.follow(ctx, b.Record, event.Call, "")
	c, err := b.Call(ctx, tool, args)
	done()
	if err != nil {
		return failure(ctx, err)
	}
	if a.json {
		a.object(b.CallReport(c, u).JSON())
	} else {
		a.printCall(b, u, c)
	}
	return ended(callStatus(c, b.Settings.Strict))
}

// listed refuses a tool that the upload run did not list, unless forced. When
// that run failed before it listed any there is nothing to hold it against.
func (a *app) listed(b *bench.Bench, u bench.Upload, tool string) error {
	if b.Settings.Force || len(u.Tools) == 0 {
		return nil
	}
	var names []string
	for _, t := range u.Tools {
		if t.Name == tool {
			return nil
		}
		names = append(names, t.Name)
	}
	text := fmt.Sprintf("%s lists no tool %q. ", b.Package.Name, tool)
	if meant := near.Word(tool, names); meant != "" {
		text += fmt.Sprintf("Did you mean %s?", meant)
	} else {
		text += "It lists " + strings.Join(names, ", ") + "."
	}
	return &exitError{exitUsage, errors.New(text + " --force calls it all the same")}
}

// notRun reports a package whose module cannot be run.
func (a *app) notRun(b *bench.Bench, u bench.Upload, tool string) error {
	if a.json {
		a.object(b.NotRun(tool, u).JSON())
		return ended(exitRefused)
	}
	style := textStyle(a.err)
	fmt.Fprint(a.err, style.Findings(u.Findings, b.Source))
	fmt.Fprintf(a.err, "refused: %s cannot be run\n", style.Safe.Line(b.Package.Name))
	return ended(exitRefused)
}

// callStatus is the exit status of a call. With strict a departure from MCP is
// as bad as a break, whatever the tool said.
func callStatus(c bench.Call, strict bool) int {
	switch o := c.Result.Outcome; {
	case o == event.Cancelled:
		return exitCancelled
	case o == event.Broken, strict && departs(c.Findings):
		return exitBroken
	case o == event.ToolError:
		return exitToolError
	}
	return exitOK
}

func (a *app) printCall(b *bench.Bench, u bench.Upload, c bench.Call) {
	out, style := textStyle(a.out), textStyle(a.err)
	for _, block := range c.Model {
		fmt.Fprintln(a.out, out.Safe.Text(block.Text))
	}
	fmt.Fprint(a.err, style.Findings(c.Findings, b.Source))
	ofPackage := slices.DeleteFunc(rules.NotAccepted(u.Findings), func(f rules.Finding) bool { return f.Severity == abi.Info })
	fmt.Fprint(a.err, style.Findings(ofPackage, b.Source))
	if name := proxySet(); name != "" && c.Result.Usage.HTTP > 0 {
		fmt.Fprintf(a.err, "%s is set and was not used: subako_http dials the address that it checked\n", name)
	}
	fmt.Fprintln(a.err, outcomeLine(style, c))
	fmt.Fprintln(a.err, style.CallVerdicts(c.Result.Outcome, c.Findings))
}

// mockedWords say how many exchanges of a run were answered by mocks, "" when
// none was.
func mockedWords(n int) string {
	if n == 0 {
		return ""
	}
	return "mocked: " + quote.Plural(n, "HTTP answer")
}

// proxySet names a variable that would send other programs to a proxy.
func proxySet() string {
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"} {
		if os.Getenv(name) != "" {
			return name
		}
	}
	return ""
}

// outcomeLine tells in one line how a run ended.
func outcomeLine(s report.Style, c bench.Call) string {
	r := c.Result
	word := map[event.Outcome]string{event.OK: "ok", event.ToolError: "tool error", event.Broken: "broken",
		event.Refused: "refused", event.Cancelled: "stopped by you"}[r.Outcome]
	parts := []string{word, s.Duration(r.Usage.Time)}
	e := r.Exit
	switch {
	case e.Trap != "":
		parts = append(parts, "trap")
	case e.Stopped != "" && r.Outcome != event.Cancelled:
		parts = append(parts, "stopped: "+e.Stopped)
	case e.Code != nil && e.AfterEOF >= 0:
		parts = append(parts, fmt.Sprintf("exit %d, %s after stdin closed", *e.Code, s.Duration(e.AfterEOF)))
	case e.Code != nil:
		parts = append(parts, fmt.Sprintf("exit %d", *e.Code))
	}
	return s.Row(append(parts, mockedWords(c.Mocked))...)
}

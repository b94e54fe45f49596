package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"perch/engine"
	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/settings"
	"perch/inspect/bench"
	"perch/inspect/report"
)

// app is what the commands share: where they read and write, and the flags.
type app struct {
	streams
	flags settings.Flags
	json  bool
	plain bool
	theme string
	mouse string
}

func newRoot(s streams) *cobra.Command {
	a := &app{streams: s}
	root := &cobra.Command{
		Use:   "perch [PACKAGE]",
		Short: "Opens a Subako function package and shows everything that goes in and out",
		Long: "perch opens a Subako function package (ABI 1), shows its tools and schemas, runs calls as\n" +
			"Subako does, and shows the wire, stderr, HTTP and files of each.\n\n" +
			"PACKAGE is a folder, a module.wasm, a .tar, .tar.gz or .zip, or sample:NAME.\n" +
			"Without PACKAGE it shows the samples and the packages opened before.\n" +
			"Without a terminal it prints a transcript and waits for nothing.",
		Args:          takes(0, 1),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	a.sharedFlags(root)
	root.Flags().BoolVar(&a.plain, "plain", false, "the app in lines, without moving the cursor")
	root.Flags().StringVar(&a.theme, "theme", "", "colours: auto, dark, light, mono and those that T lists")
	root.Flags().StringVar(&a.mouse, "mouse", "", "who has the mouse at first: on, or off for the terminal; M in the app changes it")
	root.RunE = func(c *cobra.Command, args []string) error {
		if err := misspelt(c, args); err != nil {
			return err
		}
		return a.root(c.Context(), args)
	}
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(newCheck(a), newTools(a), newCall(a), newRules(a), newSamples(a), newKeys(a))
	root.CompletionOptions.HiddenDefaultCmd = true
	return root
}

// sharedFlags are those of the app and of every command; perch.toml has the
// same settings.
func (a *app) sharedFlags(c *cobra.Command) {
	f := c.PersistentFlags()
	text := func(to **string, name, usage string) {
		f.Func(name, usage, func(v string) error { *to = &v; return nil })
	}
	onOff := func(to **bool, name, usage string) {
		f.BoolFunc(name, usage, func(v string) error {
			on := v != "false"
			*to = &on
			return nil
		})
	}
	text(&a.flags.Timeout, "timeout", "limit of a call: DURATION, local setting 30s")
	text(&a.flags.Memory, "memory", "limit of linear memory: SIZE, local setting 256MiB")
	f.StringArrayVar(&a.flags.Allow, "allow", nil, "allow HOST, *.HOST or HOST:PORT; again for more")
	f.StringArrayVar(&a.flags.Route, "route", nil, "send a host's requests to an address of yours: HOST[:PORT]=ADDR:PORT")
	text(&a.flags.CA, "ca", "certificates in FILE, trusted for routed hosts alone")
	f.StringArrayVar(&a.flags.Credential, "credential", nil, "set a header for an origin: ORIGIN=HEADER:env:NAME")
	f.StringArrayVar(&a.flags.Mock, "mock", nil, "answer HTTP requests from FILE, without network")
	text(&a.flags.Volume, "volume", "keep /volume in DIR")
	onOff(&a.flags.Data, "data", "mount /volume/data")
	text(&a.flags.Skills, "skills", "mount the skills in DIR, one each subfolder")
	text(&a.flags.Assets, "assets", "mount DIR at /package")
	text(&a.flags.Engine, "engine", "compiler (local setting) or interpreter")
	text(&a.flags.Seed, "seed", "fix ids, random bytes and the clock: NUMBER")
	f.BoolVar(&a.json, "json", false, "print one JSON object on stdout and nothing else")
	onOff(&a.flags.Strict, "strict", "a departure from MCP counts in the exit status")
	onOff(&a.flags.Force, "force", "call a tool that is not listed")
	f.BoolVar(&a.flags.Trust, "trust", false, "what the perch.toml beside the package grants counts, in this run")
}

// root is perch without a command.
func (a *app) root(ctx context.Context, args []string) error {
	if a.json {
		if len(args) == 0 {
			return &exitError{exitUsage, errors.New("--json takes a PACKAGE: perch check PACKAGE --json")}
		}
		return a.check(ctx, args, checkOptions{format: formatJSON, least: abi.Error, deadline: abi.LocalCheckTime})
	}
	if !a.plain && (!isTerminal(a.out) || !isTerminal(a.in)) {
		return a.noTerminal(ctx, args)
	}
	return a.start(ctx, args)
}

// noTerminal prints what the app would show, and never waits for a key.
func (a *app) noTerminal(ctx context.Context, args []string) error {
	if len(args) == 1 {
		return a.transcript(ctx, args[0])
	}
	return a.transcriptAll(ctx)
}

// open opens a package for a command; its errors are usage.
func (a *app) open(ctx context.Context, name string) (*bench.Bench, error) {
	b, err := bench.Open(ctx, name, a.options())
	if err != nil {
		return nil, failure(ctx, err)
	}
	style := textStyle(a.err)
	for _, note := range b.Session.Notes() {
		fmt.Fprintln(a.err, "perch: "+style.Safe.Line(note))
	}
	for _, n := range b.LeftOut {
		fmt.Fprintf(a.err, "%s: %s\n", style.Safe.Line(n.Where), style.Safe.Line(n.Text))
	}
	return b, nil
}

func (a *app) options() bench.Options {
	o := bench.Options{Flags: a.flags, CacheDir: engine.DefaultCacheDir()}
	if dir, err := settings.UserDir(); err == nil {
		o.Trust = settings.NewStore(dir)
	}
	return o
}

// upload makes the upload check for a command.
func (a *app) upload(ctx context.Context, b *bench.Bench) (bench.Upload, error) {
	u, err := b.Upload(ctx)
	switch {
	case err != nil:
		return u, failure(ctx, err)
	case u.Outcome == event.Cancelled:
		return u, &exitError{exitCancelled, errors.New("cancelled")}
	}
	return u, nil
}

// heading is what the first line that a command prints of a package says.
func heading(b *bench.Bench) []string { return b.About().Heading() }

// object prints a report in JSON as the one line on stdout.
func (a *app) object(json []byte) {
	if isTerminal(a.out) {
		json = report.Terminal(json)
	}
	fmt.Fprintf(guardedAs(a.out, formatJSON), "%s\n", json)
}

// failure is how a command ends that could not do its work.
func failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return &exitError{exitCancelled, errors.New("cancelled")}
	}
	return &exitError{exitUsage, err}
}

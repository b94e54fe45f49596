package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"perch/engine/clock"
	"perch/engine/units"
	"perch/engine/wire"
	"perch/inspect/bench"
	"perch/inspect/build"
	"perch/inspect/toolsdiff"
	"perch/ui/rebuilt"
)

// rests is how long the package must look the same before it is read again: a
// program that writes it touches it more than once.
const rests = 150 * time.Millisecond

// noticeRebuilt says once that the package on disk is another one by now.
func (p *plain) noticeRebuilt() {
	if p.b == nil || p.b.Sample() {
		return
	}
	if now := bench.StampOf(p.b.Name).Sum; now != p.stamp && now != p.noticed {
		p.noticed = now
		p.say("The package was rebuilt: reload takes it.")
	}
}

// remember takes what the package looks like as that of the one that is open.
func (p *plain) remember() { p.stamp = bench.StampOf(p.b.Name).Sum }

// reload opens the package anew, as it lies on disk now, and says what became of
// its tools. What was called stays in the history; the volume stays.
func (p *plain) reload(ctx context.Context) error {
	if p.b.Sample() {
		p.say("Samples are inside perch and are never built again.")
		return nil
	}
	p.rest(ctx)
	stamp := bench.StampOf(p.b.Name).Sum
	b, err := p.app.open(ctx, p.b.Name)
	if err == nil {
		if err = b.NotWhole(); err != nil {
			err = errors.Join(err, b.Close())
		}
	}
	if err != nil {
		p.say("Not taken: %v. The package that was open stays so.", err)
		return nil
	}
	before, tools := p.b, p.u.Tools
	if err := errors.Join(b.TakeOver(before), before.Close()); err != nil {
		p.say("%v.", err)
	}
	p.b, p.stamp = b, stamp
	if p.u, err = p.upload(ctx, p.b); err != nil {
		return err
	}
	p.opened()
	p.changed(toolsdiff.Of(tools, p.u.Tools), tools)
	return nil
}

// rest waits until the package's files look the same twice.
func (p *plain) rest(ctx context.Context) {
	system := clock.NewSystem()
	for last, n := bench.StampOf(p.b.Name).Sum, 0; n < 20; n++ {
		if !clock.Wait(system, ctx.Done(), rests) {
			return
		}
		now := bench.StampOf(p.b.Name).Sum
		if now == last {
			return
		}
		last = now
	}
}

// changed says what became of the tools, and of the one that is chosen.
func (p *plain) changed(d toolsdiff.Diff, before []wire.Tool) {
	if d.Same() {
		p.say("Read anew, tools unchanged.")
	} else {
		p.say("Read anew: %s.", rebuilt.Counts(d))
		for _, s := range rebuilt.Sentences(d) {
			p.say("%s.", s)
		}
	}
	if p.tool.Name == "" {
		return
	}
	for _, t := range p.u.Tools {
		if t.Name == p.tool.Name {
			p.tool = t
			return
		}
	}
	p.say("%s, which was chosen, is gone.", p.tool.Name)
}

// build runs the build command of trusted settings, and takes what it built.
func (p *plain) build(ctx context.Context) error {
	set := p.b.Settings.Build
	if set.Command == nil {
		for _, n := range p.b.LeftOut {
			if n.Key == "build.command" {
				p.say("perch.toml is not trusted, so nothing of it is run: %s. --trust counts it for this run.", strings.Join(n.Values, " "))
				return nil
			}
		}
		p.say("There is no build command: write [build] and command = [\"make\"] into perch.toml beside the package.")
		return nil
	}
	c := build.Command{Words: set.Command, Dir: set.Dir}
	p.say("building: %s", c)
	out := &build.Output{}
	r := build.Run(ctx, c, out, clock.NewSystem())
	text, _ := out.Text()
	if text = strings.TrimRight(text, "\n"); text != "" {
		p.say("%s", text)
	}
	if r.Err != nil {
		at := ""
		if place, ok := build.First(build.Places(text)); ok {
			at = " First at " + place.String() + ": " + place.Text
		}
		p.say("%v.%s", r.Err, at)
		return nil
	}
	p.say("Built in %s.", units.Duration(r.Took))
	return p.reload(ctx)
}

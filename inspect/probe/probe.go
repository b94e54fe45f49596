// Package probe tries what a package should do beyond what Subako asks of it
// today: the rules of probe/* and list/stable. Each probe is a script in a new
// instance, and a verdict on what the record of its run says. Nothing of it is
// what Subako does at upload, and every finding says so.
//
// Probes touch no volume of a person's and no network: calls run on an empty
// volume of their own, and subako_http answers host_not_allowed. The package
// knows engine, record and rules, and nothing of terminals.
package probe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"perch/engine"
	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wire"
	"perch/inspect/record"
	"perch/inspect/rules"
)

// Mark ends the detail of each finding of a probe.
const Mark = "A probe: not what Subako does at upload."

// Bed runs scripts on a package.
type Bed interface {
	// Probe runs a script in a new instance and returns the record of it. An
	// error is ours or the context's.
	Probe(ctx context.Context, s engine.Script) (*record.Run, error)
	// Forget lets go of a run that no finding points at.
	Forget(*record.Run)
}

// About is what is known of the package before it is probed.
type About struct {
	Upload *record.Run // its upload run, which has ended
	Tools  []wire.Tool // that it listed
	Seed   string      // fixes the ids of requests; empty: new ones
}

// State is how far probes are.
type State struct {
	Done, Total int
	Next        string // the probe that comes next, in words; empty after the last one
	// Found is what was found so far, in order. It is the same slice until a
	// probe adds to it, and is never changed.
	Found []rules.Finding
}

// Progress is told before each probe, and after the last one, how far they are.
type Progress func(State)

// Run makes all probes, one after the other, and returns what they found. When
// ctx ends it returns within the time in which any run is stopped, with what
// was found so far and the context's error. Each probe has abi.ProbeTime; of
// those of one kind that take all of it only two are made.
func Run(ctx context.Context, bed Bed, about About, progress Progress) ([]rules.Finding, error) {
	p := newProber(bed, about)
	if progress == nil {
		progress = func(State) {}
	}
	trials := p.plan()
	for i, t := range trials {
		progress(State{i, len(trials), t.name, p.found()})
		if err := p.make(ctx, t); err != nil {
			return p.findings(), err
		}
	}
	progress(State{len(trials), len(trials), "", p.found()})
	return p.findings(), nil
}

// maxSlow is how many probes of one kind may take all of their time.
const maxSlow = 2

// subject is what the faults of probes are about: one finding each.
type subject struct {
	rule abi.RuleID
	tool string // empty: the module
}

func (s subject) cause() string {
	if s.tool == "" {
		return string(s.rule)
	}
	return string(s.rule) + " " + s.tool
}

// trial is one probe.
type trial struct {
	subject
	name string      // what it tries, in words
	when func() bool // nil: always; else whether an earlier one lets it make sense
	try  func(context.Context) (*fault, error)
}

// prober makes the probes of one package.
type prober struct {
	bed    Bed
	about  About
	ids    *wire.IDs
	upload heard
	tools  []*control

	runs   []*record.Run // of the trial that goes on
	faults map[subject][]fault
	order  []subject
	slow   map[subject]int
	left   map[subject]int // that were not made, because others took all their time
	more   []rules.Finding // of other rules

	so    []rules.Finding // what was found when it was asked for last
	soFar int             // and how many faults that was
}

func newProber(bed Bed, about About) *prober {
	seed := about.Seed
	if seed != "" {
		seed = "probes " + seed
	}
	p := &prober{bed: bed, about: about, ids: wire.NewIDs(seed), upload: hear(about.Upload),
		faults: make(map[subject][]fault), slow: make(map[subject]int), left: make(map[subject]int)}
	for _, t := range about.Tools {
		if c := controlOf(t); c != nil && len(p.tools) < abi.MaxProbedTools {
			p.tools = append(p.tools, c)
		}
	}
	return p
}

// plan are the probes in the ledger's order. A module that does not answer
// Subako's own requests is not asked for more: all would fail for the same
// cause, which the upload run names.
func (p *prober) plan() []trial {
	if p.upload.fault != nil && p.upload.fault.Rule == abi.RPCHandshake {
		return []trial{p.handshake()}
	}
	if p.upload.answers[1] == nil {
		return nil
	}
	controls := p.controls()
	return slices.Concat(controls, p.meta(), p.version(), p.method(), p.unknownTool(), p.arguments(), p.oddIDs(),
		p.notification(), p.stateless(), p.clientInfo(), p.longLine(), p.chunked(), p.eof())
}

// make makes one probe and keeps the run of its fault alone.
func (p *prober) make(ctx context.Context, t trial) error {
	if t.when != nil && !t.when() {
		return nil
	}
	if p.slow[t.subject] >= maxSlow {
		p.left[t.subject]++
		return nil
	}
	p.runs = p.runs[:0]
	f, err := t.try(ctx)
	switch {
	case err == nil && ctx.Err() != nil:
		f, err = nil, context.Cause(ctx) // it was cut short: its run says nothing
	case errors.Is(err, errLost):
		err = nil
	}
	var keep *record.Run
	if f != nil {
		if f.slow {
			p.slow[t.subject]++
		}
		if len(p.faults[t.subject]) == 0 {
			p.order = append(p.order, t.subject)
			keep = f.run
		} else {
			f = &fault{name: f.name, came: f.came} // its run is not kept
		}
		p.faults[t.subject] = append(p.faults[t.subject], *f)
	}
	for _, r := range p.runs {
		if r != keep && !slices.ContainsFunc(p.more, func(f rules.Finding) bool { return f.RunID == r.ID() }) {
			p.bed.Forget(r)
		}
	}
	return err
}

// errLost says that a run did so much that its record no longer has all of it:
// nothing can be said of it.
var errLost = errors.New("the record of the run is not whole")

// run runs a script and hears what came of it.
func (p *prober) run(ctx context.Context, s engine.Script) (heard, error) {
	r, err := p.bed.Probe(ctx, s)
	if err != nil {
		return heard{}, fmt.Errorf("probe %s: %w", s.Name, err)
	}
	p.runs = append(p.runs, r)
	if r.Dropped() > 0 {
		return heard{}, errLost
	}
	h := hear(r)
	if known := p.upload.fault; known != nil && h.fault != nil && h.fault.Rule == known.Rule && len(h.answers) > 0 {
		h.fault = nil // what Subako's own run has, a probe need not say again
	}
	return h, nil
}

// simple is a probe of one script with one verdict.
func (p *prober) simple(s subject, name string, when func() bool, script func() engine.Script, verdict func(heard) *fault) trial {
	return trial{s, name, when, func(ctx context.Context) (*fault, error) {
		x := script()
		x.Name = cmp.Or(x.Name, name)
		h, err := p.run(ctx, x)
		if err != nil {
			return nil, err
		}
		return verdict(h), nil
	}}
}

// found are the findings so far, made anew when there are more.
func (p *prober) found() []rules.Finding {
	n := len(p.more)
	for _, faults := range p.faults {
		n += len(faults)
	}
	for _, left := range p.left {
		n += left
	}
	if n != p.soFar {
		p.so, p.soFar = p.findings(), n
	}
	return p.so
}

// findings are one for each subject that has a fault.
func (p *prober) findings() []rules.Finding {
	all := slices.Clone(p.more)
	for _, s := range p.order {
		all = append(all, p.finding(s))
	}
	return rules.Sort(all)
}

// also names other faults: those that came to the same by what was sent alone.
func also(first fault, others []fault) string {
	var same []string
	text := ""
	for i, f := range others {
		if i == maxAlso {
			break
		}
		if f.came == first.came {
			same = append(same, f.name)
		} else {
			text += "\nAlso: " + f.title() + "."
		}
	}
	if len(same) > 0 {
		text = "\nThe same of: " + strings.Join(same, "; ") + "." + text
	}
	if n := len(others) - maxAlso; n > 0 {
		text += fmt.Sprintf("\nAnd %d more.", n)
	}
	return text
}

// maxAlso is how many faults of one kind a finding names beside the first.
const maxAlso = 6

func (p *prober) finding(s subject) rules.Finding {
	faults := p.faults[s]
	f := faults[0]
	detail := f.title()
	if f.more != "" {
		detail += ". " + f.more
	}
	detail += "\n" + f.exchange() + also(f, faults[1:])
	if n := p.left[s]; n > 0 {
		detail += fmt.Sprintf("\nNot tried: %d more, since %d had taken all their time.", n, maxSlow)
	}
	x := rules.Of(event.Breach{Rule: s.rule, Where: f.where, Detail: detail + "\n" + Mark,
		Fix: cmp.Or(f.fix, fixOf(s.rule)), Cause: s.cause(), Stack: f.stack})
	x.Run, x.RunID, x.Event, x.Tool = event.Probe, f.run.ID(), f.seq, s.tool
	return x
}

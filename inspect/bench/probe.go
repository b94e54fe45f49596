package bench

import (
	"context"

	"perch/engine"
	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/probe"
	"perch/inspect/record"
	"perch/inspect/rules"
)

// Run finds a run by its number, among those that Subako makes and among
// probes; nil when it is in neither record.
func (b *Bench) Run(id uint32) *record.Run {
	if run := b.Record.Run(id); run != nil {
		return run
	}
	return b.Probes.Run(id)
}

// probeLimits bound what is kept of a probe: one run of each finding stays, and
// a finding can be made of each tool.
func probeLimits() record.Limits {
	return record.Limits{StreamMemory: 2 << 20, StreamFile: 14 << 20, EventMemory: 2 << 20, EventFile: 14 << 20}
}

// Check is Upload, and behind it the second run of list/stable.
func (b *Bench) Check(ctx context.Context) (Upload, error) {
	u, err := b.Upload(ctx)
	if err != nil || !u.Accepted() {
		return u, err
	}
	found, err := b.Stable(ctx, u)
	if len(found) > 0 {
		u.Findings = rules.Sort(append(u.Findings, found...))
		b.accept(&u)
	}
	return u, err
}

// Stable makes the upload run of an accepted package once more, as a probe, and
// holds its tools against the first one's: list/stable. It does nothing for
// other packages, and where the first run took more than half of its time. Of a
// run that is cancelled it says nothing.
func (b *Bench) Stable(ctx context.Context, u Upload) ([]rules.Finding, error) {
	if u.Run == nil || !u.Accepted() {
		return nil, nil
	}
	if end, ok := u.Run.End(); !ok || end.Usage.Time > abi.UploadTime/2 {
		return nil, nil
	}
	result, err := b.Session.UploadAgain(ctx, b.Probes)
	if err != nil {
		return nil, cancelled(ctx, err)
	}
	if err := result.Tape.Close(); err != nil {
		return nil, err
	}
	again := b.Probes.Run(result.Run)
	if f, differs := probe.Stable(u.Run, u.Tools, result.Tools); differs && result.Outcome == event.OK {
		f.Tool = toolAt(u.Tools, f.Where)
		return []rules.Finding{f}, nil
	}
	return nil, b.Probes.Remove(again.ID())
}

// cancelled is nil where a run did not begin because ctx had ended: there is
// nothing to say of it.
func cancelled(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// Probe makes the probes of probe/* on a package whose upload run was made and
// returns what they found; Add puts it among the findings of the check. Probes
// take turns with other runs of the package. When ctx ends it returns what was
// found so far with the context's error. progress may be nil; it is called on
// the caller's goroutine.
func (b *Bench) Probe(ctx context.Context, u Upload, progress probe.Progress) ([]rules.Finding, error) {
	if u.Run == nil {
		return nil, nil
	}
	about := probe.About{Upload: u.Run, Tools: u.Tools, Seed: b.Session.Config().Seed}
	return probe.Run(ctx, prober{b}, about, progress)
}

// prober is the bench as probes see it.
type prober struct{ b *Bench }

// Probe implements probe.Bed.
func (p prober) Probe(ctx context.Context, s engine.Script) (*record.Run, error) {
	result, err := p.b.Session.Probe(ctx, s, p.b.Probes)
	if err != nil {
		return nil, err
	}
	return p.b.Probes.Run(result.Run), result.Tape.Close()
}

// Forget implements probe.Bed.
func (p prober) Forget(run *record.Run) { _ = p.b.Probes.Remove(run.ID()) }

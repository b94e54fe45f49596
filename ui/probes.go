package ui

import (
	"context"
	"errors"
	"fmt"
	"sync"

	tea "charm.land/bubbletea/v2"

	"perch/inspect/bench"
	"perch/inspect/probe"
	"perch/inspect/rules"
	"perch/ui/stream"
	"perch/ui/words"
)

// probes are probes that go on. Their goroutine says how far they are; the app
// looks at it with the clock.
type probes struct {
	cancel context.CancelFunc

	mu  sync.Mutex
	now probe.State
}

// tell takes how far the probes are.
func (p *probes) tell(now probe.State) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = now
}

func (p *probes) state() probe.State {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now
}

// probing is how far probes are, for the pane Findings.
func (a *App) probing() stream.Progress {
	if a.session == nil || a.session.probes == nil {
		return stream.Progress{}
	}
	now := a.session.probes.state()
	return stream.Progress{Done: now.Done, Total: now.Total, Name: now.Next}
}

// foundByProbes shows what probes that go on found meanwhile.
func (a *App) foundByProbes(s *session) {
	if s.probes == nil {
		return
	}
	now := s.probes.state()
	if now.Done == s.probeRuns && len(now.Found) == len(s.probed) {
		return
	}
	s.probed, s.probeRuns = now.Found, now.Done
	s.facts++
	a.markTools()
}

// words say how far the probes are, for the header.
func (p *probes) words() string {
	if now := p.state(); now.Total > 0 {
		return fmt.Sprintf("» probing %d of %d", now.Done, now.Total)
	}
	return "» probing"
}

func (a *App) whyNoProbes() string {
	s := a.session
	switch {
	case s != nil && s.probes != nil:
		return "probes go on · ctrl+c ends them"
	case s != nil && s.known && s.upload.Run == nil:
		return "the module cannot be run; here is why"
	}
	switch why := a.whyNoCall(); why {
	case "no tool is chosen":
		return "" // probes need none
	default:
		return why
	}
}

// startProbes makes the probes of the package, each in an instance of its own,
// and shows what they find as that: no part of the verdict.
func (a *App) startProbes() tea.Cmd {
	s := a.session
	ctx, cancel := context.WithCancel(s.ctx)
	p := &probes{cancel: cancel}
	s.probes, s.probed, s.probeRuns = p, nil, 0
	s.facts++
	upload := s.upload
	a.at, a.page = inExplore, nil
	a.setFocus(paneFindings)
	a.detail = false
	run := a.use(s, func(b *bench.Bench) tea.Msg {
		defer cancel()
		found, err := b.Probe(ctx, upload, p.tell)
		return probedMsg{session: s.id, found: found, done: p.state().Done, err: err}
	})
	return tea.Batch(run, a.tick(s))
}

// probed takes what probes found.
func (a *App) probed(m probedMsg) tea.Cmd {
	if !a.current(m.session) {
		return nil
	}
	s := a.session
	s.probes, s.probed, s.probeRuns = nil, m.found, m.done
	s.facts++
	a.markTools()
	a.syncStreams()
	text := "Probes: nothing found in " + words.Plural(m.done, "run")
	if n := len(m.found); n > 0 {
		text = fmt.Sprintf("Probes: %s in %s", words.Plural(n, "finding"), words.Plural(m.done, "run"))
	}
	switch {
	case errors.Is(m.err, context.Canceled):
		text += ", then ended by you"
	case m.err != nil:
		return tea.Batch(a.say(toast{text: "Probes: " + m.err.Error(), bad: true}), a.swapWhenFree(s))
	}
	return tea.Batch(a.say(toast{text: text + " · not what Subako does at upload"}), a.swapWhenFree(s))
}

// listAgain asks an accepted package for its tools a second time, when the
// first frame with them was drawn: they should be the same.
func (a *App) listAgain(s *session) tea.Cmd {
	if !s.upload.Accepted() || s.upload.Run == nil {
		return nil
	}
	upload := s.upload
	h := s.hold
	return a.use(s, func(b *bench.Bench) tea.Msg {
		found, err := b.Stable(h.runs, upload)
		return stableMsg{s.id, h, found, err}
	})
}

func (a *App) listedAgain(m stableMsg) tea.Cmd {
	if !a.current(m.session) || m.of != a.session.hold || len(m.found) == 0 {
		return nil // that it could not be made says nothing of the package
	}
	s := a.session
	s.upload.Findings = rules.Sort(append(s.upload.Findings[:len(s.upload.Findings):len(s.upload.Findings)], m.found...))
	s.facts++
	a.markTools()
	a.syncStreams()
	return nil
}

package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"perch/inspect/bench"
	"perch/inspect/build"
	"perch/ui/gallery"
	"perch/ui/watch"
	"perch/ui/words"
)

// building is a build of the package by the command that its settings name.
type building struct {
	command build.Command
	out     *build.Output
	cancel  context.CancelFunc
	began   time.Duration
	live    bool
	result  build.Result
	dirty   bool // the sources changed while it went on
	chained bool // it was begun for that
}

type (
	builtMsg struct {
		session int
		build   *building
		result  build.Result
	}
	sourcesMsg struct {
		session int
		of      string
	}
)

// building reports whether the package is being built.
func (s *session) building() bool { return s.reload.build != nil && s.reload.build.live }

// version changes with all that the page shows of it.
func (b *building) version() int {
	n := b.out.Version() * 2
	if b.live {
		n++
	}
	return n
}

// state says how it stands.
func (b *building) state() (text string, bad bool) {
	switch {
	case b.live:
		return "» building", false
	case b.result.Err != nil:
		return "✗ " + b.result.Err.Error() + " after " + words.Duration(b.result.Took), true
	}
	return "✓ built in " + words.Duration(b.result.Took), false
}

func (a *App) whyNoBuild() string {
	if why := a.whyNoReload(); why != "" {
		return why
	}
	s := a.session
	if s.building() {
		return "the build goes on · ctrl+c ends it"
	}
	if s.bench.Settings.Build.Command != nil {
		return ""
	}
	for _, n := range s.bench.LeftOut {
		if n.Key == "build.command" {
			return "" // the question is asked
		}
	}
	return `no build command: write [build] and command = ["make"] into perch.toml beside the package`
}

// startBuild builds the package, because the person said so. Where the settings
// are not trusted it asks for that first.
func (a *App) startBuild() tea.Cmd {
	s := a.session
	if s.bench.Settings.Build.Command != nil {
		return a.buildNow(s)
	}
	if a.o.Trust == nil {
		return a.say(toast{text: "perch.toml is not trusted, so nothing of it is run · --trust does, for this run", brief: true})
	}
	a.askTrust(s)
	return nil
}

// buildNow runs the build command of trusted settings.
func (a *App) buildNow(s *session) tea.Cmd {
	set := s.bench.Settings.Build
	if set.Command == nil || !s.bench.Settings.Trusted {
		return nil
	}
	ctx, cancel := context.WithCancel(s.ctx)
	b := &building{command: build.Command{Words: set.Command, Dir: set.Dir}, out: &build.Output{}, cancel: cancel, began: a.clock.Mono(), live: true}
	s.reload.build = b
	a.tellReload(s)
	run := a.once(func() tea.Msg {
		defer cancel()
		return builtMsg{s.id, b, build.Run(ctx, b.command, b.out, a.clock)}
	})
	return tea.Batch(run, a.tick(s), a.say(toast{text: "building: " + a.look.Text.Cut(a.look.Text.Line(b.command.String()), 60)}))
}

// built takes how a build ended. What it wrote is noticed on disk; where that is
// not followed it is looked at all the same.
func (a *App) built(m builtMsg) tea.Cmd {
	if !a.current(m.session) || a.session.reload.build != m.build {
		return nil
	}
	s, b := a.session, m.build
	b.live, b.result = false, m.result
	a.tellReload(s)
	var again tea.Cmd
	if b.dirty && !m.result.Ended {
		if b.chained {
			again = a.say(toast{text: "the sources change while they are built: name in watch what the build does not write itself"})
		} else if again = a.buildNow(s); again != nil {
			s.reload.build.chained = true
			return again
		}
	}
	if m.result.Err == nil {
		return tea.Batch(a.reopen(s, byChange), a.say(toast{text: "built in " + words.Duration(m.result.Took)}), again)
	}
	if m.result.Ended {
		return a.say(toast{text: m.result.Err.Error()})
	}
	text := m.result.Err.Error()
	written, _ := b.out.Text()
	if p, ok := build.First(build.Places(written)); ok {
		text = p.String() + ": " + p.Text
	}
	return tea.Batch(a.say(toast{text: "✗ build: " + a.look.Text.Cut(a.look.Text.Line(text), 90) + " · : output", bad: true}), again)
}

func (a *App) whyNoOutput() string {
	if s := a.session; s == nil || s.reload.build == nil {
		return "nothing was built yet"
	}
	return ""
}

func (a *App) openOutput() tea.Cmd { return a.openExtra(buildTab) }

// sources are the files that a build is made from, while they are followed.
type sources struct {
	of    string // the settings that name them, by their sum; "" when none are followed
	stop  context.CancelFunc
	await tea.Cmd // waits for a change
}

// followSources tells of changes of the files that the settings name to be
// built anew from. Only trusted settings name any.
func (a *App) followSources(s *session) tea.Cmd {
	set, r := s.bench.Settings, &s.reload
	of := set.SHA256
	if s.bench.Sample() || len(set.Build.Watch) == 0 || !set.Trusted {
		of = ""
	}
	if of == r.sources.of {
		return nil
	}
	if r.sources.stop != nil {
		r.sources.stop()
	}
	r.sources = sources{of: of}
	if of == "" {
		return nil
	}
	ctx, stop := context.WithCancel(s.ctx)
	path, told := gallery.Expand(s.name), make(chan struct{}, 1)
	look := func() watch.Look {
		now := bench.SourcesOf(set.Build.Watch, path)
		return watch.Look{Sum: now.Sum, Dirs: now.Dirs}
	}
	r.sources.stop = stop
	r.sources.await = guard(a, func() tea.Msg {
		select {
		case <-told:
			return sourcesMsg{s.id, of}
		case <-ctx.Done():
			return nil
		}
	})
	return tea.Batch(a.background(func(tell func(tea.Msg)) {
		tell(watchMsg{watch.Files(ctx, a.clock, look().Sum, look, func() { nudge(told) })})
	}), r.sources.await)
}

// sourcesChanged builds anew.
func (a *App) sourcesChanged(m sourcesMsg) tea.Cmd {
	if !a.current(m.session) || a.session.reload.sources.of != m.of {
		return nil
	}
	s := a.session
	await := s.reload.sources.await
	if s.building() {
		s.reload.build.dirty = true
		return await
	}
	return tea.Batch(await, a.buildNow(s))
}

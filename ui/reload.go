package ui

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"perch/engine/event"
	"perch/engine/wire"
	"perch/inspect/bench"
	"perch/inspect/record"
	"perch/inspect/toolsdiff"
	"perch/ui/gallery"
	"perch/ui/result"
	"perch/ui/watch"
)

// reload is how a session follows its package, which is built again while it is
// open: it is opened beside the one that is open, and takes its place when no
// run lives.
type reload struct {
	told     chan struct{} // the files changed
	serial   int           // of the looks at the files
	opening  bool          // a look goes on
	missed   bool          // there were changes meanwhile
	next     *fresh        // waits for the run that lives
	taking   bool          // takes its place now
	count    int           // how often another one took the place
	judging  bool          // the newest was not uploaded to the end yet
	word     string        // what was done: "rebuilt", or "read anew" with the same module
	unjudged bool          // and will not be: the person ended its upload run
	when     time.Time     // when it took the place
	fault    error         // why what lies there now was not taken, nil: it was
	stop     context.CancelFunc
	before   []wire.Tool // the last tools that were listed
	tool     string      // that was selected when there were some
	diff     *toolsdiff.Diff
	lost     int  // drafts that have fields which are named no longer
	seen     bool // the person looked at what changed
	rerun    bool // the last call is made again after each
	last     string
	queued   *queued
	showed   *record.Run // the call that was shown before an upload that was refused
	build    *building
	sources  sources
}

// fresh is a package that was built again, and opened.
type fresh struct {
	bench *bench.Bench
	hold  *hold
}

// queued is a call that was asked for while the package is looked at.
type queued struct {
	tool string
	args []byte
}

// unfinished is how long what is no whole package is taken for one that is still
// being written.
const unfinished = 2 * time.Second

type (
	changedMsg struct { // the files of a package
		session int
	}
	reopenedMsg struct {
		session, serial int
		why             why
		fresh
		same  bool  // as the one that is open
		whole error // nil: it is
		err   error
	}
	againMsg struct{ session, serial int } // what was no whole package is looked at again
	takenMsg struct {
		session int
		fresh
		err error
	}
	watchMsg struct{ err error }
)

// why is why the files of a package are looked at.
type why uint8

const (
	byChange why = iota
	byTime       // they rest, and were no whole package before
	byPerson
)

// reloading are the commands of packages that are built again.
func reloading() []command {
	return []command{
		{id: "package.reload", ctx: ctxBrowse, title: "Reload: open the package anew, as it lies on disk now", why: (*App).whyNoReload, run: on((*App).reloadNow)},
		{id: "package.changes", ctx: ctxBrowse, title: "What changed: the tools of the rebuilt package and those before", why: (*App).whyNoChanges, run: on((*App).openChanges)},
		{id: "package.rerun", ctx: ctxBrowse, title: "Re-run the last call after each rebuild, on or off", why: (*App).whyNoReload, run: on((*App).toggleRerun)},
		{id: "package.build", ctx: ctxBrowse, title: "Build the package by the command in perch.toml", why: (*App).whyNoBuild, run: on((*App).startBuild)},
		{id: "package.output", ctx: ctxBrowse, title: "Output of the build", why: (*App).whyNoOutput, run: on((*App).openOutput)},
	}
}

// reloadMsg works off what is told of packages that are built again.
func (a *App) reloadMsg(msg tea.Msg) (cmd tea.Cmd, changed, is bool) {
	switch m := msg.(type) {
	case changedMsg:
		if !a.current(m.session) {
			return nil, false, true
		}
		return tea.Batch(a.awaitChange(a.session), a.reopen(a.session, byChange)), false, true
	case againMsg:
		if s := a.session; a.current(m.session) && s.reload.serial == m.serial {
			return a.reopen(s, byTime), false, true
		}
		return nil, false, true
	case reopenedMsg:
		return a.reopened(m), true, true
	case takenMsg:
		return a.swapped(m), true, true
	case watchMsg:
		if m.err == nil {
			return nil, false, true
		}
		return a.say(toast{text: fmt.Sprintf("the package is not followed on disk: %v · : reload opens it anew", m.err)}), true, true
	case sourcesMsg:
		return a.sourcesChanged(m), true, true
	case builtMsg:
		return a.built(m), true, true
	}
	return nil, false, false
}

// followPackage tells of changes of the package's files, from what they looked
// like when they were read.
func (a *App) followPackage(s *session, stamp [32]byte) tea.Cmd {
	if s.bench.Sample() {
		return nil
	}
	s.reload.told = make(chan struct{}, 1)
	path, told, ctx := gallery.Expand(s.name), s.reload.told, s.ctx
	look := func() watch.Look {
		now := bench.StampOf(path)
		return watch.Look{Sum: now.Sum, Dirs: now.Dirs, Counts: now.Counts}
	}
	return tea.Batch(a.background(func(tell func(tea.Msg)) {
		tell(watchMsg{watch.Files(ctx, a.clock, stamp, look, func() { nudge(told) })})
	}), a.awaitChange(s), a.followSources(s))
}

func nudge(told chan struct{}) {
	select {
	case told <- struct{}{}:
	default:
	}
}

func (a *App) awaitChange(s *session) tea.Cmd {
	told, ctx, id := s.reload.told, s.ctx, s.id
	return guard(a, func() tea.Msg {
		select {
		case <-told:
			return changedMsg{id}
		case <-ctx.Done():
			return nil
		}
	})
}

func (a *App) whyNoReload() string {
	switch s := a.session; {
	case s == nil || s.bench == nil:
		return "open a package first"
	case s.bench.Sample():
		return "samples are inside perch and are never built again"
	}
	return ""
}

func (a *App) reloadNow() tea.Cmd { return a.reopen(a.session, byPerson) }

// reopen opens the package as it lies on disk now.
func (a *App) reopen(s *session, w why) tea.Cmd {
	r := &s.reload
	if r.opening {
		r.missed = true
		return nil
	}
	r.opening = true
	r.serial++
	serial, open := r.serial, s.bench
	h := newHold(s.ctx)
	return a.openBench(h, s.name, func(b *bench.Bench, _ [32]byte, err error) tea.Msg {
		m := reopenedMsg{session: s.id, serial: serial, why: w, fresh: fresh{b, h}, err: err}
		if err == nil {
			m.same, m.whole = b.SameAs(open), b.NotWhole()
		}
		return m
	})
}

// reopened takes what was found on disk.
func (a *App) reopened(m reopenedMsg) tea.Cmd {
	if !a.current(m.session) {
		return nil
	}
	s := a.session
	r := &s.reload
	r.opening = false
	if r.missed {
		r.missed = false
		m.hold.cancel()
		return a.reopen(s, m.why)
	}
	err := m.err
	if err == nil {
		err = m.whole
	}
	switch judge := m.err == nil && s.known && s.upload.Run == nil; { // what is open cannot be run either
	case err == nil:
	case m.why == byChange: // it may still be written
		m.hold.cancel()
		return a.after(unfinished, againMsg{s.id, r.serial})
	case !judge:
		m.hold.cancel()
		return a.notTaken(s, err)
	}
	mended := r.fault != nil
	r.fault = nil
	a.closeFault()
	if m.same && !r.unjudged {
		m.hold.cancel()
		r.drop()
		a.tellReload(s)
		switch {
		case mended:
			return a.say(toast{text: "the package on disk is again the one that is open"})
		case m.why == byPerson:
			return a.say(toast{text: "nothing changed: the package on disk is the one that is open"})
		}
		return nil
	}
	r.drop()
	r.next = &m.fresh
	return a.swapWhenFree(s)
}

// drop lets go of a package that waits and is no longer the newest.
func (r *reload) drop() {
	if r.next != nil {
		r.next.hold.cancel()
		r.next = nil
	}
}

// notTaken says why what lies on disk did not take the place of what is open.
func (a *App) notTaken(s *session, err error) tea.Cmd {
	r := &s.reload
	if r.fault != nil && r.fault.Error() == err.Error() {
		return nil // it was said
	}
	r.fault = err
	r.drop()
	a.tellReload(s)
	if a.input() != nil || len(a.over) > 0 || a.page != nil {
		return a.say(toast{text: "rebuilt, and not taken: " + firstLine(err.Error()) + " · i tells more", bad: true})
	}
	a.show(card{title: faultTitle, text: err.Error(),
		do:    "The package that was open stays open, with all that was written. As soon as what lies on disk is whole, it is taken.",
		again: func(a *App) tea.Cmd { return a.reloadNow() }})
	return nil
}

const faultTitle = "The rebuilt package was not taken"

// closeFault closes the card about a package that came right.
func (a *App) closeFault() {
	for i, o := range a.over {
		if o.box.Title == faultTitle {
			a.over = append(a.over[:i:i], a.over[i+1:]...)
			return
		}
	}
}

// swapWhenFree lets the package that was built again take the place of the one
// that is open, as soon as no run lives.
func (a *App) swapWhenFree(s *session) tea.Cmd {
	r := &s.reload
	if r.next == nil || r.taking || !a.current(s.id) {
		return nil
	}
	switch {
	case s.live != nil || s.series.goesOn():
		a.tellReload(s)
		return a.say(toast{text: "rebuilt: taken when the call has ended"})
	case s.probes != nil:
		a.tellReload(s)
		return a.say(toast{text: "rebuilt: taken when the probes have ended"})
	case s.phase != rested:
		r.stop() // nobody needs what the upload run of the one before says
		return nil
	}
	return a.swap(s)
}

// swap hands over to the package that was built again.
func (a *App) swap(s *session) tea.Cmd {
	r := &s.reload
	next, old, h := *r.next, s.bench, s.hold
	r.next, r.taking = nil, true
	s.phase, s.since = compiling, a.clock.Mono()
	h.stop()
	h.uses.Add(1)
	next.hold.uses.Add(1)
	taken := a.background(func(tell func(tea.Msg)) {
		defer h.uses.Done()
		defer next.hold.uses.Done()
		tell(takenMsg{s.id, next, next.bench.TakeOver(old)})
	})
	return tea.Batch(taken, a.tick(s))
}

// swapped goes on with the package that was built again: it is uploaded.
func (a *App) swapped(m takenMsg) tea.Cmd {
	if !a.current(m.session) {
		return nil
	}
	s := a.session
	r := &s.reload
	if up := s.upload.Run; up != nil && s.known {
		a.entryOf(up)
		s.uploads[up.ID()] = s.upload
	}
	trusted := s.bench.Settings.SHA256
	r.word = "rebuilt"
	if s.bench.Package.SHA256 == m.bench.Package.SHA256 {
		r.word = "read anew" // other settings, another manifest, other assets
	}
	s.hold.cancel()
	s.bench, s.hold = m.bench, m.hold
	r.taking, r.judging, r.unjudged, r.when = false, true, false, a.clock.Now()
	r.count++
	s.probed, s.probeRuns = nil, 0
	s.facts++
	s.phase, s.since = compiling, a.clock.Mono()
	a.keepMocks(s)
	cmds := []tea.Cmd{a.startUpload(s), a.tick(s), a.followSources(s)}
	if m.err != nil {
		cmds = append(cmds, a.say(toast{text: m.err.Error(), bad: true}))
	}
	if len(s.bench.LeftOut) > 0 && a.o.Trust != nil && s.bench.Settings.SHA256 != trusted {
		a.askTrust(s)
	}
	a.tellReload(s)
	a.refreshSettings()
	return tea.Batch(cmds...)
}

// startUpload compiles the module and makes its upload run.
func (a *App) startUpload(s *session) tea.Cmd {
	ctx, stop := context.WithCancel(s.hold.ctx)
	s.reload.stop = stop
	ready := a.use(s, func(b *bench.Bench) tea.Msg {
		_, _ = b.Session.Ready(ctx) // the upload says what went wrong
		return readyMsg{s.id}
	})
	upload := a.use(s, func(b *bench.Bench) tea.Msg {
		defer stop()
		u, err := b.Upload(ctx)
		m := uploadedMsg{session: s.id, upload: u, err: err}
		if u.Run != nil {
			m.call = result.Call{Run: u.Run, Ended: true, Findings: u.Findings}
		}
		return m
	})
	return tea.Batch(ready, upload)
}

// uploadEnded looks at an upload run that has ended before anybody else does; it
// is true when that was all.
func (a *App) uploadEnded(s *session, m uploadedMsg) (tea.Cmd, bool) {
	r := &s.reload
	if r.next != nil { // built again meanwhile
		s.phase = rested
		if m.call.Run != nil {
			s.calls[m.call.Run.ID()] = m.call
			s.uploads[m.call.Run.ID()] = m.upload
		}
		return a.swap(s), true
	}
	if r.judging && m.err == nil && m.upload.Outcome == event.Cancelled {
		s.phase, r.judging, r.unjudged, r.queued = rested, false, true, nil
		r.fault = errors.New("its upload run was ended by you before its tools were known")
		a.tellReload(s)
		return a.say(toast{text: "the rebuilt package was not looked at to the end · : reload does"}), true
	}
	return nil, false
}

// uploadOf is what an upload run of the session came to.
func (s *session) uploadOf(r *record.Run) bench.Upload {
	if u, ok := s.uploads[r.ID()]; ok && (s.upload.Run == nil || s.upload.Run.ID() != r.ID()) {
		return u
	}
	return s.upload
}

// keepMocks lets the mocks of the session answer in the runs of the package that
// was built again; those that its settings name now are among them.
func (a *App) keepMocks(s *session) {
	for _, m := range s.bench.Session.Config().Egress.Mocks {
		known := false
		for _, e := range s.mocks.all {
			known = known || sameMock(e.mock, m)
		}
		if !known {
			s.mocks.all = append(s.mocks.all, mockEntry{mock: m, on: true})
		}
	}
	if s.mocks.known {
		a.applyMocks()
	}
}

// whyNoRun is whyNoCall for a call that can wait for the upload run of a package
// that was built again.
func (a *App) whyNoRun() string {
	if s := a.session; s != nil && s.reload.count > 0 && s.phase != rested && s.live == nil && a.at == inExplore && a.historyPage() == nil {
		if _, ok := a.tools.Selected(); ok {
			return ""
		}
	}
	return a.whyNoCall()
}

// queue keeps a call until the package that was built again is looked at.
func (a *App) queue(tool string, args []byte) tea.Cmd {
	a.session.reload.queued = &queued{tool, append([]byte(nil), args...)}
	return a.say(toast{text: a.look.Text.Cut(a.look.Text.Line(tool), 32) + " is run as soon as the rebuilt package is looked at"})
}

func (a *App) toggleRerun() tea.Cmd {
	r := &a.session.reload
	r.rerun = !r.rerun
	a.tellReload(a.session)
	if r.rerun {
		return a.say(toast{text: "after each rebuild the last call is made again, with the same arguments"})
	}
	return a.say(toast{text: "after a rebuild nothing is run but the upload"})
}

package ui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"perch/engine"
	"perch/engine/clock"
	"perch/engine/event"
	"perch/engine/wire"
	"perch/inspect/bench"
	"perch/inspect/model"
	"perch/inspect/preset"
	"perch/inspect/record"
	"perch/inspect/rules"
	"perch/samples"
	"perch/ui/arguments"
	"perch/ui/history"
	"perch/ui/memory"
	"perch/ui/result"
	"perch/ui/stream"
	"perch/ui/tools"
	"perch/ui/verdict"
	"perch/ui/words"
)

// phase is how far a package has come.
type phase uint8

const (
	opening phase = iota
	compiling
	uploading
	rested
)

// session is a package at work.
type session struct {
	mocks    mockSet
	id       int
	name     string // as it was given
	ctx      context.Context
	cancel   context.CancelFunc
	bench    *bench.Bench // nil while it is opened
	phase    phase
	since    time.Duration // of this phase
	upload   bench.Upload
	known    bool // upload is
	sets     map[string][]samples.Arguments
	calls    map[uint32]result.Call     // what is known of ended runs
	found    map[uint32]*foundRun       // what was found in runs
	facts    int                        // grows when something of the package was found
	walked   walk                       // the finding that was gone to last
	markers  map[uint32][]stream.Marker // by run
	atMarker atMarker                   // the one that was gone to last
	probed   []rules.Finding            // of probes
	probes   *probes                    // that go on, nil: none
	shown    *record.Run                // in the streams
	older    bool                       // the person chose it, and newer ones do not show themselves
	live     *liveRun
	presets  map[string][]preset.Preset // by tool
	sent     map[string][]byte          // arguments of the newest call, by tool
	last     event.Outcome              // of the newest call, "" before the first
	took     time.Duration
	ticks    bool                    // a tick is on its way
	hold     *hold                   // on the bench
	reload   reload                  // of the package, when it is built again
	uploads  map[uint32]bench.Upload // of upload runs before the newest
	// catching says that the streams are to take more in a moment.
	catching bool
	// probeRuns is how many runs the last probes made.
	probeRuns int
	// entries are what the history tells of runs that have ended.
	entries map[uint32]history.Entry
	// left is the history with a comparison that was left for a row of a stream.
	left *history.View
	// series are the calls in a row that go on, or the newest that did.
	series *series
}

// liveRun is a call that goes on.
type liveRun struct {
	tool   string
	began  time.Duration
	cancel context.CancelFunc
	run    *record.Run // nil until its first event came
	before uint32      // the newest run when it began
	ended  func()      // what to do when it has
}

// framePause is the least time between two frames of a run that goes on,
// catchPause that between two steps of what takes many, such as a search;
// tickPause that between two looks at the clock.
const (
	framePause = 33 * time.Millisecond
	catchPause = 16 * time.Millisecond
	tickPause  = 250 * time.Millisecond
)

// current reports whether a session is the one on the screen.
func (a *App) current(id int) bool { return a.session != nil && a.session.id == id }

// openPackage opens a package by its path or a sample's name. The one that is
// open stays until that has gone well.
func (a *App) openPackage(name string) tea.Cmd {
	a.stopOpening()
	a.serial++
	s := &session{id: a.serial, name: name, since: a.clock.Mono(), calls: map[uint32]result.Call{}, found: map[uint32]*foundRun{}, entries: map[uint32]history.Entry{}, uploads: map[uint32]bench.Upload{}, sent: map[string][]byte{}}
	s.ctx, s.cancel = context.WithCancel(a.ctx)
	a.opening = s
	s.hold = newHold(s.ctx)
	open := a.openBench(s.hold, name, func(b *bench.Bench, stamp [32]byte, err error) tea.Msg { return openedMsg{s.id, b, stamp, err} })
	return tea.Batch(open, a.tick(s))
}

// stopOpening leaves a package that is being opened.
func (a *App) stopOpening() {
	if a.opening != nil {
		a.opening.cancel()
		a.opening = nil
	}
}

// take puts a package that was opened on the screen.
func (a *App) take(s *session) {
	a.keepSession()
	a.leave()
	a.session, a.opening = s, nil
	a.at, a.focus, a.upper, a.detail, a.zoom = inExplore, paneTools, paneTools, false, false
	a.tools.Out() // the filter was for the tools of the package before
	a.tools.Set(nil)
	a.args.Forget()
	a.result.Show(result.Call{})
	a.result.Rest(wire.Tool{}, false, nil)
	for _, p := range a.streams {
		p.SetRun(nil)
	}
}

// opened takes a package that was opened: it is compiled and uploaded.
func (a *App) opened(m openedMsg) tea.Cmd {
	s := a.opening
	if s == nil || s.id != m.session {
		return nil
	}
	if m.err != nil {
		a.stopOpening()
		if a.session == nil {
			a.at = inOpen
		}
		return a.openFailed(s.name, m.err)
	}
	a.take(s)
	s.bench, s.phase, s.since = m.bench, compiling, a.clock.Mono()
	s.sets = s.bench.Arguments()
	a.putDrafts()
	a.putView()
	cmds := []tea.Cmd{a.startUpload(s), a.readPresets(s), a.readMocks(s), a.watch(s, false), a.tick(s), a.followPackage(s, m.stamp)}
	if len(s.bench.LeftOut) > 0 && a.o.Trust != nil {
		a.askTrust(s)
	}
	return tea.Batch(cmds...)
}

func (a *App) ready(m readyMsg) bool {
	if !a.current(m.session) || a.session.phase != compiling {
		return false
	}
	a.session.phase, a.session.since = uploading, a.clock.Mono()
	return true
}

// uploaded takes what the upload check found.
func (a *App) uploaded(m uploadedMsg) tea.Cmd {
	if !a.current(m.session) {
		return nil
	}
	s := a.session
	if cmd, taken := a.uploadEnded(s, m); taken {
		return cmd
	}
	a.started()
	s.phase, s.upload, s.known = rested, m.upload, true
	s.facts++
	if m.err != nil {
		return a.say(toast{text: m.err.Error(), bad: true})
	}
	if m.call.Run != nil {
		s.calls[m.call.Run.ID()] = m.call
	}
	if m.upload.Run == nil && m.upload.Outcome == event.Refused {
		a.check = verdict.New(m.upload.Findings, s.bench.Session.Report(), a.fileOf)
		if a.at == inExplore {
			a.at = inCheck
		}
	}
	a.setTools(s, m.upload.Tools)
	a.markTools()
	a.showTool()
	a.syncStreams()
	a.sayWhyRefused()
	return tea.Batch(a.remember(), a.listAgain(s), a.rebuilt(s))
}

// sayWhyRefused shows what was found, where the package was refused and nobody
// went to a stream yet; without tools there is nothing else to go to.
func (a *App) sayWhyRefused() {
	up := a.session.upload
	if up.Accepted() || a.at != inExplore || a.focus >= paneWire || a.stream != paneWire {
		return
	}
	if len(up.Tools) == 0 {
		a.setFocus(paneFindings)
		return
	}
	a.dock, a.stream = a.stream, paneFindings
}

// markTools tells the list of tools what was found about each.
func (a *App) markTools() {
	s := a.session
	a.tools.Mark(tools.Marks(s.upload.Tools, append(s.upload.Findings[:len(s.upload.Findings):len(s.upload.Findings)], s.probed...)))
}

// showTool shows the selected tool's draft, and what it promises.
func (a *App) showTool() {
	t, ok := a.tools.Selected()
	if !ok || a.session == nil {
		a.args.None()
		a.result.Rest(t, false, nil)
		return
	}
	sets := a.session.sets[t.Name]
	a.args.Show(t, func() string {
		if len(sets) > 0 {
			return arguments.Pretty(sets[0].Value)
		}
		return "{}"
	})
	a.result.Rest(t, true, sets)
}

// whyNoCall says why a call cannot be made now.
func (a *App) whyNoCall() string {
	s := a.session
	switch {
	case s == nil && a.opening != nil:
		return "the package is being opened"
	case a.at == inOpen || s == nil:
		return "open a package first"
	case a.at == inCheck:
		return "the module cannot be run; here is why"
	case s.live != nil:
		return "a call runs · ctrl+c ends it"
	case s.probes != nil:
		return "probes go on · ctrl+c ends them"
	case s.phase == compiling:
		return "the module is being compiled"
	case s.phase == uploading:
		return "the upload run goes on"
	}
	if a.historyPage() != nil {
		return a.whyNoRecall()
	}
	if _, ok := a.tools.Selected(); !ok {
		return "no tool is chosen"
	}
	return ""
}

// call calls the selected tool with its draft; in the history, the selected
// call again.
func (a *App) call() tea.Cmd {
	if a.historyPage() != nil {
		return a.runSelected()
	}
	t, _ := a.tools.Selected()
	text, err := a.args.Sends()
	if err != nil {
		a.args.ToFault()
		return a.say(toast{text: "cannot send: " + a.args.Problem(), bad: true, brief: true})
	}
	if a.session.phase != rested {
		return a.queue(t.Name, text)
	}
	cmd := a.callWith(t.Name, text, nil)
	if n := a.args.Problems(); n > 0 {
		return tea.Batch(cmd, a.say(toast{text: "sent with " + words.Plural(n, "problem") + " by the schema", brief: true}))
	}
	return cmd
}

// callWith makes a call. ended is done when the call has ended, before its
// result is shown.
func (a *App) callWith(tool string, arguments []byte, ended func()) tea.Cmd {
	s := a.session
	ctx, cancel := context.WithCancel(s.ctx)
	s.live = &liveRun{tool: tool, began: a.clock.Mono(), cancel: cancel, ended: ended}
	if last := s.bench.Record.Last(); last != nil {
		s.live.before = last.ID()
		s.older = s.older && s.shown != nil && s.shown.ID() != last.ID()
	}
	arguments = append([]byte(nil), arguments...)
	s.sent[tool], s.reload.last = arguments, tool
	run := a.use(s, func(b *bench.Bench) tea.Msg {
		defer cancel()
		c, err := b.Call(ctx, tool, arguments)
		m := calledMsg{session: s.id, tool: tool, err: err}
		if err == nil {
			m.call, m.mocked = result.Call{Run: c.Run, Ended: true, Model: c.Model, Findings: c.Findings}, c.Mocked
		} else if ctx.Err() != nil {
			m.err = nil // it was ended before it began
		}
		return m
	})
	return tea.Batch(run, a.tick(s))
}

// called takes what came of a call.
func (a *App) called(m calledMsg) tea.Cmd {
	if !a.current(m.session) {
		return nil
	}
	s := a.session
	if s.live != nil && s.live.ended != nil {
		s.live.ended()
	}
	s.live = nil
	if a.status.now != nil && a.status.now.text == endingCall {
		a.status.clear()
	}
	var cmds []tea.Cmd
	switch {
	case m.err != nil && errors.Is(m.err, engine.ErrRefused):
		cmds = append(cmds, a.say(toast{text: "the module cannot be run", bad: true}))
	case m.err != nil:
		cmds = append(cmds, a.say(toast{text: m.err.Error(), bad: true}))
	case m.call.Run == nil:
		cmds = append(cmds, a.say(toast{text: "ended before it began"}))
	default:
		s.calls[m.call.Run.ID()] = m.call
		end, _ := m.call.Run.End()
		s.last, s.took, s.mocks.last = end.Outcome, end.Usage.Time, m.mocked
		a.tourCalled(end.Outcome)
		a.tools.Called(m.tool, end.Outcome)
		if !s.older {
			a.showRun(m.call.Run)
		}
		if !s.series.goesOn() {
			cmds = append(cmds, a.remember())
		}
	}
	cmds = append(cmds, a.nextOfSeries(m), a.swapWhenFree(s))
	a.syncStreams()
	cmds = append(cmds, a.catchUp())
	if a.quits {
		cmds = append(cmds, a.end())
	}
	return tea.Batch(cmds...)
}

// knownCall is what is known of a run; of one that lives, that it does.
func (a *App) knownCall(r *record.Run) result.Call {
	if c, ok := a.session.calls[r.ID()]; ok {
		return c
	}
	c := result.Call{Run: r}
	if r.Begin().Kind == event.Probe {
		return result.Call{Run: r, Ended: true, Findings: a.probedIn(r)}
	}
	if _, ended := r.End(); ended && !a.live(r) {
		c = result.Call{Run: r, Ended: true, Model: model.Blocks(r), Findings: rules.Run(r, a.session.bench.Known())}
		a.session.calls[r.ID()] = c
	}
	return c
}

// live reports whether a run goes on.
func (a *App) live(r *record.Run) bool {
	if a.session == nil || r == nil {
		return false
	}
	if _, known := a.session.calls[r.ID()]; known {
		return false
	}
	if l := a.session.live; l != nil && l.run != nil && l.run.ID() == r.ID() {
		return true
	}
	_, ended := r.End()
	return !ended
}

// leave ends the session that is on the screen. Its package is closed by who
// opened it.
func (a *App) leave() {
	if s := a.session; s != nil {
		a.session = nil
		s.cancel()
	}
}

// watch waits for something new in the record, at most once a frame.
func (a *App) watch(s *session, paced bool) tea.Cmd {
	changed := s.bench.Record.Changed()
	return guard(a, func() tea.Msg {
		if paced && !clock.Wait(a.clock, s.ctx.Done(), framePause) {
			return nil
		}
		select {
		case <-changed:
			return nudgeMsg{s.id}
		case <-s.ctx.Done():
			return nil
		}
	})
}

// nudged takes what came, and waits for more.
func (a *App) nudged(m nudgeMsg) tea.Cmd {
	if !a.current(m.session) {
		return nil
	}
	if s := a.session; s.phase == compiling && s.bench.Record.Last() != nil {
		s.phase, s.since = uploading, a.clock.Mono() // the upload run has begun, so the module is compiled
	}
	a.syncStreams()
	return tea.Batch(a.watch(a.session, true), a.catchUp())
}

// catchUp lets the streams take what they left for another frame, as long as
// there is some.
func (a *App) catchUp() tea.Cmd {
	s := a.session
	filter := a.filterResult() // stays over the answer that came
	if s == nil || s.catching || !a.pending() {
		return filter
	}
	s.catching = true
	return tea.Batch(filter, guard(a, func() tea.Msg {
		if !clock.Wait(a.clock, s.ctx.Done(), catchPause) {
			return nil
		}
		return catchUpMsg{s.id}
	}))
}

func (a *App) caughtUp(m catchUpMsg) tea.Cmd {
	if !a.current(m.session) {
		return nil
	}
	a.session.catching = false
	a.syncStreams()
	return a.catchUp()
}

// tick looks at the clock four times a second while something goes on, and not
// at all otherwise.
func (a *App) tick(s *session) tea.Cmd {
	if s.ticks {
		return nil
	}
	s.ticks = true
	return a.after(tickPause, tickMsg{s.id})
}

func (a *App) ticked(m tickMsg) tea.Cmd {
	s := a.session
	if o := a.opening; o != nil && o.id == m.session {
		s = o
	}
	if s == nil || s.id != m.session {
		return nil
	}
	s.ticks = false
	if s.phase == rested && s.live == nil && s.probes == nil && !s.building() {
		return nil
	}
	a.foundByProbes(s)
	a.syncStreams()
	return a.tick(s)
}

// elapsed is how long the run on the screen has gone on.
func (a *App) elapsed() time.Duration {
	s := a.session
	switch {
	case s == nil:
		return 0
	case s.live != nil:
		return a.clock.Mono() - s.live.began
	}
	return a.clock.Mono() - s.since
}

// remember keeps the package among the recent ones.
func (a *App) remember() tea.Cmd {
	if !a.keepSession() {
		return nil
	}
	return a.saveMemory()
}

// keepSession puts the session into the memory; false when there is nothing to
// keep.
func (a *App) keepSession() bool {
	s := a.session
	viewed := a.rememberView()
	if s == nil || s.bench == nil || s.bench.Sample() {
		return viewed
	}
	path := absolute(s.name)
	if path == "" {
		return viewed
	}
	about := s.bench.About()
	r := memory.Recent{Path: path, Name: about.Name, Toolchain: about.Made(), Size: int64(about.Bytes),
		When: a.clock.Now(), Outcome: a.outcomeWords(), Drafts: a.args.Drafts()}
	for i, t := range s.upload.Tools {
		if i == 64 {
			break
		}
		r.Tools = append(r.Tools, t.Name)
	}
	a.memory = a.memory.With(r)
	a.open.SetRecent(a.memory.Recent, nil)
	return true
}

// outcomeWords are how the package did last, for the list of recent ones.
func (a *App) outcomeWords() string {
	s := a.session
	switch {
	case s.last != "":
		return words.Outcome(s.last) + " call"
	case !s.known:
		return ""
	case s.upload.Outcome == event.Refused:
		return "✗ refused, " + words.Plural(len(s.upload.Findings), "finding")
	}
	return "✓ accepted"
}

// putDrafts brings back what was written for this package before.
func (a *App) putDrafts() {
	path := absolute(a.session.name)
	if path == "" || a.session.bench.Sample() {
		return
	}
	r, _ := a.memory.Find(path)
	for tool, text := range r.Drafts {
		a.args.Put(tool, text)
	}
}

package ui

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"perch/engine/clock"
	"perch/engine/settings"
	"perch/inspect/bench"
	"perch/themes"
	"perch/ui/arguments"
	"perch/ui/cell"
	"perch/ui/clip"
	"perch/ui/gallery"
	"perch/ui/layout"
	"perch/ui/memory"
	"perch/ui/palettes"
	"perch/ui/picture"
	"perch/ui/prefs"
	"perch/ui/result"
	"perch/ui/stream"
	"perch/ui/tools"
	"perch/ui/verdict"
)

// place is the view that the screen shows.
type place uint8

const (
	inOpen place = iota
	inExplore
	inCheck
)

// The digits of panes.
const (
	paneTools = 1 + iota
	paneArguments
	paneResult
	paneWire
)

// The digits of streams. The key of a pane is the last digit of its number.
const (
	paneStderr = paneWire + 1 + iota
	paneHTTP
	paneFiles // a tree, which has no end to follow
	paneEvents
	paneTimeline
	paneFindings // its key is 0
)

// Options of the app.
type Options struct {
	// Package is a path or sample:NAME to open at once; "" shows the gallery.
	Package string
	// Bench is how packages are opened.
	Bench bench.Options
	// Trust remembers a yes to a settings file; nil: it is not remembered, and
	// not asked for.
	Trust Truster
	// Memory is the folder in which the app remembers things; "" keeps nothing.
	Memory string
	// Theme is a palette's name, or "" or "auto" for one by the terminal's
	// ground.
	Theme string
	// Themes is the folder of the person's own palettes, which is followed; ""
	// is none.
	Themes string
	// Mouse says who has it at first: "on" the app, "off" the terminal; "" is
	// for the settings to say.
	Mouse string
	// Settings is the folder of settings.toml, which is followed; "" is none.
	Settings string
	// Getenv is the environment; nil: the process's.
	Getenv func(string) string
	// Clock is the app's own time; nil: the machine's.
	Clock clock.Clock
	// Out is the folder in which large copies are saved; "" is perch-out below
	// the working folder.
	Out string
	// System names the system whose clipboard is used, as GOOS does; "" is the
	// machine's.
	System string
}

// Truster remembers which settings files a person said yes to.
type Truster interface {
	settings.Trust
	Remember(path, sha256 string) error
}

// App is the model. It is for one goroutine, that of the program.
type App struct {
	o      Options
	ctx    context.Context
	cancel context.CancelFunc
	clock  clock.Clock
	work   sync.WaitGroup // goroutines of background
	crash  crash

	// Terminal.
	w, h   int
	config cell.Config
	look   *cell.Look
	theme  string // "auto" or a palette's name
	ground themes.Ground
	plain  bool // no colour

	colours   colorprofile.Profile // how many, 0 as long as that is not known
	palettes  palettes.Set
	following bool           // the folder of palettes
	news      func() tea.Msg // waits for what is new in that folder
	mouse     bool

	// Places.
	at      place
	open    *gallery.View
	check   *verdict.View
	tools   *tools.Pane
	args    *arguments.Pane
	result  *result.Pane
	streams []stream.Pane

	// Layout of Explore.
	focus  int // a digit
	upper  int // the pane of the view in focus last
	stream int // the stream in sight
	dock   int // the stream that was in sight before, beside it at wide sizes
	pin    int // the stream that a person chose for that place, 0: none
	detail bool
	zoom   bool
	edges  layout.Edges // as the person moved them
	laying bool         // edges are being moved by keys

	page    page // over the view, nil: none
	over    []*overlay
	jump    *jump
	status  status
	armed   bool // ctrl+c quits
	quits   bool // after the call that runs
	session *session
	tour    *tour    // nil: none
	forgets bool     // nothing can be remembered, and that was said
	opening *session // a package that is being opened, nil: none
	serial  int      // of sessions
	table   []command
	byKey   map[scope][]int

	prefs         prefs.Prefs // of the person, as they count
	prefsErr      error       // why what the file says now does not
	prefsFollowed bool
	prefsNews     func() tea.Msg
	said          []logged // by the footer

	memory   memory.Memory
	store    memory.Store
	clip     *clip.Clipboard
	pictures *picture.Viewer
	waits    waits
	wake     chan struct{} // a picture is to be decoded
	unjq     func()        // ends the filter that runs, nil: none was run
	inputs   int           // keys and clicks so far, which disarm and clear
	// hurried says that a key came faster than anyone types: it is part of a
	// paste without brackets.
	hurried bool

	dirty bool
	frame tea.View
	hits  hits
	drag  drag
	mark  *mark // text marked by the mouse, nil: none
	// handles and plainRows are those of the frame that was drawn last.
	handles   layout.Handles
	plainRows cell.Block
	cursor    cursor
	clicks    clicks
	closed    bool

	settled func()      // what to do when the start is over, nil: nothing, or it was done
	stop    func() bool // stops the process until the shell says fg, nil: cannot be
	lent    atomic.Bool // the screen is another program's
}

// New makes the app. Close it when the program has ended.
func New(ctx context.Context, o Options) *App {
	a := &App{o: o, focus: paneTools, upper: paneTools, stream: paneWire, dock: paneFindings, dirty: true}
	a.ctx, a.cancel = context.WithCancel(ctx)
	if a.o.Getenv == nil {
		a.o.Getenv = osGetenv
	}
	if a.clock = o.Clock; a.clock == nil {
		a.clock = clock.NewSystem()
	}
	a.clip = clip.New(clip.Options{Getenv: a.o.Getenv, GOOS: o.System, Dir: o.Out})
	a.store = memory.NewStore(o.Memory)
	var err error
	if a.memory, err = a.store.Load(); err != nil {
		a.note(toast{text: err.Error(), bad: true})
	}
	a.table = commands()
	a.byKey = indexKeys(a.table)
	a.takePrefs()
	a.theme, a.mouse = a.startTheme(), a.startMouse()
	a.config = cell.ConfigFrom(a.o.Getenv)
	a.config.Key = a.keyNamed
	a.config.Split = true // until the terminal says that it knows mode 2027
	a.plain = cell.NoColor(a.o.Getenv)
	a.palettes = palettes.Read(o.Themes, palettes.Set{})
	a.sayOfTheme()
	a.tools, a.args, a.result = tools.New(), arguments.New(), result.New()
	a.newPictures()
	a.result.Files(a.readFile)
	a.setLook()
	a.streams = stream.New(stream.Options{Markers: a.markersOf, ReadFile: a.readFile, Before: a.fileBefore, Holds: a.volumeHolds, Live: a.live, Findings: a.foundIn, Run: a.runOf, File: a.fileOf, Probes: a.probing, Picture: a.drawPicture})
	a.open = gallery.New(sampleList(), a.memory.Recent, a.clock.Now)
	if o.Package != "" {
		a.at = inExplore
	}
	a.open.OfferTour(a.toursFirst())
	return a
}

// Close ends all runs, releases all packages and remembers what is to be
// remembered. The program must have ended.
func (a *App) Close() error {
	if a.closed {
		return nil
	}
	a.closed = true
	a.keepSession()
	a.stopOpening()
	a.leave()
	a.cancel()
	a.work.Wait()
	return a.store.Save(a.memory)
}

// Init implements tea.Model.
func (a *App) Init() tea.Cmd {
	cmds := []tea.Cmd{a.readSamples(), a.readRecent(), a.followThemes(), a.followPrefs(), a.awaitPictures()}
	if a.theme == "auto" && !a.plain {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	if a.o.Package != "" {
		cmds = append(cmds, a.openPackage(a.o.Package))
	}
	return tea.Batch(cmds...)
}

// Update implements tea.Model.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd, changed := a.update(msg)
	a.dirty = a.dirty || changed
	if changed { // a search, or a pane that came into sight, may have more to read
		cmd = tea.Batch(cmd, a.goOnWithTour(), a.listPath(), a.catchUp())
	}
	return a, cmd
}

// update works a message off and reports whether the screen may have changed.
func (a *App) update(msg tea.Msg) (tea.Cmd, bool) {
	switch m := msg.(type) {
	case tea.WindowSizeMsg:
		changed := a.w != m.Width || a.h != m.Height
		a.w, a.h = m.Width, m.Height
		if a.w == 0 || a.h == 0 {
			a.w, a.h = 80, 24
		}
		return a.forgetPictures(), changed
	case tea.KeyPressMsg:
		return a.key(m), true
	case tea.PasteMsg:
		return a.paste(m.Content), true
	case tea.MouseClickMsg:
		return a.click(tea.Mouse(m)), true
	case tea.MouseWheelMsg:
		return a.wheel(tea.Mouse(m)), true
	case tea.MouseMotionMsg:
		return nil, a.motion(tea.Mouse(m))
	case tea.MouseReleaseMsg:
		return a.released(), true
	}
	if cmd, changed, is := a.terminalMsg(msg); is {
		return cmd, changed
	}
	if cmd, changed, is := a.heard(msg); is {
		return cmd, changed
	}
	if cmd, changed, is := a.reloadMsg(msg); is {
		return cmd, changed
	}
	return a.ownMsg(msg)
}

// look-up of what the terminal told of itself.
func (a *App) terminalMsg(msg tea.Msg) (cmd tea.Cmd, changed, is bool) {
	switch m := msg.(type) {
	case tea.BackgroundColorMsg:
		a.ground = themes.Light
		if m.IsDark() {
			a.ground = themes.Dark
		}
	case tea.ColorProfileMsg:
		a.profile(m)
	case tea.ModeReportMsg:
		if !a.mode(m) {
			return nil, false, true
		}
	default:
		return nil, false, false
	}
	a.setLook()
	return nil, true, true
}

// ownMsg works off what the app's own goroutines tell.
func (a *App) ownMsg(msg tea.Msg) (tea.Cmd, bool) {
	switch m := msg.(type) {
	case samplesMsg:
		a.open.SetSamples(m.samples)
	case recentMsg:
		a.open.SetRecent(a.memory.Recent, m.gone)
	case listedMsg:
		a.open.Listed(m.listing)
	case openedMsg:
		return a.opened(m), true
	case readyMsg:
		return nil, a.ready(m)
	case uploadedMsg:
		return a.uploaded(m), true
	case editedMsg:
		return a.edited(m), true
	case mocksMsg:
		return a.tookMocks(m), true
	case volumeMsg:
		return a.volumeChanged(m), true
	case filesMsg:
		a.offeredFiles(m)
		return nil, true
	case presetsMsg:
		return a.tookPresets(m), true
	case comparedMsg:
		return nil, a.compared(m)
	case calledMsg:
		return a.called(m), true
	case stableMsg:
		return a.listedAgain(m), a.current(m.session)
	case probedMsg:
		return a.probed(m), a.current(m.session)
	case nudgeMsg:
		return a.nudged(m), a.current(m.session)
	case catchUpMsg:
		return a.caughtUp(m), a.current(m.session)
	case tickMsg:
		return a.ticked(m), a.current(m.session) || a.opening != nil
	case expiredMsg:
		return nil, a.status.expire(m.serial)
	case disarmMsg:
		return nil, a.disarm(m.input)
	case themesMsg:
		return a.themesTold(m), true
	case prefsMsg:
		return a.prefsTold(m), true
	case editedPrefsMsg:
		return a.editedPrefs(m), true
	case wokenMsg:
		return a.woken(), false
	case pictureMsg:
		return a.decoded(m), true
	case filteredMsg:
		a.result.Filtered(m.result)
	case slowFilterMsg:
		return nil, a.result.Slow(m.serial)
	case copiedMsg:
		return a.copied(m), true
	case interruptMsg:
		return a.do("run.cancel"), true
	case resumedMsg:
		return a.resumed(m), true
	case quitMsg:
		return a.end(), false
	case unsavedMsg:
		return a.unsaved(m), true
	case errorMsg:
		return a.say(toast{text: m.err.Error(), bad: true}), true
	default:
		return nil, false
	}
	return nil, true
}

// class is the size class of the terminal.
func (a *App) class() layout.Class { return layout.Of(a.w, a.bodyHeight()) }

// after is a command that gives a message when d has passed.
func (a *App) after(d time.Duration, msg tea.Msg) tea.Cmd {
	passed, release := a.clock.After(d)
	return func() tea.Msg {
		defer release()
		select {
		case <-passed:
			return msg
		case <-a.ctx.Done():
			return nil
		}
	}
}

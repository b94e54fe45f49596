package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"

	"perch/ui/answers"
	"perch/ui/memory"
)

// Terminal is where the app is shown.
type Terminal struct {
	In  io.Reader // nil: the process's terminal
	Out io.Writer // nil: stdout
	Err io.Writer // nil: stderr; gets what is said after the screen is back
	// Options are more of Bubble Tea's, for tests.
	Options []tea.ProgramOption
}

// ErrNoKeyboard says that there is a screen but nothing to type on.
var ErrNoKeyboard = errors.New("there is a terminal to show things on, and none to type on. perch check, tools and call need neither")

// CrashError is a panic of the app. The terminal was restored; the stack lies in
// File, "" when it could not be written.
type CrashError struct {
	Crash
	File string
}

// Error implements error.
func (e *CrashError) Error() string {
	text := "perch stopped on a mistake of its own: " + e.Value
	if e.File != "" {
		text += "\nThe stack is in " + e.File
	}
	return text + "\n" + e.Stack
}

// Run shows the app until the person quits, the context ends, or a signal
// comes (SIGTERM, SIGHUP, SIGQUIT; SIGINT is ctrl+c; SIGTSTP stops it, as ctrl+z
// does). However it ends, the terminal is as it was before. The error is a *CrashError for a panic.
func Run(ctx context.Context, o Options, t Terminal) error {
	settled, restore := spareGC(osGetenv)
	defer restore()
	a := New(ctx, o)
	a.settled = settled
	return run(ctx, a, t)
}

func run(ctx context.Context, a *App, t Terminal) error {
	out := t.Err
	if out == nil {
		out = os.Stderr
	}
	restore := quiet(a.o.Memory)
	defer restore()

	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithoutCatchPanics(), tea.WithFPS(60)}
	if t.In != nil {
		options = append(options, tea.WithInput(t.In))
	}
	if t.Out != nil {
		options = append(options, tea.WithOutput(t.Out))
	}
	a.size(t)
	g := &guarded{App: a}
	p := tea.NewProgram(g, append(options, t.Options...)...)
	g.quit = p.Quit
	stop := signals(p)
	stopper := newStopper(p.ReleaseTerminal, p.RestoreTerminal, a.lent.Load)
	if stopper != nil {
		a.stop = stopper.stopGroup
	}
	_, err := p.Run()
	takePictures(a, t.Out)
	stopper.close()
	stop()
	err = ended(ctx, err)
	closeWithin(a, out)
	if c := a.Crash(); c != nil {
		return &CrashError{*c, keepStack(a.o.Memory, c, a.clock.Now())}
	}
	return err
}

// takePictures takes the pictures away from the terminal that are still there:
// the app was ended by something else than the person.
func takePictures(a *App, out io.Writer) {
	if out == nil {
		out = os.Stdout
	}
	if gone := a.pictures.Forget(); gone != "" {
		_, _ = io.WriteString(out, gone) // there may be no terminal any more
	}
}

// ended is why the program ended, nil when that is as it should be.
func ended(ctx context.Context, err error) error {
	switch {
	case err == nil, errors.Is(err, tea.ErrInterrupted):
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, tea.ErrProgramKilled):
		return nil // by us
	}
	return fmt.Errorf("%w (%w)", ErrNoKeyboard, err)
}

// closeWithin closes the app. Runs end within a moment; should one not, the
// person gets the prompt back all the same. What cannot be remembered, in a home
// that is read-only or on a full disk, is told and does not make a failure of a
// session that went well.
func closeWithin(a *App, out io.Writer) {
	done := make(chan error, 1)
	go func() { done <- a.Close() }()
	patience := time.NewTimer(3 * time.Second)
	defer patience.Stop()
	select {
	case err := <-done:
		if err != nil {
			fmt.Fprintln(out, "perch:", err)
		}
	case <-patience.C:
		fmt.Fprintln(out, "perch: a run did not end in time and was left")
	}
}

// signals turns signals into messages until the returned function is called.
func signals(p *tea.Program) (stop func()) {
	ch := make(chan os.Signal, 4)
	signal.Notify(ch, append(quitSignals(), os.Interrupt)...)
	done, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		for {
			select {
			case s := <-ch:
				if s == syscall.SIGQUIT {
					signal.Reset(s) // a second one tells where an app hangs that does not end
				}
				var msg tea.Msg = quitMsg{}
				if s == os.Interrupt {
					msg = interruptMsg{}
				}
				go p.Send(msg) // it blocks while the program is busy, and ends with it
			case <-done:
				return
			}
		}
	}()
	return func() {
		signal.Stop(ch)
		close(done)
		<-gone
	}
}

// quiet sends what libraries log to a file while the screen is ours.
func quiet(dir string) (restore func()) {
	before := log.Writer()
	f, err := openLog(dir)
	if err != nil {
		log.SetOutput(io.Discard)
		return func() { log.SetOutput(before) }
	}
	log.SetOutput(f)
	return func() {
		log.SetOutput(before)
		f.Close()
	}
}

func openLog(dir string) (*os.File, error) {
	if dir == "" {
		return nil, os.ErrNotExist
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	return os.OpenFile(filepath.Join(dir, "perch.log"), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
}

// keepStack writes a panic's stack to a file and gives its name.
func keepStack(dir string, c *Crash, now time.Time) string {
	if dir == "" {
		dir = os.TempDir()
	}
	name := filepath.Join(dir, "crash-"+now.UTC().Format("20060102-150405")+".txt")
	if os.MkdirAll(dir, 0o700) != nil || os.WriteFile(name, []byte(c.Value+"\n\n"+c.Stack), 0o600) != nil {
		return ""
	}
	return name
}

// StateDir is where the app remembers things for this user.
func StateDir() string { return memory.Dir() }

// guarded keeps a panic in Update or View from ending the process with the
// terminal in raw mode: it is kept, and the program quits. It also keeps the
// screen from being drawn anew for each key of a paste that comes as keys, and
// what the terminal answers late from being taken for typing.
type guarded struct {
	*App
	quit    func()
	pace    pace
	answers answers.Filter
	told    bool // the terminal said which ground it has
	holds   bool // an escMsg is on its way
}

// Init implements tea.Model.
func (g *guarded) Init() tea.Cmd {
	g.answers.Await(true, g.clock.Now()) // for its ground, and for what it can do
	return tea.Batch(warm, g.App.Init())
}

// Update implements tea.Model.
func (g *guarded) Update(msg tea.Msg) (m tea.Model, cmd tea.Cmd) {
	defer func() {
		if r := recover(); r != nil {
			g.crash.keep(r)
			m, cmd = g, tea.Quit
		}
	}()
	if g.Crash() != nil {
		return g, tea.Quit
	}
	for _, one := range g.pieces(msg) {
		cmd = tea.Batch(cmd, g.one(one))
	}
	if g.answers.Held() && !g.holds {
		g.holds = true
		cmd = tea.Batch(cmd, g.after(answers.Hold, escMsg{}))
	}
	return g, cmd
}

// pieces are the messages that came with one, when it is no piece of an answer.
func (g *guarded) pieces(msg tea.Msg) []tea.Msg {
	if _, passed := msg.(escMsg); !passed {
		return g.answers.Take(msg, g.clock.Now())
	}
	g.holds = false
	if esc := g.answers.Release(); esc != nil {
		return []tea.Msg{esc}
	}
	return nil
}

func (g *guarded) one(msg tea.Msg) (cmd tea.Cmd) {
	defer func() { g.answers.Await(!g.told || g.pictures.Waiting(), g.clock.Now()) }()
	switch msg.(type) {
	case frameMsg:
		g.pace.passed()
		return nil
	case tea.BackgroundColorMsg:
		g.told = true
	case tea.KeyPressMsg:
		g.started()
		g.App.hurried = g.pace.key(time.Now())
	}
	_, cmd = g.App.Update(msg)
	g.pace.worked(time.Now())
	if g.dirty {
		if wait := g.pace.hold(time.Now()); wait > 0 {
			cmd = tea.Batch(cmd, tea.Tick(wait, func(time.Time) tea.Msg { return frameMsg{} }))
		}
	}
	return cmd
}

// View implements tea.Model.
func (g *guarded) View() (v tea.View) {
	defer func() {
		if r := recover(); r != nil {
			g.crash.keep(r)
			v = tea.View{AltScreen: true}
			go g.quit() // View is called by who would take the message
		}
	}()
	if g.Crash() != nil {
		return tea.View{AltScreen: true}
	}
	if g.pace.held {
		return g.frame
	}
	if !g.dirty {
		return g.App.View()
	}
	g.pace.drawn = time.Now()
	v = g.App.View()
	g.pace.worked(time.Now())
	return v
}

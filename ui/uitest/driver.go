// Package uitest drives the real program against a terminal emulator in the
// same process, reads the screen as a person does, and makes pictures of it.
// It is for tests alone and nothing of it is linked into the app.
package uitest

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"image/color"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/vt"
)

// Patience is how long a driver waits for something before the test fails. It
// is long because a wait that succeeds is short. A screen that is compared as a
// whole fails sooner, when nothing has come for the time of quiet.
const (
	Patience = 2 * time.Minute
	quiet    = 20 * time.Second
)

// Options of a terminal. The zero value is 120x40, dark, with Unicode.
type Options struct {
	Width, Height int
	Env           []string // beside TERM and COLORTERM
	Light         bool     // what the terminal answers when asked for its ground
	Split         bool     // it does not know mode 2027
	Program       []tea.ProgramOption
}

// Driver is a program that runs in an emulator.
type Driver struct {
	t       testing.TB
	program *tea.Program
	term    *terminal
	cancel  context.CancelFunc
	done    chan struct{}
	model   tea.Model
	err     error

	mu    sync.Mutex
	heard int // keys, clicks and pastes that the program has received
	news  chan struct{}
}

// Start runs a model in a new terminal until the test ends.
func Start(t testing.TB, model tea.Model, o Options) *Driver {
	t.Helper()
	if o.Width == 0 {
		o.Width, o.Height = 120, 40
	}
	ctx, cancel := context.WithCancel(context.Background())
	d := &Driver{t: t, cancel: cancel, done: make(chan struct{}), news: make(chan struct{}, 1)}
	d.term = newTerminal(o, d.wake)
	env := append([]string{"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=en_US.UTF-8"}, o.Env...)
	options := append([]tea.ProgramOption{
		tea.WithContext(ctx), tea.WithInput(d.term.keys), tea.WithOutput(d.term), tea.WithEnvironment(env),
		tea.WithWindowSize(o.Width, o.Height), tea.WithoutSignals(), tea.WithFilter(d.hear),
		tea.WithColorProfile(colorprofile.TrueColor), // it would take us for no terminal
	}, o.Program...)
	d.program = tea.NewProgram(model, options...)
	go func() {
		defer close(d.done)
		d.model, d.err = d.program.Run()
	}()
	t.Cleanup(d.stop)
	return d
}

func (d *Driver) stop() {
	d.cancel()
	<-d.done
	d.term.close()
}

// hear counts the input that reaches the program.
func (d *Driver) hear(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg, tea.MouseMsg:
		d.mu.Lock()
		d.heard++
		d.mu.Unlock()
		d.wake()
	case syncMsg:
		return nil
	}
	return msg
}

// wake says that something may have changed.
func (d *Driver) wake() {
	select {
	case d.news <- struct{}{}:
	default:
	}
}

// wait waits until a condition holds; false when patience ran out or the
// program ended first.
func (d *Driver) wait(condition func() bool) bool { return d.waitOr(Patience, condition) }

// waitOr is wait that gives up as well when there was no news for so long.
func (d *Driver) waitOr(quiet time.Duration, condition func() bool) bool {
	timeout, still := time.NewTimer(Patience), time.NewTimer(quiet)
	defer timeout.Stop()
	defer still.Stop()
	for {
		if condition() {
			return true
		}
		select {
		case <-d.news:
			still.Reset(quiet)
		case <-still.C:
			return condition()
		case <-d.done:
			return condition()
		case <-timeout.C:
			return condition()
		}
	}
}

// await sends input and waits until the program has received n messages of it.
func (d *Driver) await(what string, n int, send func()) {
	d.t.Helper()
	d.mu.Lock()
	goal := d.heard + n
	d.mu.Unlock()
	send()
	if !d.wait(func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		return d.heard >= goal
	}) {
		d.fail("%s did not reach the program", what)
	}
}

func (d *Driver) fail(format string, args ...any) {
	d.t.Helper()
	note := ""
	select {
	case <-d.done:
		note = fmt.Sprintf("\nthe program has ended: %v", d.err)
	default:
	}
	d.t.Fatalf("%s%s\n%s", fmt.Sprintf(format, args...), note, d.Screen().Framed())
}

type syncMsg struct{}

// Sync waits until the program has worked off all messages that were sent so
// far. What its commands do goes on.
func (d *Driver) Sync() { d.program.Send(syncMsg{}) }

// Send gives the program a message.
func (d *Driver) Send(msg tea.Msg) { d.program.Send(msg) }

// Type types text, character by character.
func (d *Driver) Type(text string) {
	d.t.Helper()
	for _, r := range text {
		d.await(fmt.Sprintf("the key %q", r), 1, func() { d.term.text(string(r)) })
	}
}

// Press presses keys by their names: "a", "enter", "ctrl+r", "shift+tab",
// "f1". Keys that only newer terminals report, such as "ctrl+enter", are given
// to the program as it would see them there.
func (d *Driver) Press(keys ...string) {
	d.t.Helper()
	for _, name := range keys {
		key, ok := keyOf(name)
		if !ok {
			d.t.Fatalf("no key is named %q", name)
		}
		d.await("the key "+name, 1, func() {
			if legacy(key) {
				d.term.press(vt.KeyPressEvent(key))
			} else {
				d.program.Send(tea.KeyPressMsg(key))
			}
		})
	}
}

// Paste pastes text, in brackets where the program asked for them.
func (d *Driver) Paste(text string) {
	d.t.Helper()
	d.await("the paste", 1, func() { d.term.paste(text) })
}

// Click presses and releases the left button at a cell, from 0,0.
func (d *Driver) Click(x, y int) { d.t.Helper(); d.ClickWith(x, y, tea.MouseLeft) }

// ClickWith is Click with another button.
func (d *Driver) ClickWith(x, y int, button tea.MouseButton) {
	d.t.Helper()
	d.await(fmt.Sprintf("the click at %d,%d", x, y), 2, func() {
		d.term.mouse(vt.MouseClick{X: x, Y: y, Button: button})
		d.term.mouse(vt.MouseRelease{X: x, Y: y, Button: button})
	})
}

// ClickOn clicks on the first cell of a text on the screen.
func (d *Driver) ClickOn(text string) {
	d.t.Helper()
	d.WaitForText(text)
	x, y, ok := d.Screen().Find(text)
	if !ok {
		d.fail("%q went away", text)
	}
	d.Click(x, y)
}

// Drag presses the left button at one cell, moves to another and releases it.
func (d *Driver) Drag(x0, y0, x1, y1 int) {
	d.t.Helper()
	d.await(fmt.Sprintf("the drag to %d,%d", x1, y1), 3, func() {
		d.term.mouse(vt.MouseClick{X: x0, Y: y0, Button: tea.MouseLeft})
		d.term.mouse(vt.MouseMotion{X: x1, Y: y1, Button: tea.MouseLeft})
		d.term.mouse(vt.MouseRelease{X: x1, Y: y1, Button: tea.MouseLeft})
	})
}

// Wheel turns the wheel by n steps at a cell, up when negative.
func (d *Driver) Wheel(x, y, n int) {
	d.t.Helper()
	button := tea.MouseWheelDown
	if n < 0 {
		button, n = tea.MouseWheelUp, -n
	}
	for range n {
		d.await("the wheel", 1, func() { d.term.mouse(vt.MouseWheel{X: x, Y: y, Button: button}) })
	}
}

// Resize changes the terminal's size and tells the program.
func (d *Driver) Resize(w, h int) {
	d.term.resize(w, h)
	d.program.Send(tea.WindowSizeMsg{Width: w, Height: h})
}

// Screen is what is on the screen now.
func (d *Driver) Screen() Screen { return d.term.screen() }

// WaitFor waits until the screen is as a condition wants it, and returns it.
// When it does not come to that, the test fails and shows the screen.
func (d *Driver) WaitFor(what string, condition func(Screen) bool) Screen {
	d.t.Helper()
	var s Screen
	if !d.wait(func() bool {
		s = d.Screen()
		return condition(s)
	}) {
		d.fail("waited for %s", what)
	}
	return s
}

// WaitForText waits until all texts are on the screen.
func (d *Driver) WaitForText(texts ...string) Screen {
	d.t.Helper()
	return d.WaitFor(fmt.Sprintf("%q", texts), func(s Screen) bool {
		for _, text := range texts {
			if !s.Contains(text) {
				return false
			}
		}
		return true
	})
}

// WaitForNo waits until a text is gone from the screen.
func (d *Driver) WaitForNo(text string) Screen {
	d.t.Helper()
	return d.WaitFor(fmt.Sprintf("%q to go", text), func(s Screen) bool { return !s.Contains(text) })
}

// WaitForEnd waits until the program has ended and returns its last model.
func (d *Driver) WaitForEnd() (tea.Model, error) {
	d.t.Helper()
	ended := func() bool {
		select {
		case <-d.done:
			return true
		default:
			return false
		}
	}
	if !d.wait(ended) {
		d.fail("waited for the program to end")
	}
	return d.model, d.err
}

// Clipboard is what was put into the terminal's clipboard last (OSC 52).
func (d *Driver) Clipboard() (string, bool) {
	out := d.term.output()
	k := bytes.LastIndex(out, []byte("\x1b]52;c;"))
	if k < 0 {
		return "", false
	}
	rest := out[k+len("\x1b]52;c;"):]
	end := bytes.IndexAny(rest, "\a\x1b")
	if end < 0 {
		return "", false
	}
	text, err := base64.StdEncoding.DecodeString(string(rest[:end]))
	return string(text), err == nil
}

// Output is every byte that the program has written.
func (d *Driver) Output() []byte { return d.term.output() }

// terminal is the emulator with its lock, its input queue and what was
// written to it.
type terminal struct {
	mu      sync.Mutex
	em      *vt.Emulator
	written []byte
	title   string
	split   bool
	style   vt.CursorStyle
	changed func()
	keys    *queue
	pumped  chan struct{}
}

func newTerminal(o Options, changed func()) *terminal {
	t := &terminal{em: vt.NewEmulator(o.Width, o.Height), changed: changed, split: o.Split, keys: newQueue(), pumped: make(chan struct{})}
	ground, text := color.RGBA{A: 255}, color.RGBA{R: 229, G: 229, B: 229, A: 255}
	if o.Light {
		ground, text = color.RGBA{R: 255, G: 255, B: 255, A: 255}, color.RGBA{R: 26, G: 26, B: 26, A: 255}
	}
	t.em.SetDefaultBackgroundColor(ground)
	t.em.SetDefaultForegroundColor(text)
	t.em.SetCallbacks(vt.Callbacks{
		Title:       func(s string) { t.title = s },
		CursorStyle: func(s vt.CursorStyle, _ bool) { t.style = s },
	})
	// The emulator's answers come through a pipe that blocks it: they are
	// taken out at once, whether the program reads them or not.
	go func() {
		defer close(t.pumped)
		buf := make([]byte, 4096)
		for {
			n, err := t.em.Read(buf)
			t.keys.put(buf[:n])
			if err != nil {
				return
			}
		}
	}()
	return t
}

// Write takes what the program writes. A program whose input is no terminal
// counts on the terminal to turn line feeds into new lines.
func (t *terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.written = append(t.written, p...)
	if !t.split && bytes.Contains(p, []byte("\x1b[?2027$p")) {
		t.keys.put([]byte("\x1b[?2027;2$y")) // the emulator has it and does not say so
		p = bytes.ReplaceAll(p, []byte("\x1b[?2027$p"), nil)
	}
	if err := t.feed(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n"))); err != nil {
		return 0, fmt.Errorf("writing to the emulator: %w", err)
	}
	t.changed()
	return len(p), nil
}

// feed gives bytes to the emulator. What a program wrote for a larger screen may
// come after the screen was made smaller; where a terminal passes over what
// lies outside of it, the emulator panics. The program draws all anew then.
func (t *terminal) feed(p []byte) (err error) {
	defer func() {
		if r := recover(); r != nil {
			_, err = t.em.Write([]byte("\x1b[r"))
		}
	}()
	_, err = t.em.Write(p)
	return err
}

func (t *terminal) press(k vt.KeyPressEvent) { t.do(func() { t.em.SendKey(k) }) }
func (t *terminal) text(s string)            { t.do(func() { t.em.SendText(s) }) }
func (t *terminal) paste(s string)           { t.do(func() { t.em.Paste(s) }) }
func (t *terminal) mouse(m vt.Mouse)         { t.do(func() { t.em.SendMouse(m) }) }
func (t *terminal) resize(w, h int)          { t.do(func() { t.em.Resize(w, h) }) }

func (t *terminal) do(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f()
}

func (t *terminal) output() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]byte(nil), t.written...)
}

func (t *terminal) close() {
	if c, ok := t.em.InputPipe().(interface{ Close() error }); ok {
		_ = c.Close() // a pipe's Close has no error to give
	}
	<-t.pumped
	t.keys.close()
}

// queue is a reader of bytes that were put, which never blocks who puts.
type queue struct {
	mu     sync.Mutex
	filled *sync.Cond
	data   []byte
	closed bool
}

func newQueue() *queue {
	q := &queue{}
	q.filled = sync.NewCond(&q.mu)
	return q
}

func (q *queue) put(p []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.data = append(q.data, p...)
	q.filled.Broadcast()
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.filled.Broadcast()
}

var errClosed = errors.New("the terminal is closed")

// Read waits for bytes.
func (q *queue) Read(p []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.data) == 0 && !q.closed {
		q.filled.Wait()
	}
	if len(q.data) == 0 {
		return 0, errClosed
	}
	n := copy(p, q.data)
	q.data = q.data[n:]
	return n, nil
}

// keyOf reads a key's name.
func keyOf(name string) (tea.Key, bool) {
	var k tea.Key
	rest := name
	for {
		head, tail, ok := strings.Cut(rest, "+")
		if !ok || head == "" || tail == "" {
			break
		}
		switch head {
		case "ctrl":
			k.Mod |= tea.ModCtrl
		case "alt":
			k.Mod |= tea.ModAlt
		case "shift":
			k.Mod |= tea.ModShift
		default:
			return k, false
		}
		rest = tail
	}
	if code, ok := namedKey(rest); ok {
		k.Code = code
		if code == tea.KeySpace && k.Mod == 0 {
			k.Text = " "
		}
		return k, true
	}
	r := []rune(rest)
	if len(r) != 1 {
		return k, false
	}
	k.Code = r[0]
	if k.Mod == 0 {
		k.Text = rest
	}
	return k, true
}

func namedKey(name string) (rune, bool) {
	names := map[string]rune{
		"enter": tea.KeyEnter, "tab": tea.KeyTab, "esc": tea.KeyEscape, "space": tea.KeySpace, "backspace": tea.KeyBackspace,
		"delete": tea.KeyDelete, "insert": tea.KeyInsert, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "pgdn": tea.KeyPgDown,
	}
	for i := range 12 {
		names[fmt.Sprintf("f%d", i+1)] = tea.KeyF1 + rune(i)
	}
	code, ok := names[name]
	return code, ok
}

// legacy reports whether every terminal can send a key, and it cannot be taken
// for the start of another: escape alone can.
func legacy(k tea.Key) bool {
	switch {
	case k.Code == tea.KeyEscape, k.Mod&tea.ModAlt != 0:
		return false
	case k.Mod == 0:
		return true
	case k.Mod == tea.ModShift:
		return k.Code == tea.KeyTab
	}
	return k.Mod == tea.ModCtrl && k.Code >= 'a' && k.Code <= 'z'
}

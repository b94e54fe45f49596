// Package clip copies text for a person: by the machine's own clipboard where
// perch runs on the person's machine, by the terminal (OSC 52) elsewhere, and
// into a file what is too much for either. It says which way was taken and what
// is not known: whether a terminal did what it was sent is never confirmed.
//
// A copy is always somebody's act; nothing a module writes leads here. The
// package knows text, tools and folders, and nothing of panes or keys.
package clip

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"time"
	"unicode/utf16"

	"perch/engine/disk"
	"perch/ui/words"
)

// Limits; both are our own.
const (
	// MaxTerminal is how many bytes are sent to a terminal: 100,000 as they are
	// written there, which is what xterm takes at most, and others no less.
	MaxTerminal = 74_994
	// MaxTool is how many bytes are given to a tool.
	MaxTool = 16 << 20
)

// toolTime is how long a tool may take before the next way is tried.
const toolTime = 2 * time.Second

// Copy is what is to be copied.
type Copy struct {
	Text   string // made safe: it may be pasted into a terminal
	Raw    []byte // unchanged, for a file; nil: the text
	Ext    string // of a file: json, txt, md; "" is txt
	Hidden int    // characters of Raw that are signs in Text
}

// Result is what came of it.
type Result struct {
	Note string // for the person: what was done, which way, how much
	// Terminal says that Text is still to be sent to the terminal, by OSC 52.
	Terminal bool
	Path     string // of the file, when there is one
	Failed   bool
}

// Tool is a program that takes text on its standard input.
type Tool struct {
	Name  string // as it is said
	Path  string
	Args  []string
	Env   []string // beside that of the process
	Stdin []byte
}

// Options of a clipboard. The zero value takes the machine's.
type Options struct {
	Getenv   func(string) string // nil: nothing is set
	GOOS     string              // "": the machine's
	LookPath func(string) (string, error)
	Run      func(context.Context, Tool) error
	Dir      string // for files; "" is perch-out below the working folder
}

// Clipboard copies. It may be used by several goroutines.
type Clipboard struct{ o Options }

// New makes a clipboard.
func New(o Options) *Clipboard {
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	if o.GOOS == "" {
		o.GOOS = runtime.GOOS
	}
	if o.LookPath == nil {
		o.LookPath = exec.LookPath
	}
	if o.Run == nil {
		o.Run = run
	}
	if o.Dir == "" {
		o.Dir = "perch-out"
	}
	return &Clipboard{o}
}

// run runs a tool. It gets no pipe for its output: tools that stay in the
// background to hold the clipboard would keep it open.
func run(ctx context.Context, t Tool) error {
	cmd := exec.CommandContext(ctx, t.Path, t.Args...)
	cmd.Stdin = strings.NewReader(string(t.Stdin))
	if len(t.Env) > 0 {
		cmd.Env = append(cmd.Environ(), t.Env...)
	}
	cmd.WaitDelay = toolTime
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("run %s: %w", t.Name, err)
	}
	return nil
}

// Copy copies by the best way there is. It may take seconds and is not for the
// screen's goroutine.
func (c *Clipboard) Copy(ctx context.Context, x Copy) Result {
	size := len(x.Text)
	if size == 0 {
		return Result{Note: "nothing to copy here"}
	}
	if size <= MaxTool {
		for _, t := range c.tools() {
			path, err := c.o.LookPath(t.Path)
			if err != nil {
				continue
			}
			t.Path, t.Stdin = path, []byte(x.Text)
			if t.Name == "clip.exe" {
				t.Stdin = windows(x.Text)
			}
			limited, cancel := context.WithTimeout(ctx, toolTime)
			err = c.o.Run(limited, t)
			cancel()
			if err == nil {
				return Result{Note: fmt.Sprintf("copied %s%s%s", words.Size(size), by(t), hidden(x))}
			}
		}
	}
	switch {
	case c.o.Getenv("TERM") == "linux":
		return c.save(x, "this console has no clipboard. Saved to %s")
	case size > MaxTerminal:
		return c.save(x, words.Size(size)+" is too much for the terminal. Saved to %s")
	}
	return Result{Note: fmt.Sprintf("copied %s: sent to the terminal (OSC 52), not confirmed%s", words.Size(size), hidden(x)), Terminal: true}
}

// by says which way a tool goes.
func by(t Tool) string {
	if t.Name == "tmux" {
		return " to tmux, and by it to the terminal, which is not confirmed"
	}
	return " with " + t.Name
}

// hidden says what is not as it was. A file gets the bytes unchanged.
func hidden(x Copy) string {
	if x.Hidden == 0 {
		return ""
	}
	return fmt.Sprintf("; %s shown as signs", words.Plural(x.Hidden, "hidden byte"))
}

// Save writes a copy into a new file.
func (c *Clipboard) Save(x Copy) Result {
	data := x.Raw
	if data == nil {
		data = []byte(x.Text)
	}
	return c.save(x, "saved "+words.Size(len(data))+" to %s")
}

func (c *Clipboard) save(x Copy, note string) Result {
	data := x.Raw
	if data == nil {
		data = []byte(x.Text)
	}
	path, err := disk.WriteFresh(c.o.Dir, "copy", ending(x.Ext), data)
	if err != nil {
		return Result{Note: "the copy was not saved: " + err.Error(), Failed: true}
	}
	return Result{Note: strings.Replace(note, "%s", path, 1), Path: path}
}

// ending is a file's ending that cannot be anything else.
func ending(ext string) string {
	ok := len(ext) > 0 && len(ext) <= 8
	for _, r := range ext {
		ok = ok && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	}
	if !ok {
		return "txt"
	}
	return ext
}

// tools are those that fit here, the best first. On another machine, over ssh,
// its clipboard is not the person's; tmux there still reaches the terminal.
func (c *Clipboard) tools() []Tool {
	var out []Tool
	if c.o.Getenv("SSH_CONNECTION") == "" && c.o.Getenv("SSH_TTY") == "" {
		out = c.local()
	}
	if c.o.Getenv("TMUX") != "" {
		out = append(out, Tool{Name: "tmux", Path: "tmux", Args: []string{"load-buffer", "-w", "-"}})
	}
	return out
}

func (c *Clipboard) local() (out []Tool) {
	switch {
	case c.o.GOOS == "darwin":
		return []Tool{{Name: "pbcopy", Path: "pbcopy", Env: []string{"LC_CTYPE=UTF-8"}}}
	case c.o.GOOS == "windows", c.o.Getenv("WSL_DISTRO_NAME") != "":
		return []Tool{{Name: "clip.exe", Path: "clip.exe"}}
	}
	if c.o.Getenv("WAYLAND_DISPLAY") != "" {
		out = append(out, Tool{Name: "wl-copy", Path: "wl-copy", Args: []string{"--type", "text/plain"}})
	}
	if c.o.Getenv("DISPLAY") != "" {
		out = append(out,
			Tool{Name: "xclip", Path: "xclip", Args: []string{"-selection", "clipboard", "-in"}},
			Tool{Name: "xsel", Path: "xsel", Args: []string{"--clipboard", "--input"}})
	}
	return out
}

// windows is text as clip.exe takes it: it reads the console's code page, or
// UTF-16 when it looks like that.
func windows(s string) []byte {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 }) {
		return []byte(s)
	}
	units := utf16.Encode([]rune(s))
	out := make([]byte, 0, 2*len(units))
	for _, u := range units {
		out = append(out, byte(u), byte(u>>8))
	}
	return out
}

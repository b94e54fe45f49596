package clip_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"perch/ui/clip"
)

// machine is one with some tools, some of which fail.
type machine struct {
	goos  string
	env   map[string]string
	has   string // names of tools
	fails string
	ran   []string
	stdin string
}

func (m *machine) clipboard(dir string) *clip.Clipboard {
	return clip.New(clip.Options{
		GOOS: m.goos, Dir: dir,
		Getenv: func(name string) string { return m.env[name] },
		LookPath: func(name string) (string, error) {
			if strings.Contains(m.has, name) {
				return "/bin/" + name, nil
			}
			return "", exec.ErrNotFound
		},
		Run: func(_ context.Context, t clip.Tool) error {
			m.ran = append(m.ran, strings.Join(append([]string{t.Path}, t.Args...), " "))
			if strings.Contains(m.fails, t.Name) {
				return errors.New("no display")
			}
			m.stdin = string(t.Stdin)
			return nil
		},
	})
}

func TestTheWayIsToldAndTaken(t *testing.T) {
	const osc = "copied 13 B: sent to the terminal (OSC 52), not confirmed"
	for _, c := range []struct {
		name string
		m    machine
		note string
		ran  string
	}{
		{"nothing there", machine{goos: "linux"}, osc, ""},
		{"wayland", machine{goos: "linux", env: map[string]string{"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, has: "wl-copy xclip"}, "copied 13 B with wl-copy", "/bin/wl-copy --type text/plain"},
		{"wayland without wl-copy", machine{goos: "linux", env: map[string]string{"WAYLAND_DISPLAY": "wayland-0"}}, osc, ""},
		{"x11", machine{goos: "linux", env: map[string]string{"DISPLAY": ":0"}, has: "xclip xsel"}, "copied 13 B with xclip", "/bin/xclip -selection clipboard -in"},
		{"x11 with xsel alone", machine{goos: "linux", env: map[string]string{"DISPLAY": ":0"}, has: "xsel"}, "copied 13 B with xsel", "/bin/xsel --clipboard --input"},
		{"one fails", machine{goos: "linux", env: map[string]string{"DISPLAY": ":0"}, has: "xclip xsel", fails: "xclip"}, "copied 13 B with xsel", "/bin/xclip -selection clipboard -in|/bin/xsel --clipboard --input"},
		{"all fail", machine{goos: "linux", env: map[string]string{"DISPLAY": ":0"}, has: "xclip", fails: "xclip"}, osc, "/bin/xclip -selection clipboard -in"},
		{"ssh with a display", machine{goos: "linux", env: map[string]string{"DISPLAY": ":10", "SSH_CONNECTION": "a b"}, has: "xclip"}, osc, ""},
		{"ssh with tmux", machine{goos: "linux", env: map[string]string{"SSH_TTY": "/dev/pts/0", "TMUX": "x"}, has: "tmux"}, "copied 13 B to tmux, and by it to the terminal, which is not confirmed", "/bin/tmux load-buffer -w -"},
		{"an old tmux", machine{goos: "linux", env: map[string]string{"TMUX": "x"}, has: "tmux", fails: "tmux"}, osc, "/bin/tmux load-buffer -w -"},
		{"macOS", machine{goos: "darwin", has: "pbcopy"}, "copied 13 B with pbcopy", "/bin/pbcopy"},
		{"Windows", machine{goos: "windows", has: "clip.exe"}, "copied 13 B with clip.exe", "/bin/clip.exe"},
		{"WSL", machine{goos: "linux", env: map[string]string{"WSL_DISTRO_NAME": "Debian"}, has: "clip.exe"}, "copied 13 B with clip.exe", "/bin/clip.exe"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := c.m.clipboard(t.TempDir()).Copy(context.Background(), clip.Copy{Text: `{"points":12}`})
			if r.Note != c.note || r.Failed || r.Path != "" || r.Terminal != (c.note == osc) {
				t.Errorf("got %+v, want %q", r, c.note)
			}
			if ran := strings.Join(c.m.ran, "|"); ran != c.ran {
				t.Errorf("ran %q, want %q", ran, c.ran)
			}
			if !r.Terminal && c.m.stdin != `{"points":12}` {
				t.Errorf("the tool got %q", c.m.stdin)
			}
		})
	}
}

func TestWindowsGetsUTF16(t *testing.T) {
	m := machine{goos: "windows", has: "clip.exe"}
	m.clipboard(t.TempDir()).Copy(context.Background(), clip.Copy{Text: "é😀"})
	if want := "\xe9\x00\x3d\xd8\x00\xde"; m.stdin != want {
		t.Errorf("got %q, want %q", m.stdin, want)
	}
}

func TestWhatIsTooMuchGoesToAFile(t *testing.T) {
	big := strings.Repeat("x", 212<<10)
	dir := filepath.Join(t.TempDir(), "perch-out")
	m := machine{goos: "linux"}
	c := m.clipboard(dir)
	for i, want := range []string{"copy-1.json", "copy-2.txt", "copy-3.txt"} {
		ext := []string{"json", "", "../../x"}[i]
		r := c.Copy(context.Background(), clip.Copy{Text: big, Raw: []byte("raw \x1b bytes"), Ext: ext, Hidden: 1})
		path := filepath.Join(dir, want)
		if r.Path != path || r.Terminal || r.Failed || r.Note != "212.0 KiB is too much for the terminal. Saved to "+path {
			t.Errorf("got %+v, want %s", r, path)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != "raw \x1b bytes" {
			t.Errorf("%s holds %q, %v", path, b, err)
		}
		if info, err := os.Stat(path); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
	for n, terminal := range map[int]bool{clip.MaxTerminal: true, clip.MaxTerminal + 1: false} {
		if r := c.Copy(context.Background(), clip.Copy{Text: big[:n]}); r.Terminal != terminal {
			t.Errorf("%d bytes go to the terminal: %v", n, r.Terminal)
		}
	}
	with := machine{goos: "linux", env: map[string]string{"DISPLAY": ":0"}, has: "xclip"}
	if r := with.clipboard(dir).Copy(context.Background(), clip.Copy{Text: big}); r.Path != "" || with.stdin != big {
		t.Errorf("a tool takes it, and yet %+v", r)
	}
}

func TestOtherNotes(t *testing.T) {
	dir := t.TempDir()
	m := machine{goos: "linux"}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	console := machine{goos: "linux", env: map[string]string{"TERM": "linux"}}
	for _, c := range []struct {
		name   string
		got    clip.Result
		note   string
		failed bool
	}{
		{"nothing", m.clipboard(dir).Copy(context.Background(), clip.Copy{}), "nothing to copy here", false},
		{"hidden", m.clipboard(dir).Copy(context.Background(), clip.Copy{Text: "␛[2J␛", Hidden: 2}), "copied 9 B: sent to the terminal (OSC 52), not confirmed; 2 hidden bytes shown as signs", false},
		{"console", console.clipboard(dir).Copy(context.Background(), clip.Copy{Text: "a"}), "this console has no clipboard. Saved to " + filepath.Join(dir, "copy-1.txt"), false},
		{"save", m.clipboard(dir).Save(clip.Copy{Text: "# 100 %s", Ext: "md"}), "saved 8 B to " + filepath.Join(dir, "copy-2.md"), false},
		{"no folder", m.clipboard(file).Save(clip.Copy{Text: "a"}), "the copy was not saved: " + file, true},
	} {
		if c.failed && !strings.HasPrefix(c.got.Note, c.note) || !c.failed && c.got.Note != c.note || c.got.Failed != c.failed {
			t.Errorf("%s: got %+v, want %q", c.name, c.got, c.note)
		}
	}
}

// TestARealTool runs a program that stays in the background with its output
// open, as those do that hold a clipboard.
func TestARealTool(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("this machine has no sh")
	}
	dir := t.TempDir()
	script := filepath.Join(dir, "xclip")
	text := "#!" + sh + "\ncat > '" + dir + "/got'\nsleep 30 &\necho $! > '" + dir + "/pid'\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	c := clip.New(clip.Options{GOOS: "linux", Getenv: func(name string) string { return map[string]string{"DISPLAY": ":0"}[name] },
		LookPath: func(name string) (string, error) { return filepath.Join(dir, name), nil }})
	r := c.Copy(context.Background(), clip.Copy{Text: "日本\n"})
	if r.Note != "copied 7 B with xclip" {
		t.Errorf("got %+v", r)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "got")); string(got) != "日本\n" {
		t.Errorf("it got %q", got)
	}
	if pid, err := os.ReadFile(filepath.Join(dir, "pid")); err == nil {
		_ = exec.Command("kill", strings.TrimSpace(string(pid))).Run()
	}
}

//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// The benchmarks of this file start the built program on a pseudo terminal and
// look at it from outside. Each number is of a process of its own.

// screenW and screenH are the terminal's size.
const (
	screenW = 120
	screenH = 40
)

// tick is that of a screen that shows 60 frames a second.
const tick = time.Second / 60

// patience is how long a benchmark waits for what must come.
const patience = 60 * time.Second

// built builds a program of this module and gives its path.
func built(b *testing.B, dir string) string {
	b.Helper()
	out := filepath.Join(b.TempDir(), "program")
	cmd := exec.Command("go", "build", "-o", out, dir)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is released
	if text, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("build %s: %v\n%s", dir, err, text)
	}
	return out
}

// home is an environment in which perch remembers nothing of others.
func home(b *testing.B, more ...string) []string {
	b.Helper()
	dir := b.TempDir()
	return append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TERM=xterm-256color", "LANG=C.UTF-8"}, more...)
}

// chunk is what was read of a terminal at once.
type chunk struct {
	at   time.Time
	data []byte
}

// console is a program on a pseudo terminal that answers what a terminal of
// today does.
type console struct {
	tb     testing.TB
	cmd    *exec.Cmd
	file   *os.File
	began  time.Time
	mu     sync.Mutex
	chunks []chunk
	news   chan struct{}
	ended  chan struct{}

	screen *screen
	seen   int // chunks that screen has
	rows   []string
}

// launch starts a program. It is ended with the benchmark, or by quit.
func launch(tb testing.TB, env []string, program string, args ...string) *console {
	tb.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env = env
	c := &console{tb: tb, cmd: cmd, news: make(chan struct{}, 1), ended: make(chan struct{}), screen: newScreen()}
	c.began = time.Now()
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: screenH, Cols: screenW})
	if err != nil {
		tb.Fatalf("start %s on a pseudo terminal: %v", program, err)
	}
	c.file = f
	go c.read()
	tb.Cleanup(c.quit)
	return c
}

func (c *console) read() {
	defer close(c.ended)
	for {
		b := make([]byte, 1<<16)
		n, err := c.file.Read(b)
		if n > 0 {
			c.mu.Lock()
			c.chunks = append(c.chunks, chunk{time.Now(), b[:n]})
			c.mu.Unlock()
			c.answer(b[:n])
			select {
			case c.news <- struct{}{}:
			default:
			}
		}
		if err != nil {
			return
		}
	}
}

// answer answers what the program asks of its terminal.
func (c *console) answer(data []byte) {
	for _, a := range [][2]string{
		{"\x1b]11;?", "\x1b]11;rgb:0000/0000/0000\x1b\\"},
		{"\x1b[?2026$p", "\x1b[?2026;2$y"},
		{"\x1b[?2027$p", "\x1b[?2027;2$y"},
		{"\x1b[c", "\x1b[?62;22c"},
	} {
		if bytes.Contains(data, []byte(a[0])) {
			_, _ = c.file.WriteString(a[1])
		}
	}
}

// quit ends the program, when it has not ended.
func (c *console) quit() {
	if c.cmd.ProcessState != nil {
		return
	}
	_ = c.cmd.Process.Kill()
	_ = c.cmd.Wait()
	<-c.ended
	c.file.Close()
}

// mark is how many chunks came so far.
func (c *console) mark() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.chunks)
}

// since are the chunks from a mark on.
func (c *console) since(mark int) []chunk {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.chunks[mark:])
}

// screen is what a terminal shows of everything that came.
type screen struct{ em *vt.Emulator }

func newScreen() *screen {
	s := &screen{vt.NewEmulator(screenW, screenH)}
	go func() { // what it answers is not needed
		b := make([]byte, 1024)
		for {
			if _, err := s.em.Read(b); err != nil {
				return
			}
		}
	}()
	return s
}

// write shows bytes and gives the rows that are on the screen then.
func (s *screen) write(data []byte) []string {
	_, _ = s.em.Write(data)
	return strings.Split(s.em.String(), "\n")
}

// until waits until the screen holds, and gives when the bytes came that made
// it so.
func (c *console) until(what string, holds func(rows []string) bool) time.Time {
	c.tb.Helper()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		for _, k := range c.since(c.seen) {
			c.seen++
			if c.rows = c.screen.write(k.data); holds(c.rows) {
				return k.at
			}
		}
		select {
		case <-c.news:
		case <-c.ended:
			c.tb.Fatalf("the program ended before %s:\n%s", what, strings.Join(c.rows, "\n"))
		case <-limit.C:
			c.tb.Fatalf("%s did not come:\n%s", what, strings.Join(c.rows, "\n"))
		}
	}
}

// full says that a frame fills the screen: its header and its footer stand.
func full(rows []string) bool {
	return len(rows) == screenH && strings.TrimSpace(rows[0]) != "" && strings.TrimSpace(rows[screenH-1]) != ""
}

func accepted(rows []string) bool { return full(rows) && strings.Contains(rows[0], "accepted") }

// cpu is the processor's time that a process took so far.
func cpu(tb testing.TB, pid int) time.Duration {
	tb.Helper()
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|2), &t); err != nil { // CPUCLOCK_SCHED of another process
		tb.Fatalf("the time of process %d: %v", pid, err)
	}
	return time.Duration(t.Nano())
}

// resident is the memory of a process in bytes, as it is and at its most.
func resident(tb testing.TB, pid int) (now, most int64) {
	tb.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		tb.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		n, _ := strconv.ParseInt(f[1], 10, 64)
		switch f[0] {
		case "VmRSS:":
			now = n << 10
		case "VmHWM:":
			most = n << 10
		}
	}
	return now, most
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// BenchmarkFirstFrame is the time from the start of the process to the byte
// that completes the first full frame, with compiled modules in the cache.
func BenchmarkFirstFrame(b *testing.B) {
	perch := built(b, ".")
	for name, args := range map[string][]string{"gallery": nil, "package": {"sample:charts"}} {
		b.Run(name, func(b *testing.B) {
			env := home(b)
			if args != nil {
				warm := launch(b, env, perch, args...)
				warm.until("the package", accepted)
				warm.quit()
			}
			var took []time.Duration
			for range 20 {
				c := launch(b, env, perch, args...)
				took = append(took, c.until("the first frame", full).Sub(c.began))
				c.quit()
			}
			slices.Sort(took)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(milliseconds(took[0]), "ms-min")
			b.ReportMetric(milliseconds(took[len(took)/2]), "ms-median")
			b.ReportMetric(milliseconds(took[len(took)-1]), "ms-max")
		})
	}
}

// BenchmarkIdle lets perch and an empty program of Bubble Tea do nothing for
// 60 seconds, at the same time.
func BenchmarkIdle(b *testing.B) {
	perch, empty := built(b, "."), built(b, "./testdata/empty")
	p := launch(b, home(b), perch, "sample:greeter")
	e := launch(b, home(b), empty)
	p.until("the package", accepted)
	e.until("its text", func(rows []string) bool { return strings.HasPrefix(rows[0], "empty") })
	time.Sleep(5 * time.Second) // toasts go, and what follows a start is done
	const idle = 60 * time.Second
	marks := [2]int{p.mark(), e.mark()}
	before := [2]time.Duration{cpu(b, p.cmd.Process.Pid), cpu(b, e.cmd.Process.Pid)}
	time.Sleep(idle)
	took := [2]time.Duration{cpu(b, p.cmd.Process.Pid) - before[0], cpu(b, e.cmd.Process.Pid) - before[1]}
	written := 0
	for _, k := range p.since(marks[0]) {
		written += len(k.data)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(written), "bytes")
	b.ReportMetric(100*float64(took[0])/float64(idle), "%cpu")
	b.ReportMetric(100*float64(took[1])/float64(idle), "%cpu-empty")
	b.ReportMetric(float64(took[0])/float64(took[1]), "times-empty")
}

// flooding is a package whose tool writes about 20,000 lines a second to stderr
// until it is ended.
func flooding(b *testing.B) string {
	b.Helper()
	return folder(b, "flood", `call repeat 0 ( repeat 250 ( err 'tea: 1204 of 5000, shelf 14 of 20, cache cold, trying again\n' ) sleep 10 )`, "")
}

// press sends keys to a program.
func (c *console) press(keys string) time.Time {
	c.tb.Helper()
	at := time.Now()
	if _, err := c.file.WriteString(keys); err != nil {
		c.tb.Fatal(err)
	}
	return at
}

// shows says that a text stands on the screen.
func shows(text string) func([]string) bool {
	return func(rows []string) bool { return strings.Contains(strings.Join(rows, "\n"), text) }
}

// BenchmarkKeyOnScreen is the time from a key that is typed to the bytes that
// show it, while 20,000 lines a second stream below. Keys come at odd moments
// between two ticks of the screen.
func BenchmarkKeyOnScreen(b *testing.B) {
	c := launch(b, home(b), built(b, "."), flooding(b), "--timeout", "120s")
	c.until("the package", accepted)
	c.press("5")
	c.until("the pane Stderr", shows("[5 Stderr"))
	c.press("2")
	c.until("the pane Arguments", shows("━ 2 Arguments"))
	c.press("\r")
	c.until("a caret", shows("typing"))
	c.press("\x12")
	c.until("the flood", shows("cache cold"))
	const keys, length = 200, 20
	var took []time.Duration
	late, text := 0, ""
	for i := range keys {
		if len(text) == length {
			c.press(strings.Repeat("\x7f", length))
			c.until("an empty field", shows("its name"))
			text = ""
		}
		time.Sleep(time.Duration(37+i%17) * time.Millisecond)
		letter := string(rune('a' + i%26))
		text += letter
		at := c.press(letter)
		d := c.until("the key "+letter, shows(text+" ")).Sub(at)
		took = append(took, d)
		if d > 2*tick {
			late++
		}
	}
	slices.Sort(took)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(milliseconds(took[keys/2]), "ms-median")
	b.ReportMetric(milliseconds(took[keys*99/100]), "ms-p99")
	b.ReportMetric(100*float64(late)/keys, "%later-than-2-ticks")
}

// BenchmarkMemory is what the process holds after a call that wrote 1,000,000
// lines to stderr, which are all kept, with their events.
func BenchmarkMemory(b *testing.B) {
	script := `call repeat 1000000 ( err 'tea: 1204 of 5000, shelf 14 of 20, cache cold, trying again\n' ) ok`
	c := launch(b, home(b), built(b, "."), folder(b, "lines", script, ""), "--timeout", "300s")
	c.until("the package", accepted)
	c.press("5")
	c.until("the pane Stderr", shows("[5 Stderr"))
	c.press("\x12")
	c.until("all lines", func(rows []string) bool {
		return shows("Stderr 1,000,000")(rows) && shows("done")(rows)
	})
	time.Sleep(3 * time.Second)
	now, most := resident(b, c.cmd.Process.Pid)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(now)/1e6, "MB")
	b.ReportMetric(float64(most)/1e6, "MB-most")
}

package build_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"perch/engine/clock"
	"perch/inspect/build"
)

func run(t *testing.T, ctx context.Context, words ...string) (build.Result, string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	out := &build.Output{}
	r := build.Run(ctx, build.Command{Words: words, Dir: t.TempDir()}, out, clock.NewSystem())
	text, _ := out.Text()
	return r, text
}

func TestRun(t *testing.T) {
	r, text := run(t, t.Context(), "sh", "-c", "echo one; echo two >&2; echo $TERM $NO_COLOR")
	if r.Err != nil || text != "one\ntwo\ndumb 1\n" {
		t.Errorf("%v, %q", r.Err, text)
	}
	r, text = run(t, t.Context(), "sh", "-c", "echo no; exit 3")
	if r.Err == nil || r.Err.Error() != "the build ended with exit status 3" || text != "no\n" {
		t.Errorf("%v, %q", r.Err, text)
	}
	if r, _ = run(t, t.Context(), "no-such-program-here"); r.Err == nil || !strings.Contains(r.Err.Error(), `no program "no-such-program-here"`) {
		t.Errorf("%v", r.Err)
	}
}

// A cancel ends what the command has started too.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	out := &build.Output{}
	dir := t.TempDir()
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	done := make(chan build.Result, 1)
	go func() {
		done <- build.Run(ctx, build.Command{Words: []string{"sh", "-c", "echo on; sleep 600; echo late > late"}, Dir: dir}, out, clock.NewSystem())
	}()
	for out.Version() == 0 {
		runtime.Gosched()
	}
	cancel()
	if r := <-done; !r.Ended || r.Err == nil {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(filepath.Join(dir, "late")); err == nil {
		t.Error("the command went on")
	}
}

func TestOutputIsBounded(t *testing.T) {
	var o build.Output
	o.Write([]byte("first\n"))
	for range 2000 {
		o.Write([]byte(strings.Repeat("x", 1023) + "\n"))
	}
	o.Write([]byte("last\n"))
	text, dropped := o.Text()
	if len(text) > 300<<10 || dropped < 1<<20 || !strings.HasPrefix(text, "first\n") || !strings.HasSuffix(text, "last\n") {
		t.Errorf("%d bytes are kept, %d dropped", len(text), dropped)
	}
}

func TestPlaces(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"src/a.c:3:7: error: use of undeclared identifier", "src/a.c:3:7|error: use of undeclared identifier"},
		{"warning: unused\n  --> src/main.rs:12:5", "src/main.rs:12:5|warning: unused"},
		{"./main.go:9:2: undefined: x", "./main.go:9:2|undefined: x"},
		{"main.go:9: undefined: x", "main.go:9|undefined: x"},
		{"Makefile:4: *** missing separator.  Stop.", "Makefile:4|*** missing separator.  Stop."},
		{`C:\src\a.c(12,3): error C2065`, `C:\src\a.c:12:3|error C2065`},
		{"a.c:1:1: warning: w\nb.c:2:2: error: e", "b.c:2:2|error: e"},
		{"at 12:30:05 it began\nhttps://example.com:443/x\nerror: it is wrong", ""},
		{"a.c:0:1: x\n:3:4: y\na b.c:3: z", ""},
	} {
		got := ""
		if p, ok := build.First(build.Places(c.text)); ok {
			got = p.String() + "|" + p.Text
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func FuzzPlaces(f *testing.F) {
	f.Add("a.c:3:7: error")
	f.Add("x(1,2): y\n--> z.rs:1:1")
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range build.Places(text) {
			if p.Line < 1 || p.File == "" {
				t.Errorf("%+v of %q", p, text)
			}
		}
	})
}

func TestCommandAsTyped(t *testing.T) {
	if got := (build.Command{Words: []string{"sh", "-c", "it's", ""}}).String(); got != `sh -c 'it'\''s' ''` {
		t.Error(got)
	}
}

package wasi_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	reference "github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"perch/engine/clock"
	"perch/engine/wasi"
)

func TestTableHasAllFunctions(t *testing.T) {
	r := newRuntime(t, engines()["interpreter"])
	ref, err := reference.NewBuilder(r).Compile(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := ref.ExportedFunctions()
	if got := len(wasi.Functions()); got != 46 || len(want) != 46 {
		t.Fatalf("%d functions, the reference has %d, want 46", got, len(want))
	}
	for _, f := range wasi.Functions() {
		def, ok := want[f.Name]
		if !ok {
			t.Errorf("%s is not in the standard", f.Name)
			continue
		}
		var types []byte
		for _, p := range f.Params {
			types = append(types, p.Type)
		}
		if !bytes.Equal(types, def.ParamTypes()) {
			t.Errorf("%s takes %x, want %x", f.Name, types, def.ParamTypes())
		}
		if f.Errno != (len(def.ResultTypes()) == 1) {
			t.Errorf("%s: Errno %v, results %x", f.Name, f.Errno, def.ResultTypes())
		}
		if wasi.Lookup(f.Name).Name != f.Name {
			t.Errorf("Lookup(%s) found another", f.Name)
		}
	}
	if wasi.Lookup("fd_teleport") != nil {
		t.Error("fd_teleport exists")
	}
}

func TestArgumentsAndEnvironment(t *testing.T) {
	g := newRig(t, wasi.Config{Args: []string{"greeter", "ü"}, Env: []string{"A=1"}})
	g.want(wasi.Success, "args_sizes_get", atOut, atOut+4)
	if n, size := g.u32(atOut), g.u32(atOut+4); n != 2 || size != 8+3 {
		t.Errorf("%d arguments in %d bytes", n, size)
	}
	if out := g.rec.last().Out; !slices.Equal(out, []uint64{2, 11}) {
		t.Errorf("event out %v", out)
	}
	g.want(wasi.Success, "args_get", atOut, atData)
	if got := g.bytes(atData, 11); got != "greeter\x00ü\x00" {
		t.Errorf("arguments %q", got)
	}
	if a, b := g.u32(atOut), g.u32(atOut+4); a != atData || b != atData+8 {
		t.Errorf("pointers %d %d", a, b)
	}
	g.want(wasi.Success, "environ_sizes_get", atOut, atOut+4)
	g.want(wasi.Success, "environ_get", atOut, atData)
	if got := g.bytes(atData, 4); got != "A=1\x00" {
		t.Errorf("environment %q", got)
	}
	g.trap("args_get", 4<<16-4, atData)
	g.trap("args_get", atOut+1, atData)
	g.trap("args_sizes_get", atOut, 4<<16)
}

func TestNewRefusesBadConfigs(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]wasi.Config{
		"NUL in an argument": {Args: []string{"a\x00b"}},
		"no UTF-8":           {Env: []string{"A=\xff"}},
		"relative mount":     {Mounts: []wasi.Mount{{Guest: "tmp", Dir: dir}}},
		"trailing slash":     {Mounts: []wasi.Mount{{Guest: "/tmp/", Dir: dir}}},
		"no such folder":     {Mounts: []wasi.Mount{{Guest: "/tmp", Dir: dir + "/gone"}}},
	} {
		if p, err := wasi.New(c); err == nil {
			t.Errorf("%s: taken", name)
			p.Close()
		}
	}
}

func TestClocks(t *testing.T) {
	start := time.Date(2026, 12, 1, 14, 0, 0, 5, time.UTC)
	c := clock.NewManual(start)
	c.Advance(3 * time.Second)
	g := newRig(t, wasi.Config{Clock: c})
	for id, want := range map[uint64]uint64{
		0: uint64(start.Add(3 * time.Second).UnixNano()),
		1: uint64(3 * time.Second),
	} {
		g.want(wasi.Success, "clock_time_get", id, 0, atOut)
		if got := g.u64(atOut); got != want {
			t.Errorf("clock %d: %d, want %d", id, got, want)
		}
		g.want(wasi.Success, "clock_res_get", id, atOut)
		if got := g.u64(atOut); got != 1 {
			t.Errorf("clock %d: resolution %d", id, got)
		}
	}
	for id, want := range map[uint64]wasi.Errno{2: wasi.EBADF, 3: wasi.EBADF, 4: wasi.EINVAL} {
		g.want(want, "clock_time_get", id, 0, atOut)
		g.want(want, "clock_res_get", id, atOut)
	}
	g.trap("clock_time_get", 0, 0, atOut+4)
}

func TestRandom(t *testing.T) {
	var wrote int
	g := newRig(t, wasi.Config{
		Random: strings.NewReader(strings.Repeat("perch", 40_000)),
		Wrote:  func(_ uint32, b []byte) { wrote += len(b) },
	})
	g.want(wasi.Success, "random_get", atData, 100_000)
	if got := g.bytes(atData, 100_000); got != strings.Repeat("perch", 20_000) {
		t.Error("other bytes than the source's")
	}
	if wrote != 100_000 {
		t.Errorf("the tape was told of %d bytes", wrote)
	}
	g.want(wasi.Success, "random_get", 4<<16, 0)
	g.trap("random_get", atData, math.MaxUint32)
	g.want(wasi.Success, "random_get", atData, 100_000)
	g.want(wasi.EIO, "random_get", atData, 1) // the source is at its end
}

func TestExit(t *testing.T) {
	for _, code := range []uint32{0, 1, 125, 126, 255, math.MaxUint32} {
		g := newRig(t, wasi.Config{})
		_, err := g.try("proc_exit", uint64(code))
		var exit *wasi.ExitError
		if !errors.As(err, &exit) || exit.Code != code {
			t.Errorf("proc_exit(%d): %v", code, err)
		}
		if g.rec.last().Func != "proc_exit" || g.rec.last().Args[0] != uint64(code) {
			t.Errorf("proc_exit(%d) left %+v", code, g.rec.last())
		}
		if g.mod.IsClosed() {
			t.Error("the instance is closed: its memory cannot be looked at")
		}
	}
}

func TestSmallFunctions(t *testing.T) {
	g := newRig(t, wasi.Config{})
	g.want(wasi.Success, "sched_yield")
	g.want(wasi.ENOTSUP, "proc_raise", 6)
	g.want(wasi.EINVAL, "proc_raise", 31)
}

func TestSocketsDoNotExist(t *testing.T) {
	_, config := newVolume(t)
	g := newRig(t, config)
	for fd, want := range map[uint64]wasi.Errno{0: wasi.ENOTSOCK, 1: wasi.ENOTSOCK, 3: wasi.ENOTSOCK, 9: wasi.EBADF, math.MaxUint32: wasi.EBADF} {
		g.want(want, "sock_accept", fd, 0, atOut)
		g.want(want, "sock_recv", fd, atIovec, 1, 0, atOut, atOut+4)
		g.want(want, "sock_send", fd, atIovec, 1, 0, atOut)
		g.want(want, "sock_shutdown", fd, 3)
	}
	g.want(wasi.EINVAL, "sock_accept", 3, 1<<5, atOut)
	g.want(wasi.EINVAL, "sock_recv", 3, atIovec, 1, 4, atOut, atOut+4)
	g.want(wasi.EINVAL, "sock_send", 3, atIovec, 1, 1<<16, atOut)
	g.want(wasi.EINVAL, "sock_shutdown", 3, 4)
}

func TestUpperHalfOfParametersIsIgnored(t *testing.T) {
	for name, engine := range engines() {
		t.Run(name, func(t *testing.T) {
			_, config := newVolume(t)
			g := newRigOn(t, engine, 1, config)
			const garbage = 0xdead_beef << 32
			g.want(wasi.Success, "fd_prestat_get", garbage|fdTmp, garbage|atOut)
			g.want(wasi.EBADF, "fd_close", garbage|9)
			if got := g.rec.last().Args[0]; got != 9 {
				t.Errorf("the event says fd %#x", got)
			}
		})
	}
}

func TestStopEndsTheNextCall(t *testing.T) {
	stop := make(chan struct{})
	g := newRig(t, wasi.Config{Stop: stop})
	g.want(wasi.Success, "sched_yield")
	close(stop)
	if _, err := g.try("sched_yield"); !errors.Is(err, wasi.ErrStopped) {
		t.Errorf("after the stop: %v", err)
	}
	if n := len(g.rec.calls); n != 1 {
		t.Errorf("%d calls left, want 1: a stopped call has no Leave", n)
	}
}

func TestCallWithoutProcess(t *testing.T) {
	g := newRig(t, wasi.Config{})
	if _, err := g.mod.ExportedFunction("sched_yield").Call(t.Context()); err == nil {
		t.Error("a call without a process went through")
	}
}

func TestErrnoNames(t *testing.T) {
	for e, want := range map[wasi.Errno]string{
		0: "success", 8: "EBADF", 19: "EDQUOT", 44: "ENOENT", 58: "ENOTSUP", 63: "EPERM", 75: "EXDEV", 76: "ENOTCAPABLE", 77: "errno 77",
	} {
		if got := e.String(); got != want {
			t.Errorf("%d is %s, want %s", uint16(e), got, want)
		}
	}
}

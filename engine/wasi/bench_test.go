package wasi_test

import (
	"testing"

	"github.com/tetratelabs/wazero/api"

	"perch/engine/event"
	"perch/engine/wasi"
)

// deaf is an observer that does nothing.
type deaf struct{}

func (deaf) Enter(*wasi.Func, []uint64) {}
func (deaf) Leave(event.WASI)           {}
func (deaf) File(event.FileEffect)      {}

func benchCall(b *testing.B, g *rig, f api.Function, args ...uint64) {
	ctx := wasi.NewContext(b.Context(), g.p)
	stack := make([]uint64, max(len(args), 1))
	b.ReportAllocs()
	for b.Loop() {
		copy(stack, args)
		if err := f.CallWithStack(ctx, stack); err != nil || stack[0] != 0 {
			b.Fatal(err, stack[0])
		}
	}
}

// BenchmarkLine writes a small line to stderr, from Go through the guest.
func BenchmarkLine(b *testing.B) {
	for name, o := range map[string]wasi.Observer{"observed": deaf{}, "alone": nil} {
		b.Run(name, func(b *testing.B) {
			g := newRig(b, wasi.Config{Stderr: func([]byte) {}})
			if o == nil {
				g = newUnwatched(b)
			} else {
				g = newRig(b, wasi.Config{Stderr: func([]byte) {}, Observer: o})
			}
			g.put(atData, []byte("a small line\n"))
			g.iovec(atData, 13)
			benchCall(b, g, g.mod.ExportedFunction("fd_write"), 2, atIovec, 1, atOut)
		})
	}
}

// BenchmarkYield is the cost of a call that does nothing.
func BenchmarkYield(b *testing.B) {
	g := newUnwatched(b)
	benchCall(b, g, g.mod.ExportedFunction("sched_yield"))
}

// BenchmarkFileWrite writes a small line to a file.
func BenchmarkFileWrite(b *testing.B) {
	_, config := newVolume(b)
	config.Observer = deaf{}
	config.Budget = wasi.NewBudget(1<<62, 10)
	g := newRig(b, config)
	fd := g.mustOpen(fdTmp, "f", creat, write)
	g.put(atData, []byte("a small line\n"))
	g.iovec(atData, 13)
	benchCall(b, g, g.mod.ExportedFunction("fd_write"), uint64(fd), atIovec, 1, atOut)
}

// BenchmarkStat looks at a file.
func BenchmarkStat(b *testing.B) {
	_, config := newVolume(b)
	config.Observer = deaf{}
	g := newRig(b, config)
	g.mustOpen(fdTmp, "f", creat, write)
	p, n := g.path("f")
	benchCall(b, g, g.mod.ExportedFunction("path_filestat_get"), fdTmp, 0, p, n, atData)
}

// newUnwatched is a rig without an observer.
func newUnwatched(b *testing.B) *rig {
	g := newRig(b, wasi.Config{})
	p, err := wasi.New(wasi.Config{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { p.Close() })
	g.p = p
	return g
}

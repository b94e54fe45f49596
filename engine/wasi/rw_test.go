package wasi_test

import (
	"encoding/binary"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"perch/engine/event"
	"perch/engine/wasi"
)

// iovecs puts a list of buffers into memory.
func (g *rig) iovecs(list ...[2]uint32) uint64 {
	var b []byte
	for _, v := range list {
		b = binary.LittleEndian.AppendUint32(b, v[0])
		b = binary.LittleEndian.AppendUint32(b, v[1])
	}
	g.put(atIovec, b)
	return uint64(len(list))
}

func TestWriteAndReadAFile(t *testing.T) {
	v, config := newVolume(t)
	config.Budget = wasi.NewBudget(1<<20, 10)
	g := newRig(t, config)
	f := g.mustOpen(fdTmp, "f", creat, read|write)
	if n, e := g.write(f, "hello, perch"); n != 12 || e != wasi.Success {
		t.Errorf("wrote %d, %v", n, e)
	}
	if e := g.rec.lastFile(); e.Op != event.FileWrite || e.Path != "/volume/tmp/f" || e.FD != f ||
		e.Offset != 0 || e.Bytes != 12 || string(e.Data) != "hello, perch" || e.Written != 12 {
		t.Errorf("effect %+v", e)
	}
	if n, e := g.pwrite(f, "P", 7); n != 1 || e != wasi.Success {
		t.Errorf("pwrote %d, %v", n, e)
	}
	if e := g.rec.lastFile(); e.Offset != 7 || e.Bytes != 1 || e.Written != 13 {
		t.Errorf("effect %+v", e)
	}
	if got := readFile(t, filepath.Join(v.tmp, "f")); got != "hello, Perch" {
		t.Errorf("the file holds %q", got)
	}
	g.iovec(atData, 5)
	g.want(wasi.Success, "fd_pread", uint64(f), atIovec, 1, 7, atOut)
	if got := g.bytes(atData, g.u32(atOut)); got != "Perch" {
		t.Errorf("pread %q", got)
	}
	if e := g.rec.lastFile(); e.Op != event.FileRead || e.Offset != 7 || e.Bytes != 5 {
		t.Errorf("effect %+v", e)
	}
	if got, e := g.read(f, 10); got != "" || e != wasi.Success {
		t.Errorf("read at the end: %q %v", got, e)
	}
	g.want(wasi.Success, "fd_seek", uint64(f), 0, 0, atOut)
	if got, _ := g.read(f, 5); got != "hello" {
		t.Errorf("read %q", got)
	}
	if got, _ := g.read(f, 500); got != ", Perch" {
		t.Errorf("then read %q", got)
	}
}

func TestOnlyTheFirstBufferIsUsed(t *testing.T) {
	v, config := newVolume(t)
	var stdout strings.Builder
	config.Stdout = func(b []byte) { stdout.Write(b) }
	config.Stdin = &reader{strings.NewReader("abcdef")}
	g := newRig(t, config)
	g.put(atData, []byte("firstsecond"))
	f := uint64(g.mustOpen(fdTmp, "f", creat, read|write))
	list := [][2]uint32{{atData, 0}, {atData, 5}, {atData + 5, 6}}
	for _, fd := range []uint64{1, f} {
		g.want(wasi.Success, "fd_write", fd, atIovec, g.iovecs(list...), atOut)
		if n := g.u32(atOut); n != 5 {
			t.Errorf("fd %d: wrote %d, want 5", fd, n)
		}
	}
	if stdout.String() != "first" || readFile(t, filepath.Join(v.tmp, "f")) != "first" {
		t.Errorf("stdout %q", stdout.String())
	}
	for _, fd := range []uint64{0, f} {
		g.want(wasi.Success, "fd_seek", f, 0, 0, atOut)
		g.want(wasi.Success, "fd_read", fd, atIovec, g.iovecs([2]uint32{0, 0}, [2]uint32{atData, 3}, [2]uint32{atData + 100, 3}), atOut)
		if n := g.u32(atOut); n != 3 {
			t.Errorf("fd %d: read %d, want 3", fd, n)
		}
	}
	g.want(wasi.Success, "fd_write", 1, atIovec, g.iovecs(list[0]), atOut)
	g.want(wasi.Success, "fd_write", 1, atIovec, 0, atOut)
	if n := g.u32(atOut); n != 0 {
		t.Errorf("wrote %d of nothing", n)
	}
	g.want(wasi.Success, "fd_read", 0, atIovec, 0, atOut)
}

func TestStreams(t *testing.T) {
	var stdout, stderr strings.Builder
	var wrote []string
	g := newRig(t, wasi.Config{
		Stdin:  &reader{strings.NewReader("one\ntwo\n")},
		Stdout: func(b []byte) { stdout.Write(b) },
		Stderr: func(b []byte) { stderr.Write(b) },
		Wrote: func(ptr uint32, b []byte) {
			if ptr == atData {
				wrote = append(wrote, string(b))
			}
		},
	})
	g.ok(second(g.write(1, "out")))
	g.ok(second(g.write(2, "err")))
	if stdout.String() != "out" || stderr.String() != "err" {
		t.Errorf("stdout %q, stderr %q", stdout.String(), stderr.String())
	}
	if len(g.rec.files) != 0 {
		t.Errorf("streams are files: %+v", g.rec.files)
	}
	for _, want := range []string{"one\n", "two\n", ""} {
		if got, e := g.read(0, 4); got != want || e != wasi.Success {
			t.Errorf("read %q, %v, want %q", got, e, want)
		}
	}
	if strings.Join(wrote, "|") != "one\n|two\n" {
		t.Errorf("the tape was told %q", wrote)
	}
	for fd, want := range map[uint64]wasi.Errno{0: wasi.EBADF, 99: wasi.EBADF} {
		g.want(want, "fd_write", fd, atIovec, 1, atOut)
	}
	for fd, want := range map[uint64]wasi.Errno{1: wasi.EBADF, 2: wasi.EBADF, 99: wasi.EBADF} {
		g.want(want, "fd_read", fd, atIovec, 1, atOut)
		g.want(want, "fd_pread", fd, atIovec, 1, 0, atOut)
	}
	g.want(wasi.ESPIPE, "fd_pread", 0, atIovec, 1, 0, atOut)
	g.want(wasi.ESPIPE, "fd_pwrite", 1, atIovec, 1, 0, atOut)
	g.want(wasi.EBADF, "fd_pwrite", 0, atIovec, 1, 0, atOut)
}

func TestFoldersAreNotReadOrWritten(t *testing.T) {
	_, config := newVolume(t)
	g := newRig(t, config)
	g.iovec(atData, 4)
	g.want(wasi.EBADF, "fd_read", fdTmp, atIovec, 1, atOut)
	g.want(wasi.EBADF, "fd_write", fdTmp, atIovec, 1, atOut)
	g.want(wasi.EBADF, "fd_pread", fdTmp, atIovec, 1, 0, atOut)
	g.want(wasi.EBADF, "fd_pwrite", fdTmp, atIovec, 1, 0, atOut)
}

func TestRightsOfTheOpeningHold(t *testing.T) {
	v, config := newVolume(t)
	writeFile(t, filepath.Join(v.tmp, "f"), "content")
	g := newRig(t, config)
	reads, writes := g.mustOpen(fdTmp, "f", 0, read), g.mustOpen(fdTmp, "f", 0, write)
	if _, e := g.write(reads, "x"); e != wasi.EBADF {
		t.Errorf("write to a file opened for reading: %v", e)
	}
	if _, e := g.read(writes, 1); e != wasi.EBADF {
		t.Errorf("read of a file opened for writing: %v", e)
	}
	none := g.mustOpen(fdTmp, "f", 0, 0)
	if got, e := g.read(none, 7); got != "content" || e != wasi.Success {
		t.Errorf("without rights: %q %v, want it opened for reading", got, e)
	}
}

func TestAppend(t *testing.T) {
	v, config := newVolume(t)
	writeFile(t, filepath.Join(v.tmp, "f"), "head ")
	g := newRig(t, config)
	f, e := g.openWith(fdTmp, 0, "f", 0, read|write, appendFlag)
	g.ok(e)
	g.ok(second(g.write(f, "tail")))
	if e := g.rec.lastFile(); e.Offset != 5 {
		t.Errorf("effect at %d, want 5", e.Offset)
	}
	g.ok(second(g.pwrite(f, "!", 0)))
	if got := readFile(t, filepath.Join(v.tmp, "f")); got != "head tail!" {
		t.Errorf("the file holds %q", got)
	}
}

func TestBadBuffersTrap(t *testing.T) {
	_, config := newVolume(t)
	g := newRig(t, config)
	f := uint64(g.mustOpen(fdTmp, "f", creat, read|write))
	end := uint32(4 << 16)
	g.iovec(end-1, 2)
	g.trap("fd_write", f, atIovec, 1, atOut)
	g.trap("fd_read", f, atIovec, 1, atOut)
	g.trap("fd_write", 1, atIovec, 1, atOut)
	g.trap("fd_read", 0, atIovec, 1, atOut)
	g.iovec(math.MaxUint32, math.MaxUint32)
	g.trap("fd_write", f, atIovec, 1, atOut)
	g.trap("fd_write", 1, uint64(end-8)+4, 1, atOut)    // half of it outside
	g.trap("fd_write", 1, atIovec+2, 1, atOut)          // misaligned
	g.trap("fd_write", 1, uint64(end-16), 1<<31, atOut) // empty ones, then outside
	g.trap("fd_write", 1, math.MaxUint32-7, 2, atOut)   // past 32 bits
	g.trap("fd_write", 1, atIovec, math.MaxUint32, atOut)
	g.iovec(atData, 1)
	g.trap("fd_write", 1, atIovec, 1, atOut+2) // the result's pointer
}

// stopAfter stops the run after some writes or some bytes of random.
type stopAfter struct {
	n    int
	stop chan struct{}
}

func (s *stopAfter) Read(p []byte) (int, error) { s.tick(); return len(p), nil }

func (s *stopAfter) tick() {
	if s.n--; s.n == 0 {
		close(s.stop)
	}
}

func TestLongCallsLookAtStop(t *testing.T) {
	const pages = 256 // 16 MiB
	for name, run := range map[string]func(g *rig) error{
		"random_get": func(g *rig) error { _, err := g.try("random_get", atData, 12<<20); return err },
		"fd_write": func(g *rig) error {
			g.iovec(atData, 12<<20)
			_, err := g.try("fd_write", 1, atIovec, 1, atOut)
			return err
		},
		"fd_write to a file": func(g *rig) error {
			f := g.mustOpen(fdTmp, "f", creat, write)
			g.iovec(atData, 12<<20)
			_, err := g.try("fd_write", uint64(f), atIovec, 1, atOut)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, config := newVolume(t)
			s := &stopAfter{2, make(chan struct{})}
			config.Stop, config.Random, config.Stdout = s.stop, s, func([]byte) { s.tick() }
			config.Observer = &fileTicker{recorder{}, s}
			g := newRigOn(t, engines()["compiler"], pages, config)
			if err := run(g); !errors.Is(err, wasi.ErrStopped) {
				t.Errorf("%v, want the stop", err)
			}
			if s.n != 0 {
				t.Errorf("it went on after the stop: %d", s.n)
			}
		})
	}
}

// fileTicker is an observer that counts the pieces written to files.
type fileTicker struct {
	recorder
	s *stopAfter
}

func (f *fileTicker) File(e event.FileEffect) {
	if e.Op == event.FileWrite {
		f.s.tick()
	}
}

func TestLongWritesComeInPieces(t *testing.T) {
	v, config := newVolume(t)
	config.Budget = wasi.NewBudget(4<<20, 1)
	g := newRigOn(t, engines()["compiler"], 64, config)
	data := strings.Repeat("0123456789abcdef", 3<<20/16)
	g.put(atData, []byte(data))
	f := g.mustOpen(fdTmp, "f", creat, read|write)
	g.iovec(atData, uint32(len(data)))
	g.want(wasi.Success, "fd_write", uint64(f), atIovec, 1, atOut)
	if n := g.u32(atOut); int(n) != len(data) {
		t.Errorf("wrote %d of %d", n, len(data))
	}
	var all strings.Builder
	for _, e := range g.rec.files {
		if e.Op == event.FileWrite {
			if e.Offset != int64(all.Len()) {
				t.Errorf("a piece at %d, want %d", e.Offset, all.Len())
			}
			all.Write(e.Data)
		}
	}
	if all.String() != data || readFile(t, filepath.Join(v.tmp, "f")) != data {
		t.Error("the pieces are not the whole")
	}
	g.put(atData, make([]byte, len(data)))
	g.want(wasi.Success, "fd_pread", uint64(f), atIovec, 1, 0, atOut)
	if g.bytes(atData, uint32(len(data))) != data {
		t.Error("read other bytes than written")
	}
}

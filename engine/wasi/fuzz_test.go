package wasi_test

import (
	"encoding/binary"
	"errors"
	"os"
	"testing"

	"perch/engine/guest"
	"perch/engine/wasi"
)

// FuzzPath does everything with a path, a link's content and some flags, and
// wants nothing outside the mounts to change.
func FuzzPath(f *testing.F) {
	for _, s := range []string{"f", "../canary", "d/../../canary", "/etc/passwd", "l/x", "d/./", "a\x00", "\xff", "d//l/..", "..", "/", ""} {
		f.Add(s, "../outside", byte(0))
		f.Add(s, "d/../..", byte(7))
	}
	c := newCage(f)
	c.ok(c.mkdir(fdTmp, "d"))
	f.Fuzz(func(t *testing.T, path, content string, flags byte) {
		if len(path) > 4096 || len(content) > 4096 {
			t.Skip("longer than the helpers' memory; TestOpenFlags has such a path")
		}
		c.TB = t
		c.mkdir(fdTmp, "d")
		c.symlink(content, fdTmp, "l")
		if fd, e := c.openWith(fdTmp, uint64(flags&1), path, uint64(flags>>1&15), read|write, 0); e == wasi.Success {
			c.write(fd, "x")
			c.close(fd)
		}
		c.stat(fdTmp, uint64(flags&1), path)
		c.mkdir(fdTmp, path)
		c.symlink(content, fdTmp, path)
		c.link(fdTmp, path, fdData, path)
		c.rename(fdTmp, path, fdTmp, "r")
		c.rename(fdTmp, "r", fdTmp, path)
		c.readlink(fdTmp, path)
		c.unlink(fdTmp, path)
		c.rmdir(fdTmp, path)
		if r, _, err := c.p.OpenBody("/volume/tmp/"+path, 1); err == nil {
			r.Close()
		}
		if out, err := c.p.CreateOutput("/volume/tmp/"+path, 1); err == nil {
			out.Close()
		}
		c.check()
		c.rec.calls, c.rec.files, c.rec.entered = nil, nil, nil
		for _, dir := range []string{c.tmp, c.data} {
			entries, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				if err := os.RemoveAll(dir + "/" + e.Name()); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// FuzzCalls calls any function with any arguments on a memory of fuzzed bytes:
// it returns, traps or exits, and nothing else.
func FuzzCalls(f *testing.F) {
	f.Add(uint8(26), []byte{1, 0, 0, 0, 1}, []byte("abc"))
	f.Add(uint8(37), []byte{0, 8, 4}, make([]byte, 96))
	f.Add(uint8(31), []byte{3, 1, 64, 4, 15, 66, 66, 0, 128}, []byte("d/../../canary"))
	f.Add(uint8(21), []byte{3, 64, 200, 2}, []byte{})
	c := newCage(f)
	funcs := wasi.Functions()
	f.Fuzz(func(t *testing.T, which uint8, args, memory []byte) {
		c.TB = t
		fn := funcs[int(which)%len(funcs)]
		if len(memory) > 60<<10 {
			memory = memory[:60<<10]
		}
		c.put(0, memory)
		stack := make([]uint64, len(fn.Params))
		for i := range stack {
			// Small numbers make descriptors and pointers that are often good.
			if i < len(args) {
				stack[i] = uint64(args[i])
			}
			if rest := args[min(len(args), len(stack)+8*i):]; len(rest) >= 8 {
				stack[i] = binary.LittleEndian.Uint64(rest)
			}
		}
		if fn.Name == "poll_oneoff" {
			stack[2] %= 64 // a clock may make it wait: no time in the test
			clear(memory)
			c.put(0, memory)
		}
		_, err := c.try(fn.Name, stack...)
		var trap *guest.Trap
		var exit *wasi.ExitError
		if err != nil && !errors.As(err, &trap) && !errors.As(err, &exit) {
			t.Errorf("%s%v: %v", fn.Name, stack, err)
		}
		c.check()
		c.rec.calls, c.rec.files, c.rec.entered = nil, nil, nil
	})
}

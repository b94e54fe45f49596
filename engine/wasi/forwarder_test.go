package wasi_test

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"perch/engine/event"
	"perch/engine/guest"
	"perch/engine/wasi"
)

// forwarder is a module that imports every function and exports each under its
// own name: by it, Go calls the functions as a guest does. Its memory is
// exported and has so many pages.
func forwarder(pages uint64) []byte {
	funcs := wasi.Functions()
	var types, imports, bodies, decls, exports []byte
	for i, f := range funcs {
		types = append(types, 0x60, byte(len(f.Params)))
		code := []byte{0} // no locals
		for j, p := range f.Params {
			types = append(types, p.Type)
			code = append(code, 0x20, byte(j)) // local.get
		}
		if f.Errno {
			types = append(types, 1, 0x7f)
		} else {
			types = append(types, 0)
		}
		imports = append(append(name(imports, "wasi_snapshot_preview1"), name(nil, f.Name)...), 0, byte(i))
		decls = append(decls, byte(i))
		exports = append(name(exports, f.Name), 0)
		exports = binary.AppendUvarint(exports, uint64(len(funcs)+i))
		code = append(code, 0x10, byte(i), 0x0b) // call, end
		bodies = append(append(bodies, byte(len(code))), code...)
	}
	exports = append(name(exports, "memory"), 2, 0)
	n := byte(len(funcs))
	m := []byte("\x00asm\x01\x00\x00\x00")
	m = section(m, 1, append([]byte{n}, types...))
	m = section(m, 2, append([]byte{n}, imports...))
	m = section(m, 3, append([]byte{n}, decls...))
	m = section(m, 5, binary.AppendUvarint([]byte{1, 0}, pages))
	m = section(m, 7, append([]byte{n + 1}, exports...))
	return section(m, 10, append([]byte{n}, bodies...))
}

func name(b []byte, s string) []byte {
	return append(append(b, byte(len(s))), s...)
}

func section(m []byte, id byte, b []byte) []byte {
	return append(binary.AppendUvarint(append(m, id), uint64(len(b))), b...)
}

// rig is a forwarder with its process.
type rig struct {
	testing.TB
	p   *wasi.Process
	mod api.Module
	mem api.Memory
	rec *recorder
}

// recorder is an observer that keeps everything.
type recorder struct {
	entered []string
	calls   []event.WASI
	files   []event.FileEffect
}

func (r *recorder) Enter(f *wasi.Func, _ []uint64) { r.entered = append(r.entered, f.Name) }
func (r *recorder) File(e event.FileEffect)        { r.files = append(r.files, e) }
func (r *recorder) Leave(e event.WASI) {
	e.Args = append([]uint64(nil), e.Args...)
	e.Out = append([]uint64(nil), e.Out...)
	r.calls = append(r.calls, e)
}

func (r *recorder) last() event.WASI           { return r.calls[len(r.calls)-1] }
func (r *recorder) lastFile() event.FileEffect { return r.files[len(r.files)-1] }

// compiled shares the compiled forwarder between tests.
var compiled = sync.OnceValue(func() wazero.CompilationCache { return wazero.NewCompilationCache() })

// newRig instantiates a forwarder of four pages on the compiler.
func newRig(t testing.TB, config wasi.Config) *rig {
	t.Helper()
	return newRigOn(t, wazero.NewRuntimeConfigCompiler().WithCompilationCache(compiled()), 4, config)
}

func newRigOn(t testing.TB, engine wazero.RuntimeConfig, pages uint64, config wasi.Config) *rig {
	t.Helper()
	g := &rig{TB: t, rec: &recorder{}}
	if config.Observer == nil {
		config.Observer = g.rec
	}
	var err error
	if g.p, err = wasi.New(config); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.p.Close() })
	r := newRuntime(t, engine)
	if g.mod, err = r.InstantiateWithConfig(t.Context(), forwarder(pages), wazero.NewModuleConfig().WithName("")); err != nil {
		t.Fatal(err)
	}
	g.mem = g.mod.Memory()
	return g
}

// try calls a function; the error is of a guest that ended.
func (g *rig) try(name string, args ...uint64) (wasi.Errno, error) {
	f := g.mod.ExportedFunction(name)
	if f == nil {
		g.Fatalf("no function %s", name)
	}
	got, err := f.Call(wasi.NewContext(g.Context(), g.p), args...)
	if err != nil {
		return 0, err
	}
	if len(got) == 0 {
		return 0, nil
	}
	return wasi.Errno(got[0]), nil
}

// call calls a function that must return.
func (g *rig) call(name string, args ...uint64) wasi.Errno {
	g.Helper()
	e, err := g.try(name, args...)
	if err != nil {
		g.Fatalf("%s: %v", name, err)
	}
	return e
}

// want calls a function and compares its errno.
func (g *rig) want(e wasi.Errno, name string, args ...uint64) {
	g.Helper()
	if got := g.call(name, args...); got != e {
		g.Errorf("%s%v = %v, want %v", name, args, got, e)
	}
}

// trap calls a function that must trap.
func (g *rig) trap(name string, args ...uint64) {
	g.Helper()
	_, err := g.try(name, args...)
	var trap *guest.Trap
	if !errors.As(err, &trap) {
		g.Errorf("%s%v: %v, want a trap", name, args, err)
	}
}

// Where the helpers put things in guest memory.
const (
	atOut   = 64
	atIovec = 128
	atPath  = 1 << 10
	atPath2 = 6 << 10
	atData  = 16 << 10
)

func (g *rig) put(ptr uint32, b []byte) {
	g.Helper()
	if !g.mem.Write(ptr, b) {
		g.Fatalf("%d bytes do not fit at %d", len(b), ptr)
	}
}

func (g *rig) u32(ptr uint32) uint32 {
	v, ok := g.mem.ReadUint32Le(ptr)
	if !ok {
		g.Fatalf("no memory at %d", ptr)
	}
	return v
}

func (g *rig) u64(ptr uint32) uint64 {
	v, ok := g.mem.ReadUint64Le(ptr)
	if !ok {
		g.Fatalf("no memory at %d", ptr)
	}
	return v
}

func (g *rig) bytes(ptr, n uint32) string {
	b, ok := g.mem.Read(ptr, n)
	if !ok {
		g.Fatalf("no memory at %d", ptr)
	}
	return string(b)
}

// path puts a path into memory and returns its two arguments.
func (g *rig) path(p string) (uint64, uint64) {
	g.put(atPath, []byte(p))
	return atPath, uint64(len(p))
}

func (g *rig) path2(p string) (uint64, uint64) {
	g.put(atPath2, []byte(p))
	return atPath2, uint64(len(p))
}

// Flags and rights as a guest writes them.
const (
	creat, directory, excl, trunc = 1, 2, 4, 8
	read, write                   = 1 << 1, 1 << 6
	follow                        = 1
	appendFlag                    = 1
)

func (g *rig) open(fd uint32, path string, oflags, rights uint64) (uint32, wasi.Errno) {
	g.Helper()
	return g.openWith(fd, follow, path, oflags, rights, 0)
}

func (g *rig) openWith(fd uint32, lookup uint64, path string, oflags, rights, fdflags uint64) (uint32, wasi.Errno) {
	g.Helper()
	ptr, n := g.path(path)
	e := g.call("path_open", uint64(fd), lookup, ptr, n, oflags, rights, 0, fdflags, atOut)
	return g.u32(atOut), e
}

// mustOpen opens what is there or can be made.
func (g *rig) mustOpen(fd uint32, path string, oflags, rights uint64) uint32 {
	g.Helper()
	got, e := g.open(fd, path, oflags, rights)
	if e != wasi.Success {
		g.Fatalf("open %s: %v", path, e)
	}
	return got
}

// at1 calls a function of the form (fd, path, path_len).
func (g *rig) at1(name string, fd uint32, path string) wasi.Errno {
	g.Helper()
	ptr, n := g.path(path)
	return g.call(name, uint64(fd), ptr, n)
}

func (g *rig) mkdir(fd uint32, path string) wasi.Errno {
	return g.at1("path_create_directory", fd, path)
}
func (g *rig) rmdir(fd uint32, path string) wasi.Errno {
	return g.at1("path_remove_directory", fd, path)
}
func (g *rig) unlink(fd uint32, path string) wasi.Errno { return g.at1("path_unlink_file", fd, path) }

func (g *rig) rename(fd uint32, from string, newFD uint32, to string) wasi.Errno {
	g.Helper()
	p, n := g.path(from)
	q, m := g.path2(to)
	return g.call("path_rename", uint64(fd), p, n, uint64(newFD), q, m)
}

func (g *rig) link(fd uint32, from string, newFD uint32, to string) wasi.Errno {
	g.Helper()
	p, n := g.path(from)
	q, m := g.path2(to)
	return g.call("path_link", uint64(fd), 0, p, n, uint64(newFD), q, m)
}

func (g *rig) symlink(content string, fd uint32, path string) wasi.Errno {
	g.Helper()
	p, n := g.path2(content)
	q, m := g.path(path)
	return g.call("path_symlink", p, n, uint64(fd), q, m)
}

func (g *rig) readlink(fd uint32, path string) (string, wasi.Errno) {
	g.Helper()
	p, n := g.path(path)
	e := g.call("path_readlink", uint64(fd), p, n, atData, 4096, atOut)
	if e != wasi.Success {
		return "", e
	}
	return g.bytes(atData, g.u32(atOut)), e
}

func (g *rig) iovec(ptr, n uint32) {
	b := binary.LittleEndian.AppendUint32(nil, ptr)
	g.put(atIovec, binary.LittleEndian.AppendUint32(b, n))
}

func (g *rig) write(fd uint32, data string) (uint32, wasi.Errno) {
	g.Helper()
	g.put(atData, []byte(data))
	g.iovec(atData, uint32(len(data)))
	e := g.call("fd_write", uint64(fd), atIovec, 1, atOut)
	return g.u32(atOut), e
}

func (g *rig) pwrite(fd uint32, data string, off uint64) (uint32, wasi.Errno) {
	g.Helper()
	g.put(atData, []byte(data))
	g.iovec(atData, uint32(len(data)))
	e := g.call("fd_pwrite", uint64(fd), atIovec, 1, off, atOut)
	return g.u32(atOut), e
}

func (g *rig) read(fd uint32, n uint32) (string, wasi.Errno) {
	g.Helper()
	g.iovec(atData, n)
	if e := g.call("fd_read", uint64(fd), atIovec, 1, atOut); e != wasi.Success {
		return "", e
	}
	return g.bytes(atData, g.u32(atOut)), wasi.Success
}

func (g *rig) close(fd uint32) wasi.Errno {
	g.Helper()
	return g.call("fd_close", uint64(fd))
}

// filetype is what path_filestat_get says of a path, and its size.
func (g *rig) stat(fd uint32, lookup uint64, path string) (kind byte, size uint64, e wasi.Errno) {
	g.Helper()
	p, n := g.path(path)
	e = g.call("path_filestat_get", uint64(fd), lookup, p, n, atData)
	return byte(g.u64(atData + 16)), g.u64(atData + 32), e
}

// ok fails the test when e is not success.
func (g *rig) ok(e wasi.Errno) {
	g.Helper()
	g.is(e, wasi.Success)
}

// is compares two error numbers.
func (g *rig) is(got, want wasi.Errno) {
	g.Helper()
	if got != want {
		g.Errorf("errno %v, want %v", got, want)
	}
}

// volume is a folder of the host with /volume/tmp and /volume/data mounted, as
// fds 3 and 4, and a read-only /package as fd 5.
type volume struct{ tmp, data, pack string }

func newVolume(t testing.TB) (volume, wasi.Config) {
	t.Helper()
	base := t.TempDir()
	v := volume{filepath.Join(base, "tmp"), filepath.Join(base, "data"), filepath.Join(base, "package")}
	for _, d := range []string{v.tmp, v.data, v.pack} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return v, wasi.Config{Mounts: []wasi.Mount{
		{Guest: "/volume/tmp", Dir: v.tmp},
		{Guest: "/volume/data", Dir: v.data},
		{Guest: "/package", Dir: v.pack, ReadOnly: true},
	}}
}

const (
	fdTmp  = 3
	fdData = 4
	fdPack = 5
)

func writeFile(t testing.TB, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

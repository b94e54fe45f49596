package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tetratelabs/wazero"

	"perch/engine/abi"
	"perch/engine/disk"
)

// shelf is the cache on disk: a folder for each compiled module, named by the
// SHA-256 of its instrumented bytes, and in it a seal, the checksum of all
// else. What is not whole is never handed to wazero, which jumps to addresses
// that it reads there. A shelf that cannot be used costs time and nothing else.
type shelf struct {
	dir string // empty: there is none
}

// sealName is the file with the checksum of a folder's other files.
const sealName = "seal"

func newShelf(dir string) shelf {
	if dir == "" || disk.MkdirPrivate(dir) != nil {
		return shelf{}
	}
	return shelf{dir}
}

// take returns the folder of a module, whole or empty; "" when the module has
// to do without.
func (s shelf) take(key string) string {
	if s.dir == "" {
		return ""
	}
	dir := filepath.Join(s.dir, key)
	switch sealed, err := os.ReadFile(filepath.Join(dir, sealName)); {
	case err == nil && string(sealed) == checksum(dir):
		now := time.Now()
		_ = os.Chtimes(filepath.Join(dir, sealName), now, now) // else it goes sooner
		return dir
	case errors.Is(err, fs.ErrNotExist) && beingMade(dir):
		return ""
	}
	if os.RemoveAll(dir) != nil || os.Mkdir(dir, 0o700) != nil {
		return ""
	}
	return dir
}

// beingMade reports whether another perch may be compiling into a folder now.
func beingMade(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && time.Since(info.ModTime()) < 2*abi.CompileTime
}

// seal says that a folder that take returned is whole.
func (s shelf) seal(dir string) {
	if _, err := os.Lstat(filepath.Join(dir, sealName)); err == nil {
		return
	}
	if disk.WriteFile(filepath.Join(dir, sealName), []byte(checksum(dir))) != nil {
		s.drop(dir)
	}
	s.prune()
}

// drop forgets a folder.
func (s shelf) drop(dir string) { _ = os.RemoveAll(dir) } // without a seal it is never used

// prune drops the modules that were not used for longest.
func (s shelf) prune() {
	entries, err := os.ReadDir(s.dir)
	if err != nil || len(entries) <= abi.MaxCached {
		return
	}
	type folder struct {
		dir  string
		used time.Time
	}
	var all []folder
	for _, e := range entries {
		dir := filepath.Join(s.dir, e.Name())
		if info, err := os.Stat(filepath.Join(dir, sealName)); err == nil {
			all = append(all, folder{dir, info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b folder) int { return cmp.Compare(b.used.UnixNano(), a.used.UnixNano()) })
	for _, f := range all[min(len(all), abi.MaxCached):] {
		s.drop(f.dir)
	}
}

// checksum is of all files below a folder but its seal: their names, sizes and
// bytes. It finds damage, not forgery: who can write here runs what they like.
func checksum(dir string) string {
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	var size int64
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || path == sealName {
			return err
		}
		b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
		fmt.Fprintf(sum, "%s\x00%d\x00", path, len(b))
		_, _ = sum.Write(b)
		size += int64(len(b))
		return err
	})
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%08x %d\n", sum.Sum32(), size)
}

// program is a compiled module in a runtime of its own, so that the folder of
// one module is all that wazero reads of the cache.
type program struct {
	cache    wazero.CompilationCache
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
}

// program compiles, or takes what the cache has.
func (e *Engine) program(key string, module []byte) (*program, error) {
	dir := e.shelf.take(key)
	if dir == "" {
		return e.make("", module)
	}
	p, err := e.make(dir, module)
	if err == nil {
		e.shelf.seal(dir)
		return p, nil
	}
	e.shelf.drop(dir)
	if e.compiling.Err() != nil {
		return nil, err
	}
	return e.make("", module) // the disk may be full, or another perch was faster
}

func (e *Engine) make(dir string, module []byte) (*program, error) {
	ctx := e.compiling
	p := &program{cache: wazero.NewCompilationCache()}
	if dir != "" {
		c, err := wazero.NewCompilationCacheWithDir(dir)
		if err != nil {
			return nil, fmt.Errorf("open the cache of compiled modules: %w", err)
		}
		p.cache = c
	}
	p.runtime = wazero.NewRuntimeWithConfig(ctx, e.config(p.cache))
	err := provide(ctx, p.runtime)
	if err == nil {
		p.compiled, err = p.runtime.CompileModule(ctx, module)
	}
	if err != nil {
		return nil, errors.Join(err, p.close(context.WithoutCancel(ctx)))
	}
	return p, nil
}

func (p *program) close(ctx context.Context) error {
	return errors.Join(p.runtime.Close(ctx), p.cache.Close(ctx))
}

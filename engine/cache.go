package engine

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"time"
	"unsafe"

	"github.com/tetratelabs/wazero"

	"perch/engine/abi"
	"perch/engine/disk"
)

// codeCache keeps compiled modules on disk, a file each: the SHA-256 of the
// code, and the code. What is damaged or half written is not there, and
// several perch may share one. A cache that cannot be used costs time and
// nothing else. The sum finds damage, not forgery: who can write here runs
// what they like.
//
// wazero v1.12 has a cache of its own. It reads each entry of the source map,
// which we need for stacks, with two system calls: for a module of Go that
// takes longer than to compile it. And it jumps to addresses that it reads
// from a damaged file. Its interface for caches is internal, but made of plain
// types, so ours is put in its place. Where that does not work there is none.
type codeCache struct{ dir string }

// Get implements the cache interface of wazero.
func (c codeCache) Get(key [sha256.Size]byte) (io.ReadCloser, bool, error) {
	b, err := disk.ReadFile(c.path(key), abi.MaxCompiled)
	if err != nil || len(b) < sha256.Size || sha256.Sum256(b[sha256.Size:]) != [sha256.Size]byte(b[:sha256.Size]) {
		return nil, false, nil // compiled anew
	}
	now := time.Now()
	_ = os.Chtimes(c.path(key), now, now) // else it goes sooner
	return io.NopCloser(bytes.NewReader(b[sha256.Size:])), true, nil
}

// Add implements the cache interface of wazero.
func (c codeCache) Add(key [sha256.Size]byte, content io.Reader) error {
	b, err := io.ReadAll(content)
	if err != nil || len(b) > abi.MaxCompiled-sha256.Size {
		return nil
	}
	sum := sha256.Sum256(b)
	if disk.WriteFile(c.path(key), append(sum[:], b...)) == nil { // else the next start compiles again
		c.prune()
	}
	return nil
}

// Delete implements the cache interface of wazero.
func (c codeCache) Delete(key [sha256.Size]byte) error {
	_ = os.Remove(c.path(key)) // what stays is replaced
	return nil
}

func (c codeCache) path(key [sha256.Size]byte) string {
	return filepath.Join(c.dir, hex.EncodeToString(key[:]))
}

// prune drops the modules that were not used for longest.
func (c codeCache) prune() {
	entries, err := os.ReadDir(c.dir)
	if err != nil || len(entries) <= abi.MaxCached {
		return
	}
	var all []os.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			all = append(all, info)
		}
	}
	slices.SortFunc(all, func(a, b os.FileInfo) int { return cmp.Compare(b.ModTime().UnixNano(), a.ModTime().UnixNano()) })
	for _, info := range all[min(len(all), abi.MaxCached):] {
		_ = os.RemoveAll(filepath.Join(c.dir, info.Name()))
	}
}

// openCache returns a cache that keeps compiled modules in dir, or in memory
// alone when dir is empty or cannot be used.
func openCache(dir string) wazero.CompilationCache {
	cache := wazero.NewCompilationCache()
	if dir != "" && disk.MkdirPrivate(dir) == nil {
		replaceFileCache(cache, codeCache{dir})
	}
	return cache
}

// replaceFileCache puts c into the field of wazero's cache that holds the one
// on disk. It reports whether there is such a field that takes it.
func replaceFileCache(cache wazero.CompilationCache, c codeCache) bool {
	v := reflect.ValueOf(cache)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return false
	}
	field := v.Elem().FieldByName("fileCache")
	if !field.IsValid() || field.Kind() != reflect.Interface || !reflect.TypeOf(c).Implements(field.Type()) {
		return false
	}
	reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem().Set(reflect.ValueOf(c))
	return true
}

// program is a compiled module in a runtime of its own.
type program struct {
	cache    wazero.CompilationCache
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
}

// program compiles, or takes what the cache has.
func (e *Engine) program(module []byte) (*program, error) {
	ctx := e.compiling
	p := &program{cache: openCache(e.cacheDir)}
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

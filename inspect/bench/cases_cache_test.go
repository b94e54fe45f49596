package bench_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"perch/engine/event"
	"perch/inspect/bench"
	"perch/samples/mischief"
)

// TestDamagedCache (P122) changes bytes all over the cached modules: each
// later start makes the module anew, and nothing of the damage is run.
func TestDamagedCache(t *testing.T) {
	dir := t.TempDir()
	module := write(t, mischief.Build("call ok"))
	callWith(t, module, dir)
	files := cached(t, dir)
	if len(files) != 1 {
		t.Fatalf("the cache holds %d files", len(files))
	}
	for _, name := range files {
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; at < len(whole); at += 1 + len(whole)/8 {
			damaged := append([]byte(nil), whole...)
			damaged[at] ^= 0x55
			put(t, name, damaged)
			callWith(t, module, dir)
		}
		put(t, name, whole[:len(whole)/2])
		callWith(t, module, dir)
		put(t, name, nil)
		callWith(t, module, dir)
	}
	if again := cached(t, dir); len(again) != len(files) {
		t.Errorf("the cache holds %d files, and held %d", len(again), len(files))
	}
}

// TestCacheOutOfReach has no cache that it could use.
func TestCacheOutOfReach(t *testing.T) {
	module := write(t, mischief.Build("call ok"))
	file := filepath.Join(t.TempDir(), "file")
	put(t, file, []byte("not a folder"))
	callWith(t, module, file)
	callWith(t, module, filepath.Join(file, "below"))

	dir := t.TempDir()
	callWith(t, module, dir)
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("the cache holds %d entries: %v", len(entries), err)
	}
	file = filepath.Join(dir, entries[0].Name())
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(file, 0o700); err != nil { // a folder where the file was
		t.Fatal(err)
	}
	callWith(t, module, dir)
}

// TestCacheOfTwo lets several start at once on one cache.
func TestCacheOfTwo(t *testing.T) {
	dir := t.TempDir()
	module := write(t, mischief.Build("call ok"))
	var done sync.WaitGroup
	for range 4 {
		done.Go(func() { callWith(t, module, dir) })
	}
	done.Wait()
	callWith(t, module, dir)
}

// callWith opens a module with a cache and calls its tool.
func callWith(t *testing.T, module, cache string) {
	t.Helper()
	b, err := bench.Open(t.Context(), module, bench.Options{CacheDir: cache, Clock: quick()})
	if err != nil {
		t.Errorf("open: %v", err)
		return
	}
	c, err := b.Call(t.Context(), mischief.ActTool, []byte("{}"))
	if err != nil || c.Result.Outcome != event.OK {
		t.Errorf("the call is %s: %v", c.Result.Outcome, err)
	}
	if err := b.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

func cached(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

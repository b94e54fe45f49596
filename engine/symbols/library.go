package symbols

import (
	"strings"

	"perch/engine/event"
)

// Library reports whether a frame is of a language's runtime or standard
// library, by the name of its source file: code that whoever looks for a fault
// did not write. A frame without a file is not.
func Library(f event.Frame) bool {
	file := strings.ReplaceAll(f.File, `\`, "/")
	if strings.HasSuffix(file, ".go") || strings.HasSuffix(file, ".s") {
		return libraryOfGo(f.Name, file)
	}
	for _, part := range [...]string{
		"libc-bottom-half/", "libc-top-half/", "/libcxx/", "/libcxxabi/", "/c++/v1/", "compiler-rt/", // C, C++
		"library/std/", "library/core/", "library/alloc/", "library/panic_", "/rustc-", "/rustc/", // Rust
		"/lib/std/", "/lib/compiler_rt", // Zig
		"/nim/lib/", "/lib/nim/", "~lib/", // Nim, AssemblyScript
	} {
		if strings.Contains(file, part) || strings.HasPrefix(file, strings.TrimPrefix(part, "/")) {
			return true
		}
	}
	return false
}

// libraryOfGo goes by the first element of the path below Go's src, which
// -trimpath leaves alone. main is never a library's.
func libraryOfGo(name, file string) bool {
	if strings.HasPrefix(name, "main.") {
		return false
	}
	if _, below, ok := strings.Cut(file, "/go/src/"); ok {
		file = below
	}
	first, _, ok := strings.Cut(file, "/")
	if !ok {
		return false
	}
	switch first {
	case "archive", "bufio", "bytes", "cmp", "compress", "container", "context", "crypto", "database", "debug",
		"embed", "encoding", "errors", "expvar", "flag", "fmt", "go", "hash", "html", "image", "index", "internal",
		"io", "iter", "log", "maps", "math", "mime", "net", "os", "path", "plugin", "reflect", "regexp", "runtime",
		"slices", "sort", "strconv", "strings", "structs", "sync", "syscall", "testing", "text", "time", "unicode",
		"unique", "unsafe", "vendor", "weak":
		return true
	}
	return false
}

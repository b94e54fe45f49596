package symbols_test

import (
	"testing"

	"perch/engine/event"
	"perch/engine/symbols"
)

func TestLibrary(t *testing.T) {
	for _, c := range []struct {
		name, file string
		want       bool
	}{
		{"abort", "libc-bottom-half/sources/abort.c", true},
		{"fputs", "/build/wasi-libc/libc-top-half/musl/src/stdio/fputs.c", true},
		{"std::vector<int>::at", "/usr/include/wasm32-wasi/c++/v1/vector", true},
		{"main", "/home/ada/main.c", false},
		{"rust_panic", "/rustc/4b91a6ea/library/std/src/panicking.rs", true},
		{"core::panicking::panic", "library/core/src/panicking.rs", true},
		{"greet::main", "src/main.rs", false},
		{"serde_json::from_str", "/home/ada/.cargo/registry/src/serde_json/src/de.rs", false},
		{"runtime.gopanic", "runtime/panic.go", true},
		{"runtime.wasmStack", `C:\Go\go\src\runtime\rt0_wasm.s`, true},
		{"fmt.Println", "/usr/local/go/src/fmt/print.go", true},
		{"main.main", "time/main.go", false}, // a module may have a library's name
		{"greet/app.Run", "greet/app/run.go", false},
		{"os.abort", "/opt/zig/lib/std/os.zig", true},
		{"assert", "~lib/rt.ts", true},
		{"func[3]", "", false},
	} {
		if got := symbols.Library(event.Frame{Name: c.name, File: c.file}); got != c.want {
			t.Errorf("%s in %s: %t", c.name, c.file, got)
		}
	}
}

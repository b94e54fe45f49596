package symbols_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"perch/engine/symbols"
)

// dwarfGuests are the modules in testdata, each with the source it was made
// from and the stack at its call of the host.
func dwarfGuests() []dwarfGuest {
	c := []frame{{"inner", "inner captures"}, {"middle", "middle calls"}, {"outer", "outer calls"}, {"recurse", "recurse ends"},
		{"recurse", "recurse calls"}, {"recurse", "recurse calls"}, {"_start", "start calls"}}
	rust := func(cart string) []frame {
		return []frame{{cart + "::total", "total captures"}, {cart + "::print", "print calls"}, {"_start", "start calls"}}
	}
	return []dwarfGuest{
		{"c-dwarf4", "guest.c", c},
		{"c-dwarf5", "guest.c", c},
		{"cc", "guest.cc", []frame{{"shop::Cart<long>::add(long)", "add captures"}, {"shop::fill(shop::Cart<long>&, int)", "fill calls"}, {"_start", "start calls"}}},
		{"rust-legacy", "guest.rs", rust("guest::shop::Cart<T>")},
		{"rust-v0", "guest.rs", rust("<guest::shop::Cart<i32>>")},
	}
}

type dwarfGuest struct {
	module, source string
	want           []frame
}

func (g dwarfGuest) check(t *testing.T, dir string) {
	module, err := os.ReadFile(filepath.Join(dir, g.module+".wasm"))
	if err != nil {
		t.Fatal(err)
	}
	lines := marks(t, filepath.Join("testdata", g.source))
	for engine, config := range engines() {
		for kind, module := range map[string][]byte{"": module, ", no name section": without(module, "name")} {
			h := newHost(t, module, config)
			frames := nth(t, h.run(t), "capture", 0)
			if len(frames) != len(g.want) || !contains(frames, g.want, lines, g.source, true) {
				t.Errorf("%s%s: the stack is not %v:\n%s", engine, kind, g.want, show(frames))
			}
		}
	}
}

func TestDWARFStacks(t *testing.T) {
	for _, g := range dwarfGuests() {
		t.Run(g.module, func(t *testing.T) { g.check(t, "testdata") })
	}
}

// The same, with what the compilers that are here make of the sources.
func TestDWARFStacksRebuilt(t *testing.T) {
	if _, err := exec.LookPath("clang-19"); err != nil {
		t.Skip("clang-19 is not installed")
	}
	dir := t.TempDir()
	cmd := exec.Command("testdata/build.sh")
	cmd.Env = append(os.Environ(), "OUT="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("testdata/build.sh: %v\n%s", err, out)
	}
	for _, g := range dwarfGuests() {
		if _, err := os.Stat(filepath.Join(dir, g.module+".wasm")); os.IsNotExist(err) {
			continue // no rustc
		}
		t.Run(g.module, func(t *testing.T) { g.check(t, dir) })
	}
}

func TestNames(t *testing.T) {
	module, err := os.ReadFile("testdata/cc.wasm")
	if err != nil {
		t.Fatal(err)
	}
	noDebug := without(module, ".debug_info")
	tests := []struct {
		what   string
		module []byte
		fn     uint32
		want   string
	}{
		{"an import", module, 0, "probe.capture"},
		{"the name section, demangled", noDebug, 1, "shop::fill(shop::Cart<long>&, int)"},
		{"DWARF alone", without(module, "name"), 1, "shop::fill(shop::Cart<long>&, int)"},
		{"an export", without(noDebug, "name"), 3, "_start"},
		{"nothing", without(noDebug, "name"), 2, "func[2]"},
		{"no such function", module, 99, "func[99]"},
		{"no module", []byte("MZ"), 0, "func[0]"},
		{"no bytes", nil, 7, "func[7]"},
	}
	for _, tt := range tests {
		table := symbols.New(tt.module)
		if got := table.Func(tt.fn); got != tt.want {
			t.Errorf("%s: function %d is called %q, not %q", tt.what, tt.fn, got, tt.want)
		}
		if got := table.Frame(tt.fn, 0); len(got) != 1 || got[0].Name != tt.want || got[0].Line != 0 {
			t.Errorf("%s: the frame without an offset is %v", tt.what, got)
		}
	}
}

func TestDemangle(t *testing.T) {
	for mangled, want := range map[string]string{
		"_ZN4core3fmt5Write9write_fmt17h1234567890abcdefE": "core::fmt::Write::write_fmt",
		"_RNvCs1234_7mycrate3foo":                          "mycrate::foo",
		"_ZNSt3__16vectorIiNS_9allocatorIiEEE9push_backEi": "std::__1::vector<int, std::__1::allocator<int> >::push_back(int)",
		"main.main":         "main.main",
		"_Zbroken":          "_Zbroken",
		"__wasm_call_ctors": "__wasm_call_ctors",
		"\xff\xfe":          "\xff\xfe",
	} {
		names := append([]byte{1, 0, byte(len(mangled))}, mangled...) // one, of function 0
		module := moduleOf(section(1, 1, 0x60, 0, 0), section(3, 1, 0), section(10, 1, 2, 0, 0x0b),
			custom("name", section(1, names...)))
		if got := symbols.New(module).Func(0); got != want {
			t.Errorf("%q is demangled to %q, not %q", mangled, got, want)
		}
	}
}

// Asking from several goroutines at once is safe, and all get the same.
func TestConcurrent(t *testing.T) {
	module, err := os.ReadFile("testdata/rust-v0.wasm")
	if err != nil {
		t.Fatal(err)
	}
	table := symbols.New(module)
	from, _ := body(t, module, 1)
	got := make(chan string)
	ask := func() { got <- fmt.Sprint(table.Frame(1, from+1), table.Func(1)) }
	for range 8 {
		go ask()
	}
	want := <-got
	for range 7 {
		if other := <-got; other != want {
			t.Errorf("%s, then %s", want, other)
		}
	}
}

// without is the module without its custom sections of this name.
func without(module []byte, name string) []byte {
	out := bytes.Clone(module[:8])
	prefix := append([]byte{byte(len(name))}, name...)
	for at := 8; at < len(module); {
		size, n := uleb(module[at+1:])
		end := at + 1 + n + size
		if module[at] != 0 || !bytes.HasPrefix(module[at+1+n:], prefix) {
			out = append(out, module[at:end]...)
		}
		at = end
	}
	return out
}

func moduleOf(sections ...[]byte) []byte {
	return append([]byte("\x00asm\x01\x00\x00\x00"), bytes.Join(sections, nil)...)
}

func section(id byte, contents ...byte) []byte {
	return append([]byte{id, byte(len(contents))}, contents...)
}

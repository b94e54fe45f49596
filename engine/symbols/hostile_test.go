package symbols_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"perch/engine/event"
	"perch/engine/symbols"
)

// A module's debug information is the guest's. What is small must not be made
// to cost much, and the function keeps a name.
func TestDWARFBombs(t *testing.T) {
	const manyBytes = 1 << 19
	unit := func(version byte, dies ...byte) []byte {
		header := []byte{version, 0, 0, 0, 0, 0, 4} // abbreviations at 0, addresses of 4 bytes
		if version >= 5 {
			header = []byte{version, 0, 1, 4, 0, 0, 0, 0}
		}
		return sized(append(header, dies...))
	}
	// A unit with a line table at 0 and code from 2 to 4, and nothing in it.
	abbrev := []byte{1, 0x11, 0, 0x10, 0x17, 0x11, 0x01, 0x12, 0x06, 0, 0, 0}
	root := []byte{1, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0}
	line5 := func(tables ...byte) []byte {
		program := append([]byte{1, 1, 1, 0xfb, 14, 1}, tables...) // one opcode base, no lengths
		head := append([]byte{5, 0, 4, 0}, binary.LittleEndian.AppendUint32(nil, uint32(len(program)))...)
		return sized(append(head, program...))
	}
	repeat := func(b byte, n int) []byte { return bytes.Repeat([]byte{b}, n) }
	huge := binary.AppendUvarint(nil, 1<<40)
	longPath := append(repeat('a', manyBytes), 0)
	tests := map[string][][]byte{
		"directories without a form": {custom(".debug_abbrev", abbrev), custom(".debug_info", unit(5, root...)),
			custom(".debug_line", line5(append([]byte{0}, huge...)...))},
		"a number of directories that does not fit": {custom(".debug_abbrev", abbrev), custom(".debug_info", unit(5, root...)),
			custom(".debug_line", line5(append([]byte{1, 1, 0x0f}, huge...)...))},
		"many files in a long directory": {custom(".debug_abbrev", abbrev), custom(".debug_info", unit(5, root...)),
			custom(".debug_line_str", longPath),
			custom(".debug_line", line5(append(append([]byte{1, 1, 0x1f, 1, 0, 0, 0, 0, 2, 1, 0x08, 2, 0x0b}, binary.AppendUvarint(nil, manyBytes/3)...),
				bytes.Repeat([]byte{'f', 0, 0}, manyBytes/3)...)...))},
		"an abbreviation of many attributes": {custom(".debug_abbrev", append(append([]byte{1, 0x11, 1}, bytes.Repeat([]byte{0x3f, 0x19}, manyBytes/2)...), 0, 0, 0)),
			custom(".debug_info", unit(4, repeat(1, manyBytes)...))},
		"an endless nest of entries": {custom(".debug_abbrev", []byte{1, 0x11, 1, 0, 0, 0}), custom(".debug_info", unit(4, repeat(1, manyBytes)...))},
		"many units":                 {custom(".debug_abbrev", abbrev), custom(".debug_info", bytes.Repeat(unit(4), manyBytes/11))},
		"abbreviations that overlap": {custom(".debug_abbrev", bytes.Repeat([]byte{1, 0x11, 0, 0, 0}, manyBytes/5)),
			custom(".debug_info", overlapping(manyBytes/11))},
	}
	for name, debug := range tests {
		t.Run(name, func(t *testing.T) {
			table := symbols.New(moduleOf(append([][]byte{section(1, 1, 0x60, 0, 0), section(3, 1, 0), section(10, 1, 2, 0, 0x0b)}, debug...)...))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			frames := table.Frame(0, 2)
			runtime.ReadMemStats(&after)
			if len(frames) != 1 || frames[0].Name != "func[0]" {
				t.Errorf("the frames are %v", frames)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 1<<30 {
				t.Errorf("%d MiB were allocated", took>>20)
			}
		})
	}
}

// sized puts a 32-bit length before b.
func sized(b []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)
}

// overlapping are n units whose abbreviations begin one entry later each.
func overlapping(n int) []byte {
	var info []byte
	for i := range n {
		b := binary.LittleEndian.AppendUint32([]byte{4, 0}, uint32(5*i))
		info = append(info, sized(append(b, 4))...)
	}
	return info
}

// A Go module whose tables were tampered with still has names or numbers.
func TestGoTablesTamperedWith(t *testing.T) {
	module := bytes.Clone(buildGo(t, "-s -w"))
	at := bytes.Index(module, []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8})
	if at < 0 {
		t.Fatal("the module has no table")
	}
	const tampered = 40
	all := bodies(t, module)
	nameless := bytes.Clone(module)
	for i := range nameless[at+72:] {
		if c := &nameless[at+72+i]; *c >= 'a' && *c <= 'z' {
			*c = 0
		}
	}
	named(t, nameless, all)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range tampered {
		spoiled := bytes.Clone(module)
		region := len(spoiled) - at
		if i%4 == 0 {
			region = 128 // the header
		}
		for range 1 + random.IntN(region/8) {
			spoiled[at+8+random.IntN(region-8)] = byte(random.Uint32())
		}
		named(t, spoiled, all)
	}
}

// named fails if a frame in one of some functions has no name.
func named(t *testing.T, module []byte, all []span) {
	t.Helper()
	table := symbols.New(module)
	for fn := 17; fn < len(all); fn += 41 {
		stack := []event.Frame{{Func: uint32(fn), Offset: (all[fn].from + all[fn].to) / 2}, {Func: uint32(fn) + 1}}
		for _, f := range table.Stack(stack, symbols.Live{Memory: memory(func(a uint32) uint64 { return 0x1000_0001 + uint64(a)<<16 })}) {
			if f.Name == "" {
				t.Fatalf("a frame has no name: %v", f)
			}
		}
	}
}

func FuzzFrame(f *testing.F) {
	files, err := filepath.Glob("testdata/*.wasm")
	if err != nil || len(files) == 0 {
		f.Fatal("no modules in testdata")
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, uint32(1), uint64(25))
	}
	f.Add([]byte("\x00asm\x01\x00\x00\x00"), uint32(0), uint64(0))
	f.Fuzz(func(t *testing.T, module []byte, fn uint32, offset uint64) {
		table := symbols.New(module)
		for _, frame := range [][]event.Frame{table.Frame(fn, offset), table.Stack([]event.Frame{{Func: fn, Offset: offset}}, symbols.Live{})} {
			if len(frame) == 0 {
				t.Fatal("no frame")
			}
			if last := frame[len(frame)-1]; last.Func != fn || last.Offset != offset {
				t.Fatalf("frame %v is of another place", last)
			}
		}
		if name := table.Func(fn); name == "" && !strings.Contains(string(module), "name") {
			t.Fatal("no name")
		}
	})
}

package symbols

import (
	"bytes"
	"encoding/binary"
	"strings"

	"perch/engine/event"
)

// Go modules carry no DWARF. They carry the runtime's own table, pclntab, as
// data: names, files, lines and frame sizes of every function, also in a module
// that was linked with -s -w. Its form is internal to Go; what follows holds for
// Go 1.20 and later, and the table is used only when its header says so.
//
// A PC of Go on WebAssembly is (0x1000 + function index without imports) << 16
// plus a number that counts resume points, calls and other places of interest
// in the function. It is no code offset; goblock.go finds it for one.

const (
	goFuncBase  = 0x1000     // added to the function index in a PC
	goMagic     = 0xfffffff1 // Go 1.20 and later
	noInlineRow = ^uint32(0) // in funcdata: no such table
)

// Indices into a function's pcdata and funcdata, internal/abi of Go.
const (
	pcdataInlineTree   = 2
	funcdataInlineTree = 3
)

// maxInline bounds how many inlined calls one frame may unfold to.
const maxInline = 64

// goTable is the pclntab of a module.
type goTable struct {
	image                                 []byte // linear memory as the data segments make it, from base
	base                                  uint64
	nfunc                                 int
	shift                                 uint   // of the PCs that the rows begin with
	names, cus, files, pcs, funcs, gofunc uint64 // addresses; gofunc 0: inlined calls are unknown
}

// goFunc is a function's row in the table.
type goFunc struct {
	addr                             uint64 // of the row
	entry                            uint32 // function index without imports
	name                             uint32
	pcsp, pcfile, pcline             uint32
	npcdata, cu, startLine, nfuncdat uint32
	flags                            byte
}

// findGoTable looks for pclntab in a module's data; nil when there is none.
func findGoTable(l *layout) *goTable {
	segments := l.segments()
	header := []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}
	for _, s := range segments {
		for from := 0; ; {
			i := bytes.Index(s.bytes[from:], header)
			if i < 0 {
				break
			}
			if t := readGoTable(l, segments, uint64(s.addr)+uint64(from+i)); t != nil {
				return t
			}
			from += i + len(header)
		}
	}
	return nil
}

// readGoTable reads the header at addr.
func readGoTable(l *layout, segments []segment, addr uint64) *goTable {
	t := &goTable{}
	if !t.fill(segments, len(l.Bytes)) {
		return nil
	}
	word := func(i uint64) uint64 { return t.u64(addr + 8 + 8*i) }
	nfunc := word(0)
	if t.u32(addr) != goMagic || nfunc == 0 || nfunc > uint64(len(l.Code)) {
		return nil
	}
	t.nfunc = int(nfunc)
	// Words: functions, files, unused, then where each part begins.
	t.names, t.cus, t.files, t.pcs, t.funcs = addr+word(3), addr+word(4), addr+word(5), addr+word(6), addr+word(7)
	for _, part := range []uint64{t.names, t.cus, t.files, t.pcs, t.funcs} {
		if part < addr || part >= t.base+uint64(len(t.image)) {
			return nil
		}
	}
	if end := t.funcs + 8*nfunc; end > t.base+uint64(len(t.image)) {
		return nil
	}
	switch t.u32(t.funcs) { // the PC of function 0
	case goFuncBase: // Go 1.26
	case goFuncBase << 16:
		t.shift = 16
	default:
		return nil
	}
	t.gofunc = t.findGofunc(addr)
	return t
}

// entry is the function index, without imports, in a row of the table.
func (t *goTable) entry(pc uint32) uint32 { return pc>>t.shift - goFuncBase }

// fill puts the data segments where they lie in memory. Go's linker leaves out
// runs of zeros, so the image is a little larger than the data; a module whose
// segments lie far apart is not of Go.
func (t *goTable) fill(segments []segment, moduleSize int) bool {
	first, last := ^uint64(0), uint64(0)
	for _, s := range segments {
		first = min(first, uint64(s.addr))
		last = max(last, uint64(s.addr)+uint64(len(s.bytes)))
	}
	if first > last || last-first > 4*uint64(moduleSize) {
		return false
	}
	t.base, t.image = first, make([]byte, last-first)
	for _, s := range segments {
		copy(t.image[uint64(s.addr)-first:], s.bytes)
	}
	return true
}

// findGofunc finds the base of funcdata in the runtime's moduledata, which
// begins with the address of pclntab's header and repeats that of its parts.
func (t *goTable) findGofunc(header uint64) uint64 {
	const namesWord, funcsWord, gofuncWord = 1, 13, 40
	want := binary.LittleEndian.AppendUint64(nil, header)
	for from := 0; ; {
		i := bytes.Index(t.image[from:], want)
		if i < 0 {
			return 0
		}
		at := t.base + uint64(from+i)
		if t.u64(at+8*namesWord) == t.names && t.u64(at+8*funcsWord) == t.funcs {
			return t.u64(at + 8*gofuncWord)
		}
		from += i + 8
	}
}

func (t *goTable) at(addr uint64, n int) []byte {
	if addr < t.base || addr-t.base > uint64(len(t.image)) || uint64(len(t.image))-(addr-t.base) < uint64(n) {
		return nil
	}
	return t.image[addr-t.base:][:n]
}

func (t *goTable) u32(addr uint64) uint32 {
	if b := t.at(addr, 4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (t *goTable) u64(addr uint64) uint64 {
	if b := t.at(addr, 8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (t *goTable) text(addr uint64) string {
	if addr < t.base || addr-t.base >= uint64(len(t.image)) {
		return ""
	}
	b := t.image[addr-t.base:]
	if end := bytes.IndexByte(b[:min(len(b), maxName)], 0); end >= 0 {
		return strings.Clone(string(b[:end]))
	}
	return ""
}

// find returns the row of the function with this index, imports not counted.
func (t *goTable) find(index uint32) (goFunc, bool) {
	lo, hi := 0, t.nfunc
	for lo < hi {
		mid := (lo + hi) / 2
		if t.entry(t.u32(t.funcs+8*uint64(mid))) <= index {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 || t.entry(t.u32(t.funcs+8*uint64(lo-1))) != index {
		return goFunc{}, false
	}
	addr := t.funcs + uint64(t.u32(t.funcs+8*uint64(lo-1)+4))
	row := t.at(addr, 44)
	if row == nil || t.entry(binary.LittleEndian.Uint32(row)) != index {
		return goFunc{}, false
	}
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(row[4*i:]) }
	return goFunc{
		addr: addr, entry: index, name: word(1), pcsp: word(4), pcfile: word(5), pcline: word(6),
		npcdata: word(7), cu: word(8), startLine: word(9), flags: row[41], nfuncdat: uint32(row[43]),
	}, true
}

// name of the function with this index, imports not counted.
func (t *goTable) funcName(index uint32) string {
	f, ok := t.find(index)
	if !ok {
		return ""
	}
	return t.text(t.names + uint64(f.name))
}

// value looks pc up in the table at off of the pc-value tables: pairs of a
// signed step of the value and a step of the pc, until a zero.
func (t *goTable) value(off uint32, pc uint32) (int32, bool) {
	if off == 0 || t.pcs+uint64(off) < t.base || t.pcs+uint64(off)-t.base >= uint64(len(t.image)) {
		return -1, false
	}
	r := reader{b: t.image[t.pcs+uint64(off)-t.base:]}
	value, at := int32(-1), uint64(0)
	for first := true; r.more(); first = false {
		step := r.uint()
		if step == 0 && !first {
			break
		}
		value += int32(uint32(step)>>1) ^ -int32(step&1)
		at += r.uint()
		if r.bad {
			break
		}
		if uint64(pc) < at {
			return value, true
		}
	}
	return -1, false
}

// pcdata is the value of one of a function's tables at pc.
func (t *goTable) pcdata(f goFunc, table, pc uint32) (int32, bool) {
	if table >= f.npcdata {
		return -1, false
	}
	return t.value(t.u32(f.addr+44+4*uint64(table)), pc)
}

// frameSize is the number of bytes between SP and the return address at pc.
func (t *goTable) frameSize(f goFunc, pc uint32) (uint32, bool) {
	v, ok := t.value(f.pcsp, pc)
	return uint32(v), ok && v >= 0
}

// position is the file and line at pc.
func (t *goTable) position(f goFunc, pc uint32) (file string, line int) {
	fileno, ok1 := t.value(f.pcfile, pc)
	lineno, ok2 := t.value(f.pcline, pc)
	if !ok1 || !ok2 || fileno < 0 || lineno < 0 || f.cu == ^uint32(0) {
		return "", 0
	}
	off := t.u32(t.cus + 4*(uint64(f.cu)+uint64(fileno)))
	if off == ^uint32(0) {
		return "", 0
	}
	return t.text(t.files + uint64(off)), int(lineno)
}

// unfold returns the frames at pc of f, the innermost inlined call first. Each
// of them has the function index and offset that are handed in.
func (t *goTable) unfold(f goFunc, pc uint32, fn uint32, offset uint64) []event.Frame {
	name := t.text(t.names + uint64(f.name))
	var frames []event.Frame
	for len(frames) < maxInline {
		file, line := t.position(f, pc)
		frame := event.Frame{Func: fn, Name: name, Offset: offset, File: file, Line: line}
		inlined, parent, ok := t.inlined(f, pc)
		if ok {
			frame.Name = inlined
		}
		if frame.Name == "" { // tables that were tampered with
			frame.Name = numbered(fn)
		}
		frames = append(frames, frame)
		if !ok {
			break
		}
		pc = parent
	}
	return frames
}

// inlined returns the name of the function that was inlined at pc, and the pc
// of the call that it stands for.
func (t *goTable) inlined(f goFunc, pc uint32) (name string, parent uint32, ok bool) {
	if t.gofunc == 0 || f.nfuncdat <= funcdataInlineTree {
		return "", 0, false
	}
	index, ok := t.pcdata(f, pcdataInlineTree, pc)
	if !ok || index < 0 {
		return "", 0, false
	}
	off := t.u32(f.addr + 44 + 4*uint64(f.npcdata) + 4*funcdataInlineTree)
	if off == noInlineRow {
		return "", 0, false
	}
	const rowSize, nameWord, parentWord = 16, 4, 8
	row := t.gofunc + uint64(off) + rowSize*uint64(index)
	if t.at(row, rowSize) == nil {
		return "", 0, false
	}
	return t.text(t.names + uint64(t.u32(row+nameWord))), t.u32(row + parentWord), true
}

// topFrame says whether a function stands at the top of a stack: goexit,
// mstart and the like.
func (f goFunc) topFrame() bool {
	const flagTopFrame = 1
	return f.flags&flagTopFrame != 0
}

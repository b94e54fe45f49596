package symbols

import (
	"strings"

	"perch/engine/wasm"
)

// layout is a module as its symbols need it, with offsets that are relative to
// the contents of the code section, as DWARF and the engine count them.
type layout struct {
	*wasm.Module
	code wasm.Span // contents of the code section
}

// span is a range of offsets in the code section, the end exclusive.
type span struct{ from, to uint64 }

// segment is an active data segment.
type segment struct {
	addr  uint32
	bytes []byte
}

func readLayout(module []byte) *layout {
	l := &layout{Module: wasm.Read(module)}
	if s := l.SectionOf(wasm.SecCode); s != nil {
		l.code = s.Body
	}
	return l
}

func (l *layout) imports() uint32 { return uint32(l.ImportedFuncs()) }

// body is the range of a function's body: the declarations of its locals, then
// its instructions. An import has none.
func (l *layout) body(fn uint32) (span, bool) {
	b := l.Body(fn)
	if b == nil {
		return span{}, false
	}
	return span{uint64(b.Locals.Start - l.code.Start), uint64(b.Expr.End - l.code.Start)}, true
}

// holds says whether an offset is in the body of fn.
func (l *layout) holds(fn uint32, offset uint64) bool {
	b, ok := l.body(fn)
	return ok && offset >= b.from && offset < b.to
}

// importName is "module.name" of an imported function.
func (l *layout) importName(fn uint32) string {
	for _, i := range l.Imports {
		if i.Kind == wasm.ExternFunc && i.Index == fn {
			return i.Module + "." + i.Name
		}
	}
	return ""
}

// segments are the active data segments with a constant address.
func (l *layout) segments() []segment {
	const i32Const = 0x41
	var all []segment
	for _, d := range l.Data {
		r := reader{b: l.Bytes[d.Offset.Start:d.Offset.End]}
		if d.Mode != wasm.Active || r.byte() != i32Const {
			continue
		}
		all = append(all, segment{uint32(r.int()), l.Bytes[d.Bytes.Start:d.Bytes.End]})
	}
	return all
}

// debugSections are the sections of DWARF by their names.
func (l *layout) debugSections() map[string][]byte {
	sections := map[string][]byte{}
	for _, s := range l.Sections {
		if _, twice := sections[s.Name]; s.ID == wasm.SecCustom && !twice && strings.HasPrefix(s.Name, ".debug_") {
			sections[s.Name] = l.Bytes[s.Body.Start:s.Body.End]
		}
	}
	return sections
}

// reader reads values of tables that the module holds. After the first fault
// it is bad and at its end, and everything read is zero.
type reader struct {
	b   []byte
	at  int
	bad bool
}

func (r *reader) more() bool { return r.at < len(r.b) }

func (r *reader) fail() {
	r.bad = true
	r.at = len(r.b)
}

func (r *reader) byte() byte {
	if !r.more() {
		r.fail()
		return 0
	}
	r.at++
	return r.b[r.at-1]
}

// take returns a view of the next n bytes.
func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.b)-r.at) {
		r.fail()
		return nil
	}
	r.at += int(n)
	return r.b[r.at-int(n) : r.at : r.at]
}

// uint reads an unsigned LEB128.
func (r *reader) uint() uint64 {
	var x uint64
	for shift := uint(0); shift < 64; shift += 7 {
		c := r.byte()
		x |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return x
		}
	}
	r.fail()
	return 0
}

// int reads a signed LEB128.
func (r *reader) int() int64 {
	var x int64
	for shift := uint(0); shift < 64; {
		c := r.byte()
		x |= int64(c&0x7f) << shift
		shift += 7
		if c < 0x80 {
			if shift < 64 && c&0x40 != 0 {
				x |= -1 << shift
			}
			return x
		}
	}
	r.fail()
	return 0
}

package symbols

import "strings"

// layout is what this package needs of a module's sections. It is read
// leniently: what is damaged or missing is left out, never an error, because a
// name that cannot be had is shown as a number.
type layout struct {
	imports []string          // imported functions, "module.name", in index order
	bodies  []span            // of the defined functions, in code
	code    []byte            // contents of the code section
	data    []segment         // active data segments of memory 0
	custom  map[string][]byte // contents of the custom sections, the first of each name
	exports map[uint32]string // function index to its first export name
}

// span is a range of offsets, the end exclusive.
type span struct{ from, to int }

// segment is an active data segment.
type segment struct {
	addr  uint32
	bytes []byte
}

// Section ids of the binary format, WebAssembly core.
const (
	sectionCustom = 0
	sectionImport = 2
	sectionExport = 7
	sectionCode   = 10
	sectionData   = 11
)

const headerSize = 8 // magic and version

// scan reads the sections of a module.
func scan(module []byte) *layout {
	l := &layout{custom: map[string][]byte{}, exports: map[uint32]string{}}
	if len(module) < headerSize || string(module[:4]) != "\x00asm" {
		return l
	}
	r := reader{b: module, at: headerSize}
	for r.more() {
		id := r.byte()
		s := reader{b: r.take(r.uint())}
		switch id {
		case sectionCustom:
			name := s.name()
			if _, twice := l.custom[name]; !twice && !s.bad {
				l.custom[name] = s.b[s.at:]
			}
		case sectionImport:
			l.readImports(&s)
		case sectionExport:
			l.readExports(&s)
		case sectionCode:
			l.readCode(&s)
		case sectionData:
			l.readData(&s)
		}
	}
	return l
}

func (l *layout) readImports(r *reader) {
	for n := r.uint(); n > 0 && r.more(); n-- {
		module, name := r.name(), r.name()
		switch r.byte() {
		case 0: // function: type index
			r.uint()
			if !r.bad {
				l.imports = append(l.imports, module+"."+name)
			}
		case 1: // table: element type, limits
			r.byte()
			r.limits()
		case 2: // memory
			r.limits()
		case 3: // global: type, mutability
			r.byte()
			r.byte()
		default:
			return
		}
	}
}

func (l *layout) readExports(r *reader) {
	for n := r.uint(); n > 0 && r.more(); n-- {
		name, kind, index := r.name(), r.byte(), r.uint()
		if _, twice := l.exports[uint32(index)]; kind == 0 && !twice && !r.bad {
			l.exports[uint32(index)] = name
		}
	}
}

func (l *layout) readCode(r *reader) {
	if l.code != nil {
		return
	}
	l.code = r.b
	for n := r.uint(); n > 0 && r.more(); n-- {
		size := r.uint()
		from := r.at
		r.take(size)
		if r.bad {
			return
		}
		l.bodies = append(l.bodies, span{from, r.at})
	}
}

func (l *layout) readData(r *reader) {
	const i32Const, end = 0x41, 0x0b
	for n := r.uint(); n > 0 && r.more(); n-- {
		flag := r.uint()
		var addr int64
		if flag == 2 {
			r.uint() // memory index
		}
		if flag != 1 { // 1 is passive
			if r.byte() != i32Const {
				return
			}
			addr = r.int()
			if r.byte() != end {
				return
			}
		}
		b := r.take(r.uint())
		if flag != 1 && !r.bad {
			l.data = append(l.data, segment{uint32(addr), b})
		}
	}
}

// body is the range of a defined function's body in the code section: the
// declarations of its locals, then its instructions.
func (l *layout) body(fn uint32) (span, bool) {
	if fn < uint32(len(l.imports)) || fn-uint32(len(l.imports)) >= uint32(len(l.bodies)) {
		return span{}, false
	}
	return l.bodies[fn-uint32(len(l.imports))], true
}

// names reads the function names of the name section.
func (l *layout) names() map[uint32]string {
	const functionNames = 1
	names := map[uint32]string{}
	r := reader{b: l.custom["name"]}
	for r.more() {
		id := r.byte()
		sub := reader{b: r.take(r.uint())}
		if id != functionNames {
			continue
		}
		for n := sub.uint(); n > 0 && sub.more(); n-- {
			index, name := sub.uint(), sub.name()
			if !sub.bad {
				names[uint32(index)] = strings.Clone(name)
			}
		}
	}
	return names
}

// reader reads values of the binary format. After the first fault it is bad
// and at its end, and everything read is zero.
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

func (r *reader) name() string { return string(r.take(r.uint())) }

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

func (r *reader) limits() {
	flags := r.byte()
	r.uint()
	if flags&1 != 0 {
		r.uint()
	}
}

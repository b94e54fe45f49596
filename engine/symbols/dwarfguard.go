package symbols

import (
	"bytes"
	"encoding/binary"
)

// debug/dwarf believes what counts and references say. The checks in this file
// come before it and turn away what would make it allocate or copy much more
// than there is: a table of 2^40 directories, a million files that all join a
// path of a megabyte, abbreviations read anew by each of many units.

const (
	maxUnits      = 100_000
	maxAttributes = 64       // of an abbreviation; compilers write about 30
	maxAbbrevWork = 64 << 20 // bytes of abbreviation tables, each unit's counted
	maxPathBytes  = 64 << 20 // of all paths of one line table
)

// dwarfReader reads little-endian values.
type dwarfReader struct {
	reader
	wide bool // 64-bit DWARF
}

func (r *dwarfReader) fixed(n int) uint64 {
	b := r.take(uint64(n))
	if b == nil {
		return 0
	}
	var word [8]byte
	copy(word[:], b)
	return binary.LittleEndian.Uint64(word[:])
}

// length reads a unit's length, which says whether it is 64-bit DWARF.
func (r *dwarfReader) length() uint64 {
	n := r.fixed(4)
	if r.wide = n == 0xffffffff; r.wide {
		n = r.fixed(8)
	}
	return n
}

func (r *dwarfReader) offset() uint64 {
	if r.wide {
		return r.fixed(8)
	}
	return r.fixed(4)
}

func (r *dwarfReader) text() int {
	n := bytes.IndexByte(r.b[r.at:], 0)
	if n < 0 {
		r.fail()
		return 0
	}
	r.at += n + 1
	return n
}

// sanePreamble checks the unit headers and the abbreviations they use.
func sanePreamble(info, abbrev []byte) bool {
	r := dwarfReader{reader: reader{b: info}}
	tables := map[uint64]bool{}
	work := 0
	for units := 0; r.more(); units++ {
		if units >= maxUnits {
			return false
		}
		size := r.length()
		next := r.at + int(min(size, uint64(len(info))))
		version := r.fixed(2)
		if version >= 5 {
			r.take(2) // unit type, address size
		}
		at := r.offset()
		if r.bad || next > len(info) || at > uint64(len(abbrev)) {
			return false
		}
		if !tables[at] {
			tables[at] = true
			n, ok := weighAbbrev(abbrev[at:])
			if work += n; !ok || work > maxAbbrevWork {
				return false
			}
		}
		r.at = next
	}
	return true
}

// weighAbbrev returns the size of the abbreviation table that b begins with.
func weighAbbrev(b []byte) (int, bool) {
	const implicitConst = 0x21
	r := reader{b: b}
	for r.more() {
		if r.uint() == 0 {
			break
		}
		r.uint() // tag
		r.byte() // has children
		for n := 0; ; n++ {
			attr, form := r.uint(), r.uint()
			if form == implicitConst {
				r.int()
			}
			if attr == 0 && form == 0 || r.bad {
				break
			}
			if n >= maxAttributes {
				return 0, false
			}
		}
	}
	return r.at, true
}

// lineGuard checks line tables before debug/dwarf reads them.
type lineGuard struct {
	line                []byte
	longest, longestStr int // longest strings of .debug_line_str and .debug_str
}

func newLineGuard(sections map[string][]byte) lineGuard {
	return lineGuard{
		line:       sections[".debug_line"],
		longest:    longestText(sections[".debug_line_str"]),
		longestStr: longestText(sections[".debug_str"]),
	}
}

func longestText(b []byte) int {
	longest := 0
	for len(b) > 0 {
		n := bytes.IndexByte(b, 0)
		if n < 0 {
			n = len(b) - 1
		}
		longest = max(longest, n)
		b = b[n+1:]
	}
	return longest
}

// sane says whether the line table at offset, of a unit whose directory is dir
// bytes long, can be read.
func (g lineGuard) sane(offset int64, dir int) bool {
	if offset < 0 || offset > int64(len(g.line)) {
		return false
	}
	r := dwarfReader{reader: reader{b: g.line, at: int(offset)}}
	size := r.length()
	if r.bad || size > uint64(len(r.b)-r.at) {
		return false
	}
	r.b = r.b[:r.at+int(size)]
	version := r.fixed(2)
	if version >= 5 {
		r.take(2) // address size, segment selector size
	}
	r.offset() // header length
	r.take(2)  // minimum instruction length, maximum operations
	if version < 4 {
		r.at--
	}
	r.take(3) // default is_stmt, line base, line range
	r.take(uint64(max(r.byte(), 1)) - 1)
	var dirs, files paths
	if version >= 5 {
		dirs = g.table5(&r)
		files = g.table5(&r)
	} else {
		dirs, files = tables4(&r)
	}
	if r.bad {
		return false
	}
	files.count += definedFiles(r.b[offset:])
	joined := dir + dirs.longest + files.longest
	return joined < maxPathBytes && dirs.count < maxPathBytes/(joined+1) && files.count < maxPathBytes/(joined+1)
}

// definedFiles counts what looks like the instruction that adds a file to the
// table: a zero, a length, 3.
func definedFiles(program []byte) int {
	const longestLength = 10
	n := 0
	for i, b := range program {
		if b != 0 {
			continue
		}
		j := i + 1
		for j < len(program) && j-i < longestLength && program[j] >= 0x80 {
			j++
		}
		if j+1 < len(program) && program[j+1] == 3 {
			n++
		}
	}
	return n
}

// paths is a table of directories or files.
type paths struct{ count, longest int }

// tables4 reads the tables of versions 2 to 4: strings up to an empty one.
func tables4(r *dwarfReader) (dirs, files paths) {
	for r.more() {
		n := r.text()
		if n == 0 {
			break
		}
		dirs = paths{dirs.count + 1, max(dirs.longest, n)}
	}
	for r.more() {
		n := r.text()
		if n == 0 {
			break
		}
		files = paths{files.count + 1, max(files.longest, n)}
		r.uint() // directory
		r.uint() // time
		r.uint() // length
	}
	return dirs, files
}

// table5 reads a table of version 5: its format, then its entries.
func (g lineGuard) table5(r *dwarfReader) paths {
	var forms []uint64
	for n := r.byte(); n > 0; n-- {
		r.uint() // content type
		forms = append(forms, r.uint())
	}
	count := r.uint()
	if len(forms) == 0 && count > 0 || count > uint64(len(r.b)-r.at) {
		r.fail()
		return paths{}
	}
	p := paths{count: int(count)}
	for n := count; n > 0 && !r.bad; n-- {
		for _, form := range forms {
			p.longest = max(p.longest, g.skipForm(r, form))
		}
	}
	return p
}

// skipForm moves over a value and returns how long it can be as text. Every
// form that is let through takes at least one byte.
func (g lineGuard) skipForm(r *dwarfReader, form uint64) int {
	switch form {
	case 0x08: // string
		return r.text()
	case 0x0e: // strp
		r.offset()
		return g.longestStr
	case 0x1f: // line_strp
		r.offset()
		return g.longest
	case 0x0b: // data1
		r.take(1)
	case 0x05: // data2
		r.take(2)
	case 0x06: // data4
		r.take(4)
	case 0x07: // data8
		r.take(8)
	case 0x1e: // data16
		r.take(16)
	case 0x09: // block
		r.take(r.uint())
	case 0x0f: // udata
		r.uint()
	default:
		r.fail()
	}
	return 0
}

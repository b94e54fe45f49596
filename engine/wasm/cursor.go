package wasm

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"
)

// Fault is a place where the bytes are not a module.
type Fault struct {
	Section string // label of the section, empty before the first
	Func    int    // function index, -1: none
	Offset  int    // in the module
	Text    string // what is wrong there
}

// Error implements error.
func (f *Fault) Error() string {
	where := f.Section
	if where != "" {
		where += " section, "
	}
	if f.Func >= 0 {
		where += fmt.Sprintf("function %d, ", f.Func)
	}
	return fmt.Sprintf("%sbyte 0x%x: %s", where, f.Offset, f.Text)
}

// cursor reads values from a range of the module. Its first fault sticks: what
// is read after it is zero.
type cursor struct {
	b        []byte // the whole module, cut at the end of the range
	pos      int
	fault    *Fault
	features *featureUses // where reading meets a feature
	lenient  bool         // behind an earlier fault: an index out of range follows from it
}

func (c *cursor) left() int { return len(c.b) - c.pos }

func (c *cursor) failAt(offset int, format string, args ...any) {
	if c.fault == nil {
		c.fault = &Fault{Func: -1, Offset: offset, Text: fmt.Sprintf(format, args...)}
	}
	c.pos = len(c.b)
}

func (c *cursor) failed() bool { return c.fault != nil }

func (c *cursor) byte(what string) byte {
	if c.pos >= len(c.b) {
		c.failAt(c.pos, "the bytes end where %s should be", what)
		return 0
	}
	x := c.b[c.pos]
	c.pos++
	return x
}

// skip moves over n bytes.
func (c *cursor) skip(n uint64, what string) Span {
	start := c.pos
	if n > uint64(c.left()) {
		c.failAt(start, "%s needs %d bytes, %d are left", what, n, c.left())
		return Span{start, start}
	}
	c.pos += int(n)
	return Span{start, c.pos}
}

// uleb reads an unsigned LEB128 of at most bits bits.
func (c *cursor) uleb(bits uint, what string) uint64 {
	start := c.pos
	if c.pos < len(c.b) && c.b[c.pos] < 0x80 { // nearly all are one byte
		c.pos++
		return uint64(c.b[start])
	}
	var x uint64
	for shift := uint(0); ; shift += 7 {
		if c.pos >= len(c.b) {
			c.failAt(start, "the bytes end within %s", what)
			return 0
		}
		y := c.b[c.pos]
		c.pos++
		x |= uint64(y&0x7f) << shift
		if rest := bits - shift; rest < 7 && y>>rest != 0 {
			c.failAt(start, "%s does not fit in %d bits", what, bits)
			return 0
		}
		if y < 0x80 {
			return x
		}
	}
}

// sleb reads a signed LEB128 of at most bits bits.
func (c *cursor) sleb(bits uint, what string) int64 {
	start := c.pos
	var x int64
	for shift := uint(0); ; shift += 7 {
		if c.pos >= len(c.b) {
			c.failAt(start, "the bytes end within %s", what)
			return 0
		}
		y := c.b[c.pos]
		c.pos++
		x |= int64(y&0x7f) << shift
		if rest := bits - shift; rest <= 7 {
			// The last byte: its unused bits must repeat the sign.
			sign := int8(y<<1) >> rest // rest of 1 to 7: what stands above, all 0 or all 1
			if y >= 0x80 || (sign != 0 && sign != -1) {
				c.failAt(start, "%s does not fit in %d bits", what, bits)
				return 0
			}
		}
		if y < 0x80 {
			if shift+7 < 64 && y&0x40 != 0 {
				x |= -1 << (shift + 7)
			}
			return x
		}
	}
}

func (c *cursor) u32(what string) uint32 { return uint32(c.uleb(32, what)) }

// index reads an index that must be below n.
func (c *cursor) index(n int, what string) uint32 {
	start := c.pos
	i := c.u32(what)
	if c.fault == nil && uint64(i) >= uint64(n) && !c.lenient {
		c.failAt(start, "%s %d is not there: %s", what, i, there(n))
	}
	return i
}

func there(n int) string {
	switch n {
	case 0:
		return "there are none"
	case 1:
		return "there is 1, number 0"
	}
	return fmt.Sprintf("there are %d, numbers 0 to %d", n, n-1)
}

// count reads the length of a vector whose items take at least one byte each.
func (c *cursor) count(limit int, what string) int {
	start := c.pos
	n := c.u32("the number of " + what)
	if c.fault != nil {
		return 0
	}
	if uint64(n) > uint64(c.left()) {
		c.failAt(start, "%d %s are announced, %d bytes are left", n, what, c.left())
		return 0
	}
	if int(n) > limit {
		c.failAt(start, "%d %s are more than the %d that engines take", n, what, limit)
		return 0
	}
	return int(n)
}

// name reads a UTF-8 name.
func (c *cursor) name(what string) string {
	n := c.u32("the length of " + what)
	if c.fault == nil && n > maxString {
		c.failAt(c.pos, "%s is %d bytes long, more than the %d that engines take", what, n, maxString)
	}
	s := c.skip(uint64(n), what)
	b := c.b[s.Start:s.End]
	if !utf8.Valid(b) {
		c.failAt(s.Start+badUTF8(b), "%s is not UTF-8", what)
		return ""
	}
	return string(b)
}

func badUTF8(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return 0
}

// Limits that engines keep, those of the WebAssembly JavaScript interface,
// which wasmtime and browsers share. They bound what a small file can cost.
const (
	maxTypes     = 1_000_000
	maxFunctions = 1_000_000
	maxImports   = 1_000_000
	maxExports   = 1_000_000
	maxGlobals   = 1_000_000
	maxTables    = 100
	maxMemories  = 100
	maxTags      = 1_000_000
	maxElems     = 100_000
	maxItems     = 10_000_000
	maxData      = 100_000
	maxParams    = 1_000
	maxResults   = 1_000
	maxFields    = 10_000
	maxBody      = 7_654_321
	maxLocals    = 50_000
	maxAllLocals = 20_000_000 // of all functions: ours, an engine lists each
	maxString    = 100_000
	maxNesting   = 100_000 // of blocks in a function; bounds our own stack of them
)

// appendULEB appends x as an unsigned LEB128.
func appendULEB(b []byte, x uint64) []byte { return binary.AppendUvarint(b, x) }

// appendSLEB appends x as a signed LEB128.
func appendSLEB(b []byte, x int64) []byte {
	for {
		y := byte(x & 0x7f)
		x >>= 7
		if (x == 0 && y&0x40 == 0) || (x == -1 && y&0x40 != 0) {
			return append(b, y)
		}
		b = append(b, y|0x80)
	}
}

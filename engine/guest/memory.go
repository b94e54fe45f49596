// Package guest is what a host function sees of the module that called it: its
// linear memory, bounds checked, with each write reported so that a tape can
// keep it. It knows nothing of WASI, HTTP or runs.
package guest

import (
	"encoding/binary"
	"fmt"

	"github.com/tetratelabs/wazero/api"
)

// Trap ends a run as a trap of the guest: a host function panics with it when
// the guest passed a pointer outside its memory, or a misaligned one.
type Trap struct{ Text string }

// Error implements error.
func (t *Trap) Error() string { return t.Text }

// Memory is the guest's linear memory during one host call.
type Memory struct {
	mem api.Memory
	// wrote, if not nil, is told of each range that the host wrote. The bytes
	// are a live view, valid during the call.
	wrote func(ptr uint32, b []byte)
}

// NewMemory wraps mem; wrote may be nil.
func NewMemory(mem api.Memory, wrote func(ptr uint32, b []byte)) Memory {
	return Memory{mem, wrote}
}

// Size in bytes.
func (m Memory) Size() uint64 { return uint64(m.mem.Size()) }

// In reports whether the n bytes at ptr lie in the memory.
func (m Memory) In(ptr, n uint32) bool { return uint64(ptr)+uint64(n) <= m.Size() }

// Read returns a live view of n bytes at ptr: copy what must last. It traps
// when the range is outside the memory.
func (m Memory) Read(ptr, n uint32) []byte {
	b, ok := m.mem.Read(ptr, n)
	if !ok {
		panic(&Trap{fmt.Sprintf("out of bounds memory access: %d bytes at 0x%x, memory ends at 0x%x", n, ptr, m.Size())})
	}
	return b
}

// String returns a copy of n bytes at ptr.
func (m Memory) String(ptr, n uint32) string { return string(m.Read(ptr, n)) }

// Write copies b to ptr and reports it.
func (m Memory) Write(ptr uint32, b []byte) {
	dst := m.Read(ptr, uint32(len(b)))
	copy(dst, b)
	m.Wrote(ptr, uint32(len(b)))
}

// Wrote reports that the n bytes at ptr were written through a view.
func (m Memory) Wrote(ptr, n uint32) {
	if m.wrote != nil && n > 0 {
		m.wrote(ptr, m.Read(ptr, n))
	}
}

// Uint32 reads a little-endian value; it traps when ptr is not aligned.
func (m Memory) Uint32(ptr uint32) uint32 {
	align(ptr, 4)
	return binary.LittleEndian.Uint32(m.Read(ptr, 4))
}

// Uint64 reads a little-endian value; it traps when ptr is not aligned.
func (m Memory) Uint64(ptr uint32) uint64 {
	align(ptr, 8)
	return binary.LittleEndian.Uint64(m.Read(ptr, 8))
}

// PutUint32 writes a little-endian value; it traps when ptr is not aligned.
func (m Memory) PutUint32(ptr, v uint32) {
	align(ptr, 4)
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], v)
	m.Write(ptr, b[:])
}

// PutUint64 writes a little-endian value; it traps when ptr is not aligned.
func (m Memory) PutUint64(ptr uint32, v uint64) {
	align(ptr, 8)
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	m.Write(ptr, b[:])
}

func align(ptr, to uint32) {
	if ptr%to != 0 {
		panic(&Trap{fmt.Sprintf("misaligned pointer 0x%x, a multiple of %d is needed", ptr, to)})
	}
}

package engine

import "github.com/tetratelabs/wazero/experimental"

// allocator gives linear memory up to a limit and reports each growth and
// each refusal. It grows its buffer ahead, since moving it at each growth
// makes a guest that allocates in small steps eight times slower.
type allocator struct {
	limit  uint64
	report func(from, to uint64, refused bool)
	size   uint64
	peak   uint64
	// refused is the size that was asked for when a growth was refused last.
	refused uint64
}

// Allocate implements experimental.MemoryAllocator.
func (a *allocator) Allocate(capacity, _ uint64) experimental.LinearMemory {
	return &linear{a: a, buf: make([]byte, 0, min(capacity, a.limit))}
}

type linear struct {
	a   *allocator
	buf []byte
}

// Reallocate implements experimental.LinearMemory: nil refuses.
func (l *linear) Reallocate(size uint64) []byte {
	a := l.a
	if size > a.limit {
		a.refused = size
		a.report(a.size, size, true)
		return nil
	}
	if size > uint64(cap(l.buf)) {
		grown := make([]byte, size, min(a.limit, max(size, 2*uint64(cap(l.buf)))))
		copy(grown, l.buf)
		l.buf = grown
	}
	l.buf = l.buf[:size]
	from := a.size
	a.size, a.peak = size, max(a.peak, size)
	if from != size {
		a.report(from, size, false)
	}
	return l.buf
}

// Free implements experimental.LinearMemory.
func (l *linear) Free() { l.buf = nil }

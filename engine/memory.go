package engine

import (
	"sync"

	"github.com/tetratelabs/wazero/experimental"
)

// allocator gives linear memory up to a limit and reports each growth and
// each refusal. It grows its buffer ahead, since moving it at each growth
// makes a guest that allocates in small steps eight times slower.
type allocator struct {
	limit  uint64
	report func(from, to uint64, refused bool)
	pool   *memories
	size   uint64
	peak   uint64
	// refused is the size that was asked for when a growth was refused last.
	refused uint64
}

// Allocate implements experimental.MemoryAllocator.
func (a *allocator) Allocate(capacity, _ uint64) experimental.LinearMemory {
	return &linear{a: a, buf: a.pool.get(min(capacity, a.limit))}
}

// memories keeps the buffers of ended runs for later ones: a fresh one costs a
// small call half of its time.
type memories struct{ pool sync.Pool }

// maxKept is the size of the largest buffer that is kept.
const maxKept = 16 << 20

// get returns an empty buffer, all zeros, for this many bytes at least.
func (m *memories) get(capacity uint64) []byte {
	if b, ok := m.pool.Get().(*[]byte); ok && uint64(cap(*b)) >= capacity {
		clear((*b)[:cap(*b)])
		return (*b)[:0]
	}
	return make([]byte, 0, capacity)
}

func (m *memories) put(b []byte) {
	if cap(b) > 0 && cap(b) <= maxKept {
		m.pool.Put(&b)
	}
}

type linear struct {
	a   *allocator
	buf []byte
	// mapped is memory that was reserved up to the limit, whose pages are
	// there when they are touched; nil while the buffer is an ordinary one.
	mapped []byte
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
		l.move(size)
	}
	l.buf = l.buf[:size]
	from := a.size
	a.size, a.peak = size, max(a.peak, size)
	if from != size {
		a.report(from, size, false)
	}
	return l.buf
}

// move gives a buffer for size bytes. A large one is reserved up to the limit
// once, so that a guest that grows step by step is never copied for long.
func (l *linear) move(size uint64) {
	var grown []byte
	if size > maxKept && l.mapped == nil {
		l.mapped = reserve(l.a.limit)
		grown = l.mapped
	}
	if grown == nil {
		grown = make([]byte, size, min(l.a.limit, max(size, 2*uint64(cap(l.buf)))))
	}
	copy(grown[:size], l.buf)
	l.a.pool.put(l.buf)
	l.buf = grown
}

// Free implements experimental.LinearMemory.
func (l *linear) Free() {
	if l.mapped != nil {
		unreserve(l.mapped)
	} else {
		l.a.pool.put(l.buf)
	}
	l.buf, l.mapped = nil, nil
}

package wasm

import (
	"fmt"

	"perch/engine/abi"
)

// Misfit is an active segment that does not fit into its table or memory. A
// module that has one traps when it is instantiated, before any code of it
// (WebAssembly 2.0, 4.5.4); not every engine does.
type Misfit struct {
	Section SectionID
	At      Span
	Text    string
}

// misfit finds the first segment that does not fit, in the order in which they
// are applied; nil without one.
func (m *Module) misfit() *Misfit {
	for i, e := range m.Elems {
		if e.Mode != Active || int(e.Table) >= len(m.Tables) {
			continue
		}
		if at, size := m.startsAt(e.Offset), m.Tables[e.Table].Limits.Min; at+uint64(e.Count) > size {
			return &Misfit{SecElement, e.At, fmt.Sprintf("out of bounds table access: element segment %d puts %s at %d into a table of %d", i, plural(int(e.Count), "element"), at, size)}
		}
	}
	for i, d := range m.Data {
		if d.Mode != Active || int(d.Memory) >= len(m.Memories) {
			continue
		}
		if at, size := m.startsAt(d.Offset), m.Memories[d.Memory].Limits.Min*abi.PageSize; at+uint64(d.Bytes.Len()) > size {
			return &Misfit{SecData, d.At, fmt.Sprintf("out of bounds memory access: data segment %d puts %s at 0x%x, memory ends at 0x%x", i, plural(d.Bytes.Len(), "byte"), at, size)}
		}
	}
	return nil
}

// startsAt is the value of a segment's offset: in a module without imported
// globals it can be nothing but one i32.const.
func (m *Module) startsAt(offset Span) uint64 {
	c := cursor{b: m.Bytes[:offset.End], pos: offset.Start}
	if Op(c.byte("a constant")) != opI32Const {
		return 0
	}
	return uint64(uint32(c.sleb(32, "a constant")))
}

package wasm

import "perch/engine/abi"

// module writes the new module: its sections in their order, each the old one
// with what is ours added. Custom sections are left behind, since an engine
// reads some of them and names and lines are taken from the original.
func (w *rewriter) module() {
	out := append([]byte(nil), w.m.Bytes[:headerLength]...)
	out = appendSection(out, SecType, w.typeSection())
	out = appendSection(out, SecImport, w.importSection())
	out = appendSection(out, SecFunction, w.functionSection())
	if len(w.m.Tables) > 0 {
		out = appendSection(out, SecTable, w.tableSection())
	}
	out = w.keep(out, SecMemory)
	out = appendSection(out, SecGlobal, w.globalSection())
	out = appendSection(out, SecExport, w.exportSection())
	if w.m.Start != nil {
		out = appendSection(out, SecStart, appendULEB(nil, uint64(w.fn(*w.m.Start))))
	}
	if len(w.m.Elems) > 0 {
		out = appendSection(out, SecElement, w.elementSection())
	}
	out = w.keep(out, SecDataCount)
	code := w.codeSection()
	out = appendSection(out, SecCode, code)
	out = w.keep(out, SecData)
	w.out.Bytes = appendDWARF(out, len(code))
}

func appendSection(out []byte, id SectionID, contents []byte) []byte {
	out = append(out, byte(id))
	out = appendULEB(out, uint64(len(contents)))
	return append(out, contents...)
}

// keep copies a section that holds no function index.
func (w *rewriter) keep(out []byte, id SectionID) []byte {
	s := w.m.SectionOf(id)
	if s == nil {
		return out
	}
	return append(out, w.m.Bytes[s.All.Start:s.All.End]...)
}

// items is a vector section's contents behind its count.
func (w *rewriter) items(id SectionID) []byte {
	s := w.m.SectionOf(id)
	if s == nil {
		return nil
	}
	c := cursor{b: w.m.Bytes[:s.Body.End], pos: s.Body.Start}
	c.u32("a count")
	return w.m.Bytes[c.pos:s.Body.End]
}

func appendName(out []byte, s string) []byte {
	return append(appendULEB(out, uint64(len(s))), s...)
}

func (w *rewriter) typeSection() []byte {
	out := appendULEB(nil, uint64(len(w.m.Types)+len(w.types)))
	out = append(out, w.items(SecType)...)
	for _, t := range w.types {
		out = append(out, 0x60)
		for _, list := range [][]ValType{t.Params, t.Results} {
			out = appendULEB(out, uint64(len(list)))
			for _, v := range list {
				out = append(out, byte(v))
			}
		}
	}
	return out
}

func (w *rewriter) importSection() []byte {
	out := appendULEB(nil, uint64(len(w.m.Imports)+1))
	out = append(out, w.items(SecImport)...)
	out = appendName(out, SafepointModule)
	out = appendName(out, SafepointFunction)
	out = append(out, byte(ExternFunc))
	return appendULEB(out, uint64(w.typeFor(FuncType{Params: []ValType{I32}})))
}

func (w *rewriter) functionSection() []byte {
	out := appendULEB(nil, uint64(len(w.m.Code)+len(w.helpers)))
	out = append(out, w.items(SecFunction)...)
	for _, h := range w.helpers {
		out = appendULEB(out, uint64(h.typ))
	}
	return out
}

// tableSection clamps each table to what it may hold: table.grow then answers
// -1 beyond it, as for any maximum.
func (w *rewriter) tableSection() []byte {
	out := appendULEB(nil, uint64(len(w.m.Tables)))
	for _, t := range w.m.Tables {
		most := uint64(abi.MaxTableEntries)
		if t.Limits.HasMax {
			most = min(most, t.Limits.Max)
		}
		out = append(out, byte(t.Type), 1)
		out = appendULEB(out, t.Limits.Min)
		out = appendULEB(out, max(most, t.Limits.Min))
	}
	return out
}

func (w *rewriter) globalSection() []byte {
	out := appendULEB(nil, uint64(len(w.m.Globals)+len(w.initial)))
	for _, g := range w.m.Globals {
		out = append(out, w.m.Bytes[g.At.Start:g.Init.Start]...)
		out = w.constant(out, g.Init)
	}
	for _, x := range w.initial {
		out = append(out, byte(I32), 1)
		out = appendOp(appendI32(out, x), opEnd)
	}
	return out
}

// constant copies a constant expression with the function index renumbered.
func (w *rewriter) constant(out []byte, expr Span) []byte {
	d := decoder{cursor{b: w.m.Bytes[:expr.End], pos: expr.Start}}
	var in Instr
	for d.next(&in) {
		if in.Op == opRefFunc {
			out = appendOp(out, opRefFunc, uint64(w.fn(uint32(in.X))))
			continue
		}
		out = append(out, w.m.Bytes[in.At.Start:in.At.End]...)
	}
	return out
}

func (w *rewriter) exportSection() []byte {
	ours := 2
	for _, name := range w.out.Globals {
		if name != "" {
			ours++
		}
	}
	out := appendULEB(nil, uint64(len(w.m.Exports)+ours))
	for _, e := range w.m.Exports {
		i := e.Index
		if e.Kind == ExternFunc {
			i = w.fn(i)
		}
		out = appendExport(out, e.Name, e.Kind, i)
	}
	out = appendExport(out, w.out.FuelGlobal, ExternGlobal, w.fuel)
	out = appendExport(out, w.out.DepthGlobal, ExternGlobal, w.depth)
	for i, name := range w.out.Globals {
		if name != "" {
			out = appendExport(out, name, ExternGlobal, uint32(i))
		}
	}
	return out
}

func appendExport(out []byte, name string, kind ExternKind, i uint32) []byte {
	out = append(appendName(out, name), byte(kind))
	return appendULEB(out, uint64(i))
}

func (w *rewriter) elementSection() []byte {
	out := appendULEB(nil, uint64(len(w.m.Elems)))
	for _, e := range w.m.Elems {
		out = appendULEB(out, uint64(e.Flags))
		if e.Mode == Active {
			if e.Flags&elemExplicit != 0 {
				out = appendULEB(out, uint64(e.Table))
			}
			out = append(out, w.m.Bytes[e.Offset.Start:e.Offset.End]...)
		}
		if e.Flags&(elemNotActive|elemExplicit) != 0 {
			if e.Exprs {
				out = append(out, byte(e.Type))
			} else {
				out = append(out, 0) // the kind of function references
			}
		}
		out = appendULEB(out, uint64(e.Count))
		if e.Exprs {
			out = w.constant(out, e.Items)
			continue
		}
		c := cursor{b: w.m.Bytes[:e.Funcs.End], pos: e.Funcs.Start}
		for range e.Count {
			out = appendULEB(out, uint64(w.fn(c.u32("a function"))))
		}
	}
	return out
}

func (w *rewriter) codeSection() []byte {
	out := appendULEB(nil, uint64(len(w.m.Code)+len(w.helpers)))
	w.out.offsets.head = len(out)
	out = append(out, w.codeContents...)
	for _, h := range w.helpers {
		out = appendULEB(out, uint64(len(h.body)))
		out = append(out, h.body...)
	}
	return out
}

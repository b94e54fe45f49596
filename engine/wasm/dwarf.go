package wasm

import "encoding/binary"

// appendDWARF appends the least DWARF that makes an engine keep the offset of
// each instruction and print it with a trap: one unit over the whole code
// section, and one row.
func appendDWARF(out []byte, codeSize int) []byte {
	const (
		tagCompileUnit = 0x11
		attrStmtList   = 0x10
		attrLowPC      = 0x11
		attrHighPC     = 0x12
		formAddr       = 0x01
		formData4      = 0x06
		formSecOffset  = 0x17
		first          = 1 // address 0 stands for what a linker dropped
	)
	abbrev := []byte{
		1, tagCompileUnit, 0, // no children
		attrStmtList, formSecOffset, attrLowPC, formAddr, attrHighPC, formData4,
		0, 0, 0,
	}
	le := binary.LittleEndian
	info := []byte{0, 0, 0, 0, 4, 0} // length, version 4
	info = le.AppendUint32(info, 0)  // abbreviations at 0
	info = append(info, 4, 1)        // address size, abbreviation 1
	info = le.AppendUint32(info, 0)  // line table at 0
	info = le.AppendUint32(info, first)
	info = le.AppendUint32(info, uint32(codeSize))
	le.PutUint32(info, uint32(len(info)-4))

	program := []byte{0, 5, 2} // set the address
	program = le.AppendUint32(program, first)
	program = append(program, 1)                                // a row
	program = append(program, 2)                                // advance
	program = appendULEB(program, uint64(codeSize))             //
	program = append(program, 0, 1, 1)                          // end of the sequence
	header := []byte{1, 1, 1, 0xfb, 14, 13}                     // instruction length to opcode base
	header = append(header, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1) // operands of the standard opcodes
	header = append(header, 0)                                  // no directories
	header = append(header, "w\x00\x00\x00\x00\x00"...)         // one file, and the end of files
	line := []byte{0, 0, 0, 0, 4, 0}
	line = le.AppendUint32(line, uint32(len(header)))
	line = append(append(line, header...), program...)
	le.PutUint32(line, uint32(len(line)-4))

	for _, s := range []struct {
		name     string
		contents []byte
	}{{".debug_abbrev", abbrev}, {".debug_info", info}, {".debug_line", line}} {
		out = appendSection(out, SecCustom, append(appendName(nil, s.name), s.contents...))
	}
	return out
}

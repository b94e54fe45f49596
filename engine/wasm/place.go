package wasm

// CodeStart is where the contents of the original module's code section begin
// in its bytes: what an offset of OriginalOffset counts from.
func (x *Instrumented) CodeStart() int64 { return int64(x.offsets.base) }

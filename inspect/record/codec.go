package record

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"time"

	"perch/engine/event"
)

// An encoded event: kind, time since the event before, ticks since the event
// before, length of the body, body. The frequent kinds have a compact form;
// the others are JSON, so that a record can be read by later versions.

// Kind says what an event is about.
type Kind byte

// The kinds of events. The numbers are part of the record's form.
const (
	KindBegin Kind = iota + 1
	KindRequest
	KindStdinClosed
	KindOutput
	KindMessage
	KindWASI
	KindFile
	KindHTTPRequest
	KindHTTPHop
	KindHTTPAnswer
	KindHTTPRead
	KindMemory
	KindBreach
	KindSafepoint
	KindVerdict
	KindExit
	KindEnd
	KindLink
	kinds
)

// KindOf returns the kind of a body.
func KindOf(b event.Body) Kind {
	switch b.(type) {
	case event.Begin:
		return KindBegin
	case event.Request:
		return KindRequest
	case event.StdinClosed:
		return KindStdinClosed
	case event.Output:
		return KindOutput
	case event.Message:
		return KindMessage
	case event.WASI:
		return KindWASI
	case event.FileEffect:
		return KindFile
	case event.HTTPRequest:
		return KindHTTPRequest
	case event.HTTPHop:
		return KindHTTPHop
	case event.HTTPAnswer:
		return KindHTTPAnswer
	case event.HTTPRead:
		return KindHTTPRead
	case event.Memory:
		return KindMemory
	case event.Breach:
		return KindBreach
	case event.Safepoint:
		return KindSafepoint
	case event.Verdict:
		return KindVerdict
	case event.Exit:
		return KindExit
	case event.End:
		return KindEnd
	case event.Link:
		return KindLink
	}
	panic(fmt.Sprintf("record: no kind for %T", b))
}

func appendBody(dst []byte, b event.Body) []byte {
	switch b := b.(type) {
	case event.Output:
		dst = appendString(dst, string(b.Stream))
		dst = binary.AppendUvarint(dst, uint64(b.Offset))
		return binary.AppendUvarint(dst, uint64(b.Len))
	case event.WASI:
		return appendWASI(dst, b)
	case event.FileEffect:
		return appendFile(dst, b)
	}
	j, err := json.Marshal(b)
	if err != nil { // the bodies hold nothing that JSON cannot
		panic(fmt.Sprintf("record: encode %T: %v", b, err))
	}
	return append(dst, j...)
}

func appendWASI(dst []byte, b event.WASI) []byte {
	dst = appendString(dst, b.Func)
	dst = appendUints(dst, b.Args)
	dst = binary.AppendUvarint(dst, uint64(b.Errno))
	dst = appendUints(dst, b.Out)
	dst = appendString(dst, b.Path)
	dst = appendString(dst, b.NewPath)
	dst = binary.AppendUvarint(dst, uint64(b.Took))
	dst = binary.AppendUvarint(dst, b.Count)
	return binary.AppendUvarint(dst, uint64(b.Last))
}

func appendFile(dst []byte, b event.FileEffect) []byte {
	for _, s := range []string{string(b.Op), b.Path, b.NewPath, b.Note, string(b.Data)} {
		dst = appendString(dst, s)
	}
	for _, n := range []int64{int64(b.FD), b.Offset, b.Bytes, b.Written, int64(b.Errno), int64(b.HTTP)} {
		dst = binary.AppendVarint(dst, n)
	}
	return dst
}

func decodeFile(body []byte) (event.Body, error) {
	r := reader{b: body}
	f := event.FileEffect{Op: event.FileOp(r.bytes()), Path: string(r.bytes()), NewPath: string(r.bytes()), Note: string(r.bytes())}
	if data := r.bytes(); len(data) > 0 {
		f.Data = append([]byte(nil), data...)
	}
	f.FD, f.Offset, f.Bytes, f.Written = uint32(r.int()), r.int(), r.int(), r.int()
	f.Errno, f.HTTP = uint16(r.int()), int(r.int())
	return f, r.err()
}

func appendString(dst []byte, s string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

func appendUints(dst []byte, v []uint64) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(v)))
	for _, x := range v {
		dst = binary.AppendUvarint(dst, x)
	}
	return dst
}

// reader takes values off encoded bytes; after the first fault all are zero.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) int() int64 {
	v, n := binary.Varint(r.b)
	if n <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) bytes() []byte {
	n := r.uint()
	if n > uint64(len(r.b)) {
		r.bad, r.b = true, nil
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) uints() []uint64 {
	n := r.uint()
	if n > uint64(len(r.b)) { // each takes a byte at least
		r.bad, r.b = true, nil
		return nil
	}
	if n == 0 {
		return nil
	}
	v := make([]uint64, n)
	for i := range v {
		v[i] = r.uint()
	}
	return v
}

func decodeBody(k Kind, b []byte) (event.Body, error) {
	switch k {
	case KindOutput:
		r := reader{b: b}
		o := event.Output{Stream: event.Stream(r.bytes()), Offset: int64(r.uint()), Len: int(r.uint())}
		return o, r.err()
	case KindWASI:
		r := reader{b: b}
		w := event.WASI{Func: string(r.bytes()), Args: r.uints(), Errno: uint16(r.uint()), Out: r.uints(),
			Path: string(r.bytes()), NewPath: string(r.bytes()),
			Took: time.Duration(r.uint()), Count: r.uint(), Last: time.Duration(r.uint())}
		return w, r.err()
	case KindFile:
		return decodeFile(b)
	}
	return decodeJSON(k, b)
}

func (r *reader) err() error {
	if r.bad {
		return fmt.Errorf("an event ends early")
	}
	return nil
}

func decodeJSON(k Kind, b []byte) (event.Body, error) {
	switch k {
	case KindBegin:
		return unmarshal[event.Begin](b)
	case KindRequest:
		return unmarshal[event.Request](b)
	case KindStdinClosed:
		return unmarshal[event.StdinClosed](b)
	case KindMessage:
		return unmarshal[event.Message](b)
	case KindHTTPRequest:
		return unmarshal[event.HTTPRequest](b)
	case KindHTTPHop:
		return unmarshal[event.HTTPHop](b)
	case KindHTTPAnswer:
		return unmarshal[event.HTTPAnswer](b)
	case KindHTTPRead:
		return unmarshal[event.HTTPRead](b)
	case KindMemory:
		return unmarshal[event.Memory](b)
	case KindBreach:
		return unmarshal[event.Breach](b)
	case KindSafepoint:
		return unmarshal[event.Safepoint](b)
	case KindVerdict:
		return unmarshal[event.Verdict](b)
	case KindExit:
		return unmarshal[event.Exit](b)
	case KindEnd:
		return unmarshal[event.End](b)
	case KindLink:
		return unmarshal[event.Link](b)
	}
	return nil, fmt.Errorf("no kind of event has number %d", k)
}

func unmarshal[T event.Body](b []byte) (event.Body, error) {
	var v T
	if err := json.Unmarshal(b, &v); err != nil {
		return nil, fmt.Errorf("decode %T: %w", v, err)
	}
	return v, nil
}

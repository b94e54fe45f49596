package egress

import (
	"context"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/guest"
)

// Func is the signature of a function of subako_http.
type Func struct {
	Name    string
	Params  []byte // value types as in the WebAssembly binary format
	Results []byte
}

// Functions lists the imports of subako_http (ABI page, HTTP: subako_http).
func Functions() []Func {
	i32 := api.ValueTypeI32
	return []Func{
		{abi.HTTPRequest, []byte{i32, i32}, []byte{i32}},
		{abi.HTTPReadResponse, []byte{i32, i32}, []byte{i32}},
	}
}

type clientKey struct{}

// NewContext returns a context in which subako_http is served by c.
func NewContext(ctx context.Context, c *Client) context.Context {
	return context.WithValue(ctx, clientKey{}, c)
}

// Instantiate puts the host module subako_http into r, once a runtime. Which
// Client serves a call is told by its context.
func Instantiate(ctx context.Context, r wazero.Runtime) error {
	builder := r.NewHostModuleBuilder(abi.ModuleHTTP)
	for _, f := range Functions() {
		serve := (*Client).serveRequest
		if f.Name == abi.HTTPReadResponse {
			serve = (*Client).serveRead
		}
		call := func(ctx context.Context, mod api.Module, stack []uint64) {
			c, ok := ctx.Value(clientKey{}).(*Client)
			if !ok {
				panic(fmt.Errorf("%s.%s called without a client in its context", abi.ModuleHTTP, f.Name))
			}
			if c.cfg.Called != nil {
				c.cfg.Called(f.Name)
			}
			mem := guest.NewMemory(mod.Memory(), c.cfg.Wrote)
			result := serve(c, mem, uint32(stack[0]), uint32(stack[1]))
			stack[0] = api.EncodeI32(result)
			if c.cfg.Returned != nil {
				c.cfg.Returned(f.Name, result)
			}
		}
		builder = builder.NewFunctionBuilder().
			WithGoModuleFunction(api.GoModuleFunc(call), f.Params, f.Results).
			WithParameterNames("ptr", "len").
			Export(f.Name)
	}
	if _, err := builder.Instantiate(ctx); err != nil {
		return fmt.Errorf("provide %s: %w", abi.ModuleHTTP, err)
	}
	return nil
}

// serveRequest is subako_http.request. A negative len is a range outside the
// memory, as an unsigned one it is beyond its end.
func (c *Client) serveRequest(mem guest.Memory, ptr, n uint32) int32 {
	if !inMemory(mem, ptr, n) {
		id := 0
		if c.held != nil {
			id = c.held.id
		}
		return c.misuse(event.HTTPRead{ID: id, Func: abi.HTTPRequest, Ptr: ptr, Len: n, Return: abi.HTTPRange},
			rangeText(mem), "Pass the address and the length in bytes of the request's JSON")
	}
	answer := c.request(mem.Read(ptr, n))
	unread := c.held
	c.held = answer
	result := int32(len(answer.raw))
	if unread != nil {
		c.emit(event.HTTPRead{ID: answer.id, Func: abi.HTTPRequest, Ptr: ptr, Len: n, Return: result, Unread: unread.id})
		c.emit(event.Breach{Rule: abi.HTTPUnread, Where: where(abi.HTTPRequest), Cause: "answers were not read",
			Detail: fmt.Sprintf("request %d was made before the answer of request %d was read: that answer is gone", answer.id, unread.id),
			Fix:    "Call read_response after each request."})
	}
	return result
}

// serveRead is subako_http.read_response. Of several misuses the first in this
// order counts: no answer, length, range; after the latter two the answer stays
// held. Both are our reading.
func (c *Client) serveRead(mem guest.Memory, ptr, n uint32) int32 {
	read := event.HTTPRead{Func: abi.HTTPReadResponse, Ptr: ptr, Len: n}
	switch {
	case c.held == nil:
		read.Return = abi.HTTPNone
		return c.misuse(read, "no answer is held: each answer can be read once", "Call request first, and read its answer once")
	case uint64(n) != uint64(len(c.held.raw)):
		read.ID, read.Return = c.held.id, abi.HTTPLength
		return c.misuse(read, fmt.Sprintf("len is %d, the answer held has %d bytes. It stays held (our reading)", int32(n), len(c.held.raw)),
			"Pass exactly the length that request returned")
	case !inMemory(mem, ptr, n):
		read.ID, read.Return = c.held.id, abi.HTTPRange
		return c.misuse(read, rangeText(mem)+". The answer stays held (our reading)", "Pass a buffer of the length that request returned")
	}
	read.ID = c.held.id
	mem.Write(ptr, c.held.raw)
	c.held = nil
	c.emit(read)
	return read.Return
}

// misuse reports a call that the ABI page answers with a negative number.
func (c *Client) misuse(read event.HTTPRead, why, fix string) int32 {
	c.emit(read)
	c.emit(event.Breach{Rule: abi.HTTPMisuse, Where: where(read.Func), Fix: sentence(fix), Cause: fmt.Sprintf("%s returned %d", read.Func, read.Return),
		Detail: fmt.Sprintf("%s(ptr 0x%x, len %d) returned %d: %s", read.Func, read.Ptr, int32(read.Len), read.Return, why)})
	return read.Return
}

func where(fn string) event.Where {
	return event.Where{Func: -1, Name: abi.ModuleHTTP + "." + fn}
}

// inMemory is Memory.In, but a negative len is never inside.
func inMemory(mem guest.Memory, ptr, n uint32) bool {
	return int32(n) >= 0 && mem.In(ptr, n)
}

func rangeText(mem guest.Memory) string {
	return fmt.Sprintf("the range lies outside the memory, which has %d bytes", mem.Size())
}

package egress

import (
	"context"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"perch/engine/abi"
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
	panic("being written")
}

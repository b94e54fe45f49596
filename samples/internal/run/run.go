// Package run tries a sample's module in the tests of this floor, as the ABI
// page says under "Testing locally": requests on stdin, answers on stdout, in
// any runtime for WASI preview 1. It is not the engine: it checks nothing,
// limits nothing but time, and nothing outside tests may use it.
package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"
)

// Options of a run.
type Options struct {
	Stdin  string            // all of it; its end follows at once
	Chunk  int               // bytes that one read of stdin gives at most; 0: any number
	Mounts map[string]string // guest path to host folder
	Order  []string          // of the guest paths, when it matters
	HTTP   func(request string) string
	Limit  time.Duration // 0: 20 s; a longer sleep is stopped at once
	Memory uint32        // pages; 0: 4096
}

// Result of a run.
type Result struct {
	Stdout, Stderr string
	Exit           uint32
	Trap           string // empty when the module exited or returned
	Stopped        bool   // by the limit
}

// Lines of stdout, without their newlines.
func (r Result) Lines() []string {
	return strings.Split(strings.TrimSuffix(r.Stdout, "\n"), "\n")
}

// Request is one line as Subako sends it; method is tools/call and params
// begins the params object, before _meta: `"name":"greet","arguments":{}`.
func Request(id, method, params string) string {
	if params != "" {
		params += ","
	}
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{` + params +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"subako","version":"0.2.3"},"io.modelcontextprotocol/clientCapabilities":{}}}}` + "\n"
}

// Call is a tools/call line.
func Call(id, tool, arguments string) string {
	return Request(id, "tools/call", `"name":"`+tool+`","arguments":`+arguments)
}

// Module runs wasm once. The error is for a module that does not load.
func Module(ctx context.Context, wasm []byte, o Options) (Result, error) {
	if o.Limit == 0 {
		o.Limit = 20 * time.Second
	}
	if o.Memory == 0 {
		o.Memory = 4096
	}
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().
		WithCompilationCache(cache()).WithCloseOnContextDone(true).WithMemoryLimitPages(o.Memory))
	defer r.Close(ctx)
	wasi_snapshot_preview1.MustInstantiate(ctx, r)
	if err := provideHTTP(ctx, r, o.HTTP); err != nil {
		return Result{}, err
	}
	compiled, err := r.CompileModule(ctx, wasm)
	if err != nil {
		return Result{}, fmt.Errorf("compiling the module: %w", err)
	}
	var stdout, stderr bytes.Buffer
	config := wazero.NewModuleConfig().WithArgs("sample").WithName("").
		WithStdin(&pieces{o.Stdin, o.Chunk}).WithStdout(&stdout).WithStderr(&stderr).
		WithSysNanotime().WithSysWalltime()
	fs := wazero.NewFSConfig()
	for _, guest := range o.order() {
		fs = fs.WithDirMount(o.Mounts[guest], guest)
	}
	limited, cancel := context.WithTimeout(ctx, o.Limit)
	defer cancel()
	config = config.WithFSConfig(fs).WithNanosleep(func(ns int64) {
		if time.Duration(ns) > o.Limit { // it need not be waited for
			panic(sys.NewExitError(sys.ExitCodeDeadlineExceeded))
		}
		time.Sleep(time.Duration(ns))
	})
	_, err = r.InstantiateModule(limited, compiled, config)
	res := Result{Stdout: stdout.String(), Stderr: stderr.String()}
	var exit *sys.ExitError
	switch {
	case err == nil:
	case errors.As(err, &exit) && exit.ExitCode() != sys.ExitCodeDeadlineExceeded:
		res.Exit = exit.ExitCode()
	case exit != nil:
		res.Stopped = true
	default:
		res.Trap = err.Error()
	}
	return res, nil
}

// pieces is stdin that arrives in pieces.
type pieces struct {
	left string
	size int
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.left == "" {
		return 0, io.EOF
	}
	if p.size > 0 && len(b) > p.size {
		b = b[:p.size]
	}
	n := copy(b, p.left)
	p.left = p.left[n:]
	return n, nil
}

// One cache for all runs of a test binary: a Go module takes over a second to
// compile.
var cache = sync.OnceValue(wazero.NewCompilationCache)

func (o Options) order() []string {
	if o.Order != nil {
		return o.Order
	}
	var all []string
	for guest := range o.Mounts {
		all = append(all, guest)
	}
	slices.Sort(all)
	return all
}

func provideHTTP(ctx context.Context, r wazero.Runtime, answer func(string) string) error {
	var held string
	request := func(_ context.Context, m api.Module, ptr, length uint32) int32 {
		raw, ok := m.Memory().Read(ptr, length)
		if !ok {
			return -1
		}
		if answer == nil {
			held = `{"error":{"kind":"host_not_allowed","message":"there is no network"}}`
		} else {
			held = answer(string(raw))
		}
		return int32(len(held))
	}
	read := func(_ context.Context, m api.Module, ptr, length uint32) int32 {
		switch {
		case held == "":
			return -2
		case int(length) != len(held):
			return -3
		case !m.Memory().WriteString(ptr, held):
			return -1
		}
		held = ""
		return 0
	}
	_, err := r.NewHostModuleBuilder("subako_http").
		NewFunctionBuilder().WithFunc(request).Export("request").
		NewFunctionBuilder().WithFunc(read).Export("read_response").Instantiate(ctx)
	if err != nil {
		return fmt.Errorf("providing subako_http: %w", err)
	}
	return nil
}

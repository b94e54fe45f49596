package wasi

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"perch/engine/abi"
	"perch/engine/clock"
	"perch/engine/event"
	"perch/engine/guest"
)

// Build adds all functions to a new host module of r; instantiate it once per
// runtime. The state of a call comes through the context that the guest's
// function is called with: see NewContext.
func Build(r wazero.Runtime) wazero.HostModuleBuilder {
	b := r.NewHostModuleBuilder(abi.ModuleWASI)
	t := table()
	for i := range t {
		f := &t[i]
		params := make([]api.ValueType, len(f.Params))
		names := make([]string, len(f.Params))
		for j, p := range f.Params {
			params[j], names[j] = p.Type, p.Name
		}
		var results []api.ValueType
		if f.Errno {
			results = []api.ValueType{api.ValueTypeI32}
		}
		b = b.NewFunctionBuilder().
			WithGoModuleFunction(hostFunc(f), params, results).
			WithName(f.Name).
			WithParameterNames(names...).
			Export(f.Name)
	}
	return b
}

type processKey struct{}

// NewContext returns a context for calls of the guest's functions in which the
// functions of this package act on p.
func NewContext(ctx context.Context, p *Process) context.Context {
	return context.WithValue(ctx, processKey{}, p)
}

// hostFunc is what wazero calls for f.
func hostFunc(f *Func) api.GoModuleFunc {
	return func(ctx context.Context, mod api.Module, stack []uint64) {
		p, ok := ctx.Value(processKey{}).(*Process)
		if !ok {
			panic(errors.New("wasi: " + f.Name + " was called with a context that holds no process"))
		}
		errno := p.do(f, mod.Memory(), stack)
		if f.Errno {
			stack[0] = uint64(errno)
		}
	}
}

// Process is the state of one run: arguments, descriptors, budget. It is used
// by one goroutine at a time.
type Process struct {
	cfg    Config
	fds    []descriptor // nil: free
	mounts []*mount
	owned  []*Opened // of the mounts, those that this process opened
	cur    call      // of the host call that runs, reused
	// listed is the number of entries in all listings that are held.
	listed int
}

// call is one host call.
type call struct {
	p       *Process
	mem     guest.Memory
	args    []uint64
	argBuf  [16]uint64
	outs    []uint64
	outBuf  [8]uint64
	path    string
	newPath string
	exit    *ExitError
}

// New opens the mounts. Errors name the mount or the argument at fault.
func New(cfg Config) (*Process, error) {
	if err := checkStrings("argument", cfg.Args); err != nil {
		return nil, err
	}
	if err := checkStrings("environment variable", cfg.Env); err != nil {
		return nil, err
	}
	if cfg.Clock == nil {
		cfg.Clock = clock.NewSystem()
	}
	if cfg.Watch == nil {
		cfg.Watch = clock.NewSystem()
	}
	if cfg.Random == nil {
		cfg.Random = rand.Reader
	}
	if cfg.Stdin == nil {
		cfg.Stdin = emptyStdin{}
	}
	if cfg.Stdout == nil {
		cfg.Stdout = func([]byte) {}
	}
	if cfg.Stderr == nil {
		cfg.Stderr = func([]byte) {}
	}
	p := &Process{cfg: cfg}
	p.fds = append(p.fds, &stdio{fd: 0}, &stdio{fd: 1, write: cfg.Stdout}, &stdio{fd: 2, write: cfg.Stderr})
	for _, m := range cfg.Mounts {
		opened := m.Opened
		if opened == nil {
			var err error
			if opened, err = OpenMount(m); err != nil {
				p.Close()
				return nil, err
			}
			p.owned = append(p.owned, opened)
		}
		p.mounts = append(p.mounts, opened.mount)
		p.fds = append(p.fds, &dir{folder: opened.mount.folder, mount: opened.mount, guest: opened.mount.guest, preopen: true, borrowed: true})
	}
	return p, nil
}

// Close closes all descriptors. The process must not run any more.
func (p *Process) Close() error {
	var errs []error
	for _, d := range p.fds {
		if d != nil {
			errs = append(errs, d.close())
		}
	}
	for _, o := range p.owned {
		errs = append(errs, o.Close())
	}
	p.fds, p.mounts, p.owned = nil, nil, nil
	return errors.Join(errs...)
}

// Budget returns the process's budget, nil when it has none.
func (p *Process) Budget() *Budget { return p.cfg.Budget }

func checkStrings(what string, all []string) error {
	total := 0
	for i, s := range all {
		if strings.IndexByte(s, 0) >= 0 || !utf8.ValidString(s) {
			return fmt.Errorf("%s %d is not UTF-8 without NUL", what, i)
		}
		total += len(s) + 1
	}
	if total > math.MaxInt32 {
		return fmt.Errorf("the %ss are %d bytes long", what, total)
	}
	return nil
}

// do runs one host call.
func (p *Process) do(f *Func, mem api.Memory, stack []uint64) Errno {
	c := &p.cur
	c.p, c.mem = p, guest.NewMemory(mem, p.cfg.Wrote)
	c.args, c.outs, c.path, c.newPath = c.argBuf[:len(f.Params)], c.outBuf[:0], "", ""
	for i, param := range f.Params {
		// The upper half of a 32-bit parameter's slot is undefined.
		if v := stack[i]; param.Type == I32 {
			c.args[i] = uint64(uint32(v))
		} else {
			c.args[i] = v
		}
	}
	if p.cfg.Observer == nil {
		p.stopped()
		errno := f.call(c)
		c.end()
		return errno
	}
	p.cfg.Observer.Enter(f, c.args)
	p.stopped()
	begin := p.cfg.Watch.Mono()
	errno := f.call(c)
	p.cfg.Observer.Leave(event.WASI{
		Func: f.Name, Args: c.args, Errno: uint16(errno), Out: c.outs,
		Path: c.path, NewPath: c.newPath, Took: p.cfg.Watch.Mono() - begin, Count: 1,
	})
	c.end()
	return errno
}

// end leaves the guest when proc_exit asked for it.
func (c *call) end() {
	if c.exit != nil {
		panic(c.exit)
	}
}

// checkStop ends the run in a long host call when it was stopped, or when its
// time is over.
func (p *Process) checkStop() {
	p.stopped()
	if p.cfg.Check != nil {
		p.cfg.Check()
	}
}

// stopped ends the run when it was stopped.
func (p *Process) stopped() {
	select {
	case <-p.cfg.Stop:
		panic(ErrStopped)
	default:
	}
}

// file reports a file effect.
func (p *Process) file(e event.FileEffect) {
	if p.cfg.Observer != nil {
		e.Written = p.cfg.Budget.Written()
		p.cfg.Observer.File(e)
	}
}

func (c *call) u32(i int) uint32 { return uint32(c.args[i]) }

// out32 writes a result through the pointer in argument i.
func (c *call) out32(i int, v uint32) {
	c.mem.PutUint32(c.u32(i), v)
	c.outs = append(c.outs, uint64(v))
}

// out64 writes a result through the pointer in argument i.
func (c *call) out64(i int, v uint64) {
	c.mem.PutUint64(c.u32(i), v)
	c.outs = append(c.outs, v)
}

// emptyStdin is at its end.
type emptyStdin struct{}

func (emptyStdin) Read([]byte) (int, Errno) { return 0, Success }
func (emptyStdin) Ready() (uint64, bool)    { return 0, true }
func (emptyStdin) PollOnly()                {}

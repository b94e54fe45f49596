package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tetratelabs/wazero/api"

	"perch/engine/abi"
	"perch/engine/clock"
	"perch/engine/egress"
	"perch/engine/event"
	"perch/engine/tape"
	"perch/engine/wasi"
	"perch/engine/wire"
)

// run is the life of one instance, from instantiation to exit. It is a state
// machine that the module drives: it moves when the module writes to stdout
// (stdout.go), reads stdin (stdin.go), comes to a safepoint (limits.go) or
// exits (life.go). All of it happens on one goroutine; only stop is shared.
type run struct {
	session *Session
	module  *Module
	kind    event.RunKind
	tool    string    // of a call
	args    []byte    // of a call, one line
	about   string    // of a probe: what it tries
	script  *Script   // of a probe, nil when it sends Subako's requests
	step    int       // of the script, that comes next
	seed    string    // fixes random and clock; empty: they are real
	ids     *wire.IDs // of requests; nil: the session's
	shift   time.Duration
	emit    emitter
	clock   clock.Clock
	began   time.Duration // on the clock
	tape    *tape.Tape

	stop <-chan struct{} // closed to end the run

	// Subako's side of the protocol.
	judge    *wire.Judge
	in       stdin
	request  *wire.Request // the open one, nil when all are answered
	lister   *wire.Lister
	answered bool // the last request was answered
	answer   *wire.Answer
	limit    time.Duration // by when the answers must be in
	eofAt    time.Duration // when stdin closed, -1: it is open
	eofReads uint64        // reads that returned 0

	// The verdict: what Subako would say, once it has fallen.
	verdict   *event.Verdict
	verdictAt time.Duration
	broke     event.Breach // that decided it
	judged    bool         // the judge of stdout found it
	refused   bool         // an answer refuses the package; the run goes on
	fault     error        // of our own

	// The module's side.
	instance  api.Module
	fuel      api.MutableGlobal
	granted   int64 // fuel given so far
	alloc     *allocator
	mounts    []*wasi.Opened
	ownMounts []*wasi.Opened // of mounts, those of this run alone
	ownVolume string         // host folder that goes with the run
	process   *wasi.Process
	http      *egress.Client
	frames    []rawFrame // of the host call that is going on; none of one whose stack is not looked at
	hostCalls uint64
	hostTime  time.Duration
	inCall    string // the host call that is going on
	callAt    time.Duration
	requests  int           // to subako_http
	httpUntil time.Duration // the deadline while one is open
	budget    *wasi.Budget
	out       written // of the host call that is going on
	errOut    written
	stdout    int64 // bytes so far
	stderr    int64
	tail      tail // of stderr
	ending    ending
}

// Result is what came of a run.
type Result struct {
	Run     uint32
	Outcome event.Outcome
	Tools   []wire.Tool  // of an upload run, as far as they were listed
	Answer  *wire.Answer // of a call: the answer that was read
	Exit    event.Exit
	Usage   event.Usage
	Stderr  []byte     // its last 4 KiB
	Tape    *tape.Tape // the caller closes it
}

// Upload makes the run that Subako makes when a package is uploaded:
// server/discover and all pages of tools/list, with only /package mounted and
// no network (ABI page, When a package is uploaded). An error is ours or the
// context's before the run began; all else is in the result and the events.
func (s *Session) Upload(ctx context.Context, sink event.Sink) (Result, error) {
	return s.run(ctx, sink, &run{kind: event.Upload, limit: abi.UploadTime})
}

// Call makes the run that Subako makes when an agent calls a tool: a new
// instance, one tools/call (ABI page, When the agent calls a tool). Arguments
// are the JSON text of an object.
func (s *Session) Call(ctx context.Context, tool string, arguments []byte, sink event.Sink) (Result, error) {
	line, err := wire.Arguments(arguments)
	if err != nil {
		return Result{}, fmt.Errorf("arguments of %s: %w", tool, err)
	}
	return s.run(ctx, sink, &run{kind: event.Call, limit: s.config.Timeout, tool: tool, args: line})
}

func (s *Session) run(ctx context.Context, sink event.Sink, r *run) (Result, error) {
	m, err := s.Ready(ctx)
	if err != nil {
		return Result{}, err
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	r.session, r.module = s, m
	if r.ids == nil {
		r.ids = s.ids
	}
	r.clock = s.engine.clock
	r.emit = emitter{run: s.engine.nextRun(), sink: sink, now: r.now, tick: r.ticks}
	r.judge, r.lister = wire.NewJudge(), wire.NewLister()
	r.tape = tape.New()
	r.seed = cmp.Or(r.seed, s.config.Seed)
	r.eofAt = -1
	r.stop = ctx.Done()
	return r.begin(ctx)
}

// begin makes the instance, runs it to its end and judges that.
func (r *run) begin(ctx context.Context) (Result, error) {
	defer r.releaseOwn()
	if err := r.hostSide(); err != nil {
		return Result{}, errors.Join(err, r.tape.Close())
	}
	r.began = r.clock.Mono()
	r.emit.emit(r.beginning())
	r.first()
	defer r.release()
	err := r.execute(r.context(ctx))
	exit := r.exited(err)
	if r.fault != nil {
		return Result{}, errors.Join(r.fault, r.tape.Close())
	}
	return r.settle(exit), nil
}

// release gives back what the run held, once its end was judged.
func (r *run) release() {
	_ = r.process.Close() // what the module left open: reads and its own writes, done at once
	r.http.Close()
	if r.instance != nil {
		_ = r.instance.Close(context.Background())
	}
}

// first sends the first request.
func (r *run) first() {
	switch {
	case r.script != nil:
		r.judge.TakeErrors()
		r.advance()
	case r.kind == event.Call:
		r.send(wire.Call(r.ids.Call(), r.tool, r.args))
	default:
		r.send(wire.Discover(r.ids.Discover()))
	}
}

// send puts a request into stdin: the module can read it from now on.
func (r *run) send(q wire.Request) {
	r.request = &q
	q.Offset = r.in.size
	q.Line = r.in.lines + 1
	r.in.put(q.Bytes)
	r.judge.Asked(q)
	r.emit.emit(event.Request{Line: q.Line, Offset: q.Offset, Bytes: q.Bytes, ID: q.ID, Method: q.Method})
}

// next moves Subako's side after an answer that was accepted.
func (r *run) next(a *wire.Answer) {
	asked := r.request
	r.request = nil
	if r.script != nil {
		r.answer = a
		r.advance()
		return
	}
	switch asked.Method {
	case abi.MethodDiscover:
		r.refuse(wire.CheckDiscover(a))
		r.send(wire.List(r.ids.List(), nil))
	case abi.MethodList:
		cursor, faults := r.lister.Page(a)
		r.refuse(faults)
		if cursor != nil {
			r.send(wire.List(r.ids.List(), cursor))
			return
		}
		r.refuse(r.lister.Finish())
		r.lastAnswer(a)
	case abi.MethodCall:
		for _, b := range wire.CheckCall(a) {
			r.breach(b)
		}
		r.lastAnswer(a)
	}
}

func (r *run) lastAnswer(a *wire.Answer) {
	r.answer, r.answered = a, true
	r.closeStdin(false)
}

// refuse emits what is wrong with answers that could be read. The first breach
// that refuses the package is the verdict; the run goes on all the same, so
// that everything is named at once and one bad tool hides no good one.
func (r *run) refuse(list []event.Breach) {
	for _, b := range list {
		if abi.RuleOf(b.Rule).Effect() == abi.NoEffect {
			r.breach(b)
			continue
		}
		r.emit.emit(b)
		if !r.refused {
			r.refused = true
			r.emit.emit(event.Verdict{Outcome: event.Refused, Rule: b.Rule})
		}
	}
}

// breach emits a breach; the first one that breaks the run, or refuses the
// package, is the verdict.
func (r *run) breach(b event.Breach) {
	effect := abi.RuleOf(b.Rule).Effect()
	if r.verdict != nil && effect != abi.NoEffect {
		b.Follow = true
	}
	r.emit.emit(b)
	if r.verdict != nil || effect == abi.NoEffect {
		return
	}
	outcome := event.Broken
	if r.kind == event.Upload {
		outcome = event.Refused
	}
	r.broke = b
	r.decide(event.Verdict{Outcome: outcome, Rule: b.Rule})
}

// decide lets the verdict fall: what comes later is evidence.
func (r *run) decide(v event.Verdict) {
	r.verdict, r.verdictAt = &v, r.now()
	r.judge.Broken(v.Rule)
	r.http.Mute("the call was broken before this request")
	if !r.refused {
		r.emit.emit(v)
	}
}

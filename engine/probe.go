package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/engine/wasi"
	"perch/engine/wire"
)

// Script is what a probe puts into stdin in place of Subako's requests. Subako
// makes no such run: a probe tries what the page and MCP promise beyond the
// requests that it sends today.
type Script struct {
	Name  string // what it tries, in words: Begin.Probe
	Steps []Step
	// Volume gives the module the preopens of a call: /volume/tmp, and
	// /volume/data where the session has it, are empty, the probe's own, and
	// gone after it. Without it there is /package alone, as in the upload run.
	Volume bool
	// Seed fixes random bytes and clock; empty: they are as the session has
	// them. Shift moves the clock of a seed on.
	Seed  string
	Shift time.Duration
}

// Step is one line of a script. It is sent when the step before was answered,
// or, where no answer is waited for, when the module reads on.
type Step struct {
	Bytes  []byte // as they are, the LF included
	ID     string // JSON text of the request's id; empty: no answer is waited for
	Method string // for the record
	// Pieces are how many bytes of this line a read gets at most, read by
	// read; the last one goes on. Empty: as many as it asks for.
	Pieces []int
	// Close ends stdin right behind the line, before the answer.
	Close bool
}

// check says what is wrong with a script; it is our own doing.
func (s Script) check() error {
	if len(s.Steps) == 0 {
		return errors.New("a probe without steps")
	}
	for i, st := range s.Steps {
		if st.ID != "" {
			if _, err := jsonread.Parse([]byte(st.ID)); err != nil {
				return fmt.Errorf("the id of step %d is no JSON: %w", i+1, err)
			}
		}
		for _, n := range st.Pieces {
			if n < 1 {
				return fmt.Errorf("step %d has a piece of %d bytes", i+1, n)
			}
		}
	}
	return nil
}

// Probe runs a script in a new instance. A JSON-RPC error answers its request
// here, as in MCP; else the run is judged as Subako's are, and what that finds
// is for the prober to weigh. A probe touches nobody's volume and no network:
// subako_http answers host_not_allowed. All its answers are due within
// abi.ProbeTime (our limit). The caller closes the result's tape.
func (s *Session) Probe(ctx context.Context, p Script, sink event.Sink) (Result, error) {
	if err := p.check(); err != nil {
		return Result{}, err
	}
	r := &run{kind: event.Probe, about: p.Name, limit: abi.ProbeTime, script: &p, seed: p.Seed, shift: p.Shift}
	return s.run(ctx, sink, r)
}

// UploadAgain makes the requests of an upload run in another new instance, as a
// probe: what differs in the two lists of tools changes from run to run. Where
// the session has a seed this run has another one. Its ids are its own, so that
// those of calls do not depend on when it is made.
func (s *Session) UploadAgain(ctx context.Context, sink event.Sink) (Result, error) {
	r := &run{kind: event.Probe, about: "the upload run once more", limit: abi.UploadTime}
	if seed := s.config.Seed; seed != "" {
		r.seed = seed + " again"
	}
	r.ids = wire.NewIDs(r.seed)
	return s.run(ctx, sink, r)
}

// advance puts the script's next line into stdin; behind the last one stdin
// closes.
func (r *run) advance() {
	if r.step == len(r.script.Steps) {
		r.answered = true
		r.closeStdin(false)
		r.eofAt = r.now() // the second for the exit counts from the last answer
		return
	}
	st := r.script.Steps[r.step]
	r.step++
	q := wire.Request{ID: st.ID, Method: st.Method, Bytes: st.Bytes}
	r.in.cut(st.Pieces)
	if st.ID != "" {
		r.send(q)
	} else {
		r.emit.emit(event.Request{Line: r.in.lines + 1, Offset: r.in.size, Bytes: q.Bytes, Method: q.Method})
		r.in.put(q.Bytes)
	}
	if st.Close {
		r.closeStdin(false)
	}
}

// probeMounts are the preopens of a probe.
func (r *run) probeMounts() ([]*wasi.Opened, error) {
	s := r.session
	if r.script == nil || !r.script.Volume {
		return s.mounts(s.mountList(event.Upload, ""))
	}
	volume, err := os.MkdirTemp(s.private.Dir, "probe-*")
	if err != nil {
		return nil, fmt.Errorf("make the volume of a probe: %w", err)
	}
	r.ownVolume = volume
	var all []*wasi.Opened
	for _, m := range s.mountList(event.Call, volume) {
		var o *wasi.Opened
		if filepath.Dir(m.Dir) == volume {
			o, err = r.ownMount(m)
		} else {
			o, err = s.mount(m)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}

// ownMount opens a folder that this run alone has.
func (r *run) ownMount(m wasi.Mount) (*wasi.Opened, error) {
	if err := os.Mkdir(m.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the volume of a probe: %w", err)
	}
	o, err := wasi.OpenMount(m)
	if err == nil {
		r.ownMounts = append(r.ownMounts, o)
	}
	return o, err
}

// releaseOwn removes the volume of a probe. What stays for some reason goes
// with the session's folder.
func (r *run) releaseOwn() {
	for _, o := range r.ownMounts {
		_ = o.Close()
	}
	if r.ownVolume != "" {
		_ = wasi.RemoveAll(r.ownVolume)
	}
}

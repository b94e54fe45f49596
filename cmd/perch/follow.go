package main

import (
	"bufio"
	"context"
	"fmt"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/record"
)

// What of a module's stderr is still printed when its call has ended: a module
// can write faster than a terminal, or a pipe, takes it.
const (
	lateLines = 10_000
	lateBytes = 8 << 20
)

// follow writes the module's stderr to ours while a run of this kind goes on,
// made safe, each line behind a mark. The returned function waits until it is written, but for what a
// flood left behind, and for nothing when the run was cancelled.
func (a *app) follow(ctx context.Context, rec *record.Record, kind event.RunKind, mark string) func() {
	if a.json {
		return func() {}
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	f := follower{a: a, rec: rec, kind: kind, mark: mark, next: 1, stop: stop}
	go func() {
		defer close(stopped)
		for {
			select {
			case <-rec.Changed():
				f.live()
			case <-stop:
				if ctx.Err() == nil {
					f.rest()
				}
				return
			}
		}
	}()
	return func() { close(stop); <-stopped }
}

// follower prints the lines of a call's stderr as they come.
type follower struct {
	a    *app
	rec  *record.Record
	kind event.RunKind
	mark string
	next int64           // line
	stop <-chan struct{} // the run has ended
}

func (f *follower) stream() *record.Stream {
	run := f.rec.Last()
	if run == nil || run.Begin().Kind != f.kind {
		return nil
	}
	return run.Stream(event.Stderr)
}

// live prints the whole lines that came, until the call ends.
func (f *follower) live() {
	if s := f.stream(); s != nil {
		f.print(s, func(l record.Line) bool {
			select {
			case <-f.stop:
				return false
			default:
				return l.Newline
			}
		})
	}
}

// rest prints what is left when the call has ended, of a flood the end.
func (f *follower) rest() {
	s := f.stream()
	if s == nil {
		return
	}
	from := max(f.next, s.Lines()-lateLines+1)
	if behind := s.Len() - lateBytes; behind > 0 {
		from = max(from, s.LineAt(behind))
	}
	if from > f.next {
		fmt.Fprintf(f.a.err, "(%d lines of stderr left out here)\n", from-f.next)
		f.next = from
	}
	f.print(s, func(record.Line) bool { return true })
}

// print prints lines from the next one on, as long as wanted says so.
func (f *follower) print(s *record.Stream, wanted func(record.Line) bool) {
	style := textStyle(f.a.err)
	w := bufio.NewWriter(f.a.err)
	defer w.Flush()
	s.Range(f.next, func(l record.Line) bool {
		if !wanted(l) {
			return false
		}
		text := style.Safe.Line(string(s.Bytes(l.Offset, int(min(l.Len, abi.MaxShownLine)))))
		if l.Len > abi.MaxShownLine {
			text += style.Safe.Ellipsis()
		}
		fmt.Fprintln(w, f.mark+text)
		f.next = l.Number + 1
		return true
	})
}

package wasi_test

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"perch/engine/clock"
	"perch/engine/wasi"
)

// clockSub is a subscription to a clock.
func clockSub(user uint64, id uint32, timeout uint64, flags uint16) []byte {
	b := make([]byte, 48)
	binary.LittleEndian.PutUint64(b, user)
	binary.LittleEndian.PutUint32(b[16:], id)
	binary.LittleEndian.PutUint64(b[24:], timeout)
	binary.LittleEndian.PutUint16(b[40:], flags)
	return b
}

// fdSub is a subscription to a descriptor: 1 reading, 2 writing.
func fdSub(user uint64, tag byte, fd uint32) []byte {
	b := make([]byte, 48)
	binary.LittleEndian.PutUint64(b, user)
	b[8] = tag
	binary.LittleEndian.PutUint32(b[16:], fd)
	return b
}

// polled is an event.
type polled struct {
	user   uint64
	errno  uint16
	tag    byte
	nbytes uint64
	flags  uint16
}

func (g *rig) poll(subs ...[]byte) ([]polled, wasi.Errno) {
	g.Helper()
	var b []byte
	for _, s := range subs {
		b = append(b, s...)
	}
	g.put(atData, b)
	const events = atData + 8192
	e := g.call("poll_oneoff", atData, events, uint64(len(subs)), atOut)
	if e != wasi.Success {
		return nil, e
	}
	var out []polled
	for i := range g.u32(atOut) {
		at := events + 32*i
		out = append(out, polled{g.u64(at), uint16(g.u64(at + 8)), byte(g.u64(at+8) >> 16), g.u64(at + 16), uint16(g.u64(at + 24))})
	}
	return out, e
}

func (g *rig) wantPoll(want []polled, subs ...[]byte) {
	g.Helper()
	got, e := g.poll(subs...)
	if e != wasi.Success || len(got) != len(want) {
		g.Fatalf("polled %+v, %v, want %+v", got, e, want)
	}
	for i := range got {
		if got[i] != want[i] {
			g.Errorf("event %d is %+v, want %+v", i, got[i], want[i])
		}
	}
}

func TestPollClocks(t *testing.T) {
	start := time.Date(2026, 12, 1, 14, 0, 0, 0, time.UTC)
	c := clock.NewManual(start)
	g := newRig(t, wasi.Config{Clock: c})
	g.wantPoll([]polled{{user: 7}}, clockSub(7, 1, 5e9, 0))
	if got := c.Mono(); got != 5*time.Second {
		t.Errorf("waited until %v", got)
	}
	// The shorter of two; equal ones together.
	g.wantPoll([]polled{{user: 2}}, clockSub(1, 1, 9e9, 0), clockSub(2, 0, 1e9, 0))
	g.wantPoll([]polled{{user: 2}}, clockSub(2, 0, 1e9, 0), clockSub(1, 1, 9e9, 0))
	g.wantPoll([]polled{{user: 1}, {user: 2}}, clockSub(1, 1, 1e9, 0), clockSub(2, 0, 1e9, 0))
	if got := c.Mono(); got != 8*time.Second {
		t.Errorf("waited until %v", got)
	}
	// Absolute times, one ahead and one that has passed.
	g.wantPoll([]polled{{user: 1}}, clockSub(1, 1, 10e9, 1))
	g.wantPoll([]polled{{user: 1}}, clockSub(1, 0, uint64(start.Add(12*time.Second).UnixNano()), 1))
	g.wantPoll([]polled{{user: 1}}, clockSub(1, 1, 1, 1))
	if got := c.Mono(); got != 12*time.Second {
		t.Errorf("waited until %v", got)
	}
	for _, bad := range [][]byte{clockSub(1, 2, 1, 0), clockSub(1, 4, 1, 0), clockSub(1, 1, 1, 2), fdSub(1, 3, 0)} {
		_, e := g.poll(bad)
		g.is(e, wasi.EINVAL)
	}
	_, e := g.poll()
	g.is(e, wasi.EINVAL)
}

func TestPollEndsAtStop(t *testing.T) {
	stop := make(chan struct{})
	entered := make(chan struct{})
	g := newRig(t, wasi.Config{Clock: stillClock{}, Stop: stop, Observer: &enterSignal{entered: entered}})
	done := make(chan error)
	go func() {
		g.mem.Write(atData, clockSub(1, 1, math.MaxUint64, 0))
		_, err := g.try("poll_oneoff", atData, atData+64, 1, atOut)
		done <- err
	}()
	<-entered
	close(stop)
	if err := <-done; !errors.Is(err, wasi.ErrStopped) {
		t.Errorf("the sleep ended with %v", err)
	}
}

// stillClock stands still: who waits on it waits for the stop.
type stillClock struct{}

func (stillClock) Now() time.Time      { return time.Unix(0, 0) }
func (stillClock) Mono() time.Duration { return 0 }
func (stillClock) After(time.Duration) (<-chan struct{}, func()) {
	return nil, func() {}
}

// enterSignal closes a channel when the first call begins.
type enterSignal struct {
	recorder
	entered chan struct{}
}

func (s *enterSignal) Enter(*wasi.Func, []uint64) { close(s.entered) }

// script is a stdin that says what a test wants.
type script struct {
	n     uint64
	eof   bool
	polls int
	then  func(*script)
}

func (s *script) Read(p []byte) (int, wasi.Errno) { return copy(p, strings.Repeat("x", int(s.n))), 0 }
func (s *script) Ready() (uint64, bool)           { return s.n, s.eof }
func (s *script) PollOnly() {
	s.polls++
	s.then(s)
}

func TestPollDescriptors(t *testing.T) {
	_, config := newVolume(t)
	stdin := &script{}
	c := clock.NewManual(time.Now())
	config.Stdin, config.Clock = stdin, c
	g := newRig(t, config)
	f := g.mustOpen(fdTmp, "f", creat, read|write)
	g.ok(second(g.write(f, "four")))
	g.want(wasi.Success, "fd_seek", uint64(f), 1, 0, atOut)
	g.wantPoll([]polled{{user: 1, tag: 1, nbytes: 3}, {user: 2, tag: 2, nbytes: 1}}, fdSub(1, 1, f), fdSub(2, 2, f))
	g.want(wasi.Success, "fd_seek", uint64(f), 0, 2, atOut)
	g.wantPoll([]polled{{user: 1, tag: 1, flags: 1}}, fdSub(1, 1, f))
	// What is ready lets nothing wait; stdin has nothing.
	g.wantPoll([]polled{{user: 2, tag: 2, nbytes: 1}}, fdSub(1, 1, 0), fdSub(2, 2, 1), clockSub(3, 1, 1e9, 0))
	// Nothing on stdin: the clock comes.
	g.wantPoll([]polled{{user: 3}}, fdSub(1, 1, 0), clockSub(3, 1, 1e9, 0))
	stdin.n = 20
	g.wantPoll([]polled{{user: 1, tag: 1, nbytes: 20}}, fdSub(1, 1, 0), clockSub(3, 1, 1e9, 0))
	if got := c.Mono(); got != time.Second {
		t.Errorf("waited until %v", got)
	}
	stdin.n, stdin.eof = 0, true
	g.wantPoll([]polled{{user: 1, tag: 1, flags: 1}}, fdSub(1, 1, 0))
	if stdin.polls != 0 {
		t.Errorf("PollOnly was called %d times", stdin.polls)
	}
	for _, bad := range [][]byte{fdSub(1, 1, 1), fdSub(1, 2, 0), fdSub(1, 1, fdTmp), fdSub(1, 2, 99)} {
		_, e := g.poll(fdSub(9, 2, 1), bad)
		g.is(e, wasi.EBADF)
	}
	g.trap("poll_oneoff", atData+4, atData, 1, atOut)
	g.trap("poll_oneoff", atData, atData, 1<<30, atOut)
	g.trap("poll_oneoff", atData, atData, math.MaxUint32, atOut)
}

func TestPollForNothingButStdin(t *testing.T) {
	stdin := &script{then: func(s *script) { s.n = 3 }}
	g := newRig(t, wasi.Config{Stdin: stdin})
	g.wantPoll([]polled{{user: 1, tag: 1, nbytes: 3}}, fdSub(1, 1, 0))
	if stdin.polls != 1 {
		t.Errorf("PollOnly was called %d times, want 1", stdin.polls)
	}
	stall := errors.New("a stall")
	stdin.n, stdin.then = 0, func(*script) { panic(stall) }
	g.put(atData, fdSub(1, 1, 0))
	if _, err := g.try("poll_oneoff", atData, atData+64, 1, atOut); !errors.Is(err, stall) {
		t.Errorf("the poll ended with %v", err)
	}
}

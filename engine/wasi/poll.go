package wasi

import (
	"encoding/binary"
	"math"
	"time"

	"perch/engine/clock"
)

// Subscriptions and events of poll_oneoff.
const (
	subSize   = 48
	eventSize = 32

	pollClock   = 0
	pollFdRead  = 1
	pollFdWrite = 2

	clockAbsolute = 1
	hangup        = 1
)

// sub is a subscription.
type sub struct {
	userdata uint64
	tag      byte
	// of a clock:
	id      uint32
	timeout uint64
	flags   uint16
	// of a descriptor:
	fd uint32
}

func readSub(b []byte) sub {
	return sub{
		userdata: binary.LittleEndian.Uint64(b),
		tag:      b[8],
		id:       binary.LittleEndian.Uint32(b[16:]),
		timeout:  binary.LittleEndian.Uint64(b[24:]),
		flags:    binary.LittleEndian.Uint16(b[40:]),
		fd:       binary.LittleEndian.Uint32(b[16:]),
	}
}

// waiting is what a poll waits for.
type waiting struct {
	subs   []byte // guest memory
	now    time.Time
	mono   time.Duration
	clock  time.Duration // the shortest wait
	clocks bool
	stdin  bool
	ready  bool // something is ready at once
}

// pollOneoff reports each subscription that is ready: files and output always
// are, stdin when a read would not wait, a clock when its time has come. A bad
// subscription fails the whole poll, as in wasmtime.
func (c *call) pollOneoff() Errno {
	in, events, n := c.u32(0), c.u32(1), uint64(c.u32(2))
	if n == 0 {
		return EINVAL
	}
	aligned(in, 8)
	c.at(in, n*subSize-1)
	c.mem.Read(c.at(in, n*subSize-1), 1)
	w := waiting{subs: c.mem.Read(in, uint32(n*subSize)), clock: math.MaxInt64}
	w.now, w.mono = c.p.cfg.Clock.Now(), c.p.cfg.Clock.Mono()
	if e := c.survey(&w); e != Success {
		return e
	}
	passed := c.wait(&w)
	count := uint32(0)
	for i := range n {
		if i%4096 == 4095 {
			c.p.checkStop()
		}
		s := readSub(w.subs[i*subSize:])
		b, ready := c.event(&w, s, passed)
		if !ready {
			continue
		}
		at := c.at(events, uint64(count)*eventSize)
		aligned(at, 8)
		c.mem.Write(at, b[:])
		count++
	}
	c.out32(3, count)
	return Success
}

// survey checks all subscriptions and finds out what there is to wait for.
func (c *call) survey(w *waiting) Errno {
	for i := 0; i < len(w.subs); i += subSize {
		if i/subSize%4096 == 4095 {
			c.p.checkStop()
		}
		s := readSub(w.subs[i:])
		switch s.tag {
		case pollClock:
			if s.id > clockMonotonic || s.flags > clockAbsolute {
				return EINVAL
			}
			w.clocks = true
			w.clock = min(w.clock, w.until(s))
		case pollFdRead, pollFdWrite:
			if e := c.surveyFD(w, s); e != Success {
				return e
			}
		default:
			return EINVAL
		}
	}
	return Success
}

func (c *call) surveyFD(w *waiting, s sub) Errno {
	switch d := c.p.get(s.fd).(type) {
	case *file:
		w.ready = true
		return Success
	case *stdio:
		if (d.write == nil) != (s.tag == pollFdRead) {
			return EBADF
		}
		if d.write == nil {
			w.stdin = true
		} else {
			w.ready = true
		}
		return Success
	}
	return EBADF
}

// until is how long a clock subscription waits from the start of the poll.
func (w *waiting) until(s sub) time.Duration {
	t := s.timeout
	if s.flags&clockAbsolute != 0 {
		now := uint64(w.mono)
		if s.id == clockRealtime {
			now = uint64(w.now.UnixNano())
		}
		t = max(t, now) - now
	}
	return time.Duration(min(t, math.MaxInt64))
}

// wait waits until something is ready and returns how much time of the clocks
// has passed.
func (c *call) wait(w *waiting) time.Duration {
	if w.stdin && !w.ready {
		n, eof := c.p.cfg.Stdin.Ready()
		w.ready = n > 0 || eof
	}
	switch {
	case w.ready:
		return 0
	case !w.clocks:
		c.p.cfg.Stdin.PollOnly()
		c.p.checkStop()
		return 0
	case !clock.Wait(c.p.cfg.Clock, c.p.cfg.Stop, w.clock):
		panic(ErrStopped)
	}
	return w.clock
}

// event makes the event of a subscription, if it is ready.
func (c *call) event(w *waiting, s sub, passed time.Duration) (b [eventSize]byte, ready bool) {
	var nbytes uint64
	var flags uint16
	switch s.tag {
	case pollClock:
		if w.until(s) > passed {
			return b, false
		}
	case pollFdRead:
		if nbytes, flags, ready = c.readable(w, s.fd); !ready {
			return b, false
		}
	case pollFdWrite:
		nbytes = 1
	}
	binary.LittleEndian.PutUint64(b[0:], s.userdata)
	b[10] = s.tag
	binary.LittleEndian.PutUint64(b[16:], nbytes)
	binary.LittleEndian.PutUint16(b[24:], flags)
	return b, true
}

// readable tells how much can be read from fd without waiting.
func (c *call) readable(w *waiting, fd uint32) (nbytes uint64, flags uint16, ready bool) {
	switch d := c.p.get(fd).(type) {
	case *stdio:
		n, eof := c.p.cfg.Stdin.Ready()
		switch {
		case n > 0:
			return n, 0, true
		case eof:
			return 0, hangup, true
		}
		// PollOnly returned without a change: the guest's read will wait.
		return 0, 0, !w.clocks && !w.ready
	case *file:
		if st, err := statFile(d); err == nil && st.size > uint64(d.pos) {
			return st.size - uint64(d.pos), 0, true
		}
		return 0, hangup, true
	}
	return 0, 0, false
}

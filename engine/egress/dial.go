package egress

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"time"

	"perch/engine/clock"
)

// maxAddresses is how many addresses of one name are tried: a name server is
// as hostile as the package.
const maxAddresses = 16

// headStart is how long an address is tried before the next one is tried
// beside it (RFC 8305 names 250 ms).
const headStart = 250 * time.Millisecond

// destination is where a hop connects to: addresses that were checked, dialled
// as they are. No name is looked up after the check.
type destination struct {
	addrs   []netip.AddrPort
	routed  *Route
	skipped []string // addresses of the name that are not public
}

// refused is an address rule that was not kept.
type refused struct {
	host string
	addr string // as understood
	what string // what kind of address it is
}

func (e *refused) Error() string {
	if e.host == e.addr {
		return fmt.Sprintf("%s is %s: requests go to public addresses alone", e.addr, e.what)
	}
	return fmt.Sprintf("%s resolves to %s, %s: requests go to public addresses alone", e.host, e.addr, e.what)
}

// resolve finds and checks the addresses of t. The error is *refused, or what
// the look-up said. Of a mixed answer the public addresses are used and the
// others named; that is our choice.
func resolve(ctx context.Context, r Resolver, routes []Route, t target) (destination, error) {
	if route := routeFor(routes, t); route != nil {
		return destination{addrs: []netip.AddrPort{route.Addr}, routed: route}, nil
	}
	if t.addr.IsValid() {
		if what := judge(t.addr); what != "" {
			return destination{}, &refused{t.host, t.host, what}
		}
		return destination{addrs: []netip.AddrPort{netip.AddrPortFrom(t.addr, t.port)}}, nil
	}
	found, err := r.LookupNetIP(ctx, "ip", t.host)
	if err != nil {
		return destination{}, fmt.Errorf("look up %s: %w", t.host, err)
	}
	if len(found) == 0 {
		return destination{}, fmt.Errorf("look up %s: no address", t.host)
	}
	var d destination
	var first *refused
	for _, addr := range found {
		addr = addr.Unmap() // a resolver writes IPv4 addresses in either form
		if what := judge(addr); what != "" {
			d.skipped = append(d.skipped, fmt.Sprintf("%s, %s", addr, what))
			if first == nil {
				first = &refused{t.host, addr.String(), what}
			}
		} else if len(d.addrs) < maxAddresses {
			d.addrs = append(d.addrs, netip.AddrPortFrom(addr, t.port))
		}
	}
	if len(d.addrs) == 0 {
		return destination{}, first
	}
	return d, nil
}

func routeFor(routes []Route, t target) *Route {
	for i, r := range routes {
		port := r.Port
		if port == 0 {
			port = 443
		}
		if port == t.port && strings.EqualFold(strings.Trim(r.Host, "[]"), t.host) {
			return &routes[i]
		}
	}
	return nil
}

// dial connects to the first address that answers: in turn, each with a head
// start, as a broken address of a name must not cost the whole time.
func (d destination) dial(ctx context.Context, c clock.Clock, open Dial) (net.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type result struct {
		conn net.Conn
		err  error
	}
	results := make(chan result)
	started, ended := 0, 0
	start := func() {
		addr := d.addrs[started].String()
		started++
		go func() {
			conn, err := open(ctx, "tcp", addr)
			results <- result{conn, err}
		}()
	}
	var won net.Conn
	var firstErr error
	for ended < started || won == nil && started < len(d.addrs) && ctx.Err() == nil {
		if started == ended {
			start()
		}
		next, release := (<-chan struct{})(nil), func() {}
		if won == nil && started < len(d.addrs) {
			next, release = c.After(headStart)
		}
		select {
		case r := <-results:
			ended++
			switch {
			case r.err != nil && firstErr == nil:
				firstErr = r.err
			case r.err == nil && won != nil:
				r.conn.Close()
			case r.err == nil:
				won = r.conn
				cancel() // the others end and are waited for
			}
		case <-next:
			start()
		}
		release()
	}
	if won == nil && firstErr == nil {
		firstErr = context.Cause(ctx)
	}
	if won != nil {
		return won, nil
	}
	return nil, firstErr
}

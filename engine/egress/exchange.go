package egress

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"perch/engine/abi"
	"perch/engine/event"
)

// exchange is one request on its way through its hops.
type exchange struct {
	client *Client
	id     int
	req    *Request
	pat    *patience

	target  target
	method  string
	headers []Header
	body    BodyKind
	file    io.ReadCloser // the body's file, opened when it was checked
	size    int64
	dropped []string // from this hop on, as its origin is another
}

// run goes from hop to hop until there is an answer.
func (x *exchange) run() (*reply, *failure) {
	defer x.closeFile()
	from := "" // whose answer led to this hop
	for n := 1; ; n++ {
		h := &hop{exchange: x, event: event.HTTPHop{
			ID: x.id, Hop: n, Method: x.method, URL: x.target.String(), Dropped: x.dropped,
		}}
		if n == 1 {
			h.decide("form", true, "method, url, headers fit", "")
		}
		r, next, failed := h.run()
		x.client.emit(h.event)
		if failed != nil && from != "" {
			failed.more = fmt.Sprintf("Redirect %d leads there, from %s", n-1, short(from))
		}
		from = h.event.URL
		switch {
		case failed != nil || next == nil:
			return r, failed
		case n > abi.MaxHops:
			return nil, fail(abi.ErrTooManyRedirects, "%s redirects once more after %d redirects: more are not followed", h.event.URL, abi.MaxHops).
				withFix("Ask for the final address, or set follow_redirects to false and follow by hand")
		}
		x.redirect(h.event.Status, *next)
	}
}

// redirect makes the next hop's request (our choice, as reqwest and Go do it).
func (x *exchange) redirect(status int, next target) {
	if status < http.StatusTemporaryRedirect && x.method != http.MethodHead {
		x.method = http.MethodGet
		x.body = BodyNone
		x.closeFile()
		x.headers = slices.DeleteFunc(slices.Clone(x.headers), func(h Header) bool {
			return slices.Contains([]string{"content-type", "content-encoding", "content-language", "content-location"}, h.Name)
		})
	}
	x.dropped = nil
	if next.origin() != x.target.origin() {
		x.headers = slices.DeleteFunc(slices.Clone(x.headers), func(h Header) bool {
			if secret(h.Name) {
				x.dropped = append(x.dropped, h.Name)
			}
			return secret(h.Name)
		})
	}
	x.target = next
}

// secret names the request headers that never go to another origin, and whose
// values are marked for views to mask.
func secret(name string) bool {
	return name == "authorization" || name == "cookie" || name == "proxy-authorization"
}

func (x *exchange) closeFile() {
	if x.file != nil {
		_ = x.file.Close() // only read from
		x.file = nil
	}
}

// acceptsEncoding reports whether the module asked for encodings itself: then
// it gets the body as it came.
func (x *exchange) acceptsEncoding() bool {
	return slices.ContainsFunc(x.headers, func(h Header) bool { return h.Name == "accept-encoding" })
}

// hop is one request to one server, with what is told of it.
type hop struct {
	*exchange
	event event.HTTPHop
}

func (h *hop) decide(check string, ok bool, what, source string) {
	h.event.Decisions = append(h.event.Decisions, event.Decision{Check: check, OK: ok, What: what, Source: source})
}

// refuse is a failure that a check decided.
func (h *hop) refuse(check, source string, f *failure) *failure {
	h.decide(check, false, f.text, source)
	return f
}

// run gives the final answer, or where the next hop goes.
func (h *hop) run() (*reply, *target, *failure) {
	res, failed := h.answer()
	if failed != nil {
		return nil, nil, failed
	}
	defer res.close()
	h.event.Status, h.event.Headers = res.status, res.headers
	h.noteHeaders()
	if next, failed := h.next(res); next != nil || failed != nil {
		return nil, next, failed
	}
	start := h.client.cfg.Clock.Mono()
	r, failed := h.read(res)
	h.event.Body = h.client.cfg.Clock.Mono() - start
	h.event.WireBytes = res.wire.n
	if failed == nil && h.pat.timedOut() {
		return nil, nil, h.broken(errTimeout)
	}
	return r, nil, failed
}

// answer checks the hop in our order: scheme, mock, allowlist, credentials,
// address; and then sends it.
func (h *hop) answer() (*response, *failure) {
	p := &h.client.cfg.Policy
	if h.target.scheme != "https" {
		return nil, h.refuse("scheme", "", fail(abi.ErrForbiddenDestination, "%s: only https:// is sent", short(h.target.String())).
			withFix("Use https://"))
	}
	h.decide("scheme", true, "https", "")
	rule := p.ruleFor(h.target)
	if m := h.client.mockFor(h.method, h.target); m != nil {
		h.decide("mock", true, m.URL, m.Source)
		if rule != nil {
			h.decide("allowlist", true, rule.Text, rule.Source)
		} else {
			h.decide("allowlist", false, h.target.shown()+" is not in it; a mock answers all the same", m.Source)
		}
		return h.mocked(m)
	}
	if rule == nil {
		return nil, h.refuse("allowlist", "", fail(abi.ErrHostNotAllowed, "%s is not in this function's network allowlist", h.target.shown()).
			withFix(allowFix(h.target)))
	}
	h.decide("allowlist", true, rule.Text, rule.Source)
	secretHeader, failed := h.credential()
	if failed != nil {
		return nil, failed
	}
	d, failed := h.address()
	if failed != nil {
		return nil, failed
	}
	return h.send(d, secretHeader)
}

// allowFix says how a host comes to be allowed, and where that would not help.
func allowFix(t target) string {
	host := t.shown()
	if t.addr.IsValid() {
		if what := judge(t.addr); what != "" {
			return fmt.Sprintf("Use a public name: %s is %s, which is refused when it is allowed too (our reading of the list of addresses)", host, what)
		}
	}
	return "Allow " + host + ": --allow " + host + ", or allow in perch.toml; at Subako, in the function's settings"
}

// credential finds the header that perch adds for the hop's origin.
func (h *hop) credential() (*Header, *failure) {
	var usable []Credential
	var value, missing string
	wanted := 0
	for _, c := range h.client.cfg.Policy.Credentials {
		t, err := parseTarget(c.Origin)
		if err != nil || t.origin() != h.target.origin() {
			continue
		}
		wanted++
		for _, set := range h.headers {
			if set.Name == c.Header {
				return nil, h.refuse("credential", c.Source, fail(abi.ErrCredentialHeader, "the header %s is set by a credential for %s: the request may not set it", c.Header, h.target.origin()).
					withFix("Leave "+c.Header+" out of headers"))
			}
		}
		switch v := h.client.cfg.Getenv(c.Env); {
		case v == "":
			missing = "the variable " + c.Env + " is empty or not set"
		case valueFault(v) != "":
			missing = "the value of the variable " + c.Env + " has a control byte or a line break"
		default:
			usable, value = append(usable, c), v
		}
	}
	unavailable := func(why string) *failure {
		return h.refuse("credential", "", fail(abi.ErrCredentialUnavailable, "%s wants a credential: %s", h.target.origin(), why).
			withFix("Give exactly one credential for this origin, with its variable set"))
	}
	switch {
	case wanted == 0:
		return nil, nil
	case len(usable) == 0:
		return nil, unavailable(missing)
	case len(usable) > 1:
		return nil, unavailable(fmt.Sprintf("%d are usable, and which one is meant is not clear", len(usable)))
	}
	h.decide("credential", true, usable[0].Header+" set", usable[0].Source)
	return &Header{usable[0].Header, value}, nil
}

// address looks the host up and checks what it finds.
func (h *hop) address() (destination, *failure) {
	cfg := &h.client.cfg
	start := cfg.Clock.Mono()
	d, err := resolve(h.pat.ctx, cfg.Resolver, cfg.Policy.Routes, h.target)
	h.event.DNS = cfg.Clock.Mono() - start
	if bad, is := err.(*refused); is {
		return d, h.refuse("address", bad.what, fail(abi.ErrForbiddenDestination, "%s", bad.Error()).
			withFix("To try the package against a server of your own, send this one host there: --route "+h.target.shown()+"=ADDRESS:PORT"))
	}
	if err != nil {
		return d, h.refuse("address", "", h.broken(err))
	}
	if d.routed != nil {
		h.decide("route", true, d.routed.Addr.String(), d.routed.Source)
		return d, nil
	}
	for _, s := range d.skipped {
		h.decide("address", false, s+": not used", "")
	}
	for _, a := range d.addrs {
		h.decide("address", true, a.String(), "public")
	}
	return d, nil
}

// next is where a redirect leads, if the answer is one that is followed.
func (h *hop) next(res *response) (*target, *failure) {
	switch res.status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, nil
	}
	i := slices.IndexFunc(res.headers, func(f event.Header) bool { return f.Name == "location" })
	if i < 0 || res.headers[i].Value == "" {
		return nil, nil
	}
	h.event.Location = res.headers[i].Value
	if !h.req.Follow {
		return nil, nil
	}
	next, err := h.target.follow(h.event.Location)
	switch {
	case err != nil && err.addr.IsValid():
		return nil, h.refuse("redirect", "", fail(abi.ErrForbiddenDestination, "%s redirects to an address that is not followed: %s", h.target.shown(), err.text))
	case err != nil:
		return nil, h.refuse("redirect", "", fail(abi.ErrConnection, "%s redirects to %q, which cannot be followed: %s", h.target.shown(), short(latin1(h.event.Location)), err.text).
			withFix("Set follow_redirects to false to read this answer"))
	}
	return &next, nil
}

// noteHeaders reports what the module cannot see of the headers as they came.
func (h *hop) noteHeaders() {
	cookies := 0
	for _, f := range h.event.Headers {
		if latin1(f.Value) != f.Value {
			h.decide("headers", true, f.Name+" is not UTF-8: the module reads its bytes as Latin-1", "")
		}
		if f.Name == "set-cookie" {
			cookies++
		}
	}
	if cookies > 1 {
		h.decide("headers", true, fmt.Sprintf("%d set-cookie lines are joined with commas, which also stand inside dates", cookies), "")
	}
}

// broken turns an error on the way into an answer; timeouts are their own.
func (h *hop) broken(err error) *failure {
	if h.pat.timedOut() {
		return fail(abi.ErrTimeout, "no whole answer from %s within timeout_ms, %d ms", h.target.shown(), h.req.Timeout/time.Millisecond).
			withFix("Give it more time, or answer with a smaller request; timeout_ms bounds all hops and the body")
	}
	return fail(abi.ErrConnection, "%s", connectionText(h.target.shown(), err))
}

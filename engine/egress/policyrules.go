package egress

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"perch/engine/abi"
)

// ParseHostRule reads an allowlist entry: host, *.host, host:port. The error
// says what to write instead.
func ParseHostRule(text, source string) (HostRule, error) {
	if _, _, has := strings.Cut(text, "://"); has {
		return HostRule{}, fmt.Errorf("%q is a URL: an allowlist entry is a host alone, with :port when that is not 443", text)
	}
	if _, _, _, err := splitRule(text); err != nil {
		return HostRule{}, fmt.Errorf("%q is no allowlist entry (host, *.host or host:port): %s", text, strings.TrimPrefix(err.text, "url has "))
	}
	return HostRule{text, source}, nil
}

func splitRule(text string) (host string, below bool, port uint16, err *urlError) {
	host, port, err = splitPort(text)
	if err != nil {
		return "", false, 0, err
	}
	host, below = strings.CutPrefix(host, "*.")
	host, addr, err := parseHost(host)
	if err == nil && below && addr.IsValid() {
		err = badURL("a * before an address")
	}
	if port == 0 {
		port = 443
	}
	return host, below, port, err
}

// allows reports whether the rule names t.
func (r HostRule) allows(t target) bool {
	host, below, port, err := splitRule(r.Text)
	if err != nil || port != t.port {
		return false
	}
	if below {
		return strings.HasSuffix(t.host, "."+host)
	}
	return t.host == host
}

// ParseRoute reads HOST[:PORT]=ADDR:PORT. ADDR is an address or localhost.
func ParseRoute(text, source string) (Route, error) {
	bad := func(why string) (Route, error) {
		return Route{}, fmt.Errorf("%q is no route (host[:port]=address:port): %s", text, why)
	}
	from, to, ok := strings.Cut(text, "=")
	if !ok {
		return bad("there is no =")
	}
	host, port, err := splitPort(from)
	if err != nil {
		return bad(strings.TrimPrefix(err.text, "url has "))
	}
	if host, _, err = parseHost(host); err != nil {
		return bad(strings.TrimPrefix(err.text, "url has "))
	}
	if rest, is := strings.CutPrefix(to, "localhost:"); is {
		to = "127.0.0.1:" + rest
	}
	addr, perr := netip.ParseAddrPort(to)
	if perr != nil || addr.Port() == 0 {
		return bad(fmt.Sprintf("%q is no address with a port, such as 127.0.0.1:8443", to))
	}
	return Route{host, port, addr, source}, nil
}

// ParseCredential reads ORIGIN=HEADER:env:NAME.
func ParseCredential(text, source string) (Credential, error) {
	bad := func(why string) (Credential, error) {
		return Credential{}, fmt.Errorf("%q is no credential (https://host=header:env:NAME): %s", text, why)
	}
	origin, rest, ok := strings.Cut(text, "=")
	header, name, ok2 := strings.Cut(rest, ":env:")
	if !ok || !ok2 {
		return bad("a part is missing")
	}
	return checkCredential(Credential{origin, header, name, source}, bad)
}

func checkCredential(c Credential, bad func(string) (Credential, error)) (Credential, error) {
	t, err := parseTarget(c.Origin)
	if err != nil {
		return bad(strings.Replace(err.text, "url has", "its origin has", 1))
	}
	if t.scheme != "https" || t.path != "/" || t.query != "" {
		return bad("the origin is https://host or https://host:port, nothing more")
	}
	c.Header = strings.ToLower(c.Header)
	if why := nameFault(c.Header); why != "" {
		return bad("the header name " + why)
	}
	if slices.Contains(abi.DroppedHeaders(), c.Header) {
		return bad(c.Header + " is a connection header, which is never sent")
	}
	if c.Env == "" {
		return bad("the variable has no name")
	}
	return c, nil
}

// NewCredential checks the parts of a credential as ParseCredential does.
func NewCredential(origin, header, env, source string) (Credential, error) {
	return checkCredential(Credential{origin, header, env, source}, func(why string) (Credential, error) {
		return Credential{}, fmt.Errorf("no credential for %q: %s", origin, why)
	})
}

// ruleFor returns the allowlist entry that names t, or nil.
func (p *Policy) ruleFor(t target) *HostRule {
	for i, r := range p.Allow {
		if r.allows(t) {
			return &p.Allow[i]
		}
	}
	return nil
}

// nameFault says what is wrong with a header name, or nothing.
func nameFault(name string) string {
	if name == "" {
		return "is empty"
	}
	for i := range len(name) {
		b := name[i]
		switch {
		case 'A' <= b && b <= 'Z':
			return "has an upper-case letter: write " + strings.ToLower(name)
		case 'a' <= b && b <= 'z', '0' <= b && b <= '9', strings.IndexByte("!#$%&'*+-.^_`|~", b) >= 0:
		default:
			return fmt.Sprintf("has the byte 0x%02x at %d, which no name has", b, i)
		}
	}
	return ""
}

// valueFault says what is wrong with a header value, or nothing. A tab is no
// control byte here (RFC 9110 section 5.5).
func valueFault(value string) string {
	for i := range len(value) {
		if b := value[i]; b < 0x20 && b != '\t' || b == 0x7f {
			return fmt.Sprintf("has the control byte 0x%02x at %d", b, i)
		}
	}
	return ""
}

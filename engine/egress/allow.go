package egress

import (
	"fmt"
	"strings"
)

// splitRule takes an allowlist entry apart.
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

package egress

import (
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// target is a URL that was taken apart once: what is checked is what is
// dialled.
type target struct {
	scheme string // lower case
	host   string // lower case, or an address in its usual form without brackets
	addr   netip.Addr
	port   uint16
	path   string // begins with "/"; percent-encoded where it must be
	query  string // with its "?", or empty
}

// urlError says what keeps a URL from being used.
type urlError struct {
	text string
	hint string     // what to write; may be empty
	addr netip.Addr // of a host that is an oddly spelled IPv4 address
}

func (e *urlError) Error() string { return e.text }

func badURL(format string, args ...any) *urlError {
	return &urlError{text: fmt.Sprintf(format, args...)}
}

// parseTarget takes raw apart, stricter than browsers do: no user part, no
// backslash, no control byte, no bytes outside ASCII in the host, no odd
// spelling of an IPv4 address. It accepts any scheme with "//" after it.
func parseTarget(raw string) (target, *urlError) {
	if err := plainBytes(raw); err != nil {
		return target{}, err
	}
	scheme, rest, ok := cutScheme(raw)
	if !ok {
		return target{}, badURL("url has no scheme: it begins with https://")
	}
	if !strings.HasPrefix(rest, "//") {
		return target{}, badURL("url has no // after %s:", short(scheme))
	}
	rest = rest[2:]
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	t := target{scheme: scheme}
	if err := t.setAuthority(rest[:end]); err != nil {
		return target{}, err
	}
	t.setPath(rest[end:])
	return t, nil
}

// plainBytes refuses what two parsers could read in two ways.
func plainBytes(raw string) *urlError {
	for i := range len(raw) {
		switch b := raw[i]; {
		case b < 0x20 || b == 0x7f:
			return badURL("url has the control byte 0x%02x at %d", b, i)
		case b == '\\':
			return badURL(`url has a backslash at %d: write / or %%5C`, i)
		}
	}
	return nil
}

// cutScheme splits "scheme:rest"; the scheme comes back in lower case.
func cutScheme(raw string) (scheme, rest string, ok bool) {
	for i := range len(raw) {
		b := raw[i]
		letter := 'a' <= b|0x20 && b|0x20 <= 'z'
		switch {
		case b == ':' && i > 0:
			return strings.ToLower(raw[:i]), raw[i+1:], true
		case letter, i > 0 && ('0' <= b && b <= '9' || b == '+' || b == '-' || b == '.'):
		default:
			return "", raw, false
		}
	}
	return "", raw, false
}

func defaultPort(scheme string) uint16 {
	if scheme == "http" {
		return 80
	}
	return 443
}

func (t *target) setAuthority(authority string) *urlError {
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		err := badURL("url has a user part before @: its host would be %q", short(authority[i+1:]))
		err.hint = "Send credentials as a header"
		return err
	}
	host, port, err := splitPort(authority)
	if err != nil {
		return err
	}
	if t.port = port; port == 0 {
		t.port = defaultPort(t.scheme)
	}
	t.host, t.addr, err = parseHost(host)
	return err
}

// splitPort cuts ":port" off a host; the port is 0 when there is none.
func splitPort(s string) (host string, port uint16, err *urlError) {
	host = s
	digits, has := "", false
	if end := strings.IndexByte(s, ']'); strings.HasPrefix(s, "[") && end > 0 {
		host = s[:end+1]
		after := s[end+1:]
		if after != "" && after[0] != ':' {
			return "", 0, badURL("url has %q after the address in brackets", short(after))
		}
		if after != "" {
			digits, has = after[1:], true
		}
	} else if before, after, found := strings.Cut(s, ":"); found && before != "[" {
		host, digits, has = before, after, true
	}
	if !has {
		return host, 0, nil
	}
	n, bad := strconv.ParseUint(digits, 10, 16)
	if bad != nil || n == 0 || digits[0] == '0' {
		return "", 0, badURL("url has the port %q: a port is a number from 1 to 65535", short(digits))
	}
	return host, uint16(n), nil
}

// parseHost gives the one form of a host that is compared and dialled.
func parseHost(host string) (string, netip.Addr, *urlError) {
	switch {
	case host == "":
		return "", netip.Addr{}, badURL("url has no host")
	case strings.Contains(host, "%"):
		return "", netip.Addr{}, badURL("url has a percent sign in its host, %q: a host is written plainly, an IPv6 address without a zone", short(host))
	case strings.HasPrefix(host, "["):
		addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
		if err != nil || !addr.Is6() || !strings.HasSuffix(host, "]") {
			return "", netip.Addr{}, badURL("url has %q for its host, which is no IPv6 address", short(host))
		}
		return addr.String(), addr, nil
	}
	host = strings.ToLower(host)
	if err := nameBytes(host); err != nil {
		return "", netip.Addr{}, err
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.String(), addr, nil
	}
	if odd, is := oddIPv4(host); is {
		if !odd.IsValid() {
			return "", netip.Addr{}, badURL("url has the host %q, which ends in a number and is no IPv4 address", host)
		}
		return "", netip.Addr{}, &urlError{text: fmt.Sprintf("url has the host %q, an odd spelling of %s: write %s", host, odd, odd), addr: odd}
	}
	return host, netip.Addr{}, nil
}

// nameBytes checks the bytes and lengths of a host name (RFC 1123, and "_").
func nameBytes(host string) *urlError {
	if len(host) > 253 {
		return badURL("url has a host of %d bytes: 253 is the longest", len(host))
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > 63 {
			return badURL("url has the host %q: between its dots stand 1 to 63 bytes", short(host))
		}
		for i := range len(label) {
			b := label[i]
			switch {
			case b >= 0x80:
				return badURL("url has bytes outside ASCII in its host, %q: write its xn-- form", short(host))
			case 'a' <= b && b <= 'z', '0' <= b && b <= '9', b == '_':
			case b == '-' && i > 0 && i < len(label)-1:
			default:
				return badURL("url has %q in its host, %q", string(rune(b)), short(host))
			}
		}
	}
	return nil
}

// oddIPv4 reads the numeric hosts that some systems take for an IPv4 address:
// fewer parts than four, octal, hexadecimal. is says that the host ends in a
// number, as the URL standard puts it; addr is what they would read, if anything.
func oddIPv4(host string) (addr netip.Addr, is bool) {
	parts := strings.Split(host, ".")
	if _, ok := oddNumber(parts[len(parts)-1]); !ok {
		return netip.Addr{}, strings.Trim(parts[len(parts)-1], "0123456789") == ""
	}
	if len(parts) > 4 {
		return netip.Addr{}, true
	}
	var sum uint64
	for i, part := range parts {
		n, ok := oddNumber(part)
		last := i == len(parts)-1
		if !ok || !last && n > 255 || last && n >= 1<<(8*(5-len(parts))) {
			return netip.Addr{}, true
		}
		if last {
			sum |= n
		} else {
			sum |= n << (8 * (3 - i))
		}
	}
	return netip.AddrFrom4([4]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}), true
}

func oddNumber(s string) (uint64, bool) {
	base := 10
	switch {
	case s == "0x":
		return 0, true
	case strings.HasPrefix(s, "0x"):
		s, base = s[2:], 16
	case len(s) > 1 && s[0] == '0':
		s, base = s[1:], 8
	}
	n, err := strconv.ParseUint(s, base, 64)
	return n, err == nil
}

// setPath takes what follows the authority. The fragment is not sent.
func (t *target) setPath(rest string) {
	rest, _, _ = strings.Cut(rest, "#")
	path, query, has := strings.Cut(rest, "?")
	t.path = encode(removeDots(path))
	t.query = ""
	if has {
		t.query = "?" + encode(query)
	}
}

// removeDots resolves "." and ".." segments (RFC 3986 section 5.2.4).
func removeDots(path string) string {
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	var out []string
	for i, s := range segments {
		last := i == len(segments)-1
		switch s {
		case ".", "..":
			if s == ".." && len(out) > 0 {
				out = out[:len(out)-1]
			}
			if last {
				out = append(out, "")
			}
		default:
			out = append(out, s)
		}
	}
	return "/" + strings.Join(out, "/")
}

// encode percent-encodes the bytes that a request line cannot hold, and leaves
// everything else as it was written.
func encode(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c <= 0x20 || c >= 0x7f || strings.IndexByte("\"<>^`{|}", c) >= 0 || c == '%' && !hexPair(s[i+1:]) {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func hexPair(s string) bool {
	isHex := func(b byte) bool {
		return '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'f'
	}
	return len(s) >= 2 && isHex(s[0]) && isHex(s[1])
}

// hostPort is "host:port" as a dialler takes it.
func (t target) hostPort() string {
	return t.authority(true)
}

func (t target) authority(port bool) string {
	host := t.host
	if t.addr.Is6() {
		host = "[" + host + "]"
	}
	if port {
		host += ":" + strconv.Itoa(int(t.port))
	}
	return host
}

// shown is "host", with ":port" when that is not the scheme's own.
func (t target) shown() string { return t.authority(t.port != defaultPort(t.scheme)) }

// origin is scheme, host and port; :443 and no port are the same.
func (t target) origin() string { return t.scheme + "://" + t.hostPort() }

// String is the URL as it is sent.
func (t target) String() string {
	return t.scheme + "://" + t.shown() + t.path + t.query
}

// url is the same URL for net/http, which parses nothing of it again.
func (t target) url() *url.URL {
	path, err := url.PathUnescape(t.path)
	u := &url.URL{Scheme: t.scheme, Host: t.shown(), Path: path, RawPath: t.path, RawQuery: strings.TrimPrefix(t.query, "?"), ForceQuery: t.query == "?"}
	if err != nil { // encode leaves no bad escape; keep the bytes if it ever did
		u.Path, u.RawPath = t.path, ""
	}
	return u
}

// follow resolves a Location against t (RFC 3986 section 5.2).
func (t target) follow(location string) (target, *urlError) {
	if err := plainBytes(location); err != nil {
		return target{}, err
	}
	if _, _, ok := cutScheme(location); ok {
		return parseTarget(location)
	}
	next := t
	switch {
	case strings.HasPrefix(location, "//"):
		return parseTarget(t.scheme + ":" + location)
	case strings.HasPrefix(location, "/"):
		next.setPath(location)
	case strings.HasPrefix(location, "?"):
		path := t.path
		next.setPath(location)
		next.path = path
	case strings.HasPrefix(location, "#"):
	default:
		next.setPath(t.path[:strings.LastIndexByte(t.path, '/')+1] + location)
	}
	return next, nil
}

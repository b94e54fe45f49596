package settings

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/idna"

	"perch/engine/abi"
	"perch/engine/disk"
)

// parseDuration reads a time as Go writes it.
func parseDuration(text string) (time.Duration, error) {
	const do = "Write a time with its unit: 500ms, 30s, 2m or 1m30s"
	d, err := time.ParseDuration(text)
	switch {
	case err != nil && text != "" && strings.Trim(text, "0123456789") == "":
		return 0, &badForm{quote(text) + " has no unit", "Write " + short(text) + "s for seconds"}
	case err != nil:
		return 0, &badForm{quote(text) + " is no time", do}
	case d <= 0:
		return 0, &badForm{quote(text) + " is not more than 0", do}
	}
	return d, nil
}

// parseMemory reads a size of linear memory: 256MiB, 64 KiB, 1GiB or bytes.
func parseMemory(text string) (uint64, error) {
	do := fmt.Sprintf("Between %s and %s in steps of %s, such as 256MiB", disk.Size(abi.PageSize), disk.Size(abi.MaxMemory), disk.Size(abi.PageSize))
	digits := strings.TrimRight(strings.TrimSpace(text), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	unit := strings.TrimSpace(text)[len(digits):]
	digits = strings.TrimSpace(digits)
	shift, ok := map[string]uint{"": 0, "b": 0, "kib": 10, "mib": 20, "gib": 30}[strings.ToLower(unit)]
	if !ok {
		return 0, &badForm{quote(text) + " has a unit that is not B, KiB, MiB or GiB", do}
	}
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, &badForm{quote(text) + " is no size", do}
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	switch {
	case err != nil || n > abi.MaxMemory>>shift || n == 0:
		return 0, &badForm{quote(text) + " is out of range", do}
	case n<<shift%abi.PageSize != 0:
		return 0, &badForm{fmt.Sprintf("%s is not a multiple of %s", quote(text), disk.Size(abi.PageSize)), do}
	}
	return n << shift, nil
}

// httpsPort is the port that an allowlist entry without one means.
const httpsPort = 443

// parseAllow reads host, *.host or host:port and returns its one form.
func parseAllow(text string) (string, error) {
	const do = "Write a host, *.host for its subdomains, or host:port"
	rest, below := strings.CutPrefix(text, "*.")
	host, port, err := parseHostPort(rest)
	switch {
	case text == "*" || strings.HasPrefix(text, "*:"):
		return "", &badForm{quote(text) + " would allow every host", "Name them: host, or *.host for its subdomains"}
	case err == nil && below && isAddress(host):
		err = &badForm{what: "a * stands before an address"}
	}
	if err != nil {
		return "", &badForm{quote(text) + " is no allowlist entry: " + err.what, do}
	}
	if below {
		host = "*." + host
	}
	return withPort(host, port), nil
}

// parseRoute reads HOST[:PORT]=ADDR:PORT.
func parseRoute(text string) (Route, error) {
	const do = "Write HOST[:PORT]=ADDR:PORT, such as api.example.com=127.0.0.1:8443"
	bad := func(why string) (Route, error) {
		return Route{}, &badForm{quote(text) + " is no route: " + why, do}
	}
	from, to, ok := strings.Cut(text, "=")
	if !ok {
		return bad("there is no =")
	}
	host, port, err := parseHostPort(from)
	if err != nil {
		return bad(err.what)
	}
	if local, is := strings.CutPrefix(to, "localhost:"); is {
		to = "127.0.0.1:" + local
	}
	addr, perr := netip.ParseAddrPort(to)
	if perr != nil || addr.Port() == 0 {
		return bad("behind = stands no address with a port")
	}
	return Route{host, port, addr}, nil
}

// parseCredential reads ORIGIN=HEADER:env:NAME. No message shows more
// than an origin that was understood: somebody may have written the secret
// itself into the text.
func parseCredential(text string) (Credential, error) {
	const do = "Write https://HOST=HEADER:env:NAME, where the variable NAME holds the whole header value"
	origin, rest, ok := strings.Cut(text, "=")
	if !ok {
		return Credential{}, &badForm{"there is no = in this credential", do}
	}
	target, ok := strings.CutPrefix(origin, "https://")
	if !ok {
		return Credential{}, &badForm{"this credential's origin is no https:// URL", do}
	}
	host, port, err := parseHostPort(target)
	if err != nil {
		return Credential{}, &badForm{"this credential has no usable origin: " + err.what, do}
	}
	origin = "https://" + withPort(host, port)
	bad := func(why string) (Credential, error) {
		return Credential{}, &badForm{"the credential for " + origin + " " + why, do}
	}
	header, name, ok := strings.Cut(rest, ":env:")
	header = strings.ToLower(header)
	switch {
	case !ok:
		return bad("does not name a header and a variable")
	case !isToken(header):
		return bad("names no possible header")
	case slices.Contains(abi.DroppedHeaders(), header):
		return bad("names a connection header, which is never sent")
	case !isVariable(name):
		return bad("names no possible variable")
	}
	return Credential{origin, header, name}, nil
}

// parseHostPort reads a host, or an address, with a port or without: 443 then.
// The host comes back in lower case and as ASCII (IDNA), IPv6 without brackets.
func parseHostPort(text string) (host string, port uint16, bad *badForm) {
	host, digits, has := text, "", false
	if end := strings.IndexByte(text, ']'); strings.HasPrefix(text, "[") && end > 0 {
		host = text[1:end]
		if digits, has = strings.CutPrefix(text[end+1:], ":"); !has && text[end+1:] != "" {
			return "", 0, &badForm{what: "something stands behind the address"}
		}
		if addr, err := netip.ParseAddr(host); err != nil || !addr.Is6() || addr.Zone() != "" {
			return "", 0, &badForm{what: "in brackets stands no IPv6 address"}
		}
	} else {
		host, digits, has = strings.Cut(text, ":")
	}
	port = httpsPort
	if has {
		n, err := strconv.ParseUint(digits, 10, 16)
		if err != nil || n == 0 || digits[0] == '0' {
			if strings.HasPrefix(digits, "//") {
				return "", 0, &badForm{what: "it is a URL; a host alone is wanted"}
			}
			return "", 0, &badForm{what: "the port is no number from 1 to 65535"}
		}
		port = uint16(n)
	}
	host, bad = plainHost(host)
	return host, port, bad
}

// plainHost is the one form of a host: an address as netip writes it, else a
// name in lower case and ASCII.
func plainHost(host string) (string, *badForm) {
	if addr, err := netip.ParseAddr(host); err == nil && addr.Zone() == "" {
		return addr.String(), nil
	}
	switch {
	case host == "":
		return "", &badForm{what: "there is no host"}
	case strings.ContainsAny(host, "/?#"):
		return "", &badForm{what: "a path stands behind the host"}
	case strings.Contains(host, "*"):
		return "", &badForm{what: "a * stands for the first part alone, as in *.host"}
	}
	if !isASCII(host) {
		ascii, err := idna.Lookup.ToASCII(host)
		if err != nil {
			return "", &badForm{what: "the host is no possible name"}
		}
		host = ascii
	}
	host = strings.ToLower(host)
	labels := strings.Split(host, ".")
	for _, label := range labels {
		if !isLabel(label) {
			return "", &badForm{what: "the host is no possible name"}
		}
	}
	last := labels[len(labels)-1]
	if strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") {
		return "", &badForm{what: "the host ends in a number and is no address"}
	}
	if len(host) > 253 {
		return "", &badForm{what: "the host is longer than 253 bytes"}
	}
	return host, nil
}

// isLabel reports whether a part of a host name is one (RFC 1123, and _).
func isLabel(label string) bool {
	return label != "" && len(label) <= 63 && label[0] != '-' && label[len(label)-1] != '-' &&
		strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}

func isAddress(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0
}

// isToken reports whether a name can be a header's (RFC 9110, 5.6.2).
func isToken(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~") == ""
}

// isVariable reports whether a name can be an environment variable's (POSIX).
func isVariable(name string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
	return name != "" && strings.IndexByte(letters, name[0]) >= 0 && strings.Trim(name, letters+"0123456789") == ""
}

// withPort adds a port that is not the usual one, and an address's brackets.
func withPort(host string, port uint16) string {
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port == httpsPort {
		return host
	}
	return fmt.Sprintf("%s:%d", host, port)
}

func short(text string) string { return text[:min(len(text), mostShown)] }

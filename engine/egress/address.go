package egress

import (
	"fmt"
	"net/netip"
)

// block is a range of addresses that no request may reach.
type block struct {
	prefix netip.Prefix
	what   string
}

// blocks is the IANA registries of special-purpose addresses, without the few
// that are globally reachable (the AS112 and AMT anycast addresses). The ABI
// page names the error kind alone; the list is our reading.
func blocks() []block {
	b := func(prefix, what string) block { return block{netip.MustParsePrefix(prefix), what} }
	return []block{
		b("0.0.0.0/8", "an address of this host"),
		b("10.0.0.0/8", "a private address"),
		b("100.64.0.0/10", "a carrier's shared address"),
		b("127.0.0.0/8", "a loopback address"),
		b("169.254.0.0/16", "a link-local address"),
		b("172.16.0.0/12", "a private address"),
		b("192.0.0.0/24", "an address for protocols"),
		b("192.0.2.0/24", "an address for documentation"),
		b("192.88.99.0/24", "a 6to4 relay"),
		b("192.168.0.0/16", "a private address"),
		b("198.18.0.0/15", "an address for benchmarks"),
		b("198.51.100.0/24", "an address for documentation"),
		b("203.0.113.0/24", "an address for documentation"),
		b("224.0.0.0/4", "a multicast address"),
		b("255.255.255.255/32", "the broadcast address"),
		b("240.0.0.0/4", "a reserved address"),

		b("::/128", "the unspecified address"),
		b("::1/128", "a loopback address"),
		b("::/96", "an IPv4-compatible address"),
		b("::ffff:0:0/96", "an IPv4-mapped address"),
		b("::ffff:0:0:0/96", "an IPv4-translated address"),
		b("64:ff9b::/96", "a NAT64 address"),
		b("64:ff9b:1::/48", "a local NAT64 address"),
		b("100::/64", "a discard address"),
		b("100:0:0:1::/64", "a dummy address"),
		b("2001::/32", "a Teredo address"),
		b("2001:2::/48", "an address for benchmarks"),
		b("2001:4:112::/48", ""), // AS112, globally reachable
		b("2001::/23", "an address for protocols"),
		b("2001:db8::/32", "an address for documentation"),
		b("2002::/16", "a 6to4 address"),
		b("3fff::/20", "an address for documentation"),
		b("5f00::/16", "a segment routing address"),
		b("fc00::/7", "a unique local address"),
		b("fe80::/10", "a link-local address"),
		b("fec0::/10", "a site-local address"),
		b("ff00::/8", "a multicast address"),
		b("2000::/3", ""), // global unicast
		b("::/0", "a reserved address"),
	}
}

// judge says what keeps a request from going to addr: empty when the address
// is public. An address that has an IPv4 address inside is refused whatever
// that is, and the text names it.
func judge(addr netip.Addr) string {
	if addr.Zone() != "" {
		return "an address with a zone"
	}
	for _, b := range blocks() {
		if !contains(b.prefix, addr) {
			continue
		}
		if b.what == "" {
			return ""
		}
		if v4, ok := embedded(addr); ok {
			return fmt.Sprintf("%s of %s", b.what, v4)
		}
		return b.what
	}
	return ""
}

// contains is Prefix.Contains, but an IPv4-mapped address is IPv6 here.
func contains(p netip.Prefix, addr netip.Addr) bool {
	if !addr.Is4In6() {
		return p.Contains(addr)
	}
	if !p.Addr().Is6() {
		return false
	}
	a, b := p.Addr().As16(), addr.As16()
	for bit := range p.Bits() {
		mask := byte(0x80) >> (bit % 8)
		if a[bit/8]&mask != b[bit/8]&mask {
			return false
		}
	}
	return true
}

// embedded returns the IPv4 address inside an IPv6 transition address.
func embedded(addr netip.Addr) (netip.Addr, bool) {
	if !addr.Is6() {
		return netip.Addr{}, false
	}
	b := addr.As16()
	at := func(i int) (netip.Addr, bool) { return netip.AddrFrom4([4]byte(b[i : i+4])), true }
	in := func(prefix string) bool { return contains(netip.MustParsePrefix(prefix), addr) }
	switch {
	case addr == netip.IPv6Unspecified() || addr == netip.IPv6Loopback():
		return netip.Addr{}, false
	case in("::/96"), in("::ffff:0:0/96"), in("::ffff:0:0:0/96"), in("64:ff9b::/96"), in("64:ff9b:1::/48"):
		return at(12)
	case in("2002::/16"):
		return at(2)
	case in("2001::/32"): // Teredo keeps the client's address inverted
		for i := 12; i < 16; i++ {
			b[i] = ^b[i]
		}
		return at(12)
	}
	return netip.Addr{}, false
}

package egress

import "net/netip"

// Policy is who may be reached, how, and with what. Its zero value allows
// nothing.
type Policy struct {
	Allow       []HostRule
	Routes      []Route
	RouteCA     []byte // PEM; trusted beside the system's roots, for routed hosts alone
	Credentials []Credential
	Mocks       []Mock

	// NoNetwork, if not empty, refuses every well-formed request as
	// host_not_allowed, mocks included; its text is the reason that the
	// module is told. The upload run has no network (ABI page, When a package
	// is uploaded).
	NoNetwork string
}

// HostRule is one entry of the allowlist: a host, "*.host" for its subdomains
// at any depth, either with ":port" for a port other than 443. The form is our
// choice; that there is an allowlist is the ABI page's word. A text of another
// form allows nothing.
type HostRule struct {
	Text   string
	Source string // who allowed it: flag --allow, perch.toml:7
}

// Route sends the connections for one host name to a given address, which the
// address rule then does not judge: a shown exception, so that a package can
// be tried against a server on the same machine. The allowlist still counts.
type Route struct {
	Host   string
	Port   uint16 // 0: 443
	Addr   netip.AddrPort
	Source string
}

// Credential is a header that perch adds to requests for one origin. Its value
// is the whole header value, read from the environment when it is sent, and
// appears in no event, answer or error.
type Credential struct {
	Origin string // https://host or https://host:port
	Header string
	Env    string // name of the variable
	Source string
}

// Files is the module's file system, as far as requests use it. Errors are
// *PathError or match ErrBudget; any other counts as a bad path.
type Files interface {
	// OpenBody opens a file to be sent and gives its length in bytes.
	OpenBody(path string) (File, int64, error)
	// CheckOutput says, without changing anything, whether CreateOutput may
	// succeed: asked before a request is sent.
	CheckOutput(path string) error
	// CreateOutput makes or empties a file, and its parent folders. Each Write
	// is charged to the write budget, and refused whole when it would cross it.
	CreateOutput(path string) (Output, error)
}

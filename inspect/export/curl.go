package export

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
)

// hidden stands where a secret was.
const hidden = "hidden"

// Exchange is an exchange as it was recorded.
type Exchange struct {
	Request event.HTTPRequest
	Hops    []event.HTTPHop
	Answer  *event.HTTPAnswer // nil: none came
}

// Curl is a command that makes the first request of an exchange, for a POSIX
// shell. The value of a secret header is taken from the variable that env names
// for it; where it names none, or env is nil, the word hidden stands there.
// Secrets in the address are hidden too, and a comment says so; another one says
// when the recorded answer was a mock's.
// What the host decides, such as the allowlist, is not in it.
func Curl(x Exchange, env func(header string) string) string {
	c := curl{env: env}
	r := x.Request
	method := cmp.Or(r.Method, abi.HTTPMethods()[0])
	c.body(r)
	follow, timeout := options(r.Raw)
	c.add("curl --globoff --proto '=https'")
	switch {
	case method == "HEAD":
		c.add("--head")
	case c.hasBody && method == "POST", !c.hasBody && method == abi.HTTPMethods()[0]:
	default:
		c.add("--request " + argument(method))
	}
	if follow {
		c.add(fmt.Sprintf("--location --max-redirs %d", abi.MaxHops))
	}
	if timeout > 0 {
		c.add(fmt.Sprintf("--max-time %g", timeout.Seconds()))
	}
	typed := false
	for _, h := range c.headers(x) {
		typed = typed || h.Name == "content-type"
		c.header(h)
	}
	if c.hasBody && !typed {
		c.add("--header 'content-type:'") // curl would send one of its own
	}
	c.add(c.data)
	if r.Output != "" {
		c.add("--output " + path(lastName(r.Output)))
	}
	address, n := Address(r.URL)
	if n > 0 {
		c.before = fmt.Sprintf("# in the address %s hidden; y on the row of HTTP copies the request as it was made\n", isHidden(n)) + c.before
	}
	c.add("--url " + argument(address))
	return mocked(x) + c.before + strings.Join(c.words, " ") + "\n"
}

// mocked says that the answer that was recorded is not the server's.
func mocked(x Exchange) string {
	if x.Answer == nil || x.Answer.Mock == "" {
		return ""
	}
	return "# mocked: " + visible(x.Answer.Mock, mostName) + " answered in the recorded run, and no server was asked; this asks the server\n"
}

type curl struct {
	env     func(header string) string
	before  string // what is piped into it
	words   []string
	data    string
	hasBody bool
}

func (c *curl) add(words string) {
	if words != "" {
		c.words = append(c.words, words)
	}
}

// body says how the body comes to curl.
func (c *curl) body(r event.HTTPRequest) {
	c.hasBody = len(r.Body) > 0 || r.File != ""
	switch text := string(r.Body); {
	case r.File != "":
		// The file lies in the volume; here it is one beside the command.
		name := lastName(r.File)
		c.before = "# the body was the file " + visible(r.File, 200) + "\n"
		c.data = "--data-binary " + argument("@"+name)
	case !c.hasBody:
	case plain(text) && len(text) <= longestWord:
		c.data = "--data-raw " + word(text)
	default:
		c.before = printed(r.Body) + " | "
		c.data = "--data-binary @-"
	}
}

func isHidden(n int) string {
	if n == 1 {
		return "1 value is"
	}
	return fmt.Sprintf("%d values are", n)
}

// lastName is the name of a file of the volume.
func lastName(path string) string {
	return path[strings.LastIndexByte(path, '/')+1:]
}

// headers are those that the module asked for, and those with a credential that
// were set on the first hop.
func (c *curl) headers(x Exchange) []event.Header {
	all := append([]event.Header(nil), x.Request.Headers...)
	if len(x.Hops) == 0 {
		return all
	}
	for _, h := range x.Hops[0].Sent {
		known := false
		for _, own := range x.Request.Headers {
			known = known || strings.EqualFold(own.Name, h.Name)
		}
		if h.Hidden && !known {
			all = append(all, event.Header{Name: h.Name, Hidden: true})
		}
	}
	return all
}

func (c *curl) header(h event.Header) {
	if !isToken(h.Name) || strings.ContainsAny(h.Value, "\x00\r\n") {
		return // no header; the host refuses it too
	}
	switch {
	case h.Hidden:
		if name := c.variable(h.Name); name != "" {
			c.add("--header '" + quoteInside(h.Name) + `: '"$` + name + `"`)
			return
		}
		c.add("--header " + word(h.Name+": "+hidden))
	case h.Value == "":
		c.add("--header " + word(h.Name+";")) // with a colon curl would take it away
	default:
		c.add("--header " + argument(h.Name+": "+h.Value))
	}
}

// variable is the environment variable with a secret; empty where there is none
// of a usable name.
func (c *curl) variable(header string) string {
	if c.env == nil {
		return ""
	}
	name := c.env(strings.ToLower(header))
	for i, r := range name {
		if r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (i == 0 || r < '0' || r > '9') {
			return ""
		}
	}
	return name
}

func quoteInside(s string) string { return strings.ReplaceAll(s, "'", `'\''`) }

// isToken reports whether a name can be a header's (RFC 9110, 5.6.2).
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return s != ""
}

// options are what the request itself says of redirects and time.
func options(raw []byte) (follow bool, timeout time.Duration) {
	follow = true
	doc, err := jsonread.Parse(raw)
	if err != nil {
		return follow, 0
	}
	if doc.Root().Get("follow_redirects").Kind() == jsonread.False {
		follow = false
	}
	if ms, ok := doc.Root().Get("timeout_ms").Int(); ok && ms > 0 && uint64(ms) <= abi.MaxRequestTimeoutMS {
		timeout = time.Duration(ms) * time.Millisecond
	}
	return follow, timeout
}

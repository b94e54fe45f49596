package egress

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"perch/engine/abi"
	"perch/engine/event"
)

// Mock is an answer given without network. See the package's doc for the file
// format.
type Mock struct {
	Method string // empty: any
	URL    string // as it is sent, or a beginning that ends with *
	Times  int    // answers that it gives in a run, 0: any number
	Delay  time.Duration

	Status  int // of an answer; 0: an error
	Headers []Header
	Body    []byte

	Kind    abi.ErrorKind // of an error
	Message string

	Source string // file:line
}

// matches compares with the URL as it would be sent.
func (m *Mock) matches(method string, t target) bool {
	if m.Method != "" && m.Method != method {
		return false
	}
	if beginning, open := strings.CutSuffix(m.URL, "*"); open {
		return strings.HasPrefix(t.String(), beginning)
	}
	return t.String() == m.URL
}

// mockFor finds the first mock that fits and has answers left.
func (c *Client) mockFor(method string, t target) *Mock {
	for i := range c.cfg.Policy.Mocks {
		m := &c.cfg.Policy.Mocks[i]
		if m.matches(method, t) && (m.Times == 0 || c.mockCount[i] < m.Times) {
			c.mockCount[i]++
			return m
		}
	}
	return nil
}

// mocked answers in place of a server. The body goes the way of a real one.
func (h *hop) mocked(m *Mock) (*response, *failure) {
	if !h.pat.wait(h.client.cfg.Clock, m.Delay) {
		f := h.broken(errors.New("stopped"))
		f.mock = m.Source
		return nil, f
	}
	if m.Status == 0 {
		return nil, &failure{kind: m.Kind, text: m.Message, quiet: true, mock: m.Source}
	}
	var headers []event.Header
	for _, f := range m.Headers {
		headers = append(headers, event.Header{Name: f.Name, Value: f.Value})
	}
	slices.SortStableFunc(headers, func(a, b event.Header) int { return strings.Compare(a.Name, b.Name) })
	body := m.Body
	if h.method == http.MethodHead || m.Status == http.StatusNoContent || m.Status == http.StatusNotModified {
		body = nil
	}
	wire := &counter{r: bytes.NewReader(body)}
	return &response{status: m.Status, headers: headers, body: wire, wire: wire, mock: m, close: func() {}}, nil
}

// normal checks a mock and brings its URL into the form that is compared.
func (m *Mock) normal() error {
	url, open := strings.CutSuffix(m.URL, "*")
	if t, err := parseTarget(url); err == nil {
		// A beginning that stops within the host or port has no path of its
		// own yet, and must not get one.
		if !open || strings.Count(url, "/") > 2 {
			m.URL = t.String()
			if open {
				m.URL += "*"
			}
		}
	} else if !open {
		return errors.New(err.text)
	}
	if m.Status == 0 {
		if !slices.Contains(abi.ErrorKinds(), m.Kind) {
			return fmt.Errorf("%q is no error kind; the kinds are %s", m.Kind, kindList())
		}
		return nil
	}
	for _, f := range m.Headers {
		if why := nameFault(f.Name); why != "" {
			return fmt.Errorf("the header name %q %s", f.Name, why)
		}
		if why := valueFault(f.Value); why != "" {
			return fmt.Errorf("the value of header %s %s", f.Name, why)
		}
	}
	return nil
}

func kindList() string {
	var names []string
	for _, k := range abi.ErrorKinds() {
		names = append(names, string(k))
	}
	return list(names)
}

package wire_test

import (
	"strings"
	"testing"
)

// TestQuotedTwice: an id that was written with its quotes between quotes.
func TestQuotedTwice(t *testing.T) {
	for _, c := range []struct{ line, rule, detail, fix string }{
		{`{"jsonrpc":"2.0","id":"\"call-7\"","result":{"content":[]}}`, "rpc/id-echo",
			`answers id "\"call-7\"", with the quotes of the id in it; asked was "call-7", a string`, "its quotes are there already"},
		{`{"jsonrpc":"2.0","id":""call-7"","result":{"content":[]}}`, "frame/json",
			`line 1 on stdout is not JSON: it has "c" where , or } belongs, at byte 24`, "put between quotes once more"},
		{`{"jsonrpc":"2.0","id":"call-7"x,"result":{"content":[]}}`, "frame/json",
			`line 1 on stdout is not JSON: it has "x" where , or } belongs, at byte 30`, "JSON encoder"},
	} {
		s := finished(call(`"call-7"`), c.line+"\n")
		if len(s.breaches) != 1 || string(s.breaches[0].Rule) != c.rule || s.breaches[0].Detail != c.detail || !strings.Contains(s.breaches[0].Fix, c.fix) {
			t.Errorf("%s: %+v", c.line, s.breaches)
		}
	}
}

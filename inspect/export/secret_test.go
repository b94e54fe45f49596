package export_test

import (
	"strings"
	"testing"

	"perch/engine/event"
	"perch/inspect/export"
	"perch/inspect/record"
)

func TestSecretsInAddresses(t *testing.T) {
	for _, c := range []struct {
		url, want string
		n         int
	}{
		{"https://a.example/x?q=1", "https://a.example/x?q=1", 0},
		{"https://me:pw@a.example/x", "https://me:hidden@a.example/x", 1},
		{"https://me@a.example/x@y:z", "https://me@a.example/x@y:z", 0},
		{"https://a.example/?api_key=k1&page=2&access-token=t#token=f", "https://a.example/?api_key=hidden&page=2&access-token=hidden#token=f", 2},
		{"https://a.example/?X-Amz-Signature=00ff&key=", "https://a.example/?X-Amz-Signature=hidden&key=", 1},
		{"https://a:b@c:d@host?token=1", "https://a:hidden@host?token=hidden", 2},
		{"?token=1", "?token=hidden", 1},
		{"", "", 0},
	} {
		if got, n := export.Address(c.url); got != c.want || n != c.n {
			t.Errorf("%s: %s, %d", c.url, got, n)
		}
	}
}

func TestCurlHidesSecretsInTheAddress(t *testing.T) {
	x := export.Exchange{Request: event.HTTPRequest{Method: "GET", URL: "https://me:pw@a.example/?token=t0p&q=1"}}
	got := export.Curl(x, nil)
	if strings.Contains(got, "t0p") || strings.Contains(got, "pw@") || !strings.Contains(got, "q=1") {
		t.Errorf("it is %s", got)
	}
	if !strings.HasPrefix(got, "# ") || !strings.Contains(got, "y on the row") {
		t.Errorf("it does not say how to get them: %s", got)
	}
}

// TestReportSaysWhatItHides: a report tells that addresses are not whole, and
// where they are.
func TestReportSaysWhatItHides(t *testing.T) {
	for url, want := range map[string]string{
		"https://me:pw@a.example/?token=t0p&q=1": "2 values are hidden",
		"https://a.example/?q=1":                 "",
	} {
		got := export.Report(export.Call{Name: "x", Run: requesting(t, url)})
		if strings.Contains(got, "t0p") || strings.Contains(got, "pw@") || !strings.Contains(got, "q=1") {
			t.Errorf("it is %s", got)
		}
		if strings.Contains(got, "hidden, which may be secret") != (want != "") || !strings.Contains(got, want) {
			t.Errorf("%s: it says not what is hidden: %s", url, got)
		}
	}
}

// requesting is a call that made one request.
func requesting(t *testing.T, url string) *record.Run {
	t.Helper()
	rec := record.New(record.DefaultLimits())
	t.Cleanup(func() { rec.Close() })
	for i, b := range []event.Body{
		event.Begin{Kind: event.Call, Tool: "make"},
		event.HTTPRequest{Method: "GET", URL: url},
		event.End{Outcome: event.OK},
	} {
		rec.Append(event.Event{Run: 1, Seq: uint64(i), Body: b})
	}
	return rec.Run(1)
}

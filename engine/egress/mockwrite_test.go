package egress_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"perch/engine/abi"
	"perch/engine/egress"
)

func TestMockTextReadsBack(t *testing.T) {
	typed := func(kind string) []egress.Header { return []egress.Header{{Name: "content-type", Value: kind}} }
	for name, m := range map[string]egress.Mock{
		"json":         {Method: "GET", URL: "https://a.example/x", Status: 200, Headers: typed("application/json"), Body: []byte("{\n  \"a\": 1\n}\n")},
		"text":         {URL: "https://a.example/*", Status: 404, Headers: typed("text/plain; charset=utf-8"), Body: []byte("it's \"gone\"\r\n\x01")},
		"quotes":       {URL: "https://a.example/", Status: 200, Headers: typed("text/plain; charset=utf-8"), Body: []byte("'''\nx'")},
		"other type":   {URL: "https://a.example/", Status: 200, Headers: typed("text/csv"), Body: []byte("a,b\n1,2\n")},
		"no type":      {URL: "https://a.example/", Status: 200, Body: []byte("plain")},
		"binary":       {URL: "https://a.example/", Status: 200, Headers: typed("image/png"), Body: []byte{0xff, 0, 0xfe}},
		"empty":        {URL: "https://a.example/", Status: 204, Headers: []egress.Header{{Name: "link", Value: "<a>"}, {Name: "link", Value: "<b>"}, {Name: "x.y", Value: "\t"}}},
		"error":        {Method: "POST", URL: "https://a.example/", Kind: abi.ErrConnection, Message: "down"},
		"delay, times": {URL: "https://a.example/", Status: 200, Delay: 20 * time.Millisecond, Times: 3},
	} {
		text := egress.MockText(m)
		got, err := egress.ParseMocks([]byte(text), "f")
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
			continue
		}
		m.Source = "f:1"
		if !reflect.DeepEqual(got, []egress.Mock{m}) {
			t.Errorf("%s: got %+v, want %+v\n%s", name, got, m, text)
		}
	}
}

func TestPutMock(t *testing.T) {
	const src = "# of all\n[[mock]]\nurl = \"https://a.example/\"\nstatus = 500\n\n# of b\n[[mock]]\nurl = \"https://b.example/\"\n"
	out, err := egress.PutMock([]byte(src), "f", egress.Mock{URL: "https://a.example", Status: 201})
	if err != nil {
		t.Fatal(err)
	}
	want := "# of all\n[[mock]]\nurl = \"https://a.example\"\nstatus = 201\n\n# of b\n[[mock]]\nurl = \"https://b.example/\"\n"
	if string(out) != want {
		t.Errorf("replaced: %q, want %q", out, want)
	}
	if out, err = egress.PutMock(out, "f", egress.Mock{Method: "GET", URL: "https://a.example/", Status: 202}); err != nil || !strings.HasSuffix(string(out), "\n\n[[mock]]\nmethod = \"GET\"\nurl = \"https://a.example/\"\nstatus = 202\n") {
		t.Errorf("added: %q, %v", out, err)
	}
	for name, c := range map[string]struct {
		src string
		m   egress.Mock
	}{
		"a file that cannot be read": {"[mock]", egress.Mock{URL: "https://a.example/", Status: 200}},
		"no address":                 {"", egress.Mock{URL: "https://", Status: 200}},
		"no status":                  {"", egress.Mock{URL: "https://a.example/", Status: 99}},
		"a header":                   {"", egress.Mock{URL: "https://a.example/", Status: 200, Headers: []egress.Header{{Name: "a", Value: "b\nc"}}}},
	} {
		if out, err := egress.PutMock([]byte(c.src), "f", c.m); err == nil || out != nil {
			t.Errorf("%s: put %q", name, out)
		}
	}
}

package egress_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"perch/engine/abi"
	"perch/engine/egress"
)

func TestParseRequest(t *testing.T) {
	all := `{"method":"POST","url":"https://api.example.com/orders","headers":{"accept":"application/json","host":"x","x-a":"","x-b":"a\tb"},` +
		`"body":{"type":"json","json":{ "order": 1042.10 , "order":1}},"output":{"type":"file","path":"/volume/tmp/o"},"follow_redirects":false,"timeout_ms":5000}`
	r, err := egress.ParseRequest([]byte(all))
	if err != nil {
		t.Fatal(err)
	}
	if r.Method != "POST" || r.URL != "https://api.example.com/orders" || r.Follow || r.Timeout != 5*time.Second || r.Output != "/volume/tmp/o" {
		t.Errorf("%+v", r)
	}
	if string(r.Content) != `{ "order": 1042.10 , "order":1}` || r.Body != egress.BodyJSON {
		t.Errorf("the body is sent as it was written, not %s", r.Content)
	}
	if want := []egress.Header{{"accept", "application/json"}, {"x-a", ""}, {"x-b", "a\tb"}, {"content-type", "application/json"}}; !slices.Equal(r.Headers, want) {
		t.Errorf("headers %q", r.Headers)
	}
	if want := []egress.Header{{"host", "x"}}; !slices.Equal(r.Dropped, want) {
		t.Errorf("dropped %q", r.Dropped)
	}
	r, err = egress.ParseRequest([]byte(" {\"url\":\"HTTPS://A.example\"}\n"))
	if err != nil || r.Method != "GET" || !r.Follow || r.Timeout != 0 || r.Body != egress.BodyNone || r.Output != "" {
		t.Errorf("the defaults are %+v, %v", r, err)
	}
}

func TestRequestFormKept(t *testing.T) {
	for _, members := range []string{
		`"method":"GET"`, `"method":"HEAD"`, `"method":"POST"`, `"method":"PUT"`, `"method":"PATCH"`, `"method":"DELETE"`, `"method":"OPTIONS"`,
		`"headers":{}`, `"headers":{"x!#$%&'*+-.^_|~` + "`" + `9":"é \u0020"}`,
		`"body":null`, `"timeout_ms":null`, `"timeout_ms":0`, `"timeout_ms":4294967295`,
		`"body":{"type":"text","text":""}`, `"body":{"text":"a\u0000b","type":"text"}`,
		`"body":{"type":"json","json":null}`, `"body":{"type":"json","json":[1e400]}`, `"body":{"type":"file","path":"/volume/tmp/x"}`,
		`"output":{"type":"inline"}`, `"output":{"type":"file","path":"/volume/tmp/x"}`,
		`"follow_redirects":true`,
	} {
		if _, err := egress.ParseRequest([]byte(`{"url":"https://a.example",` + members + `}`)); err != nil {
			t.Errorf("%s: %v", members, err)
		}
	}
}

func TestRequestFormBroken(t *testing.T) {
	const u = `"url":"https://a.example"`
	for _, c := range []struct{ raw, at, text string }{
		{``, "", "empty"},
		{`{`, "", "ends inside an object"},
		{`{` + u + `} x`, "x", `has "x" behind the value`},
		{"{" + u + "}\x00", "\x00", "behind the value"},
		{`[]`, "[", "a request is a list"},
		{`"x"`, `"x`, "a request is a string"},
		{`{` + u + `,"a":NaN}`, "NaN", "NaN is not JSON"},
		{"{\"url\":\"https://a.example/\xff\"}", "\xff", "not UTF-8"},
		{"{\"url\":\"https://a.example/\\ud800\"}", `"https`, "lone surrogate"},
		{`{` + u + `,` + u + `}`, `"url":"https://a.example"}`, `"url" stands twice`},
		{`{` + u + `,"headers":{"a":"1","a":"1"}}`, `"a":"1"}`, `"a" stands twice`},
		{`{}`, "{", "url is missing"},
		{`{"method":"GET"}`, "{", "url is missing"},
		{`{` + u + `,"timeout":5}`, `"timeout"`, "Did you mean timeout_ms?"},
		{`{` + u + `,"timeoutMs":5}`, `"timeoutMs"`, "Did you mean timeout_ms?"},
		{`{"Url":"https://a.example"}`, `"Url"`, "Did you mean url?"},
		{`{` + u + `,"redirects":true}`, `"redirects"`, "Did you mean follow_redirects?"},
		{`{` + u + `,"header":{}}`, `"header"`, "Did you mean headers?"},
		{`{` + u + `,"zzz":1}`, `"zzz"`, "The fields are method, url, headers"},
		{`{` + u + `,"body":{"type":"text","text":"x","json":1}}`, `"json"`, "no field of a text body"},
		{`{` + u + `,"body":{"type":"json","json":1,"txt":1}}`, `"txt"`, "no field of a json body"},
		{`{` + u + `,"output":{"type":"inline","path":"/volume/tmp/x"}}`, `"path"`, "no field of an inline output"},
		{`{` + u + `,"output":{"type":"file","path":"/volume/tmp/x","mode":1}}`, `"mode"`, "no field of a file output"},

		{`{` + u + `,"method":"get"}`, `"get"`, "write GET"},
		{`{` + u + `,"method":"CONNECT"}`, `"CONNECT"`, "The methods are GET, HEAD"},
		{`{` + u + `,"method":"TRACE"}`, `"TRACE"`, "The methods are"},
		{`{` + u + `,"method":"GET "}`, `"GET "`, "The methods are"},
		{`{` + u + `,"method":null}`, `null`, "method is null"},
		{`{"url":null}`, `null`, "url is null"},
		{`{"url":["https://a.example"]}`, `[`, "url is a list"},
		{`{` + u + `,"headers":null}`, `null`, "headers is null"},
		{`{` + u + `,"headers":[["a","b"]]}`, `[[`, "headers is a list"},
		{`{` + u + `,"headers":{"Accept":"x"}}`, `"Accept"`, "upper-case letter: write accept"},
		{`{` + u + `,"headers":{"":"x"}}`, `"":`, "is empty"},
		{`{` + u + `,"headers":{"a b":"x"}}`, `"a b"`, "0x20"},
		{`{` + u + `,"headers":{"a:":"x"}}`, `"a:"`, "0x3a"},
		{`{` + u + `,"headers":{"é":"x"}}`, `"é"`, "0xc3"},
		{`{` + u + `,"headers":{"a":"x\r\nb: y"}}`, `"x\r`, "control byte 0x0d at 1"},
		{`{` + u + `,"headers":{"a":"\u0000"}}`, `"\u0000`, "control byte 0x00"},
		{`{` + u + `,"headers":{"a":"\u007f"}}`, `"\u007f`, "control byte 0x7f"},
		{`{` + u + `,"headers":{"a":["x"]}}`, `["x"]`, "header a is a list"},
		{`{` + u + `,"headers":{"a":1}}`, `1}}`, "header a is a number"},
		{`{` + u + `,"body":"x"}`, `"x"`, "body is a string: it is an object with a type"},
		{`{` + u + `,"body":{}}`, `{}}`, "body has no type"},
		{`{` + u + `,"body":{"type":"form"}}`, `"form"`, "one of text, json, file"},
		{`{` + u + `,"body":{"type":"JSON","json":1}}`, `"JSON"`, "one of text, json, file"},
		{`{` + u + `,"body":{"type":"text"}}`, `{"type"`, "has no text"},
		{`{` + u + `,"body":{"type":"text","text":null}}`, `null`, "text is null"},
		{`{` + u + `,"body":{"type":"json"}}`, `{"type"`, "has no json"},
		{`{` + u + `,"body":{"type":"file"}}`, `{"type"`, "has no path"},
		{`{` + u + `,"body":{"type":"file","path":""}}`, `""`, "path is empty"},
		{`{` + u + `,"output":null}`, `null`, "output is null"},
		{`{` + u + `,"output":{"type":"stream"}}`, `"stream"`, "one of inline, file"},
		{`{` + u + `,"follow_redirects":null}`, `null`, "true or false"},
		{`{` + u + `,"follow_redirects":1}`, `1}`, "true or false"},

		{`{` + u + `,"timeout_ms":-1}`, `-1`, "a whole number from 0 to 4294967295"},
		{`{` + u + `,"timeout_ms":-0}`, `-0`, "a whole number from 0"},
		{`{` + u + `,"timeout_ms":1e3}`, `1e3`, "written in digits"},
		{`{` + u + `,"timeout_ms":1.5}`, `1.5`, "a whole number"},
		{`{` + u + `,"timeout_ms":99999999999999}`, `99999999999999`, "to 4294967295"},
		{`{` + u + `,"timeout_ms":"5"}`, `"5"`, "a whole number"},
		{`{` + u + `,"timeout_ms":true}`, `true`, "a whole number"},
	} {
		_, err := egress.ParseRequest([]byte(c.raw))
		if err == nil {
			t.Errorf("%s: no error", c.raw)
			continue
		}
		if want := strings.LastIndex(c.raw, c.at); c.raw != `{` && err.Offset != want {
			t.Errorf("%s: error at %d, want %d: %v", c.raw, err.Offset, want, err)
		}
		if err.Hint != "" && !strings.HasSuffix(err.Text, ". "+err.Hint) {
			t.Errorf("%s: the hint %q does not end %q", c.raw, err.Hint, err.Text)
		}
		if !strings.Contains(err.Text, c.text) {
			t.Errorf("%s: %q, want %q in it", c.raw, err.Text, c.text)
		}
	}
}

// TestWhoseWordItIs: the page says that there are no other fields; that members
// may not stand twice, and how a URL is written, it does not.
func TestWhoseWordItIs(t *testing.T) {
	for raw, ours := range map[string]bool{
		`{"url":"https://a.example","timeout":5}`:    false,
		`{"url":"https://a.example","method":"get"}`: false,
		`{"method":"GET"}`:                           false,
		`{`:                                          false,
		`{"url":"https://a.example","url":"https://a.example"}`:                   true,
		`{"url":"https://user@a.example"}`:                                        true,
		`{"url":"https://0x7f.1/"}`:                                               true,
		`{"url":"https://a.example","headers":{"a":"x\r\nb: y"}}`:                 true,
		`{"url":"https://a.example/` + strings.Repeat("x", abi.MaxRequest) + `"}`: true,
	} {
		m := start(t, egress.Config{Dial: noDial(t)})
		m.do(raw)
		b := m.breaches()
		if len(b) != 1 || strings.HasSuffix(b[0].Detail, "our reading") != ours {
			t.Errorf("%.60s: %+v", raw, b)
		}
	}
}

func TestRequestSize(t *testing.T) {
	const before, after = `{"url":"https://a.example","body":{"type":"text","text":"`, `"}}`
	fill := func(n int) []byte {
		return []byte(before + strings.Repeat("x", n-len(before)-len(after)) + after)
	}
	if _, err := egress.ParseRequest(fill(abi.MaxRequest)); err != nil {
		t.Errorf("8 MiB: %v", err)
	}
	if _, err := egress.ParseRequest(fill(abi.MaxRequest + 1)); err == nil || !strings.Contains(err.Text, "8388609 bytes") {
		t.Errorf("8 MiB + 1: %v", err)
	}
	m := start(t, egress.Config{Dial: noDial(t)})
	if a := m.do(string(fill(abi.MaxRequest + 1))); a.kind() != "invalid_request" || len(m.requests()[0].Raw) != abi.MaxRequest {
		t.Errorf("the module read %s", a.raw)
	}
	if got := m.call("request", 16, 0); got <= 0 {
		t.Errorf("a request of length 0 returned %d: it is answered", got)
	}
	if kind := m.answers()[1].Kind; kind != "invalid_request" {
		t.Errorf("a request of length 0 was answered %s", kind)
	}
}

func TestURLForm(t *testing.T) {
	for _, c := range []struct{ url, text string }{
		{"", "no scheme"},
		{"a.example", "no scheme"},
		{"/x", "no scheme"},
		{" https://a.example", "no scheme"},
		{"1https://a.example", "no scheme"},
		{"https:a.example", "no //"},
		{"https:/a.example", "no //"},
		{"https://", "no host"},
		{"https:///api.example.com/", "no host"},
		{"https://:443/", "no host"},
		{"https://?x", "no host"},
		{"ftp://a.example/", "begins with ftp"},
		{"file:///etc/passwd", "no host"},
		{"https://api.example.com@203.0.113.9/", `user part before @: its host would be "203.0.113.9"`},
		{"https://user:pass@a.example/", "user part"},
		{"https://@a.example/", "user part"},
		{"https://api.example.com:443@x/", "user part"},
		{`https://api.example.com\@203.0.113.9/`, "backslash at 23"},
		{`https:\\a.example\`, "backslash"},
		{"https://api.example.com%00.evil/", "percent sign in its host"},
		{"https://a.exam\x00ple/", "control byte 0x00 at 14"},
		{"https://a.example/\r\nx: y", "control byte 0x0d at 18"},
		{"https://a.example/\x7f", "control byte 0x7f"},
		{"https://a b.example/", `" " in its host`},
		{"https://a..example/", "between its dots"},
		{"https://a.example./", "between its dots"},
		{"https://.example/", "between its dots"},
		{"https://-a.example/", `"-" in its host`},
		{"https://" + strings.Repeat("a", 64) + ".example/", "1 to 63 bytes"},
		{"https://" + strings.Repeat("a.", 127) + "example/", "253 is the longest"},
		{"https://bücher.example/", "xn--"},
		{"https://127。0。0。1/", "xn--"},
		{"https://a.example:/", `port ""`},
		{"https://a.example:0/", `port "0"`},
		{"https://a.example:65536/", "1 to 65535"},
		{"https://a.example:0443/", `port "0443"`},
		{"https://a.example:+443/", "port"},
		{"https://a.example:443:443/", "port"},
		{"https://[::1/", "no IPv6 address"},
		{"https://[::1]x/", "after the address in brackets"},
		{"https://[127.0.0.1]/", "no IPv6 address"},
		{"https://[fe80::1%25eth0]/", "percent sign"},
		{"https://[]/", "no IPv6 address"},
		{"https://::1/", "port"},
		{"https://2130706433/", "an odd spelling of 127.0.0.1: write 127.0.0.1"},
		{"https://0x7f.1/", "an odd spelling of 127.0.0.1"},
		{"https://0177.0.0.1/", "an odd spelling of 127.0.0.1"},
		{"https://127.1/", "an odd spelling of 127.0.0.1"},
		{"https://0x7F000001/", "an odd spelling of 127.0.0.1"},
		{"https://10.256/", "an odd spelling of 10.0.1.0"},
		{"https://0/", "an odd spelling of 0.0.0.0"},
		{"https://1.2.3.4.5/", "ends in a number and is no IPv4 address"},
		{"https://256.0.0.1/", "ends in a number"},
		{"https://a.example.09/", "ends in a number"},
		{"https://4294967296/", "ends in a number"},
	} {
		_, err := egress.ParseRequest([]byte(`{"url":` + quote(c.url) + `}`))
		if err == nil || !strings.Contains(err.Text, c.text) || err.Pointer != "/url" {
			t.Errorf("%q: %v, want %q in it", c.url, err, c.text)
		}
	}
}

func FuzzParseRequest(f *testing.F) {
	f.Add([]byte(`{"method":"POST","url":"https://a.example:8443/x?y#z","headers":{"a":"b"},"body":{"type":"json","json":[1]},"timeout_ms":5}`))
	f.Add([]byte(`{"url":"https://[::1]/../%zz","output":{"type":"file","path":"/volume/tmp/x"},"follow_redirects":false}`))
	f.Add([]byte(`{"url":"https://0x7f.1","body":{"type":"text","text":"\ud800"}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := egress.ParseRequest(raw)
		if r == nil {
			t.Fatal("there is always a request")
		}
		if err == nil {
			if !slices.Contains(abi.HTTPMethods(), r.Method) || r.URL == "" {
				t.Errorf("%q gave %+v", raw, r)
			}
			return
		}
		if err.Offset < 0 || err.Offset > len(raw) || err.Text == "" || !utf8.ValidString(err.Text) {
			t.Errorf("%q gave %+v", raw, err)
		}
	})
}

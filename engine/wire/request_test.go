package wire_test

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"perch/engine/jsonread"
	"perch/engine/wire"
)

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"subako","version":"0.2.3"},"io.modelcontextprotocol/clientCapabilities":{}}`

// TestRequests holds the lines against the ABI page's, byte for byte.
func TestRequests(t *testing.T) {
	for _, c := range []struct {
		request wire.Request
		want    string
	}{
		{wire.Call(`"call-0192f5c4"`, "greet", []byte(`{"name":"Ada"}`)),
			`{"jsonrpc":"2.0","id":"call-0192f5c4","method":"tools/call","params":{"name":"greet","arguments":{"name":"Ada"},` + meta + `}}` + "\n"},
		{wire.Call("4711", `a"b`, []byte("[1,\n 2]")),
			`{"jsonrpc":"2.0","id":4711,"method":"tools/call","params":{"name":"a\"b","arguments":[1,2],` + meta + `}}` + "\n"},
		{wire.Discover(`"d-1"`), `{"jsonrpc":"2.0","id":"d-1","method":"server/discover","params":{` + meta + `}}` + "\n"},
		{wire.List("1000", nil), `{"jsonrpc":"2.0","id":1000,"method":"tools/list","params":{` + meta + `}}` + "\n"},
		{wire.List("1000", []byte(`"\u0061 /é"`)), `{"jsonrpc":"2.0","id":1000,"method":"tools/list","params":{"cursor":"\u0061 /é",` + meta + `}}` + "\n"},
	} {
		if got := string(c.request.Bytes); got != c.want {
			t.Errorf("line %s\nwant %s", got, c.want)
		}
		doc, err := jsonread.Parse(c.request.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		if v := doc.Root(); string(v.Get("id").Raw()) != c.request.ID || !v.Get("method").Is(c.request.Method) {
			t.Errorf("%+v says another id or method than its line", c.request)
		}
	}
}

func TestArguments(t *testing.T) {
	for typed, want := range map[string]string{
		"":                        "{}",
		" \n":                     "{}",
		"{}":                      "{}",
		`{"n": 1.0, "s":"a  b" }`: `{"n": 1.0, "s":"a  b" }`,
		"  {\"n\": 1}\t":          `{"n": 1}`,
		"{\n  \"n\": 1e400,\r\n  \"s\": \"a  \\n\"\n}\n": `{"n":1e400,"s":"a  \n"}`,
	} {
		if got, err := wire.Arguments([]byte(typed)); err != nil || string(got) != want {
			t.Errorf("%q is sent as %s (%v), want %s", typed, got, err, want)
		}
	}
	_, err := wire.Arguments([]byte(`{"name":`))
	var syntax *jsonread.Error
	if !errors.As(err, &syntax) || syntax.Offset != 8 || syntax.Text != "ends inside an object" {
		t.Errorf("arguments cut short: %v", err)
	}
	for typed, kind := range map[string]jsonread.Kind{"[1]": jsonread.Array, "null": jsonread.Null, `"x"`: jsonread.String} {
		var wrong *wire.ArgumentsError
		if _, err := wire.Arguments([]byte(typed)); !errors.As(err, &wrong) || wrong.Kind != kind || !strings.Contains(err.Error(), kind.String()) {
			t.Errorf("arguments %s: %v", typed, err)
		}
	}
}

func TestIDs(t *testing.T) {
	draw := func(seed string) []string {
		ids := wire.NewIDs(seed)
		list := []string{ids.Discover(), ids.List(), ids.List(), ids.List(), ids.Call(), ids.Call(), ids.Call()}
		return append(list, ids.Discover(), ids.List())
	}
	first := draw("a")
	if !slices.Equal(first, draw("a")) {
		t.Error("the same seed gives other ids")
	}
	if slices.Equal(first, draw("b")) || slices.Equal(draw(""), draw("")) {
		t.Error("another seed, or none, gives the same ids")
	}
	text, number := regexp.MustCompile(`^"[a-z]+(-[a-z]+)?-[0-9a-f]{6,8}"$`), regexp.MustCompile(`^[0-9]+$`)
	for i, form := range []*regexp.Regexp{text, number, text, number, text, number, text, text, number} {
		if !form.MatchString(first[i]) {
			t.Errorf("id %d is %s", i, first[i])
		}
	}
	ids, seen := wire.NewIDs(""), make(map[string]bool)
	for range 2000 {
		for _, id := range []string{ids.Discover(), ids.List(), ids.List(), ids.Call()} {
			if seen[id] {
				t.Fatalf("id %s came twice", id)
			}
			seen[id] = true
			if n, err := strconv.Atoi(id); err == nil && (n < 1000 || n >= 1<<31) {
				t.Fatalf("id %d is out of bounds", n)
			}
		}
	}
}

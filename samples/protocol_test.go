package samples_test

import (
	"encoding/json"
	"strings"
	"testing"

	"perch/samples"
	"perch/samples/internal/run"
)

// wellBehaved are the samples that break nothing.
func wellBehaved() []string { return []string{"greeter", "orders", "charts", "notebook"} }

const noArguments = "{}"

func TestIDsComeBackAsTheyCame(t *testing.T) {
	ids := []string{
		`"call-0192f5c4"`, `7`, `0`, `-1`, `9007199254740993`, `123456789012345678901234567890`,
		`""`, `"7"`, `"a\"b\\"`, `"\u0041\ud83d\udc26"`, `"🐦"`, `1e3`, `"` + strings.Repeat("i", 5000) + `"`,
	}
	for _, s := range samples.List() {
		t.Run(s.Name, func(t *testing.T) {
			var in strings.Builder
			for _, id := range ids {
				in.WriteString(run.Request(id, "tools/list", ""))
			}
			lines := runs(t, s.Name, run.Options{Stdin: in.String()}).Lines()
			if len(lines) != len(ids) {
				t.Fatalf("%d answers to %d requests", len(lines), len(ids))
			}
			for i, line := range lines {
				if want := `{"jsonrpc":"2.0","id":` + ids[i] + `,"result":`; !strings.HasPrefix(line, want) {
					t.Errorf("%.80s, want %.80s", line, want)
				}
			}
		})
	}
}

func TestWhatGetsNoAnswer(t *testing.T) {
	in := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}` + "\n" +
		"\n" + "not JSON\n" + `{"jsonrpc":"2.0","id":1}` + "\n" + `{"id":2,"method":3}` + "\n" + `[]` + "\n" + `"text"` + "\n" +
		run.Request(`8`, "tools/list", "")
	for _, name := range wellBehaved() {
		t.Run(name, func(t *testing.T) {
			lines := runs(t, name, run.Options{Stdin: in}).Lines()
			if len(lines) != 1 || !strings.HasPrefix(lines[0], `{"jsonrpc":"2.0","id":8,`) {
				t.Errorf("%q", lines)
			}
		})
	}
}

func TestRequestsThatMCPRefuses(t *testing.T) {
	tests := []struct {
		name, line string
		code       int
		data       string
	}{
		{"unknown method", run.Request(`1`, "prompts/list", ""), -32601, ""},
		{"unknown tool", run.Call(`1`, "nothing", noArguments), -32602, ""},
		{"no meta", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}` + "\n", -32602, ""},
		{"no params", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n", -32602, ""},
		{"another revision", strings.Replace(run.Request(`1`, "tools/list", ""), "2026-07-28", "1900-01-01", 1), -32022,
			`{"supported":["2026-07-28"],"requested":"1900-01-01"}`},
	}
	for _, name := range wellBehaved() {
		for _, tt := range tests {
			t.Run(name+"/"+tt.name, func(t *testing.T) {
				got := answers(t, runs(t, name, run.Options{Stdin: tt.line}))[0]
				if got.Error == nil || got.Error.Code != tt.code || string(got.Error.Data) != tt.data {
					t.Errorf("%+v, want %d %s", got.Error, tt.code, tt.data)
				}
			})
		}
	}
}

func TestDiscover(t *testing.T) {
	for _, s := range samples.List() {
		res := runs(t, s.Name, run.Options{Stdin: run.Request(`"d"`, "server/discover", "")})
		var got struct {
			Result struct {
				SupportedVersions []string
				Capabilities      map[string]map[string]any
			}
		}
		if err := json.Unmarshal([]byte(res.Stdout), &got); err != nil {
			t.Fatalf("%s: %q: %v", s.Name, res.Stdout, err)
		}
		if v := got.Result.SupportedVersions; len(v) != 1 || v[0] != "2026-07-28" || got.Result.Capabilities["tools"] == nil {
			t.Errorf("%s: %s", s.Name, res.Stdout)
		}
	}
}

// The members of a request may stand in any order, with white space, escapes
// and members that nobody asked for.
func TestRequestsInOtherForms(t *testing.T) {
	line := `  {"params": {"_meta": {"x": [[{"id": 9}]], "io.modelcontextprotocol/clientCapabilities": {} , ` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}, "t\u0072ace": -1.5e-9, "meth\u006fd" : "tools\/list", "id":3,"id":"x"}` + "\r\n"
	for _, s := range samples.List() {
		lines := runs(t, s.Name, run.Options{Stdin: line}).Lines()
		if len(lines) != 1 || !strings.HasPrefix(lines[0], `{"jsonrpc":"2.0","id":"x","result":{`) {
			t.Errorf("%s: %.200q", s.Name, lines)
		}
	}
}

func TestRequestsThatArriveInPieces(t *testing.T) {
	long := strings.Repeat("x", 300_000)
	for _, s := range samples.List() {
		for _, chunk := range []int{1, 4096, 65536} {
			text := long
			if chunk == 1 {
				text = "x"
			}
			in := run.Request(`"long"`, "tools/list", `"padding":"`+text+`"`) + run.Request(`8`, "tools/list", "")
			got := answers(t, runs(t, s.Name, run.Options{Stdin: in, Chunk: chunk}))
			if len(got) != 2 || string(got[0].ID) != `"long"` || string(got[1].ID) != "8" {
				t.Errorf("%s in pieces of %d: %d answers", s.Name, chunk, len(got))
			}
		}
	}
}

// A last line without a newline is a request too.
func TestLastLineWithoutNewline(t *testing.T) {
	for _, name := range wellBehaved() {
		in := strings.TrimSuffix(run.Request(`4`, "tools/list", ""), "\n")
		if got := answers(t, runs(t, name, run.Options{Stdin: in})); len(got) != 1 || string(got[0].ID) != "4" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Nesting that would overflow a stack is no request, or is refused; the next
// request is answered.
func TestDeepNesting(t *testing.T) {
	for _, name := range wellBehaved() {
		in := run.Call(`1`, "greet", strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000)) +
			run.Call(`2`, "greet", strings.Repeat(`{"a":`, 100_000)) + run.Request(`3`, "tools/list", "")
		lines := runs(t, name, run.Options{Stdin: in}).Lines()
		if last := lines[len(lines)-1]; !strings.HasPrefix(last, `{"jsonrpc":"2.0","id":3,"result":`) {
			t.Errorf("%s: %.200q", name, last)
		}
	}
}

func FuzzLine(f *testing.F) {
	f.Add(run.Call(`1`, "greet", `{"name":"Ada"}`))
	f.Add(run.Call(`"a"`, "shout", `{"name":"\ud83d\udc26\ud83d","x":[1,{"name":null}]}`))
	f.Add(run.Call(`2`, "greet", `{"name":"\u0000","style":"warm"}`))
	f.Add(`{"id":1,"method":"tools/list","params":{"_meta":`)
	f.Add("\x00\xff{")
	modules := map[string][]byte{}
	for _, name := range wellBehaved() {
		modules[name] = files(f, name)["module.wasm"]
		runsModule(f, modules[name], run.Options{}) // compiled before the clock of an input runs
	}
	f.Fuzz(func(t *testing.T, line string) {
		for name, module := range modules {
			res := runsModule(t, module, run.Options{Stdin: line + "\n" + run.Request(`"last"`, "tools/list", "")})
			lines := res.Lines()
			if !strings.HasPrefix(lines[len(lines)-1], `{"jsonrpc":"2.0","id":"last"`) {
				t.Fatalf("%s: %q ends with %.100q", name, line, lines[len(lines)-1])
			}
			for _, l := range lines {
				if !json.Valid([]byte(l)) {
					t.Fatalf("%s: %q gives %q", name, line, l)
				}
			}
		}
	})
}

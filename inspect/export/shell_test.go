package export_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/inspect/export"
	"perch/inspect/safe"
)

// shells are the shells of this machine that commands are tried in.
func shells(t *testing.T) []string {
	t.Helper()
	var found []string
	for _, name := range []string{"sh", "bash"} {
		if path, err := exec.LookPath(name); err == nil {
			found = append(found, path)
		}
	}
	if len(found) == 0 {
		t.Skip("no POSIX shell here")
	}
	return found
}

// ran is what a program was given.
type ran struct {
	args  []string
	stdin []byte
}

// try runs commands in a shell in which wasmtime, perch and curl write down what
// they are given.
func try(t *testing.T, shell string, commands []string, env ...string) []ran {
	t.Helper()
	dir := t.TempDir()
	var script strings.Builder
	script.WriteString("seen() { for a in \"$@\"; do printf '%s\\000' \"$a\"; done >\"$SEEN.args\"; if [ -p /dev/stdin ]; then cat >\"$SEEN.stdin\"; fi; }\n")
	for _, name := range []string{"wasmtime", "perch", "curl"} {
		script.WriteString(name + "() { seen \"$@\"; }\n")
	}
	for i, c := range commands {
		script.WriteString("SEEN=" + filepath.Join(dir, strconv.Itoa(i)) + "\n" + c)
	}
	// From a file, as pasted text is not bound in its length either.
	file := filepath.Join(dir, "script")
	if err := os.WriteFile(file, []byte(script.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(shell, file)
	c.Env = append(os.Environ(), env...)
	if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%s: %v\n%.2000s", shell, err, out)
	}
	all := make([]ran, len(commands))
	for i := range all {
		name := filepath.Join(dir, strconv.Itoa(i))
		seen, err := os.ReadFile(name + ".args")
		if err != nil {
			t.Fatalf("nothing was run by %s\n%.2000s", shell, commands[i])
		}
		all[i].args = strings.Split(strings.TrimSuffix(string(seen), "\x00"), "\x00")
		all[i].stdin, _ = os.ReadFile(name + ".stdin") // not there when nothing was piped
	}
	return all
}

// nasty are texts that a shell or a terminal would make something else of.
func nasty() []string {
	return []string{
		`Ada`, `it's`, `''`, `a "b" $HOME $(id) ${x} \n \\ %s %d %% ` + "`id`", `!!`, `--help`, `-n`, `; rm -rf x`, `a&b|c>d<e*?[x]~#`,
		"tab\there", "line\nbreak", "\x1b[31mred", "\x07\x7f\u009b", "bidi \u202e gnp", "caf\u00e9 \u754c \U0001F469\u200d\U0001F469\u200d\U0001F467",
		"zero\u200bwidth", "bad \xe9 \xff utf8", "\u00a0nbsp", "%", `\`, `'`, `\'`, "\r\n", "!\x1b", "\x010", "~", "=", "a=b",
	}
}

func TestTheWASICommandIsExact(t *testing.T) {
	var commands []string
	var texts, stdins []string
	for _, s := range nasty() {
		if strings.Contains(s, "\n") {
			continue // a line has none
		}
		lines := [][]byte{[]byte(s), []byte(`{"id":"` + s + `"}`)}
		texts, stdins = append(texts, s), append(stdins, string(bytes.Join(lines, []byte("\n")))+"\n")
		commands = append(commands, export.WASI(lines, export.Runtime{Module: s, Dirs: []export.Dir{{Host: s, Guest: "/volume/tmp"}}}))
	}
	for _, shell := range shells(t)[:1] {
		for i, got := range try(t, shell, commands) {
			s := texts[i]
			if string(got.stdin) != stdins[i] {
				t.Errorf("%s: stdin is %q, want %q\n%s", shell, got.stdin, stdins[i], commands[i])
			}
			module := s
			if strings.HasPrefix(s, "-") {
				module = "./" + s
			}
			if n := len(got.args); n != 4 || got.args[0] != "run" || got.args[n-1] != module || !strings.HasSuffix(got.args[2], s+"::/volume/tmp") {
				t.Errorf("%s: args are %q\n%s", shell, got.args, commands[i])
			}
		}
	}
	pasted(t, commands)
}

// pasted holds that commands do nothing to the terminal they are pasted into.
func pasted(t *testing.T, commands []string) {
	t.Helper()
	for _, c := range commands {
		if safe.Text(c) != c {
			t.Errorf("the command is not safe to paste: %.300q", c)
		}
	}
}

func TestTheWASICommandOfThePage(t *testing.T) {
	got := export.WASI([][]byte{[]byte(`{"id":1}`)}, export.Runtime{HTTP: true})
	want := "# the module imports subako_http: the runtime must provide it, or link a stub\n" +
		`printf '%s\n' '{"id":1}' | wasmtime run module.wasm` + "\n"
	if got != want {
		t.Errorf("is %q\nwant %q", got, want)
	}
}

func TestThePerchCommandIsExact(t *testing.T) {
	var commands []string
	var wants []ran
	for _, s := range nasty() {
		if strings.HasSuffix(s, "\n") {
			continue // a name that a shell cannot hand on
		}
		args := `{"a":` + string(jsonread.AppendQuote(nil, s)) + "}"
		if !strings.ContainsAny(s, "\n\r\t\"\\") {
			args = `{"a":"` + s + `"}` // raw, as somebody could send it
		}
		want := []string{"call", "./" + s, s, "--args", args, "--allow", "--seed=" + s, s}
		if strings.HasPrefix(s, "-") {
			want = []string{"call", "--args", args, "--allow", "--seed=" + s, s, "--", "./" + s, s}
		}
		commands = append(commands, export.Perch("./"+s, s, []byte(args), "--allow", "--seed="+s, s))
		wants = append(wants, ran{args: want})
	}
	long := `{"a":"` + strings.Repeat(`it's %d \" `, 50_000) + `"}`
	commands = append(commands, export.Perch("sample:greeter", "greet", []byte(long)))
	wants = append(wants, ran{[]string{"call", "sample:greeter", "greet", "--args", "-"}, []byte(long)})
	for _, shell := range shells(t) {
		for i, got := range try(t, shell, commands) {
			if !slices.Equal(got.args, wants[i].args) || !bytes.Equal(got.stdin, wants[i].stdin) {
				t.Errorf("%s: args are %.500q\nwant %.500q\n%.500s", shell, got.args, wants[i].args, commands[i])
			}
		}
	}
	pasted(t, commands)
	for args, want := range map[string]string{
		"":               "perch call sample:greeter greet\n",
		"{\n\"a\": 1\n}": "perch call sample:greeter greet --args '{\"a\":1}'\n",
	} {
		if got := export.Perch("sample:greeter", "greet", []byte(args)); got != want {
			t.Errorf("%q gives %q, want %q", args, got, want)
		}
	}
}

func TestCurlIsExact(t *testing.T) {
	texts := append(nasty(), "@/etc/passwd", "nul\x00byte", "\n", strings.Repeat("long'", 20_000))
	var commands []string
	for _, s := range texts {
		start := s[:min(len(s), 99)]
		x := export.Exchange{
			Request: event.HTTPRequest{Method: "PUT", URL: "https://a.example/" + strings.ReplaceAll(start, "\x00", "") + "/", Body: []byte(s),
				Raw: []byte(`{"follow_redirects":false,"timeout_ms":1500}`),
				Headers: []event.Header{{Name: "x-text", Value: "v " + start}, {Name: "x-empty"}, {Name: "bad name", Value: "x"},
					{Name: "authorization", Value: "Bearer own", Hidden: true}}},
			Hops: []event.HTTPHop{{Sent: []event.Header{{Name: "authorization", Hidden: true}, {Name: "x-api'key", Hidden: true}, {Name: "user-agent", Value: "x"}}}},
		}
		c := export.Curl(x, func(h string) string { return map[string]string{"x-api'key": "TOKEN"}[h] })
		if strings.Contains(c, "Bearer") {
			t.Errorf("the command holds a secret: %.300q", c)
		}
		commands = append(commands, c)
	}
	for _, shell := range shells(t)[:1] {
		for i, got := range try(t, shell, commands, "TOKEN=secret $value") {
			curlGot(t, got, texts[i])
		}
	}
	pasted(t, commands)
}

// curlGot holds what curl was given for a body.
func curlGot(t *testing.T, got ran, body string) {
	t.Helper()
	start := body[:min(len(body), 99)]
	want := []string{"--globoff", "--proto", "=https", "--request", "PUT", "--max-time", "1.5"}
	if !strings.ContainsAny(start, "\x00\r\n") {
		want = append(want, "--header", "x-text: v "+start)
	}
	want = append(want, "--header", "x-empty;", "--header", "authorization: hidden", "--header", "x-api'key: secret $value", "--header", "content-type:")
	if len(got.args) != len(want)+4 || !slices.Equal(got.args[:len(want)], want) {
		t.Errorf("args are %.500q\nwant %.500q", got.args, want)
		return
	}
	rest := got.args[len(want):]
	switch data := rest[1]; {
	case rest[0] == "--data-binary" && data == "@-" && string(got.stdin) == body:
	case rest[0] == "--data-raw" && data == body:
	default:
		t.Errorf("the body comes by %.200q, want %.200q", rest[:2], body)
	}
	if url := "https://a.example/" + strings.ReplaceAll(start, "\x00", "") + "/"; rest[3] != url {
		t.Errorf("the URL is %q, want %q", rest[3], url)
	}
}

func TestCurlOfOtherRequests(t *testing.T) {
	for _, c := range []struct {
		r    event.HTTPRequest
		want string
	}{
		{event.HTTPRequest{Method: "GET", URL: "https://a.example/?q=[1]"}, "curl --globoff --proto '=https' --location --max-redirs 10 --url 'https://a.example/?q=[1]'\n"},
		{event.HTTPRequest{Method: "HEAD", URL: "https://a.example/"}, "curl --globoff --proto '=https' --head --location --max-redirs 10 --url https://a.example/\n"},
		{event.HTTPRequest{Method: "POST", URL: "https://a.example/", File: "/volume/tmp/in.bin", Output: "/volume/tmp/-out", Headers: []event.Header{{Name: "content-type", Value: "a/b"}}},
			"# the body was the file /volume/tmp/in.bin\ncurl --globoff --proto '=https' --location --max-redirs 10 --header 'content-type: a/b' --data-binary @in.bin --output ./-out --url https://a.example/\n"},
	} {
		if got := export.Curl(export.Exchange{Request: c.r}, nil); got != c.want {
			t.Errorf("%s is %q\nwant %q", c.r.Method, got, c.want)
		}
	}
}

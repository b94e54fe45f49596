package samples_test

import (
	"bytes"
	"encoding/json"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perch/samples/internal/run"
)

// call runs one call of a tool.
func call(t testing.TB, sample, tool, arguments string, o run.Options) (answer, run.Result) {
	t.Helper()
	o.Stdin = run.Call(`"c"`, tool, arguments)
	res := runs(t, sample, o)
	all := answers(t, res)
	if len(all) != 1 || all[0].Result == nil {
		t.Fatalf("%s: %q", tool, res.Stdout)
	}
	return all[0], res
}

// said is the text that the model reads first.
func (a answer) said() string { return a.Result.Content[0].Text }

func TestGreeter(t *testing.T) {
	tests := []struct {
		tool, arguments, want string
		isError               bool
	}{
		{"greet", `{"name":"Ada"}`, `{"message":"Hello, Ada!"}`, false},
		{"greet", `{"name":"Ada","style":"plain"}`, `{"message":"Hello, Ada!"}`, false},
		{"greet", `{"style":"warm","name":"Ada"}`, `{"message":"Dear Ada, how good to see you!"}`, false},
		{"greet", `{"name":"Ada","style":"formal"}`, `{"message":"Good day, Ada."}`, false},
		{"greet", `{"name":"\u005a\"\\\n\u0001\ud83d\udc26\ud83d"}`, `{"message":"Hello, Z\"\\\n\u0001🐦�!"}`, false},
		{"greet", `{"name":"a","name":"b"}`, `{"message":"Hello, b!"}`, false},
		{"shout", `{"name":"Zoë"}`, `{"message":"HELLO, ZOë!"}`, false},
		{"shout", `{"name":"Ada","style":"gruff"}`, `{"message":"HELLO, ADA!"}`, false},
		{"greet", `{"name":""}`, `name must not be empty`, true},
		{"greet", `{}`, `name is missing`, true},
		{"greet", `{"name":null}`, `name must be a string`, true},
		{"greet", `{"name":["Ada"]}`, `name must be a string`, true},
		{"greet", `{"name":"Ada","style":"gruff"}`, `style must be plain, warm or formal`, true},
		{"greet", `{"name":"Ada","style":null}`, `style must be plain, warm or formal`, true},
		{"greet", `[]`, `arguments must be an object`, true},
	}
	for _, tt := range tests {
		got, res := call(t, "greeter", tt.tool, tt.arguments, run.Options{})
		if got.said() != tt.want || got.Result.IsError != tt.isError {
			t.Errorf("%s %s: %s", tt.tool, tt.arguments, res.Stdout)
		}
		if !tt.isError && string(got.Result.StructuredContent) != tt.want {
			t.Errorf("%s %s: structuredContent %s", tt.tool, tt.arguments, got.Result.StructuredContent)
		}
	}
}

// The answer that the ABI page shows, byte for byte.
func TestGreeterAnswersAsThePageShows(t *testing.T) {
	res := runs(t, "greeter", run.Options{Stdin: run.Call(`"call-0192f5c4"`, "greet", `{"name":"Ada"}`)})
	want := `{"jsonrpc":"2.0","id":"call-0192f5c4","result":{"content":[{"type":"text","text":"{\"message\":\"Hello, Ada!\"}"}],"structuredContent":{"message":"Hello, Ada!"}}}` + "\n"
	if res.Stdout != want {
		t.Errorf("%s", res.Stdout)
	}
}

func TestGreeterTakesLongNames(t *testing.T) {
	name := strings.Repeat("long", 75_000)
	got, _ := call(t, "greeter", "greet", `{"name":"`+name+`"}`, run.Options{})
	if want := `{"message":"Hello, ` + name + `!"}`; got.said() != want {
		t.Errorf("%d bytes, want %d", len(got.said()), len(want))
	}
}

// shop answers like the sample's mocks, and keeps what it was asked.
type shop struct{ asked []string }

func (s *shop) answer(request string) string {
	s.asked = append(s.asked, request)
	has := func(part string) bool { return strings.Contains(request, part) }
	ok := func(status, body string) string {
		text, _ := json.Marshal(body) // of a string: no error
		return `{"ok":{"status":` + status + `,"headers":{},"body":{"type":"inline","text":` + string(text) + `}}}`
	}
	switch {
	case has("rates.example.net"):
		return `{"error":{"kind":"host_not_allowed","message":"rates.example.net is not in this function's network allowlist"}}`
	case has(`"method":"POST","url":"https://api.example.com/orders"`):
		return ok("201", "{\n  \"id\": 1042,\n  \"status\": \"accepted\"\n}")
	case has("/1042/track"):
		return ok("200", `{"status":"packed"}`)
	case has("/1042/ship"):
		return ok("200", `{"id":1042,"status":"shipped"}`)
	case has("/orders?"):
		return ok("200", "{\"orders\":\n[]}")
	case has(`"DELETE","url":"https://api.example.com/orders/1042"`):
		return ok("204", "")
	case has("/1041/"):
		return ok("409", `{"message":"order 1041 is shipped already"}`)
	case has("/orders/500"):
		return ok("500", `<html>`)
	}
	return ok("404", `{"message":"there is no such order"}`)
}

func TestOrders(t *testing.T) {
	const order = `{"customer":{"id":9007199254740993},"lines":[{"sku":"TEA-7","qty":1e2}],"pay":{"kind":"invoice"}}`
	tests := []struct {
		tool, arguments, want string
		isError               bool
		sent                  string // part of a request
	}{
		{"find", `{}`, `{"orders": []}`, false, `"url":"https://api.example.com/orders?limit=10"`},
		{"find", `{"status":"open","customer":123456789012345678901,"limit":50}`, `{"orders": []}`, false, `?limit=50&status=open&customer=123456789012345678901"`},
		{"find", `{"limit":51}`, `limit must be a whole number from 1 to 50`, true, ""},
		{"find", `{"limit":1.5}`, `limit must be a whole number from 1 to 50`, true, ""},
		{"find", `{"status":"lost"}`, `status must be open, shipped or cancelled`, true, ""},
		{"create", strings.Replace(order, "1e2", "2", 1), `{"id":1042,"status":"packed","eur":null}`, false, `"json":{"customer":{"id":9007199254740993},`},
		{"create", order, `lines[0].qty must be a whole number, at least 1`, true, ""},
		{"create", strings.Replace(order, "1e2", "-1", 1), `lines[0].qty must be a whole number, at least 1`, true, ""},
		{"create", `{"customer":{"id":1},"lines":[],"pay":{"kind":"invoice"}}`, `lines must hold 1 to 50 lines`, true, ""},
		{"create", `{"customer":{"id":"1"},"lines":[{"sku":"A"}],"pay":{"kind":"invoice"}}`, `customer.id must be a whole number`, true, ""},
		{"create", `{"customer":{"id":1},"lines":[{"sku":"A"}],"pay":{"kind":"card"}}`, `pay.token must be a string`, true, ""},
		{"create", `{"customer":{"id":1},"lines":[{"sku":"A"}]}`, `pay.kind must be card, invoice or voucher`, true, ""},
		{"ship", `{"id":1042}`, `{"id":1042,"status":"shipped"}`, false, `"json":{"carrier":"post"}`},
		{"ship", `{"id":1041,"carrier":"bike"}`, `the shop answers 409: order 1041 is shipped already`, true, `"json":{"carrier":"bike"}`},
		{"ship", `{"id":1042,"carrier":"pigeon"}`, `carrier must be post, bike or ship`, true, ""},
		{"cancel", `{"id":1042}`, `{"cancelled":1042}`, false, `"method":"DELETE"`},
		{"cancel", `{"id":7}`, `the shop answers 404: there is no such order`, true, ""},
		{"cancel", `{"id":500}`, `the shop answers 500`, true, ""},
		{"cancel", `{"id":"../admin"}`, `id must be a whole number`, true, ""},
		{"cancel", `null`, `arguments must be an object`, true, ""},
	}
	for _, tt := range tests {
		var s shop
		got, res := call(t, "orders", tt.tool, tt.arguments, run.Options{HTTP: s.answer})
		if got.said() != tt.want || got.Result.IsError != tt.isError {
			t.Errorf("%s %s: %s", tt.tool, tt.arguments, res.Stdout)
		}
		if tt.sent != "" && !strings.Contains(strings.Join(s.asked, "\n"), tt.sent) {
			t.Errorf("%s %s sends %q, want %s", tt.tool, tt.arguments, s.asked, tt.sent)
		}
		for _, request := range s.asked {
			if !json.Valid([]byte(request)) || strings.Contains(request, "authorization") {
				t.Errorf("%s %s sends %s", tt.tool, tt.arguments, request)
			}
		}
	}
}

func TestOrdersGoesOnWithoutRates(t *testing.T) {
	var s shop
	_, res := call(t, "orders", "create", `{"customer":{"id":1},"lines":[{"sku":"A"}],"pay":{"kind":"invoice"}}`, run.Options{HTTP: s.answer})
	if len(s.asked) != 3 || !strings.Contains(res.Stderr, "host_not_allowed") {
		t.Errorf("%d requests, stderr %q", len(s.asked), res.Stderr)
	}
}

func TestOrdersWithoutNetwork(t *testing.T) {
	got, _ := call(t, "orders", "find", `{}`, run.Options{})
	if !got.Result.IsError || !strings.Contains(got.said(), "host_not_allowed") {
		t.Errorf("%+v", got.Result)
	}
}

func TestCharts(t *testing.T) {
	points := `[` + strings.Repeat("1e299,-1e299,", 49) + `5e-324,0]`
	tests := []struct {
		tool, arguments, want string
	}{
		{"bar", `{"points":[3,5,8,13,9,4]}`, `{"points":6}`},
		{"bar", `{"points":[0],"theme":"light","title":"one, with a title that is far too long for the chart to hold all of it in its width 🐦"}`, `{"points":1}`},
		{"line", `{"points":[-1,-2.5],"title":null}`, `{"points":2}`},
		{"line", `{"points":` + points + `}`, `{"points":100}`},
		{"bar", `{"points":` + points + `}`, `{"points":100}`},
		{"pie", `{"shares":[{"label":"a","value":1},{"label":"b","value":0},{"label":"c","value":1e9}]}`, `{"points":3}`},
	}
	for _, tt := range tests {
		volume := t.TempDir()
		got, _ := call(t, "charts", tt.tool, tt.arguments, run.Options{Mounts: map[string]string{"/volume/tmp": volume}})
		if got.said() != tt.want || string(got.Result.StructuredContent) != tt.want || len(got.Result.Content) != 3 {
			t.Errorf("%s %.80s: %+v", tt.tool, tt.arguments, got.Result)
			continue
		}
		picture, link := got.Result.Content[1], got.Result.Content[2]
		if picture.Type != "image" || picture.MimeType != "image/png" {
			t.Errorf("%s: %+v", tt.tool, picture)
		}
		if link.Type != "resource_link" || link.URI != "volume:///tmp/chart.png" || link.Name != "chart.png" {
			t.Errorf("%s: %+v", tt.tool, link)
		}
		saved, err := os.ReadFile(filepath.Join(volume, "chart.png"))
		if err != nil || !bytes.Equal(saved, picture.Data) {
			t.Errorf("%s: the file is not the image: %v", tt.tool, err)
		}
		if _, err := png.Decode(bytes.NewReader(saved)); err != nil {
			t.Errorf("%s %.80s: %v", tt.tool, tt.arguments, err)
		}
	}
}

func TestBarsAreAsHighAsTheirPoints(t *testing.T) {
	got, _ := call(t, "charts", "bar", `{"points":[1,2]}`, run.Options{})
	if len(got.Result.Content) != 2 {
		t.Fatalf("without a volume there are %d blocks, want text and image", len(got.Result.Content))
	}
	picture, err := png.Decode(bytes.NewReader(got.Result.Content[1].Data))
	if err != nil {
		t.Fatal(err)
	}
	bar := color.RGBA{0x56, 0xb4, 0xe9, 0xff}
	height := func(x int) (n int) {
		for y := range picture.Bounds().Dy() {
			if r, g, b, _ := picture.At(x, y).RGBA(); (color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0xff}) == bar {
				n++
			}
		}
		return n
	}
	if low, high := height(200), height(480); low < 150 || high < 2*low-4 || high > 2*low+4 {
		t.Errorf("bars of %d and %d pixels for 1 and 2", low, high)
	}
}

func TestChartsRefuses(t *testing.T) {
	tests := []struct{ tool, arguments, want string }{
		{"bar", `{}`, `points must be a list of 1 to 100 numbers`},
		{"bar", `{"points":[]}`, `points must be a list of 1 to 100 numbers`},
		{"bar", `{"points":[` + strings.Repeat("1,", 100) + `1]}`, `points must be a list of 1 to 100 numbers`},
		{"line", `{"points":[1,"two"]}`, `points[1] must be a number that a double can hold`},
		{"line", `{"points":[1e400]}`, `points[0] must be a number that a double can hold`},
		{"line", `{"points":[1],"theme":"pink"}`, `theme must be dark or light`},
		{"line", `{"points":[1],"title":7}`, `title must be a string or null`},
		{"pie", `{"shares":[{"label":"a"}]}`, `shares[0] must have a label and a value of at least 0`},
		{"pie", `{"shares":[{"label":"a","value":-1}]}`, `shares[0] must have a label and a value of at least 0`},
		{"pie", `{"shares":[{"label":"a","value":0}]}`, `the values of shares must add up to more than 0, and to no more than 1e300`},
		{"pie", `7`, `arguments must be an object`},
	}
	for _, tt := range tests {
		got, _ := call(t, "charts", tt.tool, tt.arguments, run.Options{})
		if got.said() != tt.want || !got.Result.IsError {
			t.Errorf("%s %.60s: %+v", tt.tool, tt.arguments, got.Result)
		}
	}
}

func TestNotebook(t *testing.T) {
	tmp, data, packageDir, skills := t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
	for path, content := range files(t, "notebook") {
		for prefix, dir := range map[string]string{"assets/": packageDir, "skills/": skills} {
			if rest, ok := strings.CutPrefix(path, prefix); ok {
				writeFile(t, filepath.Join(dir, rest), content)
			}
		}
	}
	o := run.Options{
		Mounts: map[string]string{"/volume/tmp": tmp, "/volume/data": data, "/package": packageDir, "/skills": skills},
		Order:  []string{"/volume/tmp", "/volume/data", "/package", "/skills"},
	}
	const note = "# tea\n\nBuy tea.\n\nWritten with the template of the package.\n"
	quoted, _ := json.Marshal(note) // of a string: no error
	steps := []struct{ tool, arguments, want string }{
		{"list", `{}`, `{"notes":[]}`},
		{"write", `{"name":"tea","text":"Buy tea."}`, `{"path":"/volume/tmp/tea.md","bytes":59}`},
		{"read", `{"name":"tea"}`, `{"path":"/volume/tmp/tea.md","text":` + string(quoted) + `}`},
		{"list", `{}`, `{"notes":[{"path":"/volume/tmp/tea.md","bytes":59,"kept":false}]}`},
		{"skills", `{}`, `{"skills":[{"name":"birds","begins":"# Birds"},{"name":"tea","begins":"# Tea"}]}`},
		{"digest", `{"steps":3,"pause_ms":1}`, `{"path":"/volume/tmp/digest.md","bytes":111,"steps":3}`},
		{"read", `{"name":"coffee"}`, `there is no note coffee`},
		{"read", `{"name":"../tea"}`, `name must be 1 to 40 characters of a-z 0-9 -`},
		{"write", `{"name":"tea"}`, `text must be a string`},
		{"keep", `{"name":"coffee"}`, `there is no note coffee to keep`},
		{"digest", `{"steps":0}`, `steps must be a whole number from 1 to 20`},
		{"digest", `{"pause_ms":1e3}`, `pause_ms must be a whole number from 0 to 5000`},
	}
	for _, step := range steps {
		got, res := call(t, "notebook", step.tool, step.arguments, o)
		if got.said() != step.want || got.Result.IsError == strings.HasPrefix(step.want, "{") {
			t.Errorf("%s %s: %s", step.tool, step.arguments, res.Stdout)
		}
	}
	if saved, err := os.ReadFile(filepath.Join(tmp, "tea.md")); err != nil || string(saved) != note {
		t.Errorf("%q, %v", saved, err)
	}
	if names := fileNames(t, tmp); !slices.Equal(names, []string{"digest.md", "tea.md"}) {
		t.Errorf("%v is left on the volume", names)
	}
}

// A kept note is found before one that is not.
func TestNotebookReadsWhatIsKept(t *testing.T) {
	tmp, data := t.TempDir(), t.TempDir()
	writeFile(t, filepath.Join(tmp, "a.md"), []byte("new"))
	writeFile(t, filepath.Join(data, "a.md"), []byte("kept"))
	o := run.Options{Mounts: map[string]string{"/volume/tmp": tmp, "/volume/data": data}}
	if got, _ := call(t, "notebook", "read", `{"name":"a"}`, o); got.said() != `{"path":"/volume/data/a.md","text":"kept"}` {
		t.Errorf("%s", got.said())
	}
}

func TestNotebookWithoutData(t *testing.T) {
	o := run.Options{Mounts: map[string]string{"/volume/tmp": t.TempDir()}}
	got, res := call(t, "notebook", "write", `{"name":"a","text":"b"}`, o)
	if got.Result.IsError || !strings.Contains(res.Stderr, "without a template") {
		t.Errorf("%s %s", res.Stdout, res.Stderr)
	}
	if got, _ := call(t, "notebook", "keep", `{"name":"a"}`, o); got.said() != "there is no /volume/data: the agent has not enabled it" {
		t.Errorf("%s", got.said())
	}
}

func TestDigestTellsHowFarItIs(t *testing.T) {
	o := run.Options{Mounts: map[string]string{"/volume/tmp": t.TempDir()}}
	_, res := call(t, "notebook", "digest", `{"steps":2,"pause_ms":0}`, o)
	want := "notebook: step 1 of 2: /package\nnotebook: step 2 of 2: /package\nnotebook: done\n"
	if res.Stderr != want {
		t.Errorf("%q, want %q", res.Stderr, want)
	}
}

func writeFile(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

func fileNames(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

package rules_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wire"
	"perch/inspect/record"
	"perch/inspect/rules"
)

// noise is what stands on stdout before the answer.
const noise = `{"jsonrpc":"2.0","method":"notifications/progress"}` + "\n"

// answered is what a call's record holds when its answer has this result: what
// the engine found, and what more came.
func answered(t testing.TB, result string, more ...event.Body) []event.Body {
	t.Helper()
	q := wire.Call(`"call-9"`, "act", []byte("{}"))
	q.Line = 1
	line := `{"jsonrpc":"2.0","id":"call-9","result":` + result + `}`
	all := []event.Body{begin(event.Call), event.Request{Line: 1, Bytes: q.Bytes, ID: q.ID, Method: q.Method},
		event.Output{Stream: event.Stdout, Bytes: []byte(noise + line + "\n")}}
	j := wire.NewJudge()
	j.Asked(q)
	outcome := event.OK
	for _, item := range j.Write([]byte(noise + line + "\n")) {
		all = append(all, *item.Message)
		if item.Answer != nil {
			for _, b := range wire.CheckCall(item.Answer) {
				all = append(all, b)
			}
			if item.Answer.IsError {
				outcome = event.ToolError
			}
		}
	}
	return append(append(all, more...), event.End{Outcome: outcome})
}

// ofCall are the findings of a call with this result, of the groups call and
// block.
func ofCall(t *testing.T, bodies []event.Body) (*record.Run, []rules.Finding) {
	t.Helper()
	r := recorded(t, bodies...)
	return r, slices.DeleteFunc(rules.Run(r, rules.Known{}), func(f rules.Finding) bool {
		return f.Rule.Group() != "call" && f.Rule.Group() != "block"
	})
}

func pngOf(t testing.TB, w, h int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, w, h))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestCalls: each shape of a call's result, the one finding that it makes, with
// the value that it points at, and a neighbour that makes none.
func TestCalls(t *testing.T) {
	good := base64.StdEncoding.EncodeToString(pngOf(t, 3, 2))
	const text = `{"type":"text","text":"a"}`
	blocks := func(all ...string) string { return `{"content":[` + strings.Join(all, ",") + `]}` }
	for _, c := range []struct {
		result string
		rule   abi.RuleID // empty: nothing is found
		at     string     // what is pointed at
		title  string
	}{
		{blocks(text), "", "", ""},
		{blocks(), abi.CallEmpty, `[]`, "content has no blocks: the model reads nothing"},
		{blocks(`{"type":"text","text":" \n"}`, `{"type":"text","text":""}`), abi.CallEmpty, `[{"type":"text","text":" \n"},{"type":"text","text":""}]`, "the text of 2 blocks is empty: the model reads nothing"},
		{blocks(`{"type":"text","text":" \n"}`, text), "", "", ""},
		{`{"content":[],"structuredContent":{"a":1}}`, abi.CallEmpty, `[]`, "content has no blocks: the model reads nothing"},
		{`{}`, abi.CallContent, `{}`, "content is missing: nothing for the model to read"},
		{`{"content":null}`, abi.CallContent, `null`, "content is null, not a list: nothing for the model to read"},
		{`{"content":"hi"}`, abi.CallContent, `"hi"`, `content is "hi", not a list: nothing for the model to read`},
		{`{"structuredContent":{"a":1}}`, abi.CallContent, `{"structuredContent":{"a":1}}`, "content is missing: nothing for the model to read"},
		{`{"isError":true}`, abi.CallContent, `{"isError":true}`, "content is missing: nothing for the model to read"},

		{`{"content":[` + text + `],"isError":true}`, "", "", ""},
		{`{"content":[` + text + `],"isError":false}`, "", "", ""},
		{`{"content":[` + text + `],"isError":"true"}`, abi.CallIsError, `"true"`, `isError is "true", a string, not true or false`},
		{`{"content":[` + text + `],"isError":1}`, abi.CallIsError, `1`, "isError is 1, a number, not true or false"},
		{`{"content":[` + text + `],"isError":null}`, abi.CallIsError, `null`, "isError is null, not true or false"},
		{`{"content":[` + text + `],"is_error":true}`, abi.CallIsError, `"is_error"`, `the result has "is_error", which MCP does not know: isError seems to be meant`},
		{`{"content":[],"isError":true}`, abi.CallErrorText, `[]`, "isError is true, and content has no blocks: the model learns that the tool failed, and not why"},
		{`{"content":[{"type":"image","mimeType":"image/png","data":"` + good + `"}],"isError":true}`, abi.CallErrorText, "", "isError is true, and no block has text: the model learns that the tool failed, and not why"},

		{blocks(text, `7`), abi.BlockShape, `7`, "block 2 is 7, not an object"},
		{blocks(text, `null`), abi.BlockShape, `null`, "block 2 is null, not an object"},
		{blocks(text, `{"text":"a"}`), abi.BlockShape, `{"text":"a"}`, "block 2 has no type"},
		{blocks(text, `{"type":3}`), abi.BlockShape, `3`, "the type of block 2 is 3, not a string"},
		{blocks(text, `{"type":"text"}`), abi.BlockShape, `{"type":"text"}`, "block 2 is a text without text"},
		{blocks(text, `{"type":"text","text":null}`), abi.BlockShape, `null`, "the text of block 2 is null, not a string"},
		{blocks(text, `{"type":"text","text":{"a":1}}`), abi.BlockShape, `{"a":1}`, "the text of block 2 is an object, not a string"},
		{blocks(text, `{"type":"json","json":{}}`), abi.BlockShape, `"json"`, `block 2 has the type "json", which MCP does not know: the model reads a note that it was left out`},
		{blocks(text, `{"type":"Text","text":"a"}`), abi.BlockShape, `"Text"`, `block 2 has the type "Text", which MCP does not know: the model reads a note that it was left out`},
		{blocks(text, `{"type":"x\u001b[2J"}`), abi.BlockShape, `"x\u001b[2J"`, `block 2 has the type "x⟨U+001B⟩[2J", which MCP does not know: the model reads a note that it was left out`},
		{blocks(text, `{"type":"text","text":"a","annotations":7}`), abi.BlockShape, `7`, "annotations of block 2 is 7, not an object"},
		{blocks(text, `{"type":"text","text":"a","annotations":{"audience":["user","assistant"],"priority":0.5,"lastModified":"2025-01-12T15:00:58Z"},"_meta":{}}`), "", "", ""},
		{blocks(text, `{"type":"text","text":"a","annotations":{"audience":["model"]}}`), abi.BlockShape, `"model"`, `annotations.audience of block 2 has "model"; MCP knows "user" and "assistant"`},
		{blocks(text, `{"type":"text","text":"a","annotations":{"audience":"user"}}`), abi.BlockShape, `"user"`, `annotations.audience of block 2 is "user", not a list`},
		{blocks(text, `{"type":"text","text":"a","annotations":{"priority":1.5}}`), abi.BlockShape, `1.5`, "annotations.priority of block 2 is 1.5; it is from 0 to 1"},
		{blocks(text, `{"type":"text","text":"a","annotations":{"priority":"high"}}`), abi.BlockShape, `"high"`, `annotations.priority of block 2 is "high", not a number`},
		{blocks(text, `{"type":"text","text":"a","annotations":{"lastModified":"yesterday"}}`), abi.BlockShape, `"yesterday"`, `annotations.lastModified of block 2 is "yesterday", no moment in ISO 8601`},
		{blocks(text, `{"type":"text","text":"a","_meta":1}`), abi.BlockShape, `1`, "_meta of block 2 is 1, not an object"},
		{blocks(text, `{"type":"image","mimeType":"image/png","data":"`+good+`","annotations":{"priority":2}}`), abi.BlockShape, `2`, "annotations.priority of block 2 is 2; it is from 0 to 1"},

		{blocks(text, `{"type":"image","mimeType":"image/png","data":"`+good+`"}`), "", "", ""},
		{blocks(text, `{"type":"image","mimeType":"image/jpeg","data":"`+good+`"}`), abi.BlockImage, `"image/jpeg"`, "block 2 says image/jpeg, its bytes are PNG"},
		{blocks(text, `{"type":"image","data":"`+good+`"}`), abi.BlockImage, "", "block 2 has no mimeType; its bytes are PNG"},

		{blocks(text, `{"type":"audio","mimeType":"audio/wav","data":"UklGRg=="}`), abi.BlockLeftOut, `{"type":"audio","mimeType":"audio/wav","data":"UklGRg=="}`, "block 2 is audio: the model reads a note that it was left out"},
		{blocks(text, `{"type":"resource","resource":{"uri":"file:///a","text":"x"}}`), abi.BlockLeftOut, `{"type":"resource","resource":{"uri":"file:///a","text":"x"}}`, "block 2 is an embedded resource: the model reads a note that it was left out"},
		{blocks(text, `{"type":"resource_link","uri":"https://a.example/x","name":"x"}`), abi.BlockLeftOut, `"https://a.example/x"`, `block 2 links "https://a.example/x": the model reads a line that names it, not what is there`},
		{blocks(text, `{"type":"resource_link","uri":"volume:///tmp/a.png","name":"a"}`), "", "", ""},
		{blocks(text, `{"type":"resource_link","uri":"VOLUME:///tmp/a.png","name":"a"}`), abi.BlockLinkVolume, `"VOLUME:///tmp/a.png"`, `block 2 links "VOLUME:///tmp/a.png": a link into the volume begins with volume:///`},
		{blocks(text, `{"type":"resource_link","uri":"volume:///tmp/a.png"}`), abi.BlockLink, `{"type":"resource_link","uri":"volume:///tmp/a.png"}`, "block 2 is a link without name"},
		{blocks(text, `{"type":"resource_link","uri":"volume:///tmp/a.png","name":7}`), abi.BlockLink, `7`, "the name of block 2 is 7, not a string"},
		{blocks(text, `{"type":"resource_link","name":"a"}`), abi.BlockLink, `{"type":"resource_link","name":"a"}`, "block 2 is a link without uri"},
		{blocks(text, `{"type":"resource_link","uri":"/volume/tmp/a b.png","name":"a"}`), abi.BlockLink, `"/volume/tmp/a b.png"`, `block 2 links "/volume/tmp/a b.png", which is no URI: the model reads a line with it`},
		{blocks(text, `{"type":"resource_link","uri":"volume:///tmp/a.png","name":"a","size":1.5}`), abi.BlockShape, `1.5`, "the size of block 2 is 1.5, not a whole number"},
		{blocks(text, `{"type":"resource_link","uri":"volume:///tmp/a.png","name":"a","size":12,"title":"A","icons":[{"src":"https://a.example/i.png"}]}`), "", "", ""},
	} {
		r, found := ofCall(t, answered(t, c.result))
		if c.rule == "" {
			if len(found) > 0 {
				t.Errorf("%s: found %s: %s", c.result, found[0].Rule, found[0].Detail)
			}
			continue
		}
		if len(found) != 1 {
			t.Errorf("%s: %d findings: %+v", c.result, len(found), found)
			continue
		}
		f := found[0]
		if f.Rule != c.rule || f.Title != c.title || f.Fix == "" || f.Severity != abi.RuleOf(c.rule).Severity() || f.Where.Line != 2 || f.Where.Pointer == "" {
			t.Errorf("%s: %s %s %q at %+v", c.result, f.Severity, f.Rule, f.Title, f.Where)
		}
		if at := string(r.Stream(event.Stdout).Bytes(f.Where.Offset, int(f.Where.End-f.Where.Offset))); c.at != "" && at != c.at {
			t.Errorf("%s: %s points at %s, want %s", c.result, f.Rule, at, c.at)
		}
	}
}

// TestTwoFaultsAreTwoFindings: a bad block hides no other, and two rules that
// one block breaks are both named.
func TestTwoFaultsAreTwoFindings(t *testing.T) {
	_, found := ofCall(t, answered(t, `{"content":[{"type":"audio"},{"type":"resource","resource":{"uri":"a:b"}},{"type":"resource"},{"type":"resource_link"},{"type":"text"},7,{"type":"text","text":"a"}]}`))
	var titles []string
	for _, f := range found {
		titles = append(titles, f.Title)
	}
	want := []string{
		"audio of block 1 has no data", "audio of block 1 has no mimeType",
		"resource of block 2 has neither text nor blob", "block 3 is a resource without resource",
		"block 4 is a link without name", "block 4 is a link without uri", "block 5 is a text without text", "block 6 is 7, not an object",
		"block 1 is audio: the model reads a note that it was left out", "block 2 is an embedded resource: the model reads a note that it was left out",
	}
	if !slices.Equal(titles, want) {
		t.Errorf("found %q", titles)
	}
}

// TestEqualFaultsFold: what a thousand blocks have in common is one finding
// that names some of them.
func TestEqualFaultsFold(t *testing.T) {
	_, found := ofCall(t, answered(t, `{"content":[`+strings.Repeat(`{"type":"text"},7,`, 511)+`{"type":"text"},{"type":"text","text":"a"}]}`))
	if len(found) != 2 {
		t.Fatalf("%d findings", len(found))
	}
	if want := "block 1 is a text without text. The same in block 3, block 5, block 7, block 9, block 11, block 13, block 15, block 17 and 503 more"; found[0].Detail != want {
		t.Errorf("found %q", found[0].Detail)
	}
	var many []string
	for i := range 1000 {
		many = append(many, fmt.Sprintf(`{"type":"kind %d"}`, i))
	}
	if _, found = ofCall(t, answered(t, `{"content":[`+strings.Join(many, ",")+`]}`)); len(found) > 30 {
		t.Errorf("%d findings of a thousand types", len(found))
	}
}

// TestWaysOut: the fix is of the very case.
func TestWaysOut(t *testing.T) {
	for block, want := range map[string]string{
		`{"text":"a"}`:                   `Write "type":"text" beside its text.`,
		`{"uri":"a:b","name":"x"}`:       `Write "type":"resource_link" beside its uri.`,
		`{"type":"text","content":"a"}`:  "Call the member content text.",
		`{"type":"text","text":{"a":1}}`: "Write a value as JSON text, in one string; structuredContent takes the value itself.",
		`{"type":"json","json":1}`:       "Write the JSON as text into a text block, and the value into structuredContent.",
		`{"type":"resource-link"}`:       "Write the type resource_link.",
		`{"type":"markdown","text":"a"}`: "Write the type text.",
		`{"type":"image_url"}`:           `Write {"type":"image","mimeType":"image/png","data":"…"}, the bytes in base64.`,
		`{"type":"tool_use"}`:            "Write what the model should read into a text block.",
		`{"type":"resource_link","name":"a","uri":"/volume/tmp/a.png"}`:        "Write volume:///tmp/a.png, each segment percent-encoded.",
		`{"type":"resource_link","name":"a","uri":"file:///volume/tmp/a.png"}`: "For a picture of the volume write volume:///tmp/a.png.",
		`{"type":"resource_link","name":"a","uri":"chart.png"}`:                "Write a URI: volume:///tmp/NAME for a file that the call wrote, https://… for a page.",
	} {
		_, found := ofCall(t, answered(t, `{"content":[{"type":"text","text":"a"},`+block+`]}`))
		if len(found) != 1 || found[0].Fix != want {
			t.Errorf("%s: %+v, want %q", block, found, want)
		}
	}
}

// TestPicturesThatBreakOff: the header is right and the rest is not. The very
// byte in the base64 is pointed at.
func TestPicturesThatBreakOff(t *testing.T) {
	whole := pngOf(t, 40, 30)
	idat := bytes.Index(whole, []byte("IDAT")) - 4
	wrong := bytes.Clone(whole)
	wrong[len(wrong)-17] ^= 1 // the checksum behind the pixels
	image := func(b []byte) string {
		return `{"content":[{"type":"text","text":"a"},{"type":"image","mimeType":"image/png","data":"` + base64.StdEncoding.EncodeToString(b) + `"}]}`
	}
	for name, c := range map[string]struct {
		data  []byte
		title string
		at    int
	}{
		"whole":            {whole, "", 0},
		"cut short":        {whole[:len(whole)-20], "the PNG of block 2 is cut short: its chunk IDAT says ", idat},
		"a wrong checksum": {wrong, "the PNG of block 2 has the checksum ", idat},
		"its first bytes":  {whole[:8], "the PNG of block 2 is cut short: it ends before its chunk IEND", 8},
	} {
		r, found := ofCall(t, answered(t, image(c.data)))
		if c.title == "" {
			if len(found) > 0 {
				t.Errorf("%s: %+v", name, found)
			}
			continue
		}
		if len(found) != 1 || found[0].Rule != abi.BlockImage || !strings.HasPrefix(found[0].Title, c.title) || found[0].Severity != abi.Warning || found[0].AlsoMCP {
			t.Errorf("%s: %+v", name, found)
			continue
		}
		w := found[0].Where
		start := bytes.Index(r.Stream(event.Stdout).Bytes(0, 1<<20), []byte("iVBOR"))
		if want := int64(start + c.at/3*4); w.Offset != want || w.Pointer != "/result/content/1/data" {
			t.Errorf("%s points at byte %d, want %d", name, w.Offset, want)
		}
	}
}

// TestLinkedPictures: the same of a file that is linked, and what a link that
// leads nowhere seems to have meant.
func TestLinkedPictures(t *testing.T) {
	whole := pngOf(t, 40, 30)
	where := event.Where{Stream: event.Stdout, Line: 2, Offset: 99, End: 120, Pointer: "/result/content/0/uri"}
	for name, c := range map[string]struct {
		link       event.Link
		rule       abi.RuleID
		title, fix string
	}{
		"whole":     {event.Link{Path: "/volume/tmp/a.png", Type: "image/png", Data: whole}, "", "", ""},
		"cut short": {event.Link{Path: "/volume/tmp/a.png", Type: "image/png", Data: whole[:60]}, abi.BlockImage, `the PNG of block 1, "/volume/tmp/a.png", is cut short: its chunk`, ""},
		"gone":      {event.Link{URI: "volume:///tmp/a.png", Path: "/volume/tmp/a.png", Problem: "/volume/tmp/a.png is not there after the exit"}, abi.BlockLinkVolume, `block 1 links "volume:///tmp/a.png": /volume/tmp/a.png is not there after the exit`, "Link a PNG, JPEG, GIF or WebP file that is written and closed when the module exits."},
		"twice":     {event.Link{Path: "/volume/volume/tmp/a.png", Problem: "x"}, abi.BlockLinkVolume, "", "The URI has the path beneath /volume: leave out the second volume."},
		"no data":   {event.Link{Path: "/volume/data/a.png", Problem: "x"}, abi.BlockLinkVolume, "", "/volume/data is there when the agent enables it, here with --data. /volume/tmp is there in every call."},
		"no mount":  {event.Link{Path: "/volume/a.png", Problem: "x"}, abi.BlockLinkVolume, "", "Write the file below /volume/tmp, and link it as volume:///tmp/NAME."},
	} {
		c.link.Where = where
		_, found := ofCall(t, answered(t, `{"content":[{"type":"text","text":"a"}]}`, c.link))
		if c.rule == "" {
			if len(found) > 0 {
				t.Errorf("%s: %+v", name, found)
			}
			continue
		}
		if len(found) != 1 || found[0].Rule != c.rule || !strings.HasPrefix(found[0].Title, c.title) || found[0].Where != where || c.fix != "" && found[0].Fix != c.fix {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// BenchmarkAnswer checks an answer of a megabyte of text blocks.
func BenchmarkAnswer(b *testing.B) {
	for name, block := range map[string]string{"small": `{"type":"text","text":"a"}`, "large": `{"type":"text","text":"` + strings.Repeat("abcdefg ", 8<<10) + `"}`} {
		result := `{"resultType":"complete","content":[` + strings.Repeat(block+",", (abi.MaxStdout-1000)/(len(block)+1)-1) + block + `]}`
		b.Run(name, func(b *testing.B) {
			rec := record.New(record.DefaultLimits())
			defer rec.Close()
			for i, body := range answered(b, result) {
				rec.Append(event.Event{Run: 1, Seq: uint64(i), Body: body})
			}
			b.SetBytes(int64(len(result)))
			b.ReportAllocs()
			for b.Loop() {
				rules.Run(rec.Run(1), rules.Known{})
			}
		})
	}
}

package wire_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/wire"
)

func picture(t *testing.T, kind string) string {
	t.Helper()
	img := image.NewPaletted(image.Rect(0, 0, 2, 2), color.Palette{color.Black, color.White})
	var b bytes.Buffer
	var err error
	switch kind {
	case "png":
		err = png.Encode(&b, img)
	case "jpeg":
		err = jpeg.Encode(&b, img, nil)
	case "gif":
		err = gif.Encode(&b, img, nil)
	case "webp":
		b.WriteString("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00")
	default:
		b.WriteString(kind)
	}
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func content(t *testing.T, result string) (*wire.Answer, wire.Content) {
	t.Helper()
	a := answer(t, wire.Call(`"call-9"`, "greet", []byte("{}")), result)
	return a, wire.ReadCall(a)
}

func TestContentOfTheWrongShape(t *testing.T) {
	const rest = ": nothing for the model to read. MCP asks for a list; the ABI page does not say that it breaks the call"
	for _, c := range []struct {
		result string
		blocks int
		want   []expected
	}{
		{`{"content":[]}`, 0, nil},
		{`{"Content":[]}`, 0, []expected{{abi.CallContent, "{\"Content\":[]} /result", `content is missing, and "Content" is there` + rest}}},
		{`{"content":[{"type":"text","text":"a"},{"type":"text"},{"type":"json","json":{}},7,{"type":"audio"}]}`, 5, nil},
		{`{}`, 0, []expected{{abi.CallContent, `{} /result`, "content is missing" + rest}}},
		{`{"structuredContent":{"a":1}}`, 0, []expected{{abi.CallContent, `{"structuredContent":{"a":1}} /result`, "content is missing" + rest}}},
		{`{"content":null}`, 0, []expected{{abi.CallContent, `null /result/content`, "content is null, not a list" + rest}}},
		{`{"content":"hi"}`, 0, []expected{{abi.CallContent, `"hi" /result/content`, `content is "hi", not a list` + rest}}},
		{`{"content":{"type":"text"}}`, 0, []expected{{abi.CallContent, `{"type":"text"} /result/content`, "content is an object, not a list" + rest}}},
	} {
		a, got := content(t, c.result)
		check(t, a, wire.CheckCall(a), c.want)
		if len(got.Blocks) != c.blocks {
			t.Errorf("%s: %d blocks", c.result, len(got.Blocks))
		}
	}
	_, c := content(t, `{"content":[{"type":"text","text":"a"},{"type":"text","text":null}],"isError":true,"structuredContent":null}`)
	if b := c.Blocks; b[0].Text != "a" || !b[0].HasText || b[1].HasText || b[1].Where.Pointer != "/result/content/1" || string(b[1].Raw) != `{"type":"text","text":null}` {
		t.Errorf("blocks %+v", b)
	}
	if !c.IsError || c.Structured.IsZero() {
		t.Errorf("isError %v, structuredContent %v", c.IsError, c.Structured.Kind())
	}
	if _, c := content(t, `{"content":[`+strings.Repeat("0,", 5000)+`0]}`); len(c.Blocks) != abi.MaxListed || c.More != 5001-abi.MaxListed {
		t.Errorf("%d blocks and %d more", len(c.Blocks), c.More)
	}
}

func TestImages(t *testing.T) {
	for _, kind := range []string{"png", "jpeg", "gif", "webp"} {
		a, c := content(t, fmt.Sprintf(`{"content":[{"type":"image","mimeType":"image/%s","data":%q}]}`, kind, picture(t, kind)))
		check(t, a, c.Breaches, nil)
		if b := c.Blocks[0]; b.Bad || wire.ImageType(b.Image) != "image/"+kind || b.MIMEType != "image/"+kind {
			t.Errorf("a good %s image: %+v", kind, b)
		}
	}
	p := picture(t, "png")
	for _, c := range []struct{ mime, data, at, detail string }{
		{`"image/jpeg"`, `"` + p + `"`, "mimeType", "block 1 says image/jpeg, its bytes are PNG"},
		{`"image/svg+xml"`, `"` + p + `"`, "mimeType", "block 1 says image/svg+xml, its bytes are PNG"},
		{`"IMAGE/PNG"`, `"` + p + `"`, "mimeType", "block 1 says IMAGE/PNG for image/png. Our reading: the name is matched exactly, and other readers may take it"},
		{`"image/png\u001b"`, `"` + p + `"`, "mimeType", `block 1 says "image/png⟨U+001B⟩", its bytes are PNG`},
		{`null`, `"` + p + `"`, "mimeType", "block 1 has a mimeType that is null, not a string; its bytes are PNG"},
		{`"image/jpg"`, `"` + picture(t, "jpeg") + `"`, "mimeType", "block 1 says image/jpg for image/jpeg. Our reading: the name is matched exactly, and other readers may take it"},
		{`"image/png; q=1"`, `"` + p + `"`, "mimeType", `block 1 says "image/png; q=1" for image/png. Our reading: the name is matched exactly, and other readers may take it`},
		{`"PNG"`, `"` + p + `"`, "mimeType", "block 1 says PNG for image/png. Our reading: the name is matched exactly, and other readers may take it"},
		{`""`, `"` + p + `"`, "mimeType", `block 1 says "", its bytes are PNG`},
		{`"image/avif"`, `"` + picture(t, "\x00\x00\x00\x1cftypavif....") + `"`, "data", "block 1 holds an AVIF, not a PNG, JPEG, GIF or WebP image"},
		{`"image/heic"`, `"` + picture(t, "\x00\x00\x00\x1cftypheic....") + `"`, "data", "block 1 holds a HEIC, not a PNG, JPEG, GIF or WebP image"},
		{`"image/tiff"`, `"` + picture(t, "II*\x00....") + `"`, "data", "block 1 holds a TIFF, not a PNG, JPEG, GIF or WebP image"},
		{`"image/bmp"`, `"` + picture(t, "BM......") + `"`, "data", "block 1 holds a BMP, not a PNG, JPEG, GIF or WebP image"},
		{`"application/pdf"`, `"` + picture(t, "%PDF-1.7") + `"`, "data", "block 1 holds a PDF, not a PNG, JPEG, GIF or WebP image"},
		{`"image/png"`, `"` + picture(t, "\xef\xbf\xbdPNG") + `"`, "data", "block 1 holds a PNG that went through text (bytes became U+FFFD), not a PNG, JPEG, GIF or WebP image"},
		{`"image/png"`, `"` + picture(t, "\x89PNG\r\r\n\x1a\r\n") + `"`, "data", "block 1 holds a PNG whose line ends were changed, not a PNG, JPEG, GIF or WebP image"},
		{`"image/png"`, `"` + picture(t, "<!DOCTYPE html>") + `"`, "data", "block 1 holds HTML, not a PNG, JPEG, GIF or WebP image"},
		{`"image/png"`, `"` + picture(t, "{\"error\":1}") + `"`, "data", "block 1 holds JSON, not a PNG, JPEG, GIF or WebP image"},
		{`"image/png"`, `"` + picture(t, "no such chart") + `"`, "data", `block 1 holds text, "no such chart", not a PNG, JPEG, GIF or WebP image`},
		{`"image/png"`, `"89504e470d0a1a0a0000000d"`, "data", "block 1 has data that is hexadecimal, not base64"},
		{`"image/png"`, `"volume:///tmp/a.png"`, "data", `block 1 has data that is not base64: it is "volume:///tmp/a.png", a place to read from`},
		{`"image/png"`, `"/volume/tmp/a.png"`, "data", `block 1 has data that is not base64: it is "/volume/tmp/a.png", a place to read from`},
		{`"image/png"`, `[137,80]`, "data", "block 1 has data that is a list, not a string"},
		{`"image/png"`, `null`, "data", "block 1 has data that is null, not a string"},
		{`"image/png"`, `""`, "data", "block 1 has data that is not base64: it is empty"},
		{`"image/png"`, `"data:image/png;base64,` + p + `"`, "data", "block 1 has data that is not base64: it begins with data:, as a data URL"},
		{`"image/png"`, `"` + p[:20] + `\n` + p[20:] + `"`, "data", "block 1 has data that is not base64: it has a line break, at byte 20"},
		{`"image/png"`, `"` + p[:20] + ` ` + p[20:] + `"`, "data", "block 1 has data that is not base64: it has white space, at byte 20"},
		{`"image/png"`, `"ab-_"`, "data", "block 1 has data that is not base64: it has -, at byte 2: the alphabet of URLs"},
		{`"image/png"`, `"ab\u0007="`, "data", "block 1 has data that is not base64: it has ⟨U+0007⟩, at byte 2"},
		{`"image/png"`, `"abcde"`, "data", "block 1 has data that is not base64: its length, 5, is not possible: it is cut short"},
		{`"image/png"`, `"abcdef"`, "data", "block 1 has data that is not base64: its padding is missing"},
		{`"image/png"`, `"abcdef="`, "data", "block 1 has data that is not base64: its padding with = is not right"},
		{`"image/png"`, `"abcd===="`, "data", "block 1 has data that is not base64: its padding with = is not right"},
		{`"image/png"`, `"YQ==YQ=="`, "data", "block 1 has data that is not base64: it has = in the midst, at byte 2: several pieces one after the other"},
		{`"image/png"`, `"YR=="`, "data", "block 1 has data that is not base64: its last character has bits that mean nothing"},
		{`"image/svg+xml"`, `"` + picture(t, "<svg/>") + `"`, "data", "block 1 holds an SVG, not a PNG, JPEG, GIF or WebP image"},
		{`"image/png"`, `"` + picture(t, p) + `"`, "data", "block 1 holds base64 again (of a PNG), not a PNG, JPEG, GIF or WebP image"},
		{`"image/png"`, `"` + picture(t, "a") + `"`, "data", "block 1 holds 1 byte (first 61), not a PNG, JPEG, GIF or WebP image"},
	} {
		a, got := content(t, `{"content":[{"type":"image","mimeType":`+c.mime+`,"data":`+c.data+`},{"type":"text","text":"x"}]}`)
		if len(got.Breaches) != 1 {
			t.Errorf("%s %.40s: %+v", c.mime, c.data, got.Breaches)
			continue
		}
		b := got.Breaches[0]
		wording(t, b)
		if b.Rule != abi.BlockImage || b.Detail != c.detail || b.Where.Pointer != "/result/content/0/"+c.at || a.Line != b.Where.Line {
			t.Errorf("%s %q at %s; want %q at %s", b.Rule, b.Detail, b.Where.Pointer, c.detail, c.at)
		}
		if !got.Blocks[0].Bad || got.Blocks[0].Image != nil || got.Blocks[1].Text != "x" {
			t.Errorf("blocks %+v", got.Blocks)
		}
	}
}

// TestTheByteOfAFault: of base64 the very byte is pointed at, escapes before it
// counted as they stand on the line.
func TestTheByteOfAFault(t *testing.T) {
	p := picture(t, "png")
	for data, want := range map[string]string{
		p[:20] + "\\n" + p[20:]:                         "\\n",
		p[:20] + "-" + p[20:]:                           "-",
		"\\u0069" + p[1:8] + "é" + p[8:]:                "é",
		"\\/\\u002f" + p[:8] + "\\ud83d\\ude00" + p[8:]: "\\ud83d\\ude00",
		"\\ud83d" + p:                                   "\\ud83d",
		"data:image/png;base64," + p:                    "data:image/png;base64,",
		"YQ==YQ==":                                      "=",
		"abcdef":                                        "",
	} {
		a, c := content(t, `{"content":[{"type":"image","mimeType":"image/png","data":"`+data+`"}]}`)
		if len(c.Breaches) != 1 {
			t.Fatalf("%s: %+v", data, c.Breaches)
		}
		w := c.Breaches[0].Where
		if got := string(a.Raw[w.Offset-a.Offset : w.End-a.Offset]); got != want || w.Pointer != "/result/content/0/data" {
			t.Errorf("%s: %q is pointed at, want %q", data, got, want)
		}
	}
}

// TestLongLinks: a URI of a megabyte takes no longer than its bytes.
func TestLongLinks(t *testing.T) {
	path, wrong := wire.VolumePath("volume:///" + strings.Repeat("a/", 1<<19) + "b")
	if wrong != nil || len(path) != len("/volume/b")+1<<20 {
		t.Errorf("%d bytes, %+v", len(path), wrong)
	}
}

func TestVolumeLinks(t *testing.T) {
	for _, c := range []struct{ uri, path, problem string }{
		{"volume:///tmp/chart.png", "/volume/tmp/chart.png", ""},
		{"volume:///data/a%20b/%C3%A9%3F.png", "/volume/data/a b/é?.png", ""},
		{"volume:///tmp/a:b@c!$&'()*+,;=~.png", "/volume/tmp/a:b@c!$&'()*+,;=~.png", ""},
		{"volume:///tmp/...png", "/volume/tmp/...png", ""},
		{"volume:///tmp/a%2Fb.png", "", "it has %2F: a slash cannot be in a name"},
		{"volume:///tmp/../data/x.png", "", "it has the segment ..: a link stays below /volume and names its file straight"},
		{"volume:///tmp/%2e%2E/x.png", "", "it has the segment ..: a link stays below /volume and names its file straight"},
		{"volume:///./x.png", "", "it has the segment .: a link stays below /volume and names its file straight"},
		{"volume:///tmp//x.png", "", "it has an empty segment, a slash too many"},
		{"volume:///tmp/", "", "it ends in a slash"},
		{"volume:////tmp/a.png", "", "it has an empty segment, a slash too many"},
		{"volume:///", "", "it has no path"},
		{"volume:///tmp/a b.png", "", "the space stands in it unencoded"},
		{"volume:///tmp/é.png", "", "é stands in it unencoded"},
		{"volume:///tmp/a\\b.png", "", "it has a backslash"},
		{"volume:///tmp/a%zz.png", "", "it has a % without two hex digits behind it"},
		{"volume:///tmp/100%", "", "it has a % without two hex digits behind it"},
		{"volume:///tmp/a%00.png", "", "it has %00, a control character"},
		{"volume:///tmp/%ff.png", "", "its percent-encoded bytes are not UTF-8"},
		{"volume:///tmp/x.png?a=1", "", "it has a query, from ? on"},
		{"volume:///tmp/x.png#a", "", "it has a fragment, from # on"},
		{"volume://tmp/x.png", "", `a link into the volume begins with volume:///; behind two slashes "tmp" is a host`},
		{"volume:tmp/x.png", "", "a link into the volume begins with volume:///"},
		{"volume:", "", "a link into the volume begins with volume:///"},
		{"VOLUME:///tmp/x.png", "", "a link into the volume begins with volume:///"},
		{"volume:/tmp/x.png", "", "a link into the volume begins with volume:///"},
	} {
		path, wrong := wire.VolumePath(c.uri)
		if path != c.path || (wrong == nil) != (c.problem == "") || wrong != nil && (wrong.Detail != c.problem || wrong.Fix == "") {
			t.Errorf("%s is %q, %+v; want %q, %q", c.uri, path, wrong, c.path, c.problem)
		}
	}
	a, c := content(t, `{"content":[{"type":"resource_link","uri":"volume:///tmp/a.png","name":"a"},{"type":"resource_link","uri":"https://a.example/x"},{"type":"resource_link","uri":"volume:///../x","name":"b"},{"type":"resource_link"}]}`)
	check(t, a, c.Breaches, []expected{{abi.BlockLinkVolume, `"volume:///../x" /result/content/2/uri`,
		`block 3 links "volume:///../x": it has the segment ..: a link stays below /volume and names its file straight`}})
	if b := c.Blocks; b[0].Path != "/volume/tmp/a.png" || b[0].Name != "a" || b[1].Path != "" || b[1].Bad || b[2].Path != "" || !b[2].Bad {
		t.Errorf("blocks %+v", b)
	}
	links := wire.VolumeLinks(a)
	if len(links) != 2 || links[0] != (wire.VolumeLink{Block: 0, URI: "volume:///tmp/a.png", Path: "/volume/tmp/a.png", Where: a.Where(c.Blocks[0].Value.Get("uri"))}) ||
		links[1].Block != 2 || links[1].Path != "" || links[1].Problem == "" {
		t.Errorf("links %+v", links)
	}
}

// TestMCPForms: what MCP 2026-07-28 allows breaks nothing here.
func TestMCPForms(t *testing.T) {
	d := answer(t, wire.Discover(`"d-1"`), `{"resultType":"complete","supportedVersions":["2026-07-28","2025-11-25"],"capabilities":{"tools":{"listChanged":true},"resources":{},"extensions":{"x/y":{}}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}},"instructions":"i","ttlMs":0,"cacheScope":"public"}`)
	check(t, d, wire.CheckDiscover(d), nil)
	_, a, breaches, _ := pages(t, `{"resultType":"complete","ttlMs":300000,"cacheScope":"private","tools":[`+
		`{"name":"a","title":"A","description":"d","inputSchema":{"type":"object","oneOf":[{"required":["x"]},{"required":["y"]}]},"icons":[{"src":"https://a.example/i.png","sizes":["48x48"]}],"annotations":{"readOnlyHint":true}},`+
		`{"name":"b","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","additionalProperties":false},"outputSchema":{"type":"array","items":{}}}]}`)
	check(t, a, breaches, nil)
	a, c := content(t, `{"resultType":"complete","isError":false,"structuredContent":[1],"_meta":{},"content":[`+
		`{"type":"text","text":"t","annotations":{"audience":["user"],"priority":0.7,"lastModified":"2025-05-03T14:30:00Z"}},`+
		`{"type":"image","mimeType":"image/png","data":"`+picture(t, "png")+`","annotations":{"priority":0.9}},`+
		`{"type":"audio","mimeType":"audio/wav","data":"UklGRg=="},`+
		`{"type":"resource_link","uri":"file:///project/main.rs","name":"main.rs","mimeType":"text/x-rust"},`+
		`{"type":"resource","resource":{"uri":"file:///a","text":"x"}}]}`)
	check(t, a, c.Breaches, nil)
	for _, n := range []string{
		`"notifications/cancelled","params":{"requestId":"123"}`, `"notifications/message","params":{"level":"error","data":{}}`,
		`"notifications/progress","params":{"progressToken":"p","progress":50}`, `"notifications/tools/list_changed"`,
	} {
		s := finished(call("7"), `{"jsonrpc":"2.0","method":`+n+"}\n"+good("7"))
		if len(s.answers) != 1 || len(s.breaches) != 1 || s.breaches[0].Rule != abi.RPCNotificationIgnored {
			t.Errorf("%s: %q", n, s.faults())
		}
	}
}

// FuzzVolumePath: no URI leaves the volume.
func FuzzVolumePath(f *testing.F) {
	for _, s := range []string{"volume:///tmp/a%20b", "volume:///%2e%2e/x", "volume:///a/../b", "volume:////", "volume:///%2F"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		path, wrong := wire.VolumePath(uri)
		if wrong != nil {
			if path != "" || wrong.Detail == "" || wrong.Fix == "" {
				t.Fatalf("%q: %q %+v", uri, path, wrong)
			}
			return
		}
		if !strings.HasPrefix(path, "/volume/") || strings.Contains(path+"/", "/../") || strings.Contains(path+"/", "/./") || strings.Contains(path+"/", "//") || strings.ContainsRune(path, 0) {
			t.Fatalf("%q leads to %q", uri, path)
		}
	})
}

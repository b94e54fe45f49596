package model_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"slices"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/model"
	"perch/inspect/record"
)

func run(t *testing.T, kind event.RunKind, outcome event.Outcome, bodies ...event.Body) *record.Run {
	t.Helper()
	rec := record.New(record.DefaultLimits())
	t.Cleanup(func() {
		if err := rec.Close(); err != nil {
			t.Error(err)
		}
	})
	all := slices.Concat([]event.Body{event.Begin{Kind: kind}}, bodies)
	if outcome != "" {
		all = append(all, event.End{Outcome: outcome})
	}
	for i, b := range all {
		rec.Append(event.Event{Run: 1, Seq: uint64(i), Body: b})
	}
	return rec.Run(1)
}

// before is what stands on stdout before the answer.
const before = `{"jsonrpc":"2.0","method":"notifications/progress"}` + "\n"

// answered is a run whose answer has this result.
func answered(t *testing.T, result string, more ...event.Body) *record.Run {
	t.Helper()
	line := `{"jsonrpc":"2.0","id":"c","result":` + result + `}`
	return run(t, event.Call, event.OK, slices.Concat([]event.Body{
		event.Output{Stream: event.Stdout, Bytes: []byte(before + line + "\n")},
		event.Message{Line: 1, Len: len(before) - 1, Kind: event.Notification},
		event.Message{Line: 2, Offset: int64(len(before)), Len: len(line), Newline: true, Kind: event.Result, Answers: 1},
	}, more)...)
}

func picture(t *testing.T, mime string, w, h int) string {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, w, h))
	var b bytes.Buffer
	var err error
	switch mime {
	case "image/png":
		err = png.Encode(&b, m)
	case "image/jpeg":
		err = jpeg.Encode(&b, m, nil)
	case "image/gif":
		err = gif.Encode(&b, m, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// TestBlocks holds each type of block to the ABI page: text, image and the
// image behind a volume link are shown, another link as a line, the rest as a
// note that it was left out.
func TestBlocks(t *testing.T) {
	png1 := picture(t, "image/png", 3, 2)
	size := func(b64 string) int { b, _ := base64.StdEncoding.DecodeString(b64); return len(b) }
	img := func(mime, data string) string {
		return fmt.Sprintf(`{"type":"image","mimeType":%q,"data":%q}`, mime, data)
	}
	jpeg1, gif1 := picture(t, "image/jpeg", 8, 8), picture(t, "image/gif", 5, 5)
	wide := picture(t, "image/png", 2001, 1)
	const webp = "UklGRhIAAABXRUJQVlA4TAYAAAAvAAAAAAfQ//73v/+BiOh/AAA="
	for _, c := range []struct {
		block string
		kind  model.Type
		text  string
	}{
		{`{"type":"text","text":"Hello, \u0041da!"}`, model.Text, "Hello, Ada!"},
		{`{"type":"text","text":""}`, model.Text, ""},
		{`{"type":"text","text":"\u001b[2J\ud800"}`, model.Text, "\x1b[2J\uFFFD"},
		{`{"type":"text","text":"a","annotations":{"audience":["user"]}}`, model.Text, "a"},
		{`{"type":"text"}`, model.Note, "[text left out: it has no text]"},
		{`{"type":"text","text":{"a":1}}`, model.Note, "[text left out: it has no text]"},
		{img("image/png", png1), model.Image, fmt.Sprintf("image/png, 3x2, %d B", size(png1))},
		{img("image/jpeg", jpeg1), model.Image, fmt.Sprintf("image/jpeg, 8x8, %d B", size(jpeg1))},
		{img("image/gif", gif1), model.Image, fmt.Sprintf("image/gif, 5x5, %d B", size(gif1))},
		{img("image/webp", webp), model.Image, fmt.Sprintf("image/webp, 1x1, %d B", size(webp))},
		{img("image/png", wide), model.Image, fmt.Sprintf("image/png, 2001x1, %d B, scaled to 2000 px", size(wide))},
		{img("image/png", "iVBORw0KGgo="), model.Image, "image/png, 8 B"}, // only its first bytes: no size
		{img("image/jpeg", png1), model.Note, ""},                         // not what it says
		{img("image/svg+xml", "PHN2Zy8+"), model.Note, ""},
		{img("image/png", "data:image/png;base64,"+png1), model.Note, ""},
		{img("image/png", png1[:40]+"\n"+png1[40:]), model.Note, ""},
		{img("image/png", ""), model.Note, ""},
		{`{"type":"image","data":"` + png1 + `"}`, model.Note, ""},
		{`{"type":"image","mimeType":"image/png"}`, model.Note, ""},
		{`{"type":"resource_link","uri":"https://a.example/x","name":"x"}`, model.Link, "x: https://a.example/x"},
		{`{"type":"resource_link","uri":"https://a.example/x"}`, model.Link, "https://a.example/x"},
		{`{"type":"resource_link","uri":"volume:///tmp/gone.png","name":"gone"}`, model.Link, "gone: volume:///tmp/gone.png"},
		{`{"type":"resource_link","name":"x"}`, model.Note, "[resource_link left out: it has no uri]"},
		{`{"type":"resource_link","uri":7}`, model.Note, "[resource_link left out: it has no uri]"},
		{`{"type":"audio","data":"","mimeType":"audio/wav"}`, model.Note, "[audio left out: the model does not see this type]"},
		{`{"type":"resource","resource":{}}`, model.Note, "[resource left out: the model does not see this type]"},
		{`{"type":"Text","text":"a"}`, model.Note, "[Text left out: the model does not see this type]"},
		{`{"type":"` + strings.Repeat("é", 5000) + `"}`, model.Note, "[" + strings.Repeat("é", 32) + "… left out: the model does not see this type]"},
		{`{"type":7}`, model.Note, "[block left out: it has no type]"},
		{`{}`, model.Note, "[block left out: it has no type]"},
		{`"hi"`, model.Note, "[block left out: it is no object]"},
		{`null`, model.Note, "[block left out: it is no object]"},
	} {
		// A bad block never hides the others.
		r := answered(t, `{"content":[`+c.block+`,{"type":"text","text":"after"}]}`)
		got := model.Blocks(r)
		if len(got) != 2 || got[1].Text != "after" || got[1].Index != 1 {
			t.Errorf("%.60s: %d blocks: %+v", c.block, len(got), got)
			continue
		}
		b := got[0]
		if b.Type != c.kind || c.text != "" && b.Text != c.text || c.kind == model.Note && !strings.Contains(b.Text, "left out") {
			t.Errorf("%.60s is %s %q, want %s %q", c.block, b.Type, b.Text, c.kind, c.text)
		}
		if raw := r.Stream(event.Stdout).Bytes(b.Start, int(b.End-b.Start)); string(raw) != c.block {
			t.Errorf("%.60s stands at %d-%d: %.60s", c.block, b.Start, b.End, raw)
		}
		if (b.Type == model.Image) != (b.Data != nil) {
			t.Errorf("%.60s has %d bytes of an image", c.block, len(b.Data))
		}
	}
}

// TestVolumeLinks: the image file is read after the module exits.
func TestVolumeLinks(t *testing.T) {
	data, err := base64.StdEncoding.DecodeString(picture(t, "image/png", 4, 4))
	if err != nil {
		t.Fatal(err)
	}
	r := answered(t, `{"content":[{"type":"resource_link","uri":"volume:///tmp/a.png","name":"a"},{"type":"resource_link","uri":"volume:///tmp/b.txt","name":"b"}]}`,
		event.Link{Block: 0, URI: "volume:///tmp/a.png", Path: "/volume/tmp/a.png", Type: "image/png", Data: data},
		event.Link{Block: 1, URI: "volume:///tmp/b.txt", Path: "/volume/tmp/b.txt", Problem: "it is no image"})
	got := model.Blocks(r)
	if len(got) != 2 {
		t.Fatalf("blocks: %+v", got)
	}
	if b := got[0]; b.Type != model.Image || b.MIME != "image/png" || b.Path != "/volume/tmp/a.png" || b.W != 4 || !bytes.Equal(b.Data, data) {
		t.Errorf("the image is %+v", b)
	}
	if b := got[1]; b.Type != model.Link || b.Text != "b: volume:///tmp/b.txt" {
		t.Errorf("the link is %+v", b)
	}
}

func TestResultsWithoutBlocks(t *testing.T) {
	for _, result := range []string{`{}`, `{"content":"hi"}`, `{"content":{}}`, `{"content":null}`, `{"content":[]}`, `{"structuredContent":{"a":1}}`} {
		if got := model.Blocks(answered(t, result)); len(got) != 0 {
			t.Errorf("of %s the model reads %+v", result, got)
		}
	}
}

func TestVeryDeepAndVeryMany(t *testing.T) {
	deep := strings.Repeat("[", 2*abi.MaxDepthJSON) + strings.Repeat("]", 2*abi.MaxDepthJSON)
	if got := model.Blocks(answered(t, `{"content":[{"type":"text","text":"a"}],"structuredContent":{"d":`+deep+`}}`)); len(got) != 1 || got[0].Text != "a" {
		t.Errorf("beside deep JSON the model reads %+v", got)
	}
	many := strings.Repeat(`{"type":"text","text":"a"},`, abi.MaxListed+6) + `{"type":"text","text":"z"}`
	got := model.Blocks(answered(t, `{"content":[`+many+`]}`))
	if len(got) != abi.MaxListed+1 || got[abi.MaxListed].Type != model.Note || !strings.HasPrefix(got[abi.MaxListed].Text, "[7 more blocks") {
		t.Errorf("%d blocks, the last %+v", len(got), got[len(got)-1])
	}
}

// TestCrash: the model is told that the function crashed, with the last 4 KiB
// of stderr, cut on bytes.
func TestCrash(t *testing.T) {
	long := strings.Repeat("é", 3000) + "x" // the cut falls within a character
	for _, c := range []struct{ stderr, want string }{
		{"", "the function crashed"},
		{"a\xffb\n", "the function crashed\na\xffb\n"},
		{long, "the function crashed\n" + long[len(long)-abi.StderrTail:]},
	} {
		r := run(t, event.Call, event.Broken, event.Output{Stream: event.Stderr, Bytes: []byte(c.stderr)})
		got := model.Blocks(r)
		if len(got) != 1 || got[0].Type != model.Crash || got[0].Text != c.want || got[0].Index != -1 {
			t.Errorf("the model is told %+v", got)
		}
	}
}

func TestWhenNothingIsShown(t *testing.T) {
	for name, r := range map[string]*record.Run{
		"it goes on":         run(t, event.Call, ""),
		"it was cancelled":   run(t, event.Call, event.Cancelled),
		"an upload run":      run(t, event.Upload, event.OK),
		"a refused upload":   run(t, event.Upload, event.Refused),
		"no answer was kept": run(t, event.Call, event.OK),
	} {
		if got := model.Blocks(r); got != nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestAnswerIsTheOneThatCounts: evidence after the verdict is no answer.
func TestAnswerIsTheOneThatCounts(t *testing.T) {
	r := run(t, event.Call, event.Broken,
		event.Output{Stream: event.Stdout, Bytes: []byte("log\n{}\n")},
		event.Message{Line: 1, Len: 3, Kind: event.NotMessage},
		event.Message{Line: 2, Offset: 4, Len: 2, Kind: event.Result, Answers: 1, Evidence: true})
	if line, _, ok := model.Answer(r); ok {
		t.Errorf("the answer is %q", line)
	}
	line, at, ok := model.Answer(answered(t, `{"content":[]}`))
	if !ok || at != int64(len(before)) || !strings.HasSuffix(string(line), `{"content":[]}}`) {
		t.Errorf("the answer at %d is %q", at, line)
	}
}

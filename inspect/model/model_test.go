package model_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/engine/wire"
	"perch/inspect/model"
	"perch/inspect/record"
)

func run(t testing.TB, kind event.RunKind, outcome event.Outcome, bodies ...event.Body) *record.Run {
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
func answered(t testing.TB, result string, more ...event.Body) *record.Run {
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
	const webp = "UklGRjAAAABXRUJQVlA4TCMAAAAvCAABEJmM6H9sIgrf/4BCthGgwzl/x59gKAZ52CcAQiVzAQA=" // as the reference encoder writes it
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
		{img("image/webp", webp), model.Image, fmt.Sprintf("image/webp, 9x5, %d B", size(webp))},
		{img("image/png", wide), model.Image, fmt.Sprintf("image/png, 2001x1, %d B, scaled to 2000x1", size(wide))},
		{img("image/png", "iVBORw0KGgo="), model.Image, "image/png, 8 B: it is cut short: it ends before its chunk IEND"},
		{img("image/jpeg", png1), model.Note, ""}, // not what it says
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
	if b := got[0]; b.Type != model.Image || b.MIME != "image/png" || b.Path != "/volume/tmp/a.png" || b.W != 4 || !bytes.Equal(b.Data, data) || b.About != "the file /volume/tmp/a.png, read after the exit" {
		t.Errorf("the image is %+v", b)
	}
	if b := got[1]; b.Type != model.Link || b.Text != "b: volume:///tmp/b.txt" || !b.OurWords || b.About != "a line in the place of the picture: it is no image" {
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
	long := strings.Repeat("é", 3000) + "x"    // the cut falls within a character
	lines := strings.Repeat("0123456\n", 1000) // the cut falls between lines
	for _, c := range []struct{ stderr, want, about string }{
		{"", "the function crashed", "stderr is empty"},
		{"a\xffb\n", "the function crashed\na\xffb\n", "all 4 bytes of stderr"},
		{long, "the function crashed\n" + long[len(long)-abi.StderrTail:], "the last 4,096 of 6,001 bytes of stderr; 1,905 before them are cut, within a character (our reading: the cut is on bytes)"},
		{lines, "the function crashed\n" + lines[len(lines)-abi.StderrTail:], "the last 4,096 of 8,000 bytes of stderr; 3,904 before them are cut"},
		{"x" + lines[1:], "the function crashed\n" + lines[len(lines)-abi.StderrTail:], "the last 4,096 of 8,000 bytes of stderr; 3,904 before them are cut"},
		{lines + "end", "the function crashed\n" + lines[len(lines)+3-abi.StderrTail:] + "end", "the last 4,096 of 8,003 bytes of stderr; 3,907 before them are cut, within a line"},
		{lines[:abi.StderrTail], "the function crashed\n" + lines[:abi.StderrTail], "all 4,096 bytes of stderr"},
	} {
		r := run(t, event.Call, event.Broken, event.Output{Stream: event.Stderr, Bytes: []byte(c.stderr)})
		got := model.Blocks(r)
		if len(got) != 1 || got[0].Type != model.Crash || got[0].Text != c.want || got[0].Index != -1 || !got[0].OurWords || got[0].About != c.about {
			t.Errorf("the model is told %.40q… (%q), want %.40q… (%q)", got[0].Text, got[0].About, c.want, c.about)
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

// TestWordsOfOurs: what the page gives no words for is marked.
func TestWordsOfOurs(t *testing.T) {
	got := model.Blocks(answered(t, `{"content":[{"type":"text","text":"a"},{"type":"audio"},{"type":"resource_link","uri":"a:b","name":"c"},{"type":"image","mimeType":"image/png","data":"`+picture(t, "image/png", 1, 1)+`"}]}`))
	for i, want := range []bool{false, true, true, false} {
		if got[i].OurWords != want {
			t.Errorf("block %d, a %s: our words %v", i+1, got[i].Type, got[i].OurWords)
		}
	}
}

// TestPictures: each is said to be what it is, and decoded when it is asked for.
func TestPictures(t *testing.T) {
	var moving, broken bytes.Buffer
	frame := image.NewPaletted(image.Rect(0, 0, 6, 4), color.Palette{color.Black, color.White})
	if err := gif.EncodeAll(&moving, &gif.GIF{Image: []*image.Paletted{frame, frame, frame}, Delay: []int{1, 1, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(&broken, image.NewGray(image.Rect(0, 0, 9, 9))); err != nil {
		t.Fatal(err)
	}
	bomb := bytes.Clone(broken.Bytes())
	binary.BigEndian.PutUint32(bomb[16:], 40_000)
	binary.BigEndian.PutUint32(bomb[20:], 40_000)
	binary.BigEndian.PutUint32(bomb[29:], crc32.ChecksumIEEE(bomb[12:29]))
	large, err := base64.StdEncoding.DecodeString(picture(t, "image/png", 500, 3000))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		mime                 string
		data                 []byte
		w, h, toW, toH       int
		frames               int
		about, problem, text string
		broken, decoded      bool
	}{
		"as it is": {mime: "image/png", data: broken.Bytes(), w: 9, h: 9, frames: 1, decoded: true},
		"large":    {mime: "image/png", data: large, w: 500, h: 3000, toW: 333, toH: 2000, frames: 1, decoded: true, text: ", scaled to 333x2000"},
		"an animation": {mime: "image/gif", data: moving.Bytes(), w: 6, h: 4, frames: 3, decoded: true, text: ", 3 frames",
			about: "an animation; perch shows its first frame, and what the model gets of it is not published"},
		"cut short": {mime: "image/png", data: broken.Bytes()[:50], w: 9, h: 9, frames: 1, broken: true,
			problem: "it is cut short: its chunk IDAT says"},
		"a bomb": {mime: "image/png", data: bomb, w: 40_000, h: 40_000, toW: 2000, toH: 2000, frames: 1,
			problem: "it is not decoded: over 64 megapixels (our limit)", text: ", 40000x40000, "},
	} {
		got := model.Blocks(answered(t, fmt.Sprintf(`{"content":[{"type":"image","mimeType":%q,"data":%q}]}`, c.mime, base64.StdEncoding.EncodeToString(c.data))))
		if len(got) != 1 || got[0].Type != model.Image {
			t.Fatalf("%s: %+v", name, got)
		}
		b := got[0]
		if b.W != c.w || b.H != c.h || b.ScaledW != c.toW || b.ScaledH != c.toH || b.Frames != c.frames || b.Broken != c.broken ||
			b.About != c.about || !strings.HasPrefix(b.Problem, c.problem) || (c.problem == "") != (b.Problem == "") || !strings.Contains(b.Text, c.text) || !strings.HasSuffix(b.Text, b.Problem) {
			b.Data = nil
			t.Errorf("%s: %+v", name, b)
		}
		m, err := model.Picture(got[0])
		switch {
		case c.decoded && err != nil:
			t.Errorf("%s: %v", name, err)
		case !c.decoded && err == nil:
			t.Errorf("%s is decoded to %v", name, m.Bounds())
		case c.decoded && m.Bounds().Size() != image.Pt(c.w, c.h):
			t.Errorf("%s is decoded to %v", name, m.Bounds())
		}
	}
	if _, err := model.Picture(model.Block{Type: model.Text}); err == nil {
		t.Error("a text is decoded")
	}
}

// TestManyPictures: what is read through of one answer's pictures is bounded,
// however many there are.
func TestManyPictures(t *testing.T) {
	one := `{"type":"image","mimeType":"image/png","data":"` + picture(t, "image/png", 900, 900) + `"}`
	got := model.Blocks(answered(t, `{"content":[`+strings.Repeat(one+",", 40)+one+`]}`))
	if len(got) != 41 {
		t.Fatalf("%d blocks", len(got))
	}
	for _, b := range got {
		if b.W != 900 || b.Problem != "" {
			t.Fatalf("%s", b.Text)
		}
	}
}

// BenchmarkBlocks reads an answer of a megabyte of text blocks.
func BenchmarkBlocks(b *testing.B) {
	for name, block := range map[string]string{"small": `{"type":"text","text":"a"}`, "large": `{"type":"text","text":"` + strings.Repeat("abcdefg ", 8<<10) + `"}`} {
		r := answered(b, `{"content":[`+strings.Repeat(block+",", (abi.MaxStdout-1000)/(len(block)+1)-1)+block+`]}`)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(abi.MaxStdout)
			b.ReportAllocs()
			for b.Loop() {
				if model.Blocks(r)[0].Type != model.Text {
					b.Fatal("no text")
				}
			}
		})
	}
}

// TestBlocksOf: the answer that was just read says the same as the record.
func TestBlocksOf(t *testing.T) {
	r := answered(t, `{"content":[{"type":"text","text":"a"},7,{"type":"image","mimeType":"image/png","data":"`+picture(t, "image/png", 3, 2)+`"},{"type":"resource_link","uri":"a:b","name":"c"}]}`)
	line, at, ok := model.Answer(r)
	doc, err := jsonread.Parse(line)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	a := &wire.Answer{Line: 2, Offset: at, Raw: line, Result: doc.Root().Get("result")}
	if got, want := model.BlocksOf(r, a), model.Blocks(r); len(got) != 4 || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

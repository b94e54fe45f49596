package result_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"perch/engine/event"
	"perch/inspect/model"
	"perch/inspect/record"
	"perch/ui/picture"
	"perch/ui/result"
)

// pngOf is a picture of so many pixels.
func pngOf(t *testing.T, w, h int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, w, h))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func imageBlock(mime string, b []byte) string {
	return `{"type":"image","mimeType":"` + mime + `","data":"` + base64.StdEncoding.EncodeToString(b) + `"}`
}

// linking is a call whose answer has these blocks; the one at link names a file.
func linking(t *testing.T, blocks []string, link int, path string) result.Call {
	t.Helper()
	rec := record.New(record.DefaultLimits())
	t.Cleanup(func() { rec.Close() })
	line := `{"jsonrpc":"2.0","id":"c","result":{"content":[` + strings.Join(blocks, ",") + `]}}`
	for i, b := range []event.Body{
		event.Begin{Kind: event.Call, Tool: "make"},
		event.Output{Stream: event.Stdout, Bytes: []byte(line + "\n")},
		event.Message{Line: 1, Len: len(line), Newline: true, Kind: event.Result, Answers: 1},
		event.Link{Block: link, URI: "volume://" + strings.TrimPrefix(path, "/volume"), Path: path, Problem: "it is no image"},
		event.End{Outcome: event.OK},
	} {
		rec.Append(event.Event{Run: 1, Seq: uint64(i), Body: b})
	}
	r := rec.Run(1)
	return result.Call{Run: r, Ended: true, Model: model.Blocks(r)}
}

// TestOpenBlock: enter shows a picture or a linked file in place of all blocks,
// v its bytes, and each escape goes one step back.
func TestOpenBlock(t *testing.T) {
	const file = "/volume/out/list"
	link := `{"type":"resource_link","uri":"volume:///out/list","name":"list"}`
	for _, c := range []struct {
		name   string
		block  string
		holds  string
		err    error
		opens  string
		want   []string
		ext    string
		bare   bool
		nobody bool // nothing to copy
	}{
		{name: "picture", block: imageBlock("image/png", pngOf(t, 40, 20)), opens: "open it", ext: "png",
			want: []string{"block 2 of 2  image/png  40×20", "mimeType says image/png, and so do its bytes", "as it is", "half blocks", "v hex"}},
		{name: "large", block: imageBlock("image/png", pngOf(t, 4000, 10)), opens: "open it", ext: "png",
			want: []string{"scaled to 2000×5: over 2,000 px"}},
		{name: "other type", block: imageBlock("image/jpeg", pngOf(t, 40, 20)), opens: "open it", ext: "png",
			want: []string{"mimeType says image/jpeg, its bytes are image/png.", "The model is not shown it.", "half blocks"}},
		{name: "text file", block: link, holds: "first\nsecond\x1b[31m\n", opens: "open the file", ext: "bin",
			want: []string{file, "as it stood after the exit", "second␛[31m"}},
		{name: "picture file", block: link, holds: string(pngOf(t, 40, 20)), opens: "open the file", ext: "png",
			want: []string{file, "40×20", "half blocks"}},
		{name: "bytes", block: link, holds: "\x00\x01\xff\xfe", opens: "open the file", ext: "bin", bare: true, want: []string{"00 01 ff fe"}},
		{name: "empty file", block: link, opens: "open the file", nobody: true, want: []string{"It is empty."}},
		{name: "no file", block: link, err: errors.New("what it held then is no longer kept"), opens: "open the file", nobody: true,
			want: []string{"It cannot be shown as it stood after the exit: what it held then is no longer kept."}},
		{name: "text", block: `{"type":"text","text":"x"}`, opens: "", nobody: true, want: []string{"The model reads"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := look(t)
			v := picture.New(picture.Options{})
			v.Look(k, colorprofile.TrueColor)
			p := result.New()
			p.Pictures(v)
			p.Files(func(_ uint32, path string, _ int64) ([]byte, int64, error) {
				if path != file {
					t.Errorf("%s was read", path)
				}
				return []byte(c.holds), int64(len(c.holds)), c.err
			})
			p.Show(linking(t, []string{`{"type":"text","text":"one"}`, c.block}, 1, file))
			view := func() string { return plain(p.View(k, 100, 30, true)) }
			view()
			p.Do("nav.down")
			p.Do("nav.down")
			p.Do("nav.down")
			view()
			if got := p.Opens(); got != c.opens {
				t.Fatalf("enter would %q, not %q:\n%s", got, c.opens, view())
			}
			if p.Do("nav.in") != (c.opens != "") {
				t.Errorf("enter did the other thing")
			}
			shown := view()
			for _, want := range c.want {
				if !strings.Contains(shown, want) {
					t.Errorf("no %q in\n%s", want, shown)
				}
			}
			if c.opens == "" {
				return
			}
			if got, ok := p.Taken(); ok == c.nobody || ok && got.Ext != c.ext {
				t.Errorf("taken is %v, %q", ok, got.Ext)
			}
			if !c.bare && !c.nobody {
				if p.Do("content.next"); !p.InHex() || !strings.Contains(view(), "offset") {
					t.Errorf("v shows\n%s", view())
				}
				p.Out()
			}
			if p.InHex() == !c.bare {
				t.Errorf("in hexadecimal: %v", p.InHex())
			}
			if p.Out(); p.InOpened() || p.InHex() || !strings.Contains(view(), "The model reads 2 blocks") {
				t.Errorf("escape leads to\n%s", view())
			}
			if p.Out() {
				t.Error("a second escape finds a step more")
			}
		})
	}
}

// Package model is what the model is shown of a call: the content blocks as
// Subako reads them, or the crash. It is a pure function of a run's record.
// It knows nothing of terminals: its texts are as the module wrote them and
// have to be made safe by whoever shows them.
package model

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	_ "image/gif"  // sizes of pictures
	_ "image/jpeg" // sizes of pictures
	_ "image/png"  // sizes of pictures

	_ "golang.org/x/image/webp" // sizes of pictures

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/inspect/record"
)

// Type of a block.
type Type string

// What the model gets: the page's three blocks, and in their place a line that
// names a link, a note of a block left out, or the crash.
const (
	Text  Type = "text"
	Image Type = "image"
	Link  Type = "link"
	Note  Type = "note"
	Crash Type = "crash"
)

// Block is one thing that the model is shown.
type Block struct {
	Type  Type
	Index int    // in content, -1 of a crash
	Text  string // what is read; of an image, what it is
	MIME  string // of an image
	Data  []byte // of an image
	Path  string // of an image that came by a volume link
	W, H  int    // of an image in pixels, 0: not known
	Start int64  // place of the block in stdout
	End   int64
}

// Blocks returns what the model is shown of a call. It is nil while the run
// goes on, and for an upload run.
func Blocks(r *record.Run) []Block {
	end, ok := r.End()
	if !ok || r.Begin().Kind != event.Call {
		return nil
	}
	switch end.Outcome {
	case event.Broken, event.Refused:
		return []Block{crash(r)}
	case event.OK, event.ToolError:
		return content(r)
	}
	return nil
}

// crash is the page's "the function crashed, with the last 4 KiB of stderr".
func crash(r *record.Run) Block {
	text := "the function crashed"
	if tail := r.Stream(event.Stderr).Tail(abi.StderrTail); len(tail) > 0 {
		text += "\n" + string(tail)
	}
	return Block{Type: Crash, Index: -1, Text: text}
}

// Answer returns the line that answered the call, and where it stands in
// stdout. It is false when no answer came.
func Answer(r *record.Run) (line []byte, at int64, ok bool) {
	for _, seq := range r.Of(record.KindMessage) {
		e, found := r.Event(uint64(seq))
		m, is := e.Body.(event.Message)
		if found && is && m.Kind == event.Result && m.Answers > 0 && !m.Evidence {
			return r.Stream(event.Stdout).Bytes(m.Offset, m.Len), m.Offset, true
		}
	}
	return nil, 0, false
}

func content(r *record.Run) []Block {
	line, at, ok := Answer(r)
	if !ok {
		return nil
	}
	doc, err := jsonread.Parse(line)
	if err != nil {
		return nil
	}
	links := make(map[int]event.Link)
	for _, seq := range r.Of(record.KindLink) {
		e, _ := r.Event(uint64(seq))
		if l, ok := e.Body.(event.Link); ok {
			links[l.Block] = l
		}
	}
	var blocks []Block
	for i, v := range doc.Root().Get("result").Get("content").Elements() {
		b := block(v, links[i])
		b.Index, b.Start, b.End = i, at+int64(v.Start()), at+int64(v.End())
		blocks = append(blocks, b)
	}
	return blocks
}

func block(v jsonread.Value, l event.Link) Block {
	switch v.Get("type").String() {
	case "text":
		if t := v.Get("text"); t.Kind() == jsonread.String {
			return Block{Type: Text, Text: t.String()}
		}
		return left("text", "its text is missing")
	case "image":
		return picture(v)
	case "resource_link":
		return link(v, l)
	}
	if v.Kind() != jsonread.Object || v.Get("type").Kind() != jsonread.String {
		return left("block", "it has no type")
	}
	return left(v.Get("type").String(), "the model does not see this type")
}

func left(what, why string) Block {
	return Block{Type: Note, Text: fmt.Sprintf("[%s left out: %s]", what, why)}
}

func picture(v jsonread.Value) Block {
	mime := v.Get("mimeType").String()
	data, err := base64.StdEncoding.Strict().DecodeString(v.Get("data").String())
	if err != nil || len(data) == 0 || bytes.ContainsAny([]byte(v.Get("data").String()), "\r\n") {
		return left("image", "its data is not base64")
	}
	known := false
	for _, t := range abi.ImageTypes() {
		known = known || t == mime
	}
	if !known {
		return left("image", "the model sees PNG, JPEG, GIF and WebP")
	}
	return describe(Block{Type: Image, MIME: mime, Data: data})
}

// describe says what a picture is, by its header alone: a picture is never
// decoded here.
func describe(b Block) Block {
	if c, _, err := image.DecodeConfig(bytes.NewReader(b.Data)); err == nil {
		b.W, b.H = c.Width, c.Height
	}
	b.Text = b.MIME
	if b.W > 0 {
		b.Text += fmt.Sprintf(", %d×%d", b.W, b.H)
	}
	b.Text += fmt.Sprintf(", %d B", len(b.Data))
	if max(b.W, b.H) > abi.MaxImageEdge {
		b.Text += fmt.Sprintf(", scaled to %d px", abi.MaxImageEdge)
	}
	return b
}

func link(v jsonread.Value, l event.Link) Block {
	uri := v.Get("uri")
	if uri.Kind() != jsonread.String {
		return left("resource_link", "it has no uri")
	}
	if l.Path != "" && l.Problem == "" {
		return describe(Block{Type: Image, MIME: l.Type, Data: l.Data, Path: l.Path})
	}
	text := uri.String()
	if name := v.Get("name"); name.Kind() == jsonread.String && name.String() != "" {
		text = name.String() + ": " + text
	}
	return Block{Type: Link, Text: text, Path: l.Path}
}

// Package model is what the model is shown of a call: the content blocks as
// Subako reads them, or the crash. It is a pure function of a run's record.
// It knows nothing of terminals: its texts are as the module wrote them and
// have to be made safe by whoever shows them.
package model

import (
	"bytes"
	"fmt"
	"image"
	_ "image/gif"  // sizes of pictures
	_ "image/jpeg" // sizes of pictures
	_ "image/png"  // sizes of pictures
	"strings"

	_ "golang.org/x/image/webp" // sizes of pictures

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/engine/wire"
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
// goes on, of one that was cancelled, and of an upload run.
func Blocks(r *record.Run) []Block {
	end, ok := r.End()
	if !ok || r.Begin().Kind != event.Call {
		return nil
	}
	switch end.Outcome {
	case event.Broken:
		return []Block{crash(r)}
	case event.OK, event.ToolError:
		return content(r)
	}
	return nil
}

// crash is the page's "the function crashed, with the last 4 KiB of stderr".
// The tail is cut on bytes (our reading), within a character or not.
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

// content reads the answer as the engine judged it: what it found a fault with
// is left out here.
func content(r *record.Run) []Block {
	line, at, ok := Answer(r)
	if !ok {
		return nil
	}
	doc, err := jsonread.Options{MaxDepth: -1}.Parse(line) // the judge took it, however deep
	if err != nil {
		return nil
	}
	read := wire.ReadCall(&wire.Answer{Offset: at, Raw: line, Result: doc.Root().Get("result")})
	links := linked(r)
	blocks := make([]Block, 0, len(read.Blocks))
	for _, w := range read.Blocks {
		b := block(w, links[w.Index])
		b.Index, b.Start, b.End = w.Index, w.Where.Offset, w.Where.End
		blocks = append(blocks, b)
	}
	if read.More > 0 {
		blocks = append(blocks, Block{Type: Note, Index: len(blocks),
			Text: fmt.Sprintf("[%d more blocks; perch looks at the first %d alone]", read.More, abi.MaxListed)})
	}
	return blocks
}

// linked are the volume links of a run by the index of their block.
func linked(r *record.Run) map[int]event.Link {
	links := make(map[int]event.Link)
	for _, seq := range r.Of(record.KindLink) {
		e, _ := r.Event(uint64(seq))
		if l, ok := e.Body.(event.Link); ok {
			links[l.Block] = l
		}
	}
	return links
}

func block(w wire.Block, l event.Link) Block {
	switch {
	case w.Type == "text" && w.HasText:
		return Block{Type: Text, Text: w.Text}
	case w.Type == "text":
		return left("text", "it has no text")
	case w.Type == "image" && w.Image != nil:
		return describe(Block{Type: Image, MIME: w.MIMEType, Data: w.Image})
	case w.Type == "image":
		return left("image", "it is no PNG, JPEG, GIF or WebP in base64, or another one than its mimeType says")
	case w.Type == "resource_link":
		return link(w, l)
	case w.Type != "":
		return left(head(w.Type), "the model does not see this type")
	case w.Value.Kind() != jsonread.Object:
		return left("block", "it is no object")
	}
	return left("block", "it has no type")
}

func left(what, why string) Block {
	return Block{Type: Note, Text: fmt.Sprintf("[%s left out: %s]", what, why)}
}

// head is what a note says of the name of a type, in bytes at most.
func head(name string) string {
	const most = 64
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most], "") + "…"
}

// describe says what a picture is, by its header alone: a picture is never
// decoded here.
func describe(b Block) Block {
	if c, _, err := image.DecodeConfig(bytes.NewReader(b.Data)); err == nil {
		b.W, b.H = c.Width, c.Height
	}
	b.Text = b.MIME
	if b.W > 0 {
		b.Text += fmt.Sprintf(", %dx%d", b.W, b.H)
	}
	b.Text += fmt.Sprintf(", %d B", len(b.Data))
	if max(b.W, b.H) > abi.MaxImageEdge {
		b.Text += fmt.Sprintf(", scaled to %d px", abi.MaxImageEdge)
	}
	return b
}

// link is a picture from the volume, or the line that names a link.
func link(w wire.Block, l event.Link) Block {
	switch {
	case l.Path != "" && l.Problem == "":
		return describe(Block{Type: Image, MIME: l.Type, Data: l.Data, Path: l.Path})
	case w.URI == "":
		return left("resource_link", "it has no uri")
	case w.Name == "":
		return Block{Type: Link, Text: w.URI, Path: l.Path}
	}
	return Block{Type: Link, Text: w.Name + ": " + w.URI, Path: l.Path}
}

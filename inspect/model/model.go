// Package model is what the model is shown: of a package its tools, of a call
// the content blocks as Subako reads them, or the crash. It is a pure function
// of what was listed and recorded. What Subako's own words are where the ABI
// page gives none, such as those of a note, is not published: such a text is
// marked as ours.
//
// It knows nothing of terminals: its texts are as the module wrote them and
// have to be made safe by whoever shows them.
package model

import (
	"fmt"
	"image"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/engine/quote"
	"perch/engine/wire"
	"perch/inspect/picture"
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
	// OurWords says that Text tells what the model reads and not word for word:
	// how Subako writes it is not published.
	OurWords bool
	// About is what a person should know of the block beside it: why a line
	// stands in the place of a picture, where stderr was cut. The model is not
	// told.
	About string

	MIME  string // of an image
	Data  []byte // of an image
	Path  string // of a volume link's file, absolute in the module's view
	W, H  int    // of an image in pixels, 0: not known
	Start int64  // place of the block in stdout
	End   int64

	// ScaledW and ScaledH are the pixels that the model gets of a larger image;
	// 0: the image as it is. How Subako rounds is our reading.
	ScaledW, ScaledH int
	Frames           int    // of an image: more than 1 of an animation
	Problem          string // of an image: what is wrong with it, or why perch does not decode it
	Broken           bool   // Problem is the image's fault, not a limit of ours
}

// Picture decodes an image block, of an animation the first frame. It takes up
// to a second and abi.MaxImageMemory bytes: not to be called while drawing. A
// picture over our limits is not decoded and the error says so.
func Picture(b Block) (image.Image, error) {
	if b.Type != Image {
		return nil, fmt.Errorf("block %d is no image", b.Index+1)
	}
	m, err := picture.Decode(b.Data)
	if err != nil {
		return nil, fmt.Errorf("decode the image of block %d: %w", b.Index+1, err)
	}
	return m, nil
}

// Blocks returns what the model is shown of a call. It is nil while the run
// goes on, of one that was cancelled, and of an upload run.
func Blocks(r *record.Run) []Block { return BlocksOf(r, nil) }

// BlocksOf is Blocks for a run whose answer was just read: the line is not read
// again. An answer of nil is looked for in the record.
func BlocksOf(r *record.Run, a *wire.Answer) []Block {
	end, ok := r.End()
	if !ok || r.Begin().Kind != event.Call {
		return nil
	}
	switch end.Outcome {
	case event.Broken:
		return []Block{crash(r)}
	case event.OK, event.ToolError:
		return content(r, a)
	}
	return nil
}

// crash is the page's "the function crashed, with the last 4 KiB of stderr".
// The tail is cut on bytes (our reading), within a character or not.
func crash(r *record.Run) Block {
	b := Block{Type: Crash, Index: -1, Text: "the function crashed", OurWords: true}
	stderr := r.Stream(event.Stderr)
	tail := stderr.Tail(abi.StderrTail)
	if len(tail) == 0 {
		b.About = "stderr is empty"
		return b
	}
	b.Text += "\n" + string(tail)
	b.About = fmt.Sprintf("all %s of stderr", quote.Plural(len(tail), "byte"))
	if cut := stderr.Len() - int64(len(tail)); cut > 0 {
		b.About = fmt.Sprintf("the last %s of %s bytes of stderr; %s before them are cut", quote.Count(len(tail)), quote.Count(stderr.Len()), quote.Count(cut))
		switch before := stderr.Bytes(cut-1, 1); {
		case tail[0]&0xc0 == 0x80:
			b.About += ", within a character (our reading: the cut is on bytes)"
		case string(before) != "\n":
			b.About += ", within a line"
		}
	}
	return b
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
func content(r *record.Run, a *wire.Answer) []Block {
	if a == nil {
		line, at, ok := Answer(r)
		if !ok {
			return nil
		}
		doc, err := jsonread.Options{MaxDepth: -1}.Parse(line) // the judge took it, however deep
		if err != nil {
			return nil
		}
		a = &wire.Answer{Offset: at, Raw: line, Result: doc.Root().Get("result")}
	}
	read := wire.ReadCall(a)
	links := linked(r)
	blocks := make([]Block, 0, len(read.Blocks))
	for _, w := range read.Blocks {
		b := block(w, links[w.Index])
		b.Index, b.Start, b.End = w.Index, w.Where.Offset, w.Where.End
		blocks = append(blocks, b)
	}
	examine(blocks)
	if read.More > 0 {
		blocks = append(blocks, Block{Type: Note, Index: len(blocks), OurWords: true,
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
		return Block{Type: Image, MIME: w.MIMEType, Data: w.Image}
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
	return Block{Type: Note, Text: fmt.Sprintf("[%s left out: %s]", what, why), OurWords: true}
}

// head is what a note says of the name of a type, in bytes at most.
func head(name string) string {
	const most = 64
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most], "") + "…"
}

// link is a picture from the volume, or the line that names a link.
func link(w wire.Block, l event.Link) Block {
	switch {
	case l.Path != "" && l.Problem == "":
		return Block{Type: Image, MIME: l.Type, Data: l.Data, Path: l.Path, About: "the file " + l.Path + ", read after the exit"}
	case w.URI == "":
		return left("resource_link", "it has no uri")
	}
	b := Block{Type: Link, Text: w.URI, Path: l.Path, OurWords: true}
	if w.Name != "" {
		b.Text = w.Name + ": " + w.URI
	}
	if l.Problem != "" {
		b.About = "a line in the place of the picture: " + l.Problem
	}
	return b
}

// examine says what the pictures are, those of the answer first and then those
// of the volume, as they are checked: their header, and their pixels as far as
// abi.MaxCheckedPixels go.
func examine(blocks []Block) {
	left := int64(abi.MaxCheckedPixels)
	for _, linked := range []bool{false, true} {
		for i := range blocks {
			if b := &blocks[i]; b.Type == Image && (b.Path != "") == linked {
				left -= b.describe(left)
			}
		}
	}
}

func (b *Block) describe(most int64) (used int64) {
	info, _ := picture.Examine(b.Data)
	used, fault := picture.Body(b.Data, most)
	b.W, b.H, b.Frames = info.W, info.H, max(1, info.Frames)
	if w, h := info.Scaled(); w != info.W || h != info.H {
		b.ScaledW, b.ScaledH = w, h
	}
	switch {
	case fault != nil:
		b.Problem, b.Broken = "it "+fault.Detail, true
	case info.TooLarge() != "":
		b.Problem = "it is not decoded: " + info.TooLarge()
	case info.Odd != "":
		b.Problem = "perch does not decode " + info.Odd
	}
	b.Text = b.MIME
	if b.W > 0 {
		b.Text += fmt.Sprintf(", %dx%d", b.W, b.H)
	}
	b.Text += fmt.Sprintf(", %d B", len(b.Data))
	if b.ScaledW > 0 {
		b.Text += fmt.Sprintf(", scaled to %dx%d", b.ScaledW, b.ScaledH)
	}
	if b.Frames > 1 {
		b.Text += fmt.Sprintf(", %d frames", b.Frames)
		b.note("an animation; perch shows its first frame, and what the model gets of it is not published")
	}
	if b.Problem != "" {
		b.Text += ": " + b.Problem
	}
	return used
}

// note adds to what a person should know.
func (b *Block) note(text string) {
	if b.About != "" {
		b.About += "; "
	}
	b.About += text
}

package result

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"perch/engine/abi"
	"perch/engine/jsonread"
	"perch/inspect/model"
	found "perch/inspect/picture"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/list"
	"perch/ui/picture"
	"perch/ui/prose"
	"perch/ui/words"
)

// mostOpened is how many bytes of a file of the volume are read to be shown.
const mostOpened = 1 << 20

// opened is one block in place of them all: a picture in the whole pane, or the
// file that a link names.
type opened struct {
	block int
	name  string // of what is shown
	data  []byte
	ext   string   // of a file with it
	about []string // sentences on it
	info  found.Info
	key   string // of the picture, "" for other bytes
	text  string // of the bytes, where they are text
	bare  bool   // bytes that only hexadecimal shows
	wrong string // why there is nothing to be shown

	body *body
	rows *list.List // nil: nothing that scrolls
	look *cell.Look
	w    int
}

// Files gives the pane a reader of the volume as a run left it, at most so many
// bytes of a file; size is that of all of it.
func (p *Pane) Files(read func(run uint32, path string, most int64) (b []byte, size int64, err error)) {
	p.readFile = read
}

// Opens is what enter does with the selected block, "" when nothing.
func (p *Pane) Opens() string {
	b, i, ok := p.selectedBlock()
	switch {
	case !ok:
		return ""
	case b.Type == model.Link && b.Path != "" && p.readFile != nil:
		return "open the file"
	case b.Type == model.Image && len(b.Data) > 0, b.Type == model.Note && len(p.sentImage(i).data) > 0:
		return "open it"
	}
	return ""
}

// InOpened reports whether a block is shown in place of them all.
func (p *Pane) InOpened() bool { return p.opened != nil }

func (p *Pane) selectedBlock() (b model.Block, i int, ok bool) {
	if p.tab != Model || p.rows == nil || p.hex != nil || p.opened != nil || !p.Ended() {
		return b, 0, false
	}
	row, is := p.rows.Selected()
	it, _ := p.item(row)
	if !is || it.block < 0 || it.block >= len(p.call.Model) {
		return b, 0, false
	}
	return p.call.Model[it.block], it.block, true
}

// open shows the selected block in place of them all.
func (p *Pane) open() bool {
	b, i, ok := p.selectedBlock()
	if !ok || p.Opens() == "" {
		return false
	}
	o := &opened{block: i}
	switch b.Type {
	case model.Link:
		o.file(p.call.Run.ID(), b.Path, p.readFile)
	case model.Image:
		o.picture(b.Data, b.MIME)
		o.about = append(o.about, seen(b), b.Problem, b.About)
	default:
		sent := p.sentImage(i)
		o.picture(sent.data, sent.mime)
		o.about = append(o.about, "The model is not shown it.")
	}
	p.find.Close()
	p.opened = o
	if o.bare {
		p.openHex()
	}
	return true
}

// seen is what the model gets of a picture.
func seen(b model.Block) string {
	if b.ScaledW > 0 {
		return fmt.Sprintf("The model gets it scaled to %d×%d: over %s px on the long edge are brought down to that.", b.ScaledW, b.ScaledH, words.Count(abi.MaxImageEdge))
	}
	return "The model gets it as it is."
}

// sent is a picture as the answer has it.
type sent struct {
	mime string
	data []byte
}

// sentImage is the picture of a block that the model is not shown; no data when
// there is none.
func (p *Pane) sentImage(i int) sent {
	if p.answerRows() == nil || p.doc.JSON() == nil || p.call.Model[i].Index < 0 {
		return sent{}
	}
	v := p.doc.JSON().Root().Get("result").Get("content").Index(p.call.Model[i].Index)
	data := v.Get("data")
	if kind, _ := v.Get("type").Text(); kind != string(model.Image) || data.Kind() != jsonread.String {
		return sent{}
	}
	text, _ := data.Text()
	b, err := base64.StdEncoding.DecodeString(text)
	if info, _ := found.Examine(b); err != nil || info.Kind == found.None {
		return sent{}
	}
	mime, _ := v.Get("mimeType").Text()
	return sent{mime, b}
}

// picture takes the bytes of a picture, and what they are said to be.
func (o *opened) picture(b []byte, said string) {
	sum := sha256.Sum256(b)
	o.key, o.data = string(sum[:]), b
	o.info, _ = found.Examine(b)
	is := mimeOf(o.info.Kind)
	o.ext, o.name = pictureExt(is), is
	switch {
	case said == "":
		o.about = append(o.about, "Its bytes are "+is+".")
	case said == is:
		o.about = append(o.about, "mimeType says "+said+", and so do its bytes.")
	default:
		o.about = append(o.about, "mimeType says "+said+", its bytes are "+is+".")
	}
}

// mimeOf is the type of a kind of picture.
func mimeOf(k found.Kind) string { return "image/" + strings.ToLower(string(k)) }

// file takes a file of the volume, as the run left it.
func (o *opened) file(run uint32, name string, read func(uint32, string, int64) ([]byte, int64, error)) {
	o.name, o.ext = name, strings.TrimPrefix(path.Ext(name), ".")
	if o.ext == "" {
		o.ext = "bin"
	}
	b, size, err := read(run, name, mostOpened)
	if err != nil {
		o.wrong = "It cannot be shown as it stood after the exit: " + err.Error() + "."
		return
	}
	o.data = b
	about := "The file as it stood after the exit"
	if size > int64(len(b)) {
		about += fmt.Sprintf(": the first %s of %s", words.Size(len(b)), words.Size(int(size)))
	}
	o.about = append(o.about, about+".")
	switch info, _ := found.Examine(b); {
	case info.Kind != found.None:
		o.picture(b, "")
		o.name = name
	case len(b) == 0:
		o.wrong = "It is empty."
	case !utf8.Valid(b) && !utf8.Valid(b[:max(len(b)-utf8.UTFMax, 0)]) || bytes.IndexByte(b, 0) >= 0:
		o.bare = true
	default:
		o.text = string(b)
	}
}

// viewOpened draws what was opened: what it is, and below that it.
func (p *Pane) viewOpened(k *cell.Look, w, h int, focused bool) cell.Block {
	o := p.opened
	var out cell.Block
	for _, l := range o.head(k, len(p.call.Model), w) {
		out = append(out, k.Row(l, w))
	}
	if o.rows == nil && o.key == "" {
		p.top = min(len(out), h)
		return k.Fill(out, w, h)
	}
	out = out[:min(len(out), max(h-4, 1))]
	p.top = len(out)
	if o.key != "" {
		return k.Fill(append(out, p.viewPicture(k, w, h-p.top)...), w, h)
	}
	return append(out, o.rows.View(k, w, h-p.top, focused)...)
}

// head says what was opened, and breaks a text for the width.
func (o *opened) head(k *cell.Look, blocks, w int) []cell.Line {
	var l cell.Line
	l.Blank(1).Own(cell.Fg(themes.Muted), fmt.Sprintf("block %d of %d", o.block+1, blocks)).Blank(2)
	size := words.Size(len(o.data))
	if o.info.W > 0 {
		size = fmt.Sprintf("%d×%d, ", o.info.W, o.info.H) + size
	}
	if o.wrong == "" {
		size = "  " + size
	} else {
		size = ""
	}
	l.TextIn(cell.Fg(themes.Key), o.name, max(min(k.Measure(o.name), w-k.Width(l)-len(size)-1), 1), cell.CutPath).Own(cell.Fg(themes.Text), size)
	if text := "v hex   Y save as   esc back"; k.Width(l)+len(text)+3 <= w {
		l.Blank(w-k.Width(l)-len(text)-1).Own(cell.Fg(themes.Faint), text)
	}
	lines := []cell.Line{l}
	for _, text := range append(o.about, o.wrong) {
		if text != "" {
			lines = append(lines, prose.Text(k, themes.Muted, text, w-1)...)
		}
	}
	if o.text != "" && (o.body == nil || o.w != w || o.look != k) {
		at := 0
		if o.rows == nil {
			o.rows = list.New(nil)
		} else if i, ok := o.rows.Selected(); ok {
			at = int(o.body.rows[i].at)
		}
		o.body, o.w, o.look = newBody(k, o.text, w-3, themes.Text, o.ext == "json"), w, k
		o.rows.SetSource(bodyRows{o.body})
		o.rows.Select(o.body.rowOf(at))
	}
	return append(lines, cell.Line{})
}

// viewPicture draws a picture as large as there is room, and how it is drawn.
func (p *Pane) viewPicture(k *cell.Look, w, h int) cell.Block {
	o := p.opened
	if p.pictures == nil || h < 2 {
		return nil
	}
	d := p.pictures.Draw(picture.Picture{Key: o.key, Data: o.data, Type: o.name, W: o.info.W, H: o.info.H}, w-2, h-1)
	var out cell.Block
	for _, row := range d.Rows {
		var l cell.Line
		out = append(out, k.Row(*l.Blank(1).Drawn(row, d.W), w))
	}
	if d.Problem == "" {
		out = append(out, k.Row(prose.Indent(cell.Own(themes.Faint, d.Means.String()), 1), w))
	}
	return out
}

// leave closes what was opened, and its bytes in hexadecimal first.
func (p *Pane) leave() bool {
	switch {
	case p.hex != nil:
		bare := p.opened != nil && p.opened.bare
		if p.hex = nil; bare {
			p.opened = nil
		}
	case p.opened != nil:
		p.opened = nil
	default:
		return false
	}
	p.find.Close()
	p.searchAnew(p.tab)
	return true
}

// takenOpened is what was opened.
func (p *Pane) takenOpened() (Taken, bool) {
	o := p.opened
	if len(o.data) == 0 {
		return Taken{}, false
	}
	t := p.takenBlock(o.block)
	t.Value, t.Ext = o.data, o.ext
	if o.key == "" || p.call.Model[o.block].Type == model.Link {
		t.What = "the file " + o.name
	}
	if o.key != "" {
		t.Text = o.name + ", " + words.Size(len(o.data))
	}
	return t, true
}

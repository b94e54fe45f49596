package stream

import (
	"crypto/sha256"
	"fmt"
	"mime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"perch/engine/event"
	"perch/inspect/jsonview"
	"perch/inspect/picture"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/excerpt"
	"perch/ui/list"
	drawing "perch/ui/picture"
	"perch/ui/prose"
	"perch/ui/words"
)

// way is how bytes of an exchange are shown.
type way uint8

// The ways, in the order in which they are gone through.
const (
	byType way = iota // as what they are: JSON that folds, text, a picture
	asText
	asHex
)

// String is the way in a word, for the footer.
func (w way) String() string { return [...]string{"by type", "text", "hex"}[w] }

// Room of a picture in a detail, in cells; our own.
const (
	pictureWidth  = 80
	pictureHeight = 20
)

// kindOf is what bytes are, and the ways in which they can be shown.
func kindOf(b []byte) (info picture.Info, fault *picture.Fault, ways []way) {
	if info, fault = picture.Examine(b); info.Kind != picture.None {
		return info, fault, []way{byType, asHex}
	}
	if !utf8.Valid(b) {
		return info, nil, []way{asHex}
	}
	if looksJSON(b) {
		return info, nil, []way{byType, asText, asHex}
	}
	return info, nil, []way{asText, asHex}
}

// part is bytes of a detail that has several, below what is said of them.
type part struct {
	head []cell.Line
	doc  *jsonview.Doc // what the body shows, when it can be folded
	body list.Source
	hex  bool
	ways []way
}

func (p part) Len() int { return len(p.head) + p.body.Len() }

// parts are several bodies one below another, a blank row between them.
type parts []part

// Len implements list.Source.
func (ps parts) Len() int {
	n := max(len(ps)-1, 0)
	for _, p := range ps {
		n += p.Len()
	}
	return n
}

// Row implements list.Source.
func (ps parts) Row(i, w int) cell.Line {
	for _, p := range ps {
		switch n := p.Len(); {
		case i < len(p.head):
			return p.head[i]
		case i < n:
			return p.body.Row(i-len(p.head), w)
		default:
			i -= n + 1
		}
		if i < 0 {
			break
		}
	}
	return cell.Line{}
}

// at is the document that a row belongs to, and the row at which it begins; nil
// where there is none.
func (ps parts) at(row int) (*jsonview.Doc, int) {
	start := 0
	for _, p := range ps {
		if body := start + len(p.head); row >= body && row < start+p.Len() {
			return p.doc, body
		}
		start += p.Len() + 1
	}
	return nil, 0
}

// shown makes a part of bytes, in the way that is wanted where they can be shown
// so, else as what they are.
func (c *web) shown(a ask, b []byte) part {
	info, fault, ways := kindOf(b)
	p := part{ways: ways}
	how := c.way
	if !slices.Contains(ways, how) {
		how = ways[0]
	}
	switch {
	case how == asText:
		p.body = list.Lines(textLines(a, string(b), themes.Text))
		return p
	case how == byType && info.Kind != picture.None:
		if fault == nil {
			p.body = list.Lines(c.pictureRows(a, b, info))
			return p
		}
		p.head = sentences(a.look, themes.Warning, fmt.Sprintf("▲ a %s image that %s", info.Kind, fault.Detail), a.w-3)
	case how == byType:
		if p.doc = jsonBody(b, maxPretty); p.doc != nil {
			p.body = jsonRows(p.doc)
			return p
		}
		p.ways = []way{asText, asHex} // it only began like JSON
		p.body = list.Lines(textLines(a, string(b), themes.Text))
		return p
	}
	var head cell.Line
	p.body, head, _ = excerpt.Hex(a.look, excerpt.Bytes(b), 0, nil, a.w)
	p.head, p.hex = append(p.head, dedent(head)), true
	return p
}

// pictureRows draw a picture.
func (c *web) pictureRows(a ask, b []byte, info picture.Info) []cell.Line {
	if c.Picture == nil {
		return sentences(a.look, themes.Muted, "It is not drawn here.", a.w-3)
	}
	sum := sha256.Sum256(b)
	rows := c.Picture(drawing.Picture{Key: string(sum[:]), Data: b, Type: "image/" + strings.ToLower(string(info.Kind)), W: info.W, H: info.H},
		min(a.w-3-air, pictureWidth), pictureHeight)
	out := make([]cell.Line, 0, len(rows))
	for _, row := range rows {
		var l cell.Line
		out = append(out, *l.Drawn(row, ansi.StringWidth(row)))
	}
	return out
}

// content shows the one body of a document.
func (c *web) content(d *document, a ask, b []byte) {
	c.put(d, c.shown(a, b))
}

// put shows the one part of a document: what is said of it stays in sight.
func (c *web) put(d *document, p part) {
	for _, l := range p.head {
		d.head = append(d.head, prose.Indent(l, 1))
	}
	d.body, d.json, d.hex, d.ways, d.way = p.body, p.doc, p.hex, p.ways, c.way
}

// putAll shows several parts.
func (c *web) putAll(d *document, ps parts) {
	d.body, d.docAt, d.way = ps, ps.at, c.way
	for _, p := range ps {
		d.hex = d.hex || p.hex
		for _, w := range p.ways {
			if !slices.Contains(d.ways, w) {
				d.ways = append(d.ways, w)
			}
		}
	}
	slices.Sort(d.ways)
}

// bodies are what the module sent and what came back.
func (c *web) bodies(d *document, all whole, a ask, w int) {
	sent, why := c.sentBody(all, a)
	if sent == nil && why == "" { // nothing was sent: the answer alone
		c.answerBody(d, all, a, w)
		return
	}
	title := func(text string) cell.Line { return cell.Text(themes.Muted, text) }
	var ps parts
	if sent == nil {
		ps = append(ps, part{head: []cell.Line{title("sent")}, body: list.Lines(sentences(a.look, themes.Muted, why, w))})
	} else {
		sent.head = append([]cell.Line{title("sent · " + bodyWords(all.request.Body, all.request.Headers))}, sent.head...)
		ps = append(ps, *sent)
	}
	if note := noBody(all.answer, a.look); note != "" {
		ps = append(ps, part{head: []cell.Line{title("answered")}, body: list.Lines(sentences(a.look, themes.Muted, note, w))})
	} else {
		p := c.shown(a, all.answer.Body)
		p.head = append([]cell.Line{title("answered · " + bodyWords(all.answer.Body, all.answer.Headers) + ", decoded")}, p.head...)
		ps = append(ps, p)
	}
	c.putAll(d, ps)
}

// sentBody is the body of the request; why says why there is none to be shown,
// nil and "" that none was sent.
func (c *web) sentBody(all whole, a ask) (p *part, why string) {
	r := all.request
	switch {
	case r == nil:
		return nil, ""
	case r.File != "":
		return nil, "The body came from the file " + r.File + ": " + a.look.Key("pane.files", "7") + " shows it."
	case len(r.Body) == 0:
		return nil, ""
	}
	shown := c.shown(a, r.Body)
	return &shown, ""
}

// answerBody is the body that came back.
func (c *web) answerBody(d *document, all whole, a ask, w int) {
	if note := noBody(all.answer, a.look); note != "" {
		d.note(a.look, note, w)
		return
	}
	text := bodyWords(all.answer.Body, all.answer.Headers) + ", decoded"
	d.head = append(d.head, prose.Indent(cell.Text(themes.Muted, text), 1))
	c.content(d, a, all.answer.Body)
}

// noBody says why an answer has no body to be shown, "" when it has one.
func noBody(r *event.HTTPAnswer, k *cell.Look) string {
	switch {
	case r == nil:
		return "No answer yet."
	case r.Kind != "":
		return "No body: the module was told " + string(r.Kind) + "."
	case r.File != "":
		return "The body, " + words.Bytes(r.Bytes) + ", went into the file " + r.File + ": " + k.Key("pane.files", "7") + " shows it."
	case len(r.Body) == 0:
		return "The body is empty."
	}
	return ""
}

// bodyWords are the type of a body as its header tells it, what is known of it
// as a picture, and its size.
func bodyWords(b []byte, headers []event.Header) string {
	said := header(headers, "content-type")
	if t, _, err := mime.ParseMediaType(said); err == nil {
		said = t
	}
	parts := []string{words.Bytes(len(b))}
	if info, _ := picture.Examine(b); info.Kind != picture.None {
		kind := "image/" + strings.ToLower(string(info.Kind))
		if said != "" && said != kind {
			kind = "its bytes are " + string(info.Kind)
		} else {
			said = ""
		}
		if info.W > 0 {
			kind += fmt.Sprintf(", %d×%d", info.W, info.H)
		}
		parts = append([]string{kind}, parts...)
	}
	if said != "" {
		parts = append([]string{headOf(said, 64)}, parts...)
	}
	return strings.Join(parts, " · ")
}

// nextWay is the way that v leads to, false where there is only one.
func (d *document) nextWay() (way, bool) {
	if len(d.ways) < 2 {
		return 0, false
	}
	i := max(slices.Index(d.ways, d.way), 0)
	return d.ways[(i+1)%len(d.ways)], true
}

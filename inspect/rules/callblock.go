package rules

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/engine/near"
	"perch/engine/quote"
	"perch/engine/wire"
)

// block looks at one content block. Equal faults of several blocks are one
// finding.
func (c *Checker) block(h heard, b wire.Block) {
	called := fmt.Sprintf("block %d", b.Index+1)
	s := shaped{c: c, h: h, at: b.Place, rule: abi.BlockShape, of: called, place: called}
	v := b.Value
	kind := v.Get("type")
	switch {
	case v.Kind() != jsonread.Object:
		s.say(v, "object", fmt.Sprintf("%s is %s, not an object", called, quote.Value(v)), `Write {"type":"text","text":"…"}.`)
		return
	case kind.IsZero():
		s.say(v, "type", called+" has no type", typeFix(v))
	case kind.Kind() != jsonread.String:
		s.say(kind, "type", fmt.Sprintf("the type of %s is %s, not a string", called, quote.Value(kind)), typeFix(v))
	}
	switch b.Type {
	case "text":
		s.textBlock(v)
	case "image": // its data and mimeType are the engine's to judge
	case "audio":
		s.needs(v, "audio", "data")
		s.needs(v, "audio", "mimeType")
		s.leftOut(v, "is audio: the model reads a note that it was left out", "Say what is heard in a text block.")
	case "resource":
		s.resource(v)
		s.leftOut(v, "is an embedded resource: the model reads a note that it was left out", "Write its text into a text block, or its picture into an image block.")
	case "resource_link":
		s.link(b)
	default:
		if kind.Kind() == jsonread.String {
			s.unknown(v, kind, b.Type)
		}
	}
	s.about(v.Get("annotations"))
	s.object(v.Get("_meta"), "_meta")
}

// typeFix is the type that a block without one seems to have.
func typeFix(v jsonread.Value) string {
	for _, k := range []struct{ member, kind string }{
		{"text", "text"}, {"uri", "resource_link"}, {"resource", "resource"}, {"data", "image"},
	} {
		if !v.Get(k.member).IsZero() {
			return fmt.Sprintf("Write %q:%q beside its %s.", "type", k.kind, k.member)
		}
	}
	return `Write {"type":"text","text":"…"}.`
}

func (s shaped) textBlock(v jsonread.Value) {
	text := v.Get("text")
	switch text.Kind() {
	case jsonread.String:
	case jsonread.Absent:
		fix := `Write "text", a string.`
		for _, slip := range []string{"content", "value", "message", "data", "Text"} {
			if v.Get(slip).Kind() == jsonread.String {
				fix = fmt.Sprintf("Call the member %s text.", slip)
			}
		}
		s.say(v, "text", s.of+" is a text without text", fix)
	default:
		s.say(text, "text kind", fmt.Sprintf("the text of %s is %s, not a string", s.of, quote.Value(text)),
			"Write a value as JSON text, in one string; structuredContent takes the value itself.")
	}
}

// unknown is a block of a type that MCP does not have. That the model reads a
// note in its place is the ABI page's word.
func (s shaped) unknown(v, kind jsonread.Value, name string) {
	fix := "Write what the model should read into a text block."
	known := []string{"text", "image", "audio", "resource", "resource_link"}
	meant := near.Word(name, known)
	switch name {
	case "json", "object", "data", "structured":
		meant, fix = "", "Write the JSON as text into a text block, and the value into structuredContent."
	case "markdown", "md", "html", "string", "output_text", "input_text", "code":
		meant = "text"
	case "image_url", "input_image", "picture", "png":
		meant, fix = "", `Write {"type":"image","mimeType":"image/png","data":"…"}, the bytes in base64.`
	case "link", "file", "uri", "document":
		meant = "resource_link"
	}
	detail := fmt.Sprintf("%s has the type %s, which MCP does not know: the model reads a note that it was left out", s.of, quote.Text(name))
	if meant != "" {
		fix = fmt.Sprintf("Write the type %s.", meant)
	}
	s.say(kind, "unknown "+name[:min(len(name), 64)], detail, fix)
}

func (s shaped) resource(v jsonread.Value) {
	r := v.Get("resource")
	if r.IsZero() {
		s.say(v, "resource", s.of+" is a resource without resource", `Write "resource":{"uri":"…","text":"…"}.`)
		return
	}
	if !s.object(r, "resource") {
		return
	}
	s.needs(r, "resource", "uri")
	s.text(r.Get("mimeType"), "resource.mimeType")
	text, blob := r.Get("text"), r.Get("blob")
	if text.IsZero() && blob.IsZero() {
		s.say(r, "resource text", fmt.Sprintf("resource of %s has neither text nor blob", s.of), `Write "text", or "blob" in base64.`)
		return
	}
	s.text(text, "resource.text")
	s.text(blob, "resource.blob")
}

// link is a resource_link. Its URI into the volume is the engine's to judge.
func (s shaped) link(b wire.Block) {
	v := b.Value
	for _, name := range []string{"title", "description", "mimeType"} {
		s.text(v.Get(name), name)
	}
	if size := v.Get("size"); !size.IsZero() && !size.IsInteger() {
		s.say(size, "size", fmt.Sprintf("the size of %s is %s, not a whole number", s.of, quote.Value(size)), "Write the bytes of the file, or leave it out.")
	}
	s.icons(v.Get("icons"), "icons")

	l := s
	l.rule = abi.BlockLink
	uri, name := v.Get("uri"), v.Get("name")
	if name.Kind() != jsonread.String {
		l.member(v, name, "name", "Write a name for it, such as the file's: chart.png.")
	}
	switch place := quote.Text(b.URI); {
	case uri.Kind() != jsonread.String:
		l.member(v, uri, "uri", "Write the URI, such as volume:///tmp/chart.png.")
	case !hasScheme(b.URI):
		l.say(uri, "scheme", fmt.Sprintf("%s links %s, which is no URI: the model reads a line with it", s.of, place), schemeFix(b.URI))
	case !strings.HasPrefix(strings.ToLower(b.URI[:min(len(b.URI), 7)]), "volume:"):
		s.leftOutAt(uri, "link", fmt.Sprintf("%s links %s: the model reads a line that names it, not what is there", s.of, place), linkFix(b.URI))
	}
}

// member tells of a member of a link that is missing or no string.
func (s shaped) member(in, v jsonread.Value, name, fix string) {
	if v.IsZero() {
		s.say(in, name, fmt.Sprintf("%s is a link without %s", s.of, name), fix)
		return
	}
	s.say(v, name, fmt.Sprintf("the %s of %s is %s, not a string", name, s.of, quote.Value(v)), fix)
}

// schemeFix turns a path into a URI.
func schemeFix(path string) string {
	if beneath, is := strings.CutPrefix(path, abi.VolumeRoot+"/"); is {
		return fmt.Sprintf("Write %s%s, each segment percent-encoded.", abi.VolumeScheme, shortPath(beneath))
	}
	return "Write a URI: volume:///tmp/NAME for a file that the call wrote, https://… for a page."
}

// linkFix says what to do about a link that is only named.
func linkFix(uri string) string {
	if beneath, is := strings.CutPrefix(uri, "file://"+abi.VolumeRoot+"/"); is {
		return fmt.Sprintf("For a picture of the volume write %s%s.", abi.VolumeScheme, shortPath(beneath))
	}
	return "Nothing has to be done if the line is enough. Else write what is there into a text or image block."
}

func shortPath(path string) string {
	text := quote.Text(path)
	return text[1 : len(text)-1]
}

// leftOut points out a block that the model does not see.
func (s shaped) leftOut(v jsonread.Value, detail, fix string) {
	s.leftOutAt(v, v.Get("type").String(), s.of+" "+detail, fix)
}

func (s shaped) leftOutAt(v jsonread.Value, about, detail, fix string) {
	s.c.fold(s.h.seq, event.Breach{Rule: abi.BlockLeftOut, Where: s.where(v), Detail: detail, Fix: fix}, about, s.place)
}

// about are a block's annotations (MCP 2026-07-28, Annotations).
func (s shaped) about(v jsonread.Value) {
	if v.IsZero() || !s.object(v, "annotations") {
		return
	}
	if audience := v.Get("audience"); s.is(audience, "annotations.audience", jsonread.Array) {
		for i, who := range audience.Elements() {
			if i == abi.MaxListed {
				break
			}
			if !who.Is("user") && !who.Is("assistant") {
				s.say(who, "audience", fmt.Sprintf("annotations.audience of %s has %s; MCP knows \"user\" and \"assistant\"", s.of, quote.Value(who)), "Write user, assistant or both.")
				break
			}
		}
	}
	if p := v.Get("priority"); s.is(p, "annotations.priority", jsonread.Number) && !p.IsZero() && !unit(p) {
		s.say(p, "priority", fmt.Sprintf("annotations.priority of %s is %s; it is from 0 to 1", s.of, quote.Value(p)), "Write a number from 0 to 1.")
	}
	if at := v.Get("lastModified"); s.text(at, "annotations.lastModified") && !at.IsZero() && !moment(at.String()) {
		s.say(at, "lastModified", fmt.Sprintf("annotations.lastModified of %s is %s, no moment in ISO 8601", s.of, quote.Value(at)), "Write it as 2026-07-28T12:00:00Z.")
	}
}

// unit reports whether a number is from 0 to 1.
func unit(v jsonread.Value) bool {
	f, err := strconv.ParseFloat(string(v.Raw()), 64)
	return err == nil && f >= 0 && f <= 1
}

// moment reports whether a text is a moment in one of the common forms of
// ISO 8601.
func moment(text string) bool {
	if len(text) > 64 {
		return false
	}
	for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", time.DateOnly,
		"2006-01-02T15:04:05Z0700", "20060102T150405Z0700", "20060102T150405", "20060102"} {
		if _, err := time.Parse(form, text); err == nil {
			return true
		}
	}
	return false
}

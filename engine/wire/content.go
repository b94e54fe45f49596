package wire

import (
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
)

// Content is what Subako reads of a call's result.
type Content struct {
	Blocks     []Block
	More       int            // blocks past abi.MaxListed, which are only counted
	IsError    bool           // isError is true, not just something like it
	Structured jsonread.Value // structuredContent, absent when it is not there
	Breaches   []event.Breach
}

// Block is one element of content, as far as it can be read.
type Block struct {
	Index int // from 0
	Type  string
	Value jsonread.Value
	Raw   []byte
	Where event.Where

	Text    string // of a text block
	HasText bool

	MIMEType string // of an image, as written
	Image    []byte // decoded; nil when the block is no image that Subako shows

	URI  string // of a resource_link
	Name string
	// Path is the file of a volume:/// link, absolute in the module's view:
	// /volume/tmp/chart.png. Empty for other links and for bad ones.
	Path string

	Bad bool // it has a breach
}

// CheckCall judges the result of tools/call by itself. Whether the file of a
// volume:/// link is there is for others to say, after the exit.
func CheckCall(a *Answer) []event.Breach { return ReadCall(a).Breaches }

// ReadCall reads the content blocks of a call's result and judges them (ABI
// page, When the agent calls a tool). A bad block never hides the others.
func ReadCall(a *Answer) Content {
	c := Content{IsError: a.Result.Get("isError").Kind() == jsonread.True, Structured: a.Result.Get("structuredContent")}
	list := a.Result.Get("content")
	if list.Kind() != jsonread.Array {
		detail := "content is missing"
		if !list.IsZero() {
			detail = fmt.Sprintf("content is %s, not a list", brief(list))
		}
		c.Breaches = append(c.Breaches, a.breach(abi.CallContent, list, a.Result,
			detail+": nothing for the model to read. MCP asks for a list; the ABI page does not say that it breaks the call",
			`Write "content":[{"type":"text","text":"…"}].`))
		return c
	}
	for i, v := range list.Elements() {
		if i == abi.MaxListed {
			c.More = list.Len() - i
			break
		}
		b, breaches := readBlock(a, i, v)
		b.Bad = len(breaches) > 0
		c.Blocks = append(c.Blocks, b)
		c.Breaches = append(c.Breaches, breaches...)
	}
	return c
}

func readBlock(a *Answer, index int, v jsonread.Value) (Block, []event.Breach) {
	b := Block{Index: index, Value: v, Raw: v.Raw(), Where: a.Where(v)}
	b.Type, _ = v.Get("type").Text()
	switch b.Type {
	case "text":
		b.Text, b.HasText = v.Get("text").Text()
	case "image":
		return readImage(a, b)
	case "resource_link":
		b.URI, _ = v.Get("uri").Text()
		b.Name, _ = v.Get("name").Text()
		return readLink(a, b)
	}
	return b, nil
}

func readImage(a *Answer, b Block) (Block, []event.Breach) {
	v := b.Value
	mime, data := v.Get("mimeType"), v.Get("data")
	b.MIMEType, _ = mime.Text()
	var faults []event.Breach
	fault := func(at jsonread.Value, detail, fix string) {
		faults = append(faults, a.breach(abi.BlockImage, at, v, fmt.Sprintf("block %d %s", b.Index+1, detail), fix))
	}
	text, ok := data.Text()
	if !ok {
		what := "has no data"
		if !data.IsZero() {
			what = fmt.Sprintf("has data that is %s, not a string", brief(data))
		}
		fault(data, what, "Write the image's bytes in base64 into data.")
		return b, faults
	}
	bytes, problem := decodeBase64(text)
	if problem != nil {
		fault(data, "has data that is not base64: "+problem.detail, problem.fix)
		return b, faults
	}
	is := imageType(bytes)
	switch {
	case is == "":
		fault(data, "holds "+looksLike(bytes)+", not a PNG, JPEG, GIF or WebP image", "Write an image of one of these kinds.")
	case mime.Kind() != jsonread.String:
		what := "has no mimeType"
		if !mime.IsZero() {
			what = fmt.Sprintf("has a mimeType that is %s, not a string", brief(mime))
		}
		fault(mime, what+"; its bytes are "+imageName(is), "Write mimeType "+is+".")
	case b.MIMEType != is:
		fault(mime, fmt.Sprintf("says %s, its bytes are %s", bare(b.MIMEType), imageName(is)), "Write mimeType "+is+".")
	default:
		b.Image = bytes
	}
	return b, faults
}

// bare shows a mime type without quotes when it is an ordinary one.
func bare(s string) string {
	for _, r := range s {
		if r != '/' && r != '+' && r != '-' && r != '.' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z') {
			return show(s)
		}
	}
	if s == "" || len(s) > longest {
		return show(s)
	}
	return s
}

func readLink(a *Answer, b Block) (Block, []event.Breach) {
	if !strings.HasPrefix(strings.ToLower(b.URI), "volume:") {
		return b, nil // shown as a line naming the link
	}
	path, problem := VolumePath(b.URI)
	if problem == nil {
		b.Path = path
		return b, nil
	}
	return b, []event.Breach{a.breach(abi.BlockLinkVolume, b.Value.Get("uri"), b.Value,
		fmt.Sprintf("block %d links %s: %s", b.Index+1, show(b.URI), problem.Detail), problem.Fix)}
}

// VolumeLink is a resource_link into the volume.
type VolumeLink struct {
	Block   int // the block's index in content, from 0
	URI     string
	Path    string // absolute in the module's view; empty with a problem
	Problem string // why the URI names no file
	Where   event.Where
}

// VolumeLinks are the resource_links of a call's result whose files Subako
// reads after the exit, those with a URI that names no file among them.
func VolumeLinks(a *Answer) []VolumeLink {
	var links []VolumeLink
	for _, b := range ReadCall(a).Blocks {
		if b.Type != "resource_link" || !strings.HasPrefix(strings.ToLower(b.URI), "volume:") {
			continue
		}
		l := VolumeLink{Block: b.Index, URI: b.URI, Path: b.Path, Where: a.Where(b.Value.Get("uri"))}
		if _, wrong := VolumePath(b.URI); wrong != nil {
			l.Problem = wrong.Detail
		}
		links = append(links, l)
	}
	return links
}

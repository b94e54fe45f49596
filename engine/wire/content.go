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

// contentSlip is the member that was most likely meant to be content, empty
// without one: decoders that fold case take it in local tests.
func contentSlip(result jsonread.Value) string {
	for name := range result.Members() {
		if name.Fold("content") || name.Is("contents") {
			return name.String()
		}
	}
	return ""
}

// ReadCall reads the content blocks of a call's result and judges them (ABI
// page, When the agent calls a tool). A bad block never hides the others.
func ReadCall(a *Answer) Content {
	c := Content{IsError: a.Result.Get("isError").Kind() == jsonread.True, Structured: a.Result.Get("structuredContent")}
	list := a.Result.Get("content")
	if list.Kind() != jsonread.Array {
		detail := "content is missing"
		if !list.IsZero() {
			detail = fmt.Sprintf("content is %s, not a list", brief(list))
		} else if slip := contentSlip(a.Result); slip != "" {
			detail = fmt.Sprintf("content is missing, and %s is there", show(slip))
		}
		c.Breaches = append(c.Breaches, a.breach(abi.CallContent, list, a.Result,
			detail+": nothing for the model to read. MCP asks for a list; the ABI page does not say that it breaks the call",
			`Write "content":[{"type":"text","text":"…"}].`))
		return c
	}
	at := a.Where(list)
	for i, v := range list.Elements() {
		if i == abi.MaxListed {
			c.More = list.Len() - i
			break
		}
		b, breaches := readBlock(Block{Index: i, Value: v, Raw: v.Raw(), Where: element(at, a, i, v)})
		b.Bad = len(breaches) > 0
		c.Blocks = append(c.Blocks, b)
		c.Breaches = append(c.Breaches, breaches...)
	}
	return c
}

func readBlock(b Block) (Block, []event.Breach) {
	b.Type, _ = b.Value.Get("type").Text()
	switch b.Type {
	case "text":
		b.Text, b.HasText = b.Value.Get("text").Text()
	case "image":
		return readImage(b)
	case "resource_link":
		b.URI, _ = b.Value.Get("uri").Text()
		b.Name, _ = b.Value.Get("name").Text()
		return readLink(b)
	}
	return b, nil
}

// readImage judges an image: its data first, then whether mimeType says what
// the bytes are. One fault is named.
func readImage(b Block) (Block, []event.Breach) {
	v := b.Value
	mime, data := v.Get("mimeType"), v.Get("data")
	b.MIMEType, _ = mime.Text()
	fault := func(at jsonread.Value, detail, fix string) (Block, []event.Breach) {
		return b, []event.Breach{{Rule: abi.BlockImage, Where: b.Place(at), Detail: fmt.Sprintf("block %d %s", b.Index+1, detail), Fix: fix}}
	}
	text, ok := data.Text()
	if !ok {
		what := "has no data"
		if !data.IsZero() {
			what = fmt.Sprintf("has data that is %s, not a string", brief(data))
		}
		return fault(data, what, fixBase64)
	}
	bytes, problem := decodeBase64(text)
	if problem != nil {
		b, list := fault(data, "has data that is not base64: "+problem.detail, problem.fix)
		if problem.to > 0 {
			list[0].Where = b.PlaceText(data, problem.from, problem.to)
		}
		return b, list
	}
	is := imageType(bytes)
	switch {
	case is == "" && hexOf(text):
		return fault(data, "has data that is hexadecimal, not base64", fixBase64)
	case is == "":
		name, fix := LooksLike(bytes)
		return fault(data, "holds "+name+", not a PNG, JPEG, GIF or WebP image", fix)
	case mime.Kind() != jsonread.String:
		what := "has no mimeType"
		if !mime.IsZero() {
			what = fmt.Sprintf("has a mimeType that is %s, not a string", brief(mime))
		}
		return fault(mime, what+"; its bytes are "+imageName(is), "Write mimeType "+is+".")
	case b.MIMEType != is:
		return fault(mime, otherMIME(b.MIMEType, is), "Write mimeType "+is+".")
	}
	b.Image = bytes
	return b, nil
}

// otherMIME says what is wrong with a mimeType that is not the bytes' own.
// Names are matched exactly, our reading of the page's list.
func otherMIME(said, is string) string {
	if meansMIME(said) == is {
		return fmt.Sprintf("says %s for %s. Our reading: the name is matched exactly, and other readers may take it", bare(said), is)
	}
	return fmt.Sprintf("says %s, its bytes are %s", bare(said), imageName(is))
}

// meansMIME is the mime type that is meant by another spelling of it.
func meansMIME(said string) string {
	name, _, _ := strings.Cut(strings.ToLower(said[:min(len(said), 256)]), ";")
	name = strings.TrimSpace(name)
	if !strings.Contains(name, "/") {
		name = "image/" + strings.TrimPrefix(name, ".")
	}
	switch name = strings.Replace(name, "/x-", "/", 1); name {
	case "image/jpg", "image/pjpeg", "image/jfif", "image/jpe":
		return "image/jpeg"
	}
	return name
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

func readLink(b Block) (Block, []event.Breach) {
	if !isVolume(b.URI) {
		return b, nil // shown as a line naming the link
	}
	path, problem := VolumePath(b.URI)
	if problem == nil {
		b.Path = path
		return b, nil
	}
	return b, []event.Breach{{Rule: abi.BlockLinkVolume, Where: b.Place(b.Value.Get("uri")),
		Detail: fmt.Sprintf("block %d links %s: %s", b.Index+1, show(b.URI), problem.Detail), Fix: problem.Fix}}
}

// isVolume reports whether a URI means the volume, rightly written or not.
func isVolume(uri string) bool { return prefixFold(uri, "volume:") }

// VolumeLink is a resource_link into the volume.
type VolumeLink struct {
	Block   int // the block's index in content, from 0
	URI     string
	Path    string // absolute in the module's view; empty with a problem
	Problem string // why the URI names no file
	Where   event.Where
}

// VolumeLinks are the resource_links of a call's result whose files Subako
// reads after the exit, those with a URI that names no file among them. As with
// ReadCall, the first abi.MaxListed blocks count.
func VolumeLinks(a *Answer) []VolumeLink {
	var links []VolumeLink
	content := a.Result.Get("content")
	list := a.Where(content)
	for i, v := range content.Elements() {
		if i == abi.MaxListed {
			break
		}
		at := v.Get("uri")
		uri, _ := at.Text()
		if !v.Get("type").Is("resource_link") || !isVolume(uri) {
			continue
		}
		l := VolumeLink{Block: i, URI: uri, Where: Block{Value: v, Where: element(list, a, i, v)}.Place(at)}
		path, wrong := VolumePath(uri)
		if l.Path = path; wrong != nil {
			l.Problem = wrong.Detail
		}
		links = append(links, l)
	}
	return links
}

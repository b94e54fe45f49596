package rules

import (
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/engine/quote"
	"perch/engine/wire"
)

// result looks at the result of a call and at its content blocks. That content
// is missing or no list, and what is wrong with images and with URIs into the
// volume, the engine's judge says.
func (c *Checker) result(h heard) {
	a := h.answer()
	read := wire.ReadCall(a)
	c.isError(h, a.Result)
	if a.Result.Get("content").Kind() != jsonread.Array {
		return
	}
	words := false
	for _, b := range read.Blocks {
		words = words || strings.TrimSpace(b.Text) != ""
		c.block(h, b)
	}
	switch nothing := !words && textAlone(read.Blocks) && read.More == 0; {
	case read.IsError && !words && read.More == 0:
		c.errorText(h, a.Result, len(read.Blocks))
	case !read.IsError && nothing:
		c.empty(h, a.Result, len(read.Blocks))
	}
	c.pictures.ofAnswer(read.Blocks)
}

// textAlone reports whether all blocks are texts that can be read: none is
// shown in another way, and none was found a fault with.
func textAlone(blocks []wire.Block) bool {
	for _, b := range blocks {
		if !b.HasText {
			return false
		}
	}
	return true
}

// isError tells of one that is no boolean, and of a slip for it.
func (c *Checker) isError(h heard, result jsonread.Value) {
	const fix = `Write "isError":true for a failure that the model should read; leave it out of a success.`
	v := result.Get("isError")
	switch v.Kind() {
	case jsonread.True, jsonread.False:
		return
	case jsonread.Absent:
		for name := range result.Members() {
			if meansIsError(name) {
				c.fold(h.seq, event.Breach{Rule: abi.CallIsError, Where: h.where(name), Fix: fix,
					Detail: fmt.Sprintf("the result has %s, which MCP does not know: isError seems to be meant. Without it the call is taken as a success", quote.Text(name.String()))}, "slip", h.line())
				return
			}
		}
		return
	}
	c.fold(h.seq, event.Breach{Rule: abi.CallIsError, Where: h.where(v), Fix: fix,
		Detail: fmt.Sprintf("isError is %s, not true or false. Only true makes it a tool error (our reading), so the call is taken as a success", valueAndKind(v))}, "kind", h.line())
}

// meansIsError reports whether a name is another spelling of isError.
func meansIsError(name jsonread.Value) bool {
	for _, slip := range [...]string{"isError", "is_error", "is-error"} {
		if name.Is(slip) || name.Fold(slip) {
			return true
		}
	}
	return false
}

// valueAndKind is a value in a sentence, with its kind where that is what is
// wrong with it.
func valueAndKind(v jsonread.Value) string {
	switch v.Kind() {
	case jsonread.String:
		return quote.Value(v) + ", a string"
	case jsonread.Number:
		return quote.Value(v) + ", a number"
	}
	return quote.Value(v)
}

func (c *Checker) errorText(h heard, result jsonread.Value, blocks int) {
	what := "content has no blocks"
	if blocks > 0 {
		what = "no block has text"
	}
	c.fold(h.seq, event.Breach{Rule: abi.CallErrorText, Where: h.where(result.Get("content")),
		Detail: fmt.Sprintf("isError is true, and %s: the model learns that the tool failed, and not why", what),
		Fix:    `Say in a text block what was wrong and what would be right: {"type":"text","text":"name must not be empty"}.`}, "", h.line())
}

func (c *Checker) empty(h heard, result jsonread.Value, blocks int) {
	what := "content has no blocks"
	if blocks > 0 {
		what = "the text of " + quote.Plural(blocks, "block") + " is empty"
	}
	fix := "Say in a word what was done or found: 0 orders, saved."
	detail := what + ": the model reads nothing"
	if !result.Get("structuredContent").IsZero() {
		detail += ". It does not read structuredContent"
		fix = "Write the value of structuredContent as JSON into a text block."
	}
	c.fold(h.seq, event.Breach{Rule: abi.CallEmpty, Where: h.where(result.Get("content")), Detail: detail, Fix: fix}, "", h.line())
}

// link takes a volume link as it was resolved after the exit. What is wrong
// with the URI itself was told with the answer.
func (c *Checker) link(e event.Event, b event.Link) {
	switch {
	case b.Path == "":
		return
	case b.Problem == "":
		c.pictures.ofLink(b)
		return
	}
	c.add(e, event.Breach{Rule: abi.BlockLinkVolume, Where: b.Where,
		Detail: fmt.Sprintf("block %d links %s: %s", b.Block+1, quotePath(b.URI), b.Problem), Fix: c.linkFix(b)}, "")
}

// linkFix says how the file of a link would be found.
func (c *Checker) linkFix(b event.Link) string {
	beneath := strings.TrimPrefix(b.Path, abi.VolumeRoot)
	switch first, _, _ := strings.Cut(strings.TrimPrefix(beneath, "/"), "/"); {
	case strings.HasPrefix(beneath, abi.VolumeRoot+"/"):
		return fmt.Sprintf("The URI has the path beneath %s: leave out the second volume.", abi.VolumeRoot)
	case abi.VolumeRoot+"/"+first == abi.VolumeData && !c.mounted(abi.VolumeData):
		return fmt.Sprintf("%s is there when the agent enables it, here with --data. %s is there in every call.", abi.VolumeData, abi.VolumeTmp)
	case abi.VolumeRoot+"/"+first != abi.VolumeTmp && abi.VolumeRoot+"/"+first != abi.VolumeData:
		return fmt.Sprintf("Write the file below %s, and link it as %stmp/NAME.", abi.VolumeTmp, abi.VolumeScheme)
	}
	return "Link a PNG, JPEG, GIF or WebP file that is written and closed when the module exits."
}

// mounted reports whether the run has a mount of this name.
func (c *Checker) mounted(guest string) bool {
	for _, m := range c.run.Begin().Mounts {
		if m.Guest == guest {
			return true
		}
	}
	return false
}

package rules

import (
	"fmt"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wire"
	"perch/inspect/picture"
)

// pictureCheck reads the pictures of a call's answer through. That takes a
// while, so it is done when the run has ended and nobody measures it.
type pictureCheck struct{ waiting []shown }

// shown is a picture that Subako takes for one: its first bytes and its
// mimeType say the same.
type shown struct {
	block int
	data  []byte
	link  string // the path of a volume link's file
	where func(at int) event.Where
}

func (p *pictureCheck) ofAnswer(blocks []wire.Block) {
	for _, b := range blocks {
		if b.Image == nil {
			continue
		}
		data := b.Value.Get("data")
		p.waiting = append(p.waiting, shown{block: b.Index, data: b.Image, where: func(at int) event.Where {
			return b.PlaceText(data, at/3*4, at/3*4+4) // the four characters that the byte stands in
		}})
	}
}

func (p *pictureCheck) ofLink(l event.Link) {
	p.waiting = append(p.waiting, shown{block: l.Block, data: l.Data, link: l.Path, where: func(int) event.Where { return l.Where }})
}

// pictureBodies tells of pictures whose header is right and whose rest is not.
func (c *Checker) pictureBodies(e event.Event) {
	left := int64(abi.MaxCheckedPixels)
	for _, s := range c.pictures.waiting {
		used, f := picture.Body(s.data, left)
		left -= used
		if f == nil {
			continue
		}
		info, _ := picture.Examine(s.data)
		what := fmt.Sprintf("the %s of block %d", info.Kind, s.block+1)
		if s.link != "" {
			what += ", " + quotePath(s.link) + ","
		}
		n := len(c.found)
		c.add(e, event.Breach{Rule: abi.BlockImage, Where: s.where(f.At),
			Detail: fmt.Sprintf("%s %s. Its first bytes are right; the ABI page does not say what the model sees of such a picture", what, f.Detail), Fix: f.Fix}, "")
		if len(c.found) > n {
			c.found[n].AlsoMCP = false // MCP asks for base64, and has it
		}
	}
	c.pictures.waiting = nil
}

package model

import (
	"perch/engine/jsonread"
	"perch/engine/wire"
)

// Offer is what the model is given of a package before any call (ABI page, When
// a package is uploaded).
type Offer struct {
	Tools []Given
	Bytes int // of all tools, as Given counts them
}

// Given is what the model is given of one tool: name, description and
// inputSchema, and nothing else. How Subako puts them together for the model is
// not published; the three values are as they were sent.
type Given struct {
	Name        jsonread.Value
	Description jsonread.Value // absent: the tool has none
	InputSchema jsonread.Value
	Bytes       int      // of the three values, as sent
	Sent        int      // of the whole tool, as sent
	LeftOut     []string // names of its other members, which are for people
}

// maxLeftOut is how many members that are left out are named.
const maxLeftOut = 16

// Package is what the model is given of these tools.
func Package(tools []wire.Tool) Offer {
	var o Offer
	for _, t := range tools {
		g := Given{Name: t.Value.Get("name"), Description: t.Value.Get("description"), InputSchema: t.Value.Get("inputSchema"), Sent: len(t.Raw)}
		g.Bytes = len(g.Name.Raw()) + len(g.Description.Raw()) + len(g.InputSchema.Raw())
		for name := range t.Value.Members() {
			if text := name.String(); !given(text) && len(g.LeftOut) < maxLeftOut {
				g.LeftOut = append(g.LeftOut, text)
			}
		}
		o.Tools = append(o.Tools, g)
		o.Bytes += g.Bytes
	}
	return o
}

func given(member string) bool {
	return member == "name" || member == "description" || member == "inputSchema"
}

// JSON is the tool as the model is given it, the three values byte for byte as
// they were sent. A member that the tool does not have is left out.
func (g Given) JSON() []byte {
	b := []byte{'{'}
	for _, m := range []struct {
		name  string
		value jsonread.Value
	}{{"name", g.Name}, {"description", g.Description}, {"inputSchema", g.InputSchema}} {
		if m.value.IsZero() {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(jsonread.AppendQuote(b, m.name), ':')
		b = append(b, m.value.Raw()...)
	}
	return append(b, '}')
}

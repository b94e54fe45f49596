package report

import (
	"perch/inspect/model"
)

// Offer is what the model is given of a package as one object: each tool with
// its name, description and inputSchema byte for byte as they were sent.
func Offer(o model.Offer) []byte {
	var tools list
	for _, t := range o.Tools {
		tools.add(t.JSON())
	}
	var all object
	all.open()
	all.raw("tools", tools.close())
	all.number("bytes", int64(o.Bytes))
	return all.close()
}

package wire

import (
	"slices"

	"perch/engine/jsonread"
	"perch/engine/near"
)

// maxSlips is how many members of a tool are looked at for one that stands in
// the place of another.
const maxSlips = 256

// standIn is the member of a tool without inputSchema that most likely stands
// in its place, as a sentence names it; empty when there is none.
func standIn(tool jsonread.Value) (name string, v jsonread.Value) {
	known := []string{"input_schema", "inputschema", "InputSchema", "parameters", "schema", "params", "arguments", "args", "input"}
	for _, slip := range known {
		if s := tool.Get(slip); !s.IsZero() {
			return slip, s
		}
	}
	n := 0
	for member, value := range tool.Members() {
		if n++; n > maxSlips {
			break
		}
		text := member.String()
		if slices.Contains([]string{"inputSchema", "outputSchema"}, text) || len(text) > len("inputSchema")+2 || len(text)+2 < len("inputSchema") {
			continue
		}
		if near.Word(text, []string{"inputSchema", "outputSchema"}) == "inputSchema" {
			return show(text), value
		}
	}
	return "", jsonread.Value{}
}

// NoSchemaCause is the cause of the breach of a tool that has no inputSchema:
// the same for all tools with the same slip. What else is found about that slip
// follows from it.
func NoSchemaCause(tool jsonread.Value) string {
	if slip, _ := standIn(tool); slip != "" {
		return "no inputSchema, but " + slip
	}
	return "no inputSchema"
}

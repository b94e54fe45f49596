package main

import (
	"bufio"
	"os"

	"faults/mcp"
)

const schema = `{"properties":{"name":{"type":"string"}},"required":["name"]}` // FAULT: no "type":"object"

func main() {
	in := bufio.NewReader(os.Stdin)
	for r, ok := mcp.Read(in); ok; r, ok = mcp.Read(in) {
		result := mcp.Result(r, func(mcp.Arguments) any { return mcp.Said("Hello!") })
		if r.Method == "tools/list" {
			result = mcp.Tools(schema)
		}
		mcp.Write(os.Stdout, r.ID, result)
	}
}

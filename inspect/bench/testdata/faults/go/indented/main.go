package main

import (
	"bufio"
	"encoding/json"
	"os"

	"faults/mcp"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", "  ") // FAULT
	for r, ok := mcp.Read(in); ok; r, ok = mcp.Read(in) {
		result := mcp.Result(r, func(mcp.Arguments) any { return mcp.Said("Hello!") })
		if out.Encode(mcp.Answer{Version: "2.0", ID: r.ID, Result: result}) != nil {
			os.Exit(1)
		}
	}
}

package main

import (
	"bufio"
	"encoding/json"
	"os"

	"faults/mcp"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() { // FAULT: a line of more than 64 KiB ends it
		var r mcp.Request
		if json.Unmarshal(lines.Bytes(), &r) != nil {
			continue
		}
		mcp.Write(os.Stdout, r.ID, mcp.Result(r, func(mcp.Arguments) any { return mcp.Said("Hello!") }))
	}
}

package main

import (
	"bufio"
	"os"

	"faults/mcp"
)

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush() // FAULT: at the end alone
	for r, ok := mcp.Read(in); ok; r, ok = mcp.Read(in) {
		mcp.Write(out, r.ID, mcp.Result(r, func(mcp.Arguments) any { return mcp.Said("Hello!") }))
	}
}

package main

import "faults/mcp"

var kept [][]byte

func main() {
	mcp.Serve(func(a mcp.Arguments) any {
		for range a.Count {
			kept = append(kept, make([]byte, 8<<20)) // FAULT
		}
		return mcp.Said("Hello!")
	})
}

package main

import (
	"strconv"

	"faults/mcp"
)

//go:noinline
func depth(names []string, at int) int {
	return len(names[at%len(names)]) + depth(names, at+1) // FAULT
}

func main() {
	mcp.Serve(func(a mcp.Arguments) any {
		return mcp.Said(strconv.Itoa(depth([]string{a.Name}, 0)))
	})
}

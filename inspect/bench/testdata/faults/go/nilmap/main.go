package main

import "faults/mcp"

var seen map[string]int

func count(name string) {
	seen[name]++ // FAULT
}

func main() {
	mcp.Serve(func(a mcp.Arguments) any {
		count(a.Name)
		return mcp.Said("Hello, " + a.Name + "!")
	})
}

package main

import "faults/mcp"

var greetings = []string{"Hello", "Good day", "Hi"}

func main() {
	mcp.Serve(func(a mcp.Arguments) any {
		return mcp.Said(greetings[a.Count]) // FAULT
	})
}

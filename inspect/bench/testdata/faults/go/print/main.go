package main

import (
	"fmt"

	"faults/mcp"
)

func main() {
	mcp.Serve(func(a mcp.Arguments) any {
		fmt.Println("2026/07/28 12:00:00 greeting", a.Name) // FAULT
		return mcp.Said("Hello, " + a.Name + "!")
	})
}

package main

import "faults/mcp"

type person struct{ title *string }

func find(name string) *person {
	if name == "Grace" {
		return &person{}
	}
	return nil
}

func main() {
	mcp.Serve(func(a mcp.Arguments) any {
		return mcp.Said(*find(a.Name).title) // FAULT
	})
}

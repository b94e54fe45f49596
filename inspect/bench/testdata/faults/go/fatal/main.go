package main

import (
	"log"
	"os"

	"faults/mcp"
)

func main() {
	mcp.Serve(func(mcp.Arguments) any {
		greeting, err := os.ReadFile("/etc/greeting")
		if err != nil {
			log.Fatalf("read the greeting: %v", err) // FAULT
		}
		return mcp.Said(string(greeting))
	})
}

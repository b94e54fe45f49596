package main

import (
	"bufio"
	"os"

	"faults/mcp"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	for {
		r, ok := mcp.Read(in)
		if !ok {
			return
		}
		if r.Method == "tools/call" {
			go mcp.Write(os.Stdout, r.ID, mcp.Said("Hello!")) // FAULT: nothing waits for it
			return
		}
		mcp.Write(os.Stdout, r.ID, mcp.Result(r, nil))
	}
}

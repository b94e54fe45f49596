package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"faults/mcp"
)

func main() {
	in, ready := bufio.NewReader(os.Stdin), false
	for r, ok := mcp.Read(in); ok; r, ok = mcp.Read(in) {
		switch {
		case r.Method == "initialize":
			ready = true
			mcp.Write(os.Stdout, r.ID, json.RawMessage(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"greeter","version":"1"}}`))
		case !ready: // FAULT: nobody sends initialize
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32002,"message":"Server not initialized"}}`+"\n", r.ID)
		default:
			mcp.Write(os.Stdout, r.ID, mcp.Result(r, func(mcp.Arguments) any { return mcp.Said("Hello!") }))
		}
	}
}

package main

import (
	"fmt"
	"os"

	"faults/mcp"
)

func main() {
	mcp.Serve(func(a mcp.Arguments) any {
		fmt.Fprintf(os.Stdout, `{"jsonrpc":"2.0","id":1,"method":"notifications/message","params":{"level":"info","data":%q}}`+"\n", a.Name) // FAULT: it has an id
		return mcp.Said("Hello!")
	})
}

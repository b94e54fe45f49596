package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"
	"strconv"

	"faults/mcp"
)

type request struct {
	ID     int    `json:"id"` // FAULT: an id can be a string
	Method string `json:"method"`
}

func main() {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			log.Print(err)
			continue
		}
		result := mcp.Discover()
		if r.Method == "tools/list" {
			result = mcp.Tools(mcp.Schema)
		}
		if err := mcp.Write(os.Stdout, json.RawMessage(strconv.Itoa(r.ID)), result); err != nil {
			os.Exit(1)
		}
	}
}

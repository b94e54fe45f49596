// Package mcp is what the servers in this folder share and have right. A server
// greets: its one tool is greet, which takes a name.
package mcp

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
)

// Request is a line on stdin.
type Request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string    `json:"name"`
		Arguments Arguments `json:"arguments"`
	} `json:"params"`
}

// Arguments are those of greet.
type Arguments struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Answer is a line on stdout.
type Answer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result"`
}

// Discover answers server/discover.
func Discover() any {
	return json.RawMessage(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"public"}`)
}

// Tools answers tools/list with one tool that has this schema.
func Tools(schema string) any {
	return json.RawMessage(`{"resultType":"complete","tools":[{"name":"greet","description":"Greet someone by name.","inputSchema":` + schema + `}],"ttlMs":0,"cacheScope":"public"}`)
}

// Schema is that of greet's arguments.
const Schema = `{"type":"object","properties":{"name":{"type":"string"},"count":{"type":"integer"}},"required":["name"]}`

// Said is the result of a call: one block of text.
func Said(text string) any {
	type block struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	return map[string]any{"resultType": "complete", "content": []block{{"text", text}}}
}

// Result answers any request; call answers tools/call.
func Result(r Request, call func(Arguments) any) any {
	switch r.Method {
	case "server/discover":
		return Discover()
	case "tools/list":
		return Tools(Schema)
	}
	return call(r.Params.Arguments)
}

// Write writes an answer as one line.
func Write(w io.Writer, id json.RawMessage, result any) error {
	line, err := json.Marshal(Answer{"2.0", id, result})
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

// Read reads the next request; false at the end of stdin.
func Read(in *bufio.Reader) (r Request, ok bool) {
	line, err := in.ReadBytes('\n')
	if err != nil {
		return r, false
	}
	return r, json.Unmarshal(line, &r) == nil
}

// Serve answers each line as it comes, until stdin ends.
func Serve(call func(Arguments) any) {
	in := bufio.NewReader(os.Stdin)
	for {
		r, ok := Read(in)
		if !ok {
			return
		}
		if err := Write(os.Stdout, r.ID, Result(r, call)); err != nil {
			os.Exit(1)
		}
	}
}

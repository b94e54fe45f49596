//go:build wasip1

// Command charts draws charts as PNG files: an image in the answer, and the
// same image as a file on the volume, linked. It is lean: package syscall in
// place of os, and no encoding/json or image/png, which halves the module.
package main

import "syscall"

const version = "2026-07-28"

const discover = `{"resultType":"complete","supportedVersions":["` + version + `"],"capabilities":{"tools":{}},` +
	`"ttlMs":3600000,"cacheScope":"public"}`

func main() {
	var line []byte
	chunk := make([]byte, 1<<16)
	for {
		n, err := syscall.Read(0, chunk)
		if err == syscall.EINTR {
			continue
		}
		if n <= 0 || err != nil {
			serve(string(line)) // the last line may have no newline
			return
		}
		for _, c := range chunk[:n] {
			if c != '\n' {
				line = append(line, c)
				continue
			}
			serve(string(line))
			line = line[:0]
		}
	}
}

// serve answers a line, unless it wants no answer.
func serve(line string) {
	request, ok := parse(line)
	id, method := request.get("id"), request.get("method")
	if !ok || id.raw == "" || !method.isText() {
		return
	}
	params := request.get("params")
	answer := refusal(params.get("_meta"))
	switch {
	case answer != "":
	case method.text == "server/discover":
		answer = `"result":` + discover
	case method.text == "tools/list":
		answer = `"result":` + list
	case method.text == "tools/call":
		answer = call(params.get("name").text, params.get("arguments"))
	default:
		answer = `"error":{"code":-32601,"message":"this method is not known here"}`
	}
	write(1, `{"jsonrpc":"2.0","id":`+id.raw+","+answer+"}\n")
}

// refusal is what MCP refuses before it looks at the method.
func refusal(meta value) string {
	spoken := meta.get("io.modelcontextprotocol/protocolVersion")
	if !spoken.isText() || !meta.get("io.modelcontextprotocol/clientCapabilities").isObject() {
		return `"error":{"code":-32602,"message":"_meta must hold the protocol revision and the client's capabilities"}`
	}
	if spoken.text != version {
		return `"error":{"code":-32022,"message":"this revision is not spoken here","data":{"supported":["` + version +
			`"],"requested":` + spoken.raw + `}}`
	}
	return ""
}

// write puts everything out before it returns.
func write(fd int, text string) {
	for b := []byte(text); len(b) > 0; {
		n, err := syscall.Write(fd, b)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			syscall.Exit(74)
		}
		b = b[n:]
	}
}

func logLine(text string) { write(2, "charts: "+text+"\n") }

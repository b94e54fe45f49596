package inspect_test

import (
	"encoding/base64"
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
)

// callPairs are the rules of a call's result.
func callPairs() []pair {
	const listed = `list result '` + cached + `"tools":[{"name":"act","description":"Counts.","inputSchema":{"type":"object"},` +
		`"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}]}'`
	const text = `"content":[{"type":"text","text":"{\\"n\\":1}"}]`
	return []pair{
		{abi.CallContent, caseOf("content_text"), call(complete + `"content":[{"type":"text","text":"done"}]}'`)},
		{abi.CallIsError, caseOf("is_error_text"), call(complete + `"content":[{"type":"text","text":"done"}],"isError":false}'`)},
		{abi.CallStructured, caseOf("structured_type"), callOf(listed, complete+text+`,"structuredContent":{"n":1}}'`)},
		{abi.CallStructuredText, caseOf("structured_text"), call(complete + text + `,"structuredContent":{"n":1.0}}'`)},
		{abi.CallErrorText, caseOf("silent_error"), call(complete + `"content":[{"type":"text","text":"no such order"}],"isError":true}'`).comesTo(event.ToolError)},
		{abi.CallEmpty, caseOf("empty_content"), call(complete + `"content":[{"type":"text","text":"0"}]}'`)},
	}
}

// pixel is a PNG of one pixel, in base64.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC"

// blockPairs are the rules of content blocks.
func blockPairs() []pair {
	content := func(block string) string {
		return complete + `"content":[{"type":"text","text":"done"},` + block + `]}'`
	}
	return []pair{
		{abi.BlockShape, caseOf("block_no_text"), call(content(`{"type":"text","text":"","annotations":{"audience":["user"]}}`))},
		{abi.BlockImage, caseOf("block_mime"), call(content(`{"type":"image","mimeType":"image/png","data":"` + pixel + `"}`))},
		{abi.BlockLink, caseOf("block_no_name"), call(content(`{"type":"resource_link","uri":"https://example.com/report","name":"report"}`))},
		{abi.BlockLinkVolume, caseOf("block_link"), call(`open '/volume/tmp/a chart.png' wct write '` + escaped(pixel) + `' close ` +
			content(`{"type":"resource_link","uri":"volume:///tmp/a%20chart.png","name":"a chart.png"}`))},
		{abi.BlockLeftOut, caseOf("block_audio"), call(content(`{"type":"text","text":"audio, resource"}`))},
	}
}

// escaped are the bytes of base64 text as a script writes them.
func escaped(text string) string {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	var b strings.Builder
	for _, c := range data {
		fmt.Fprintf(&b, `\x%02x`, c)
	}
	return b.String()
}

// filePairs are the rules of files.
func filePairs() []pair {
	opened := func(rest string) string { return `open '/volume/tmp/a.bin' rwct ` + rest }
	return []pair{
		{abi.FilesBudget, caseOf("budget"), says("errno 0", opened(fmt.Sprintf(`size %d say 'errno $errno' size 0`, abi.WriteBudget)))},
		{abi.FilesAllocate, caseOf("allocate"), says("errno 0", opened(`size 4096 say 'errno $errno'`))},
		{abi.FilesSocket, caseOf("socket"), says("errno 0", opened(`say 'errno $errno'`))},
		{abi.FilesEscape, caseOf("escape"), says("errno 0", `mkdir '/volume/tmp/d' open '/volume/tmp/d/../a.txt' wc say 'errno $errno'`)},
		{abi.FilesReadOnly, caseOf("read_only"), says("errno 0", `open '/skills' r say 'errno $errno'`)},
		{abi.FilesRelative, caseOf("relative"), says("errno 0", `open '/volume/tmp/notes.txt' wc say 'errno $errno'`)},
	}
}

package rules

import (
	"encoding/base64"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
)

// accord says how far MCP 2026-07-28 asks for what a rule of class H asks for.
type accord byte

const (
	subakoAlone accord = iota // MCP allows what the rule refuses
	both
	// byKind: MCP asks for a string, and no more; Subako for certain ones.
	byKind
	// byBase64: MCP asks for base64 with a mimeType, Subako for certain pictures.
	byBase64
	// byTools: a server that offers no tools is right to have no such
	// capability; Subako asks for it.
	byTools
	// byStdout: what is on stdout is a matter of MCP's too, how the module
	// lives is not.
	byStdout
)

// accordOf is the table of the rules of class H that MCP shares. What is not
// in it is Subako's alone: how the module is built and how it lives, how many
// tools there are and how large, that a JSON-RPC error is no answer.
func accordOf(id abi.RuleID) accord {
	switch id {
	// stdio: messages are UTF-8 JSON, one a line; nothing else is on stdout.
	case abi.FrameUTF8, abi.FrameNewline, abi.FrameJSON, abi.FramePretty, abi.FrameContentLength,
		abi.FrameObject, abi.FrameBlank, abi.FrameBOM, abi.LifeOutputAfter:
		return both
	// JSON-RPC 2.0 as MCP uses it: a server sends answers and notifications.
	case abi.RPCVersion, abi.RPCKind, abi.RPCOneOf, abi.RPCIDType, abi.RPCIDEcho, abi.RPCIDUnasked, abi.RPCIDTwice,
		abi.RPCServerRequest, abi.RPCResultObject, abi.RPCMemberCase, abi.RPCHandshake:
		return both
	// Members that DiscoverResult, ListToolsResult and Tool require.
	case abi.DiscoverVersions, abi.ListArray, abi.ToolSchemaObject:
		return both
	// Strings there, of any length and alphabet. That names are unique, of 128
	// characters at most and of letters, digits, _, - and . is a should.
	case abi.ToolName, abi.ToolDescription:
		return byKind
	case abi.BlockImage:
		return byBase64
	case abi.LifeOldContract:
		return byStdout
	case abi.DiscoverTools:
		return byTools
	}
	return subakoAlone
}

// alsoMCP reports whether a breach on Subako's word departs from MCP too.
func (c *Checker) alsoMCP(b event.Breach) bool {
	switch accordOf(b.Rule) {
	case both:
		return true
	case byStdout:
		return b.Where.Stream == event.Stdout
	case byKind:
		return !c.pointsAtString(b.Where)
	case byTools:
		return !c.pointsAt(b.Where, '{') || b.Where.Pointer != "/result/capabilities"
	case byBase64:
		return !c.pointsAtString(b.Where) || strings.HasSuffix(b.Where.Pointer, "/data") && !c.pointsAtBase64(b.Where)
	}
	return false
}

// pointsAt reports whether a place on stdout begins with a byte. Where a member
// is missing, it is the object that lacks it.
func (c *Checker) pointsAt(w event.Where, first byte) bool {
	b := c.run.Stream(event.Stdout).Bytes(w.Offset, 1)
	return len(b) == 1 && b[0] == first
}

func (c *Checker) pointsAtString(w event.Where) bool { return c.pointsAt(w, '"') }

func (c *Checker) pointsAtBase64(w event.Where) bool {
	doc, err := jsonread.Parse(c.run.Stream(event.Stdout).Bytes(w.Offset, int(w.End-w.Offset)))
	if err != nil {
		return false
	}
	text := doc.Root().String()
	_, wrong := base64.StdEncoding.DecodeString(text)
	return text != "" && wrong == nil && !strings.ContainsAny(text, "\r\n")
}

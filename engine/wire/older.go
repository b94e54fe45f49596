package wire

import (
	"bytes"
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/quote"
)

// Handshake is the breach of a module that waits for initialize, as MCP had it
// before revision 2026-07-28. sign says how it shows, for a sentence.
func Handshake(at event.Where, sign string) event.Breach {
	return event.Breach{Rule: abi.RPCHandshake, Where: at,
		Detail: fmt.Sprintf("looks like an older MCP revision: it waits for initialize. ABI 1 has none; the first request is %s. The sign: %s", abi.MethodDiscover, sign),
		Fix:    fixHandshake()}
}

func fixHandshake() string {
	return fmt.Sprintf("Answer %s, %s and %s without a handshake, as revision %s has it.", abi.MethodDiscover, abi.MethodList, abi.MethodCall, abi.ProtocolVersion)
}

// SaysItWaits finds the words of a server that waits for initialize in the end
// of stderr, and quotes their line.
func SaysItWaits(stderr []byte) (quoted string, ok bool) {
	return lineWith(stderr, []string{
		"waiting for initializ", "waiting for the initializ", "waiting for client to initialize", "waiting for the client to initialize",
		"waiting for handshake", "waiting for the handshake", "expected initialize", "expect initialize", "expects initialize", "expecting initialize",
		"expectedinitialize", "before initializ", "before the initializ", "before handshake", "before the handshake", "without initialize", "initialize first",
		"server not initialized", "server is not initialized", "session not initialized", "session is not initialized",
		"client not initialized", "client has not initialized", "mcp not initialized", "during session initialization",
	})
}

// AsksForArguments finds the words of a program that wants arguments on its
// command line in the end of stderr, and quotes their line.
func AsksForArguments(stderr []byte) (quoted string, ok bool) {
	return lineWith(stderr, asksForArguments())
}

func asksForArguments() []string {
	return []string{
		"usage:", "missing argument", "missing required argument", "missing tool", "no tool name", "no tool given", "tool name is missing",
		"tool name required", "tool name is required", "expected a tool", "expected tool", "not enough arguments", "too few arguments",
		"required arguments were not provided", "no arguments given", "argv[1]",
	}
}

// lineWith finds a line that holds one of some phrases, whatever its case, with
// the quotes around a word left out.
func lineWith(text []byte, phrases []string) (quoted string, ok bool) {
	for line := range bytes.Lines(text) {
		plain, _ := stripped(line[:min(len(line), lookedAt)])
		low := strings.Map(func(r rune) rune {
			if strings.ContainsRune("\"'`", r) {
				return -1
			}
			return r
		}, strings.ToLower(strings.ReplaceAll(plain, "initialis", "initializ")))
		for _, p := range phrases {
			if strings.Contains(low, p) {
				return quote.TextTo(strings.TrimSpace(plain), longestCrash), true
			}
		}
	}
	return "", false
}

// OldArguments is the breach of a module from before ABI 1 that ended because
// no tool's name is in argv. sign is what it said.
func OldArguments(at event.Where, sign string) event.Breach {
	return event.Breach{Rule: abi.LifeOldContract, Where: at,
		Detail: "looks like the contract before ABI 1: the module wants a tool's name in argv, and ended without a look at stdin. It says: " + sign,
		Fix:    fixOldContract}
}

const fixOldContract = "Build it with an SDK for ABI 1: requests come as JSON-RPC lines on stdin, the tool's name is in tools/call, and argv has one entry, the package's name."

// MissesArgument reports whether a crash is that of a look at the second entry
// of argv, which has one.
func (c Crash) MissesArgument() bool {
	if strings.Contains(c.Text, "index out of range [1] with length 1") || strings.Contains(c.Text, "the len is 1 but the index is 1") {
		return true
	}
	_, asks := lineWith([]byte(c.Text), asksForArguments())
	return asks
}

// Asleep reports whether the crash is Go's word that no goroutine can go on.
func (c Crash) Asleep() bool { return strings.Contains(c.Text, "all goroutines are asleep") }

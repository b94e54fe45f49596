package rules

import (
	"fmt"
	"strconv"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/engine/quote"
)

// errorAnswer looks at a JSON-RPC error as MCP does, which allows them.
func (c *Checker) errorAnswer(h heard) {
	root := h.doc.Root()
	if !root.Get("result").IsZero() {
		return // neither an error nor a result: the engine's judge said so
	}
	if id := root.Get("id"); id.Kind() == jsonread.Null {
		c.fold(h.seq, event.Breach{Rule: abi.RPCIDNull, Where: h.where(id),
			Detail: "the error has the id null. MCP leaves the id out of an error that answers no request it could read",
			Fix:    "Echo the id of the request; leave the member out where none was read."}, "", h.line())
	}
	e := root.Get("error")
	s := shaped{c: c, h: h, rule: abi.ErrorShape, place: h.line()}
	if e.Kind() != jsonread.Object {
		s.say(e, "error", fmt.Sprintf("error is %s, not an object", quote.Value(e)), `Write {"code":…,"message":"…"}.`)
		return
	}
	code, message := e.Get("code"), e.Get("message")
	switch {
	case code.IsZero():
		s.say(e, "no code", "the error has no code", "Write a whole number, -32603 where no other fits.")
	case !code.IsInteger():
		s.say(code, "code", fmt.Sprintf("the error's code is %s, not a whole number", quote.Value(code)), "Write a whole number, -32603 where no other fits.")
	}
	switch {
	case message.IsZero():
		s.say(e, "no message", "the error has no message", "Write a sentence.")
	case message.Kind() != jsonread.String:
		s.say(message, "message", fmt.Sprintf("the error's message is %s, not a string", quote.Value(message)), "Write a sentence.")
	}
	n, ok := code.Int()
	if !ok {
		return
	}
	if detail, fix := namedCode(n); detail != "" {
		s.rule = abi.ErrorCode
		s.say(code, fmt.Sprint(n), fmt.Sprintf("the error's code, %d, %s", n, detail), fix)
	}
	s.rule = abi.ErrorData
	s.errorData(e, n)
}

// namedCode says of a code that MCP 2026-07-28 keeps servers from using.
func namedCode(n int64) (detail, fix string) {
	switch {
	case n == abi.CodeRetiredNotFound:
		return fmt.Sprintf("is retired: earlier revisions of MCP had it for a resource that is not there, now it is %d", abi.CodeInvalidParams),
			fmt.Sprintf("Write %d.", abi.CodeInvalidParams)
	case n == abi.CodeRetiredElicitation:
		return "is retired: an earlier revision of MCP had it for a URL that a person has to visit first", "Write another code."
	case n == abi.CodeHeaderMismatch:
		return "is for headers of HTTP that do not fit: there are none on stdio", fmt.Sprintf("Write %d.", abi.CodeInvalidParams)
	case n == abi.CodeMissingCapability || n == abi.CodeUnsupportedVersion:
		return "", ""
	case n <= abi.FirstReservedCode && n >= abi.LastReservedCode:
		return fmt.Sprintf("is one of those that MCP keeps for itself, %d to %d, and it has no meaning yet", abi.FirstReservedCode, abi.LastReservedCode),
			"Take a code of your own outside -32768 to -32000, or one of JSON-RPC's."
	case n <= abi.FirstLegacyCode && n >= abi.LastLegacyCode:
		return fmt.Sprintf("is one of the old range of servers' own codes, %d to %d: nobody can tell what it means", abi.FirstLegacyCode, abi.LastLegacyCode),
			"Take a code of your own outside -32768 to -32000, or one of JSON-RPC's."
	}
	return "", ""
}

// errorData looks at the data that two of MCP's codes carry.
func (s shaped) errorData(e jsonread.Value, code int64) {
	data := e.Get("data")
	var missing, example []string
	want := func(ok bool, name, what, written string) {
		if !ok {
			missing = append(missing, fmt.Sprintf("data.%s, %s", name, what))
			example = append(example, fmt.Sprintf("%q:%s", name, written))
		}
	}
	switch code {
	case abi.CodeMissingCapability:
		want(data.Get("requiredCapabilities").Kind() == jsonread.Object, "requiredCapabilities", "the capabilities that are needed", "{…}")
	case abi.CodeUnsupportedVersion:
		v := data.Get("supported")
		want(v.Kind() == jsonread.Array && allStrings(v), "supported", "the list of revisions that are known", "["+strconv.Quote(abi.ProtocolVersion)+"]")
		want(data.Get("requested").Kind() == jsonread.String, "requested", "the revision that was asked for", `"…"`)
	}
	if len(missing) == 0 {
		return
	}
	in := data
	if in.IsZero() {
		in = e
	}
	s.say(in, "data", fmt.Sprintf("the error %d does not say what MCP asks for with this code: %s", code, strings.Join(missing, "; ")),
		fmt.Sprintf(`Write "data":{%s}.`, strings.Join(example, ",")))
}

func allStrings(list jsonread.Value) bool {
	for _, e := range list.Elements() {
		if e.Kind() != jsonread.String {
			return false
		}
	}
	return true
}

package wire

import (
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
)

// envelope is a message's object with the members that JSON-RPC gives it.
type envelope struct {
	line                                line
	root                                jsonread.Value
	version, id, method, result, errors jsonread.Value
	missing                             []string // JSON-RPC's members that it does not have
}

func open(l line, root jsonread.Value) envelope {
	names := []string{"jsonrpc", "id", "method", "params", "result", "error"}
	v := root.GetAll(names...)
	e := envelope{line: l, root: root, version: v[0], id: v[1], method: v[2], result: v[4], errors: v[5]}
	for i, name := range names {
		if v[i].IsZero() {
			e.missing = append(e.missing, name)
		}
	}
	return e
}

// message judges an object by the rules of rpc, error and result, finds the
// request that it answers, and fills in m. The first fault counts.
func (j *Judge) message(l line, root jsonread.Value, m *event.Message) (*asked, *fault) {
	e := open(l, root)
	e.describe(m)
	q := j.match(e.id)
	if q != nil && (m.Kind == event.Result || m.Kind == event.ErrorAnswer) {
		m.Answers = q.Line
	}
	for _, check := range []func(envelope, *asked) *fault{
		memberCase, version, j.kind, oneOf, j.errorAnswer, idType, j.idKnown, resultObject, resultType,
	} {
		if f := check(e, q); f != nil {
			return nil, f
		}
	}
	if m.Kind == event.Notification {
		return nil, nil
	}
	return q, nil
}

// describe says what kind of message the object wants to be.
func (e envelope) describe(m *event.Message) {
	m.ID = string(e.id.Raw())
	m.Method, _ = e.method.Text()
	switch {
	case !e.method.IsZero() && !e.id.IsZero():
		m.Kind = event.ServerReq
	case !e.method.IsZero():
		m.Kind = event.Notification
	case !e.errors.IsZero():
		m.Kind = event.ErrorAnswer
	case !e.result.IsZero():
		m.Kind = event.Result
	default:
		m.Kind = event.NotMessage
		m.What = "JSON, but no message"
	}
}

// match finds the request with this id, by type and value.
func (j *Judge) match(id jsonread.Value) *asked {
	for _, q := range j.asked {
		if q.id.Equal(id) {
			return q
		}
	}
	return nil
}

func (e envelope) fault(rule abi.RuleID, at jsonread.Value, detail, fix string) *fault {
	if at.IsZero() {
		at = e.root
	}
	return &fault{Breach: event.Breach{Rule: rule, Where: e.line.whereValue(at), Detail: detail, Fix: fix}}
}

// memberCase finds a member that would be one of JSON-RPC's but for its
// spelling, where the right one is missing. Some decoders, Go's among them,
// fold case and even ſ and K (KELVIN SIGN), so local tests pass.
func memberCase(e envelope, _ *asked) *fault {
	if !e.meansRPC() {
		return nil
	}
	for name := range e.root.Members() {
		for _, right := range e.missing {
			if !name.Fold(right) {
				continue
			}
			return e.fault(abi.RPCMemberCase, name,
				fmt.Sprintf("the member %s is not %s: names match exactly, case included", spelling(name), show(right)),
				fmt.Sprintf("Write %s. A decoder that folds case hides this in local tests.", show(right)))
		}
	}
	return nil
}

// meansRPC reports whether the object has a jsonrpc member, in whatever case:
// else an "Error" in it is a log's.
func (e envelope) meansRPC() bool {
	if !e.version.IsZero() {
		return true
	}
	for name := range e.root.Members() {
		if name.Fold("jsonrpc") {
			return true
		}
	}
	return false
}

// spelling shows a name as it stands in the line when it has characters that
// look like others.
func spelling(name jsonread.Value) string {
	text := name.String()
	for _, r := range text {
		if r > 0x7f {
			return fmt.Sprintf("%s (with U+%04X)", show(text), r)
		}
	}
	return show(text)
}

func version(e envelope, _ *asked) *fault {
	if e.version.Is("2.0") {
		return nil
	}
	if !e.version.IsZero() {
		kind := ""
		if e.version.Kind() == jsonread.Number {
			kind = ", a number"
		}
		return e.fault(abi.RPCVersion, e.version,
			fmt.Sprintf(`jsonrpc is %s%s; a JSON-RPC 2.0 message has the string "2.0"`, brief(e.version), kind),
			`Write "jsonrpc":"2.0".`)
	}
	fix := `Write "jsonrpc":"2.0" into each message.`
	if name := resultMember(e.root); name != "" && !e.rpc() {
		return e.fault(abi.RPCVersion, e.root,
			fmt.Sprintf("%s is a result alone (%s), without the JSON-RPC message around it", e.line.name(), show(name)),
			`Write it as the result of a message: {"jsonrpc":"2.0","id":…,"result":{…}}, with the id of the request.`)
	}
	if !e.rpc() {
		fix = "Logs, JSON ones too, belong on stderr. " + fix
	}
	return e.fault(abi.RPCVersion, e.root,
		e.line.name()+" is JSON, but not a JSON-RPC 2.0 message: no member \"jsonrpc\"", fix)
}

// resultMember is the member by which an object is known as the result of a request that
// lacks its message; empty for others.
func resultMember(root jsonread.Value) string {
	for _, name := range []string{"content", "structuredContent", "tools", "supportedVersions"} {
		if k := root.Get(name).Kind(); k == jsonread.Array || k == jsonread.Object {
			return name
		}
	}
	return ""
}

// rpc reports whether the object has a member of JSON-RPC that says what it is.
func (e envelope) rpc() bool {
	for _, v := range []jsonread.Value{e.version, e.id, e.method, e.result} {
		if !v.IsZero() {
			return true
		}
	}
	return false
}

// kind refuses what is neither an answer nor a notification, requests of the
// module above all.
func (j *Judge) kind(e envelope, q *asked) *fault {
	if e.method.IsZero() {
		if e.id.IsZero() && e.result.IsZero() && e.errors.IsZero() {
			return e.fault(abi.RPCKind, e.root,
				e.line.name()+" is neither an answer nor a notification: no method, result or error", "Answer with id and result.")
		}
		return nil
	}
	method, ok := e.method.Text()
	switch {
	case !ok:
		return e.fault(abi.RPCKind, e.method, fmt.Sprintf("method is %s, not a string", brief(e.method)), "")
	case !e.result.IsZero() || !e.errors.IsZero():
		name := "result"
		if e.result.IsZero() {
			name = "error"
		}
		return e.fault(abi.RPCKind, e.method,
			fmt.Sprintf("%s has both method and %s: it is neither an answer nor a notification", e.line.name(), name),
			"An answer has id and result, and no method.")
	case e.id.IsZero():
		return nil
	case q != nil && q.Method == method:
		return e.fault(abi.RPCServerRequest, e.method,
			fmt.Sprintf("echoes the request %s (%s) in place of an answer", q.ID, method),
			"Answer with the same id and a result, without method and params.")
	}
	return e.fault(abi.RPCServerRequest, e.method,
		fmt.Sprintf("sends a request of its own, method %s. A stateless server sends none, and nobody answers it", show(method)),
		insteadOf(method))
}

// insteadOf says what to do in place of a request to the client.
func insteadOf(method string) string {
	switch {
	case strings.HasPrefix(method, "notifications/"):
		return "A notification has no id: leave the member out."
	case method == "roots/list":
		return "There are no roots: open files below /volume/tmp by their absolute names."
	case strings.HasPrefix(method, "sampling/"), strings.HasPrefix(method, "elicitation/"):
		return "Take what you need as an argument of the tool, or answer with a text that asks for it."
	}
	return "Leave it out and answer the request that is open."
}

func oneOf(e envelope, _ *asked) *fault {
	switch {
	case !e.method.IsZero():
		return nil
	case e.result.IsZero() && e.errors.IsZero():
		return e.fault(abi.RPCOneOf, e.root,
			fmt.Sprintf("answers id %s with neither result nor error", brief(e.id)), "Add a result, an object.")
	case e.result.IsZero() || e.errors.IsZero():
		return nil
	case e.errors.Kind() == jsonread.Null:
		return e.fault(abi.RPCOneOf, e.errors,
			`has "error":null beside a result. JSON-RPC goes by which members are there, null included`,
			"Leave error out of a good answer.")
	}
	return e.fault(abi.RPCOneOf, e.errors, "has both result and error; an answer has exactly one", "Leave error out. A failure that the model should read is a result with isError.")
}

// errorAnswer refuses a JSON-RPC error, whatever its id, and tells the error of
// an older MCP revision that waits for its handshake.
func (j *Judge) errorAnswer(e envelope, q *asked) *fault {
	if e.errors.IsZero() || j.errors && e.errors.Kind() == jsonread.Object {
		return nil
	}
	if q == nil {
		q = j.open()
	}
	code, message := e.errors.Get("code"), e.errors.Get("message").String()
	said := "an error"
	if code.Kind() == jsonread.Number {
		said = "error " + showNumber(code)
	}
	if message != "" {
		said += ", " + show(message)
	}
	if waitsForInitialize(message, e.errors.Get("data").String()) {
		return e.fault(abi.RPCHandshake, e.errors,
			fmt.Sprintf("looks like an older MCP revision: it waits for initialize (%s). ABI 1 has none; the first request is %s", said, abi.MethodDiscover),
			fixHandshake())
	}
	detail := "answers with " + said
	if q != nil {
		detail = fmt.Sprintf("answers %s, request %s, with %s", q.Method, q.ID, said)
	}
	return e.fault(abi.ErrorAnswered, e.errors, detail+". A JSON-RPC error is never an answer", insteadOfError(q, code))
}

// waitsForInitialize knows the words of servers that want a handshake first.
func waitsForInitialize(texts ...string) bool {
	for _, text := range texts {
		text = strings.ToLower(text)
		for _, word := range []string{"initialize", "initialise", "initializ", "initialis", "handshake"} {
			if strings.Contains(text, word) {
				return true
			}
		}
	}
	return false
}

func insteadOfError(q *asked, code jsonread.Value) string {
	switch {
	case q == nil:
		return "Answer each request with a result."
	case q.Method == abi.MethodCall:
		return `A failure that the model should read is a result: {"content":[{"type":"text","text":"…"}],"isError":true}.`
	case q.Method == abi.MethodDiscover && string(code.Raw()) == "-32601":
		return fmt.Sprintf(`The module does not know %s; older MCP revisions have no such method. Answer {"supportedVersions":[%q],"capabilities":{"tools":{}}}.`, abi.MethodDiscover, abi.ProtocolVersion)
	}
	return fmt.Sprintf("Answer %s with a result.", q.Method)
}

// open is the request that waits for its answer.
func (j *Judge) open() *asked {
	for _, q := range j.asked {
		if q.answered == 0 {
			return q
		}
	}
	return nil
}

func idType(e envelope, _ *asked) *fault {
	switch {
	case !e.method.IsZero() || e.id.IsZero() || e.id.Kind() == jsonread.String || e.id.IsInteger():
		return nil
	}
	return e.fault(abi.RPCIDType, e.id,
		fmt.Sprintf("the answer's id is %s; an id is a string or a whole number", brief(e.id)), "Echo the id as it came.")
}

// idKnown holds an answer's id against those that were asked.
func (j *Judge) idKnown(e envelope, q *asked) *fault {
	const echo = "Echo the id as it came, with its type."
	open := j.open()
	switch {
	case !e.method.IsZero():
		return nil
	case e.id.IsZero():
		detail := "the answer has no id"
		if open != nil {
			detail += "; asked was " + showID(open.id)
		}
		return e.fault(abi.RPCIDEcho, e.root, detail, echo)
	case q != nil && q.answered > 0:
		return e.fault(abi.RPCIDTwice, e.id,
			fmt.Sprintf("id %s was already answered by line %d", brief(e.id), q.answered), "Answer each request once.")
	case q != nil:
		return nil
	case open != nil && quotedTwice(open.id, e.id):
		return e.fault(abi.RPCIDEcho, e.id,
			fmt.Sprintf("answers id %s, with the quotes of the id in it; asked was %s", brief(e.id), showID(open.id)),
			"Echo the id as it came: its quotes are there already.")
	case open != nil && otherType(open.id, e.id):
		return e.fault(abi.RPCIDEcho, e.id,
			fmt.Sprintf("answers id %s; asked was %s", showID(e.id), showID(open.id)), echo)
	}
	detail := fmt.Sprintf("answers id %s, which was not asked", showID(e.id))
	if open != nil {
		detail += fmt.Sprintf("; open is %s (%s)", showID(open.id), open.Method)
	} else {
		detail += "; no request is open"
	}
	return e.fault(abi.RPCIDUnasked, e.id, detail, "Echo the id of the request, as it came: ids differ every time.")
}

// quotedTwice reports whether an answer's id is the JSON text of a string that
// was asked, made a string once more.
func quotedTwice(asked, id jsonread.Value) bool {
	return asked.Kind() == jsonread.String && id.Kind() == jsonread.String && id.String() == string(asked.Raw())
}

// otherType reports whether two ids are a number and a string that say the same.
func otherType(a, b jsonread.Value) bool {
	return a.Kind() != b.Kind() && a.String() == b.String()
}

func resultObject(e envelope, q *asked) *fault {
	if e.result.IsZero() || e.result.Kind() == jsonread.Object {
		return nil
	}
	fix := "Write an object."
	if q != nil && q.Method == abi.MethodCall {
		fix = `Write {"content":[{"type":"text","text":"…"}]}.`
	}
	return e.fault(abi.RPCResultObject, e.result, fmt.Sprintf("the result is %s, not an object", brief(e.result)), fix)
}

func resultType(e envelope, _ *asked) *fault {
	v := e.result.Get("resultType")
	if v.IsZero() || v.Is("complete") {
		return nil
	}
	fix := `Write "resultType":"complete", or leave it out.`
	if v.Is("input_required") {
		fix = "Nobody can be asked within a call: take what you need as an argument of the tool."
	}
	return e.fault(abi.ResultTypeValue, v, fmt.Sprintf(`resultType is %s; Subako takes "complete" alone`, brief(v)), fix)
}

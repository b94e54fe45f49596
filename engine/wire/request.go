package wire

import (
	"bytes"
	"fmt"

	"perch/engine/abi"
	"perch/engine/jsonread"
)

// Request is a line that Subako sends.
type Request struct {
	ID     string // JSON text
	Method string
	Bytes  []byte // the line, its LF included
	Line   int    // in stdin, from 1; set by who sends it
	Offset int64  // in stdin, from 0; set by who sends it
}

// Discover is the first request of an upload run. The id is JSON text.
func Discover(id string) Request {
	return request(id, abi.MethodDiscover, nil)
}

// List asks for a page of tools. cursor is the JSON text of the nextCursor
// before, exactly as the module wrote it; nil asks for the first page.
func List(id string, cursor []byte) Request {
	var params []byte
	if cursor != nil {
		params = append(member(params, "cursor"), oneLine(cursor)...)
		params = append(params, ',')
	}
	return request(id, abi.MethodList, params)
}

// Call calls a tool. arguments is JSON text, as Arguments makes it; another
// value than an object is sent as it stands.
func Call(id, tool string, arguments []byte) Request {
	params := jsonread.AppendQuote(member(nil, "name"), tool)
	params = append(params, ',')
	params = append(member(params, "arguments"), oneLine(arguments)...)
	return request(id, abi.MethodCall, append(params, ','))
}

// request writes the line in the ABI page's form: its members, their order and
// no white space. params are members with a comma behind each.
func request(id, method string, params []byte) Request {
	b := jsonread.AppendQuote(member([]byte{'{'}, "jsonrpc"), "2.0")
	b = append(member(append(b, ','), "id"), id...)
	b = jsonread.AppendQuote(member(append(b, ','), "method"), method)
	b = append(member(append(b, ','), "params"), '{')
	b = append(b, params...)
	b = append(appendMeta(b), "}}\n"...)
	return Request{ID: id, Method: method, Bytes: b}
}

// appendMeta writes the _meta of every request.
func appendMeta(b []byte) []byte {
	b = append(member(b, "_meta"), '{')
	b = jsonread.AppendQuote(member(b, abi.MetaProtocolVersion), abi.ProtocolVersion)
	b = append(member(append(b, ','), abi.MetaClientInfo), '{')
	b = jsonread.AppendQuote(member(b, "name"), abi.ClientName)
	b = jsonread.AppendQuote(member(append(b, ','), "version"), abi.ClientVersion)
	b = append(member(append(b, "},"...), abi.MetaClientCapabilities), "{}}"...)
	return b
}

func member(b []byte, name string) []byte {
	return append(jsonread.AppendQuote(b, name), ':')
}

// Arguments reads what a person gave as a call's arguments and returns the text
// that is sent: as it was typed, on one line (without the white space between
// its tokens when it holds a line break, else only without that around it).
// Nothing at all is {}. The error is a *jsonread.Error for what is no JSON, and
// an *ArgumentsError for JSON that is no object (ABI page: its arguments, an
// object).
func Arguments(text []byte) ([]byte, error) {
	if len(bytes.Trim(text, " \t\r\n")) == 0 {
		return []byte("{}"), nil
	}
	doc, err := jsonread.Parse(text)
	if err != nil {
		return nil, err
	}
	if kind := doc.Root().Kind(); kind != jsonread.Object {
		return nil, &ArgumentsError{kind}
	}
	return oneLine(text), nil
}

// ArgumentsError says that arguments are JSON, but no object.
type ArgumentsError struct{ Kind jsonread.Kind }

// Error implements error.
func (e *ArgumentsError) Error() string {
	return fmt.Sprintf("arguments are %s; a tool takes an object, {} when it needs nothing", e.Kind)
}

// oneLine takes line breaks out of JSON text. They can only stand between
// tokens.
func oneLine(text []byte) []byte {
	text = bytes.Trim(text, " \t\r\n")
	if bytes.ContainsAny(text, "\r\n") {
		return jsonread.Compact(make([]byte, 0, len(text)), text)
	}
	return text
}

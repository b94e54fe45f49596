package wire

import (
	"bytes"
	"fmt"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
)

// Cause is the breach on stdout that broke the run, as well as it can be
// explained by what came after it; false when none did. Its rule may be another
// than that of the breach that was handed over: lines that join to one message
// are frame/pretty, where the first of them alone was frame/json. It is final
// when no more bytes come.
func (j *Judge) Cause() (event.Breach, bool) {
	if j.first == nil {
		return event.Breach{}, false
	}
	b := j.first.Breach
	if j.first.early {
		if better, ok := j.joined(j.first); ok {
			return better, true
		}
	}
	if j.good > 0 {
		b.Detail += fmt.Sprintf(". Line %d would have been accepted", j.good)
	}
	return b, true
}

// joined explains a line that ends inside a value by the lines that complete it.
func (j *Judge) joined(f *fault) (event.Breach, bool) {
	text := j.out[f.line.offset:]
	doc, end, err := whole.ParsePrefix(text)
	inString := false
	if err != nil {
		if !f.str {
			return event.Breach{}, false
		}
		doc, end, err = rejoined(text)
		if err != nil {
			return event.Breach{}, false
		}
		inString = true
	}
	rest := text[end:]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	if len(bytes.Trim(rest, " \t\r")) > 0 {
		return event.Breach{}, false // the last line goes on behind the value
	}
	return j.pretty(f, doc, text[:end], inString), true
}

// rejoined reads text whose line breaks may stand in strings: there each is
// taken for the \n that was meant. end is where the value ends in text.
func rejoined(text []byte) (doc *jsonread.Doc, end int, err *jsonread.Error) {
	fixed := make([]byte, 0, len(text)+len(text)/8)
	var added []int // offsets in fixed behind each byte that was added
	in, escaped := false, false
	for _, c := range text {
		switch {
		case in && c == '\n':
			fixed = append(fixed, '\\')
			added = append(added, len(fixed))
			c = 'n'
		case in && c == '\r':
			fixed = append(fixed, '\\')
			added = append(added, len(fixed))
			c = 'r'
		case in && escaped:
			escaped = false
		case in && c == '\\':
			escaped = true
		case c == '"':
			in = !in
		}
		fixed = append(fixed, c)
	}
	doc, n, err := whole.ParsePrefix(fixed)
	if err != nil {
		return nil, 0, err
	}
	end = n
	for _, at := range added {
		if at <= n {
			end--
		}
	}
	return doc, end, nil
}

// pretty is the one finding about a message that spans lines.
func (j *Judge) pretty(f *fault, doc *jsonread.Doc, text []byte, inString bool) event.Breach {
	lines := bytes.Count(text, []byte{'\n'}) + 1
	root := doc.Root()
	what := "a JSON value"
	note := ""
	if root.Kind() == jsonread.Object {
		m := &event.Message{}
		q, wrong := j.message(f.line, root, m)
		switch m.Kind {
		case event.Result, event.ErrorAnswer:
			what = "an answer"
		case event.Notification:
			what = "a notification"
		case event.ServerReq:
			what = "a request"
		}
		switch {
		case wrong == nil && q != nil && !inString:
			note = ". On one line it would have been accepted"
		case wrong != nil:
			note = ". On one line it would break the call still: " + wrong.Detail
		}
	}
	b := event.Breach{
		Rule:   abi.FramePretty,
		Where:  f.line.where(0, len(text)),
		Detail: fmt.Sprintf("%s spread over %s; Subako reads one message per line%s", what, plural(lines, "line"), note),
		Fix:    "Write compact JSON: encode without indentation.",
	}
	if inString {
		b.Detail = fmt.Sprintf("%s spread over %s: a line break stands raw in a string; Subako reads one message per line%s", what, plural(lines, "line"), note)
		b.Fix = "Escape a line break in a string as \\n: write the message with a JSON encoder."
	}
	return b
}

// OldContract is the breach of a module from before ABI 1 spoke MCP, when
// stdout holds nothing but one bare JSON value without a member of JSON-RPC;
// who runs the module says whether it ended by itself. Such a module took its
// tool's name from argv and answered with bare JSON.
func (j *Judge) OldContract() (event.Breach, bool) {
	text := bytes.TrimSpace(j.out)
	if j.total > abi.MaxStdout {
		return event.Breach{}, false
	}
	doc, err := whole.Parse(text)
	if err != nil || len(text) == 0 {
		return event.Breach{}, false
	}
	root := doc.Root()
	e := envelope{version: root.Get("jsonrpc"), id: root.Get("id"), method: root.Get("method"), result: root.Get("result")}
	if e.rpc() {
		return event.Breach{}, false
	}
	at := bytes.Index(j.out, text)
	return event.Breach{
		Rule:   abi.LifeOldContract,
		Where:  event.Where{Stream: event.Stdout, Line: 1, Offset: int64(at), End: int64(at + len(text))},
		Detail: fmt.Sprintf("looks like the contract before ABI 1: bare JSON on stdout (%s), no JSON-RPC message", show(string(text[:min(len(text), 4*longest)]))),
		Fix:    fixOldContract,
	}, true
}

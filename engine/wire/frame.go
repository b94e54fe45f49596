package wire

import (
	"bytes"
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
)

// blank is the fault of a line of nothing. The page says that any line that is
// not a message breaks the call; that an empty one counts is our reading.
func blank(l line) *fault {
	if !l.newline {
		return &fault{line: l, Breach: event.Breach{Rule: abi.FrameNewline, Where: l.where(0, len(l.bytes)),
			Detail: fmt.Sprintf("stdout ends in %s of white space without a newline", plural(len(l.bytes), "byte")),
			Fix:    "End stdout with the newline of the last message."}}
	}
	detail := l.name() + " is empty. Our reading: an empty line is no message"
	if n := len(bytes.TrimRight(l.bytes, "\r")); n > 0 {
		detail = l.name() + " holds white space alone. Our reading: that is no message"
	}
	return &fault{line: l, Breach: event.Breach{Rule: abi.FrameBlank, Where: l.where(0, len(l.bytes)), Detail: detail,
		Fix: "End a message in one \\n: a println of text that ends in \\n writes two."}}
}

// noNewline is the fault of a whole object at the end of stdout.
func (j *Judge) noNewline(l line, doc *jsonread.Doc) *fault {
	detail := fmt.Sprintf("the last line, %s, does not end in \\n", plural(len(l.bytes), "byte"))
	m := &event.Message{}
	if q, f := j.message(l, doc.Root(), m); f == nil && q != nil {
		detail += fmt.Sprintf("; with it, it would answer request %s", q.ID)
	}
	return &fault{line: l, Breach: event.Breach{Rule: abi.FrameNewline, Where: l.where(len(l.bytes), len(l.bytes)),
		Detail: detail, Fix: "End each message in one \\n, and flush."}}
}

// notObject is the fault of a JSON value that is no message.
func notObject(l line, root jsonread.Value, m *event.Message) *fault {
	m.What = root.Kind().String()
	detail := fmt.Sprintf("%s is JSON, but not a JSON-RPC message: it is %s, not an object", l.name(), brief(root))
	fix := "Logs belong on stderr."
	if root.Kind() == jsonread.Array {
		m.What = "a list"
		fix = "Write each message on a line of its own."
		if inner := messages(root); inner > 0 || root.Len() == 0 {
			m.What = "a batch"
			detail = fmt.Sprintf("%s is a list (a batch) of %s. MCP %s has no batches: a message is one object", l.name(), plural(root.Len(), "message"), abi.ProtocolVersion)
		}
	}
	return &fault{line: l, Breach: event.Breach{Rule: abi.FrameObject, Where: l.where(root.Start(), root.End()), Detail: detail, Fix: fix}}
}

// messages counts the elements that look like messages.
func messages(list jsonread.Value) int {
	n := 0
	for _, e := range list.Elements() {
		if !e.Get("jsonrpc").IsZero() {
			n++
		}
	}
	return n
}

// notJSON is the fault of a line that is no JSON text, described by what it is.
func (j *Judge) notJSON(l line, err *jsonread.Error, m *event.Message) *fault {
	f := &fault{line: l, early: err.Early(), str: err.Kind == jsonread.UnterminatedString}
	f.Rule = abi.FrameJSON
	f.Where = l.where(err.Offset, max(err.End, err.Offset))
	f.Where.Pointer = err.Pointer
	if len(f.Where.Pointer) > maxPointer {
		f.Where.Pointer = ""
	}
	switch {
	case j.first != nil && j.first.early && piece(l.bytes):
		m.What = "more of that message"
		f.early = false
	case header(l.bytes):
		contentLength(l, f, m)
	case err.Kind == jsonread.BOM:
		byteOrderMark(l, f, m)
	case err.Kind == jsonread.UTF8:
		notUTF8(l, err, f, m)
	case err.Kind == jsonread.TrailingData && l.bytes[firstByte(l.bytes)] == '{':
		behind(l, err, f, m)
	case structured(l.bytes) && err.Early():
		half(l, err, f, m)
	case structured(l.bytes) && !textual(l.bytes):
		slip(l, err, f, m)
	default:
		text(l, f, m)
	}
	return f
}

// piece reports whether a line could be from the midst of an indented message.
func piece(b []byte) bool {
	return b[0] == ' ' || b[0] == '\t' || bytes.IndexByte([]byte("{}[],:\""), b[0]) >= 0
}

// maxPointer is how long a path we carry around in a breach.
const maxPointer = 1 << 10

func firstByte(b []byte) int { return len(b) - len(bytes.TrimLeft(b, " \t\r")) }

// structured reports whether a line begins like an object or a list.
func structured(b []byte) bool {
	c := b[firstByte(b)]
	return c == '{' || c == '['
}

// textual reports whether a line that begins with [ is rather a log line's tag
// or time: [INFO], [12:30:01].
func textual(b []byte) bool {
	b = b[firstByte(b):]
	if b[0] != '[' {
		return false
	}
	end := bytes.IndexByte(b, ']')
	return end > 0 && !bytes.ContainsAny(b[1:end], `{["'`)
}

func header(b []byte) bool {
	for _, name := range []string{"Content-Length:", "Content-Type:"} {
		if len(b) >= len(name) && strings.EqualFold(string(b[:len(name)]), name) {
			return true
		}
	}
	return false
}

func contentLength(l line, f *fault, m *event.Message) {
	m.What = "a Content-Length header"
	f.Rule = abi.FrameContentLength
	f.early = false
	f.Where = l.where(0, len(l.bytes))
	f.Detail = l.name() + " is a header, as editors frame messages (Content-Length, an empty line, JSON). Subako reads one message per line"
	f.Fix = "Write the JSON alone, on one line that ends in \\n, without headers."
}

func byteOrderMark(l line, f *fault, m *event.Message) {
	f.Rule = abi.FrameBOM
	if bytes.HasPrefix(l.bytes, []byte("\xef\xbb\xbf")) {
		f.Where = l.where(0, 3)
		m.What = "text behind a byte order mark"
		if doc, err := whole.Parse(l.bytes[3:]); err == nil && doc.Root().Kind() == jsonread.Object {
			m.What = "a message behind a byte order mark"
		}
		f.Detail = l.name() + " begins with a byte order mark, EF BB BF. Our reading: it makes the line no JSON text (RFC 8259)"
		f.Fix = "Write UTF-8 without a byte order mark: in .NET new UTF8Encoding(false), in Python utf-8 rather than utf-8-sig."
		return
	}
	f.Where = l.where(0, 2)
	m.What = "UTF-16 text"
	f.Detail = fmt.Sprintf("%s begins with % X: UTF-16. Our reading: a line is UTF-8 (RFC 8259)", l.name(), l.bytes[:2])
	f.Fix = "Write UTF-8."
}

func notUTF8(l line, err *jsonread.Error, f *fault, m *event.Message) {
	f.Rule = abi.FrameUTF8
	m.What = "text that is not UTF-8"
	if structured(l.bytes) {
		m.What = "a message with a byte that is not UTF-8"
	}
	at := err.Offset
	lo, hi := max(0, at-4), min(len(l.bytes), at+5)
	f.Detail = fmt.Sprintf("byte %02X at offset %s is not UTF-8 (around it: % X). Our reading: a line is UTF-8 (RFC 8259)",
		l.bytes[at], thousands(l.offset+at), l.bytes[lo:hi])
	f.Fix = "Encode text as UTF-8 before it goes into JSON; Latin-1 and cp1252 bytes are not."
}

const fixNUL = "Write no NUL byte: the one that ends a string of C is no part of the message."

// behind is the fault of something that follows a whole object on its line.
func behind(l line, err *jsonread.Error, f *fault, m *event.Message) {
	rest := l.bytes[err.Offset:]
	f.Where = l.where(err.Offset, len(l.bytes))
	if rest[0] == '{' {
		m.What = "two messages on one line"
		f.Detail = fmt.Sprintf("two messages on one line: the second begins at byte %s", thousands(l.offset+err.Offset))
		if bytes.IndexByte(l.bytes[:err.Offset], '\r') >= 0 {
			f.Detail += ", behind a CR without LF"
		}
		f.Fix = "End each message in \\n."
		return
	}
	m.What = "a message with text behind it"
	f.Detail = fmt.Sprintf("%s goes on behind its JSON value, with %s at byte %s", l.name(), show(string(rest[:min(len(rest), 4*longest)])), thousands(l.offset+err.Offset))
	f.Fix = "End the line behind the last }."
	if rest[0] == 0 {
		f.Fix = fixNUL
	}
}

// half is the fault of a line that ends inside its value.
func half(l line, err *jsonread.Error, f *fault, m *event.Message) {
	m.What = "half a message"
	f.Fix = "Write each message whole, on one line: a buffer that is too small cuts it, a raw line break splits it."
	trimmed := bytes.TrimRight(l.bytes, " \t\r")
	if l.newline && bytes.IndexByte([]byte("{[,:"), trimmed[len(trimmed)-1]) >= 0 {
		m.What = "the first line of an indented message"
		f.Fix = "Write each message on one line, without line breaks in it."
		if l.bytes[firstByte(l.bytes)] == '[' { // a message is an object
			m.What = "the first line of an indented list"
			f.Fix = "Write each message on one line. Logs, values in them too, belong on stderr."
		}
	}
	if !l.newline {
		f.Rule = abi.FrameNewline
		f.early = false
		f.Detail = fmt.Sprintf("stdout ends in half a message: %s, and it %s", plural(len(l.bytes), "byte"), err.Text)
		f.Fix = "Write the whole message, end it in \\n, and flush before the exit."
		return
	}
	f.Detail = fmt.Sprintf("%s is %s: it %s", l.name(), m.What, err.Text)
}

const fixEncoder = "Write the message with a JSON encoder; logs belong on stderr."

// slip is the fault of a line that is nearly JSON.
func slip(l line, err *jsonread.Error, f *fault, m *event.Message) {
	m.What = "nearly JSON"
	verb := "is not JSON: it " + err.Text
	switch err.Kind {
	case jsonread.Constant:
		word, _, _ := strings.Cut(err.Text, " ")
		m.What = "a message with " + word
		verb = "holds " + word + ", which is not JSON"
		f.Fix = "Write null or a string."
		if word == "True" || word == "False" || word == "None" {
			f.Fix = "Write JSON, not the language's own form: json.dumps, not str or repr."
		}
	case jsonread.SingleQuote, jsonread.BareName:
		m.What = "an object in another notation than JSON"
		f.Fix = "Write JSON, not the language's own form, with a JSON encoder."
	case jsonread.TrailingComma, jsonread.MissingComma, jsonread.Comment, jsonread.BadNumber:
		f.Fix = "Write the message with a JSON encoder."
	case jsonread.BadEscape, jsonread.ControlChar:
		f.Fix = "Escape text with a JSON encoder; control characters are \\u00XX."
	case jsonread.Unexpected:
		f.Fix = fixEncoder
		if err.Offset > 1 && l.bytes[err.Offset-1] == '"' && l.bytes[err.Offset-2] == '"' {
			f.Fix = "A text that has its quotes already was put between quotes once more: echo an id as it came."
		}
	default:
		f.Fix = fixEncoder
	}
	f.Detail = fmt.Sprintf("%s %s, at byte %s", l.name(), verb, thousands(l.offset+err.Offset))
	if err.Pointer != "" {
		f.Detail += ", " + showPointer(err.Pointer)
	}
}

// text is the fault of a line that never meant to be JSON.
func text(l line, f *fault, m *event.Message) {
	if n := len(l.bytes) - len(bytes.TrimLeft(l.bytes, "\x00")); n > 0 && (n == len(l.bytes) || structured(l.bytes[n:])) {
		m.What = "a message behind a NUL byte"
		f.Where = l.where(0, n)
		f.Where.Pointer = ""
		f.early = false
		f.Detail = fmt.Sprintf("%s begins with %s", l.name(), plural(n, "NUL byte"))
		f.Fix = fixNUL
		return
	}
	what, said := describe(l.bytes), bytes.TrimSpace(l.bytes)
	m.What = what.what
	f.Where = l.where(firstByte(l.bytes), len(l.bytes))
	f.Where.Pointer = ""
	f.early = false
	f.Detail = fmt.Sprintf("%s is %s, not a JSON-RPC message. It reads %s", l.name(), what.what, show(string(said[:min(len(said), 4*longest)])))
	f.Fix = what.fix
}

package egress

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
)

// reply is the final answer of a server or a mock.
type reply struct {
	status  int
	headers []event.Header // as they came
	body    []byte         // inline
	file    string         // path of a file output
	bytes   int64          // of the body, decoded
	mock    string         // source of the mock that made it
}

// okJSON is {"ok":…} as the ABI page writes it.
func okJSON(r *reply) []byte {
	b := append([]byte(`{"ok":{"status":`), strconv.Itoa(r.status)...)
	b = append(b, `,"headers":{`...)
	for i, h := range joined(r.headers) {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsonread.AppendQuote(b, h.Name)
		b = append(b, ':')
		b = jsonread.AppendQuote(b, h.Value)
	}
	b = append(b, `},"body":{"type":`...)
	if r.file != "" {
		b = append(b, `"file","path":`...)
		b = jsonread.AppendQuote(b, r.file)
		b = append(b, `,"bytes":`...)
		b = strconv.AppendInt(b, r.bytes, 10)
	} else {
		b = append(b, `"inline","text":`...)
		b = jsonread.AppendQuote(b, string(r.body))
	}
	return append(b, "}}}"...)
}

// errorJSON is {"error":…} as the ABI page writes it.
func errorJSON(kind abi.ErrorKind, message string) []byte {
	b := jsonread.AppendQuote([]byte(`{"error":{"kind":`), string(kind))
	b = append(b, `,"message":`...)
	b = jsonread.AppendQuote(b, message)
	return append(b, "}}"...)
}

// joined merges repeated headers with ", " in their order. A value that is not
// UTF-8 is read as Latin-1, so that no byte is lost and the JSON stays valid.
func joined(headers []event.Header) []event.Header {
	var out []event.Header
	at := make(map[string]int, len(headers))
	for _, h := range headers {
		value := latin1(h.Value)
		if i, again := at[h.Name]; again {
			out[i].Value += ", " + value
			continue
		}
		at[h.Name] = len(out)
		out = append(out, event.Header{Name: h.Name, Value: value})
	}
	return out
}

func latin1(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
	return b.String()
}

package rules

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/engine/quote"
)

// line looks at a message by itself: JSON, JSON-RPC and the members of MCP that
// each message has. Of what is no JSON-RPC 2.0 the engine's judge said so.
func (c *Checker) line(h heard) {
	root := h.doc.Root()
	if !root.Get("jsonrpc").Is(abi.JSONRPC) {
		return
	}
	c.odd(h)
	c.compact(h)
	c.extra(h)
	s := shaped{c: c, h: h, place: h.line()}
	switch h.message.Kind {
	case event.Notification:
		c.params(h)
		s.rule = abi.ResultMeta
		s.meta(root.Get("params").Get("_meta"), abi.MetaSubscriptionID)
	case event.ErrorAnswer:
		c.errorAnswer(h)
	case event.Result:
		c.resultMembers(h)
	}
}

// odd tells of numbers that a double does not hold and of escapes that stand
// for no character: the first of a line, and how many more there are.
func (c *Checker) odd(h heard) {
	n := make(map[jsonread.IssueKind]int)
	first := make(map[jsonread.IssueKind]jsonread.Value)
	for _, i := range h.doc.Odd(maxOdd) {
		if n[i.Kind]++; n[i.Kind] == 1 {
			first[i.Kind] = i.Value
		}
	}
	if n[jsonread.InexactNumber] > 0 {
		c.number(h, first[jsonread.InexactNumber], n[jsonread.InexactNumber]-1)
	}
	if n[jsonread.LoneSurrogate] > 0 {
		c.surrogate(h, first[jsonread.LoneSurrogate], n[jsonread.LoneSurrogate]-1)
	}
}

// maxOdd is how many odd numbers, and odd strings, of one line are counted.
const maxOdd = 1_000

// others counts those beside the first.
func others(n int) string {
	if n == maxOdd-1 {
		return "at least " + quote.Count(n) + " others"
	}
	return quote.Plural(n, "other")
}

func (c *Checker) number(h heard, v jsonread.Value, more int) {
	detail := fmt.Sprintf("the number %s is one that a double does not hold: many readers make %s of it", quote.Number(v), double(v))
	if more > 0 {
		detail += fmt.Sprintf(". So are %s on this line", others(more))
	}
	c.fold(h.seq, event.Breach{Rule: abi.FrameNumber, Where: h.where(v), Detail: detail,
		Fix: "Where each digit counts, send the number as a string."}, "", h.line())
}

// double is what readers with doubles make of a number.
func double(v jsonread.Value) string {
	f, err := strconv.ParseFloat(string(v.Raw()), 64)
	switch {
	case math.IsInf(f, 0):
		return "infinity"
	case err != nil:
		return "another number"
	}
	format := byte('f')
	if a := math.Abs(f); a >= 1e21 || a < 1e-6 && a > 0 {
		format = 'e'
	}
	return strconv.FormatFloat(f, format, -1, 64)
}

func (c *Checker) surrogate(h heard, v jsonread.Value, more int) {
	w := h.where(v)
	raw := v.Raw()
	at := loneAt(raw)
	w.Offset, w.End = w.Offset+int64(at), w.Offset+int64(at+escapeLen)
	detail := fmt.Sprintf("the escape %s stands for half a character: readers differ on what they make of it", raw[at:at+escapeLen])
	if more > 0 {
		detail += fmt.Sprintf(". So do such escapes in %s of this line", others(more))
	}
	c.fold(h.seq, event.Breach{Rule: abi.FrameSurrogate, Where: w, Detail: detail,
		Fix: "Write characters beyond U+FFFF as UTF-8, or as two escapes, the high half and then the low one."}, "", h.line())
}

// escapeLen is the length of \uXXXX.
const escapeLen = 6

// loneAt finds the first lone surrogate escape of a string that has one.
func loneAt(raw []byte) int {
	for i := 0; i+escapeLen <= len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		r, ok := surrogateAt(raw, i)
		switch {
		case !ok:
			i++
		case r >= 0xdc00:
			return i
		default:
			if low, is := surrogateAt(raw, i+escapeLen); !is || low < 0xdc00 {
				return i
			}
			i += 2*escapeLen - 1
		}
	}
	return 0
}

// surrogateAt reads the escape at i when it is half a character.
func surrogateAt(raw []byte, i int) (uint64, bool) {
	if i+escapeLen > len(raw) || raw[i] != '\\' || raw[i+1] != 'u' {
		return 0, false
	}
	r, err := strconv.ParseUint(string(raw[i+2:i+escapeLen]), 16, 16)
	return r, err == nil && r >= 0xd800 && r <= 0xdfff
}

// compact counts the white space between the tokens of a line. A CR at its end
// is another matter.
func (c *Checker) compact(h heard) {
	n, first := h.doc.Blanks()
	if n -= len(h.raw) - len(bytes.TrimRight(h.raw, "\r")); n == 0 {
		return
	}
	w := h.where(jsonread.Value{})
	w.Offset += int64(first)
	w.End = w.Offset + 1
	c.fold(h.seq, event.Breach{Rule: abi.FrameCompact, Where: w,
		Detail: fmt.Sprintf("%s has %s of white space between its tokens. The ABI page asks for compact JSON; it is read all the same (our reading)", h.name(), quote.Plural(n, "byte")),
		Fix:    "Encode without spaces: in Python json.dumps(…, separators=(',', ':'))."}, "", h.line())
}

// extra tells of members beside those of JSON-RPC.
func (c *Checker) extra(h heard) {
	allowed := []string{"jsonrpc", "id", "result", "error"}
	switch h.message.Kind {
	case event.Notification:
		allowed = []string{"jsonrpc", "method", "params"}
	case event.ServerReq:
		return // it is no message that a module may send at all
	}
	root := h.doc.Root()
	absent := missing(root)
	var names []string
	var first jsonread.Value
	n := 0
	for name := range root.Members() {
		if is(name, allowed) || folds(name, absent) {
			continue
		}
		if n++; n == 1 {
			first = name
		}
		if n <= 3 {
			names = append(names, quote.Text(name.String()))
		}
	}
	if n == 0 {
		return
	}
	if n > len(names) {
		names = append(names, fmt.Sprintf("%s more", quote.Count(n-len(names))))
	}
	detail := fmt.Sprintf("the member %s is none of those that JSON-RPC gives such a message. It is left alone here (our reading); strict readers refuse the line", enumerate(names))
	if n > 1 {
		detail = fmt.Sprintf("the members %s are none of those that JSON-RPC gives such a message. They are left alone here (our reading); strict readers refuse the line", enumerate(names))
	}
	c.fold(h.seq, event.Breach{Rule: abi.RPCExtraMember, Where: h.where(first),
		Detail: detail,
		Fix:    "Put what a result has to say into the result, under _meta if it is for programs."}, "", h.line())
}

func is(name jsonread.Value, texts []string) bool {
	for _, text := range texts {
		if name.Is(text) {
			return true
		}
	}
	return false
}

func folds(name jsonread.Value, texts []string) bool {
	for _, text := range texts {
		if name.Fold(text) {
			return true
		}
	}
	return false
}

// missing are JSON-RPC's members that an object does not have. What stands for
// one of them, spelt otherwise, the engine's judge names.
func missing(root jsonread.Value) []string {
	names := []string{"jsonrpc", "id", "method", "params", "result", "error"}
	var list []string
	for i, v := range root.GetAll(names...) {
		if v.IsZero() {
			list = append(list, names[i])
		}
	}
	return list
}

// params of a notification are an object: MCP has no lists there.
func (c *Checker) params(h heard) {
	v := h.doc.Root().Get("params")
	if v.IsZero() || v.Kind() == jsonread.Object {
		return
	}
	c.fold(h.seq, event.Breach{Rule: abi.RPCParamsObject, Where: h.where(v),
		Detail: fmt.Sprintf("params of the notification %s is %s, not an object", quote.Text(h.message.Method), quote.Value(v)),
		Fix:    "Write an object, or leave params out."}, h.message.Method, h.line())
}

// resultMembers looks at what each result has.
func (c *Checker) resultMembers(h heard) {
	result := h.doc.Root().Get("result")
	if result.Kind() != jsonread.Object {
		return
	}
	if result.Get("resultType").IsZero() {
		c.fold(h.seq, event.Breach{Rule: abi.ResultTypeMissing, Where: h.where(result),
			Detail: "the result has no resultType. MCP asks for it in each result; the ABI page leaves it out, and Subako reads one without it as complete",
			Fix:    `Write "resultType":"complete".`}, "", h.line())
	}
	s := shaped{c: c, h: h, rule: abi.ResultMeta, place: h.line()}
	meta := result.Get("_meta")
	s.meta(meta, abi.MetaServerInfo, abi.MetaSubscriptionID)
	if h.request != nil && h.request.Method == abi.MethodDiscover {
		s.rule = abi.DiscoverShape
	}
	s.implementation(meta.Get(abi.MetaServerInfo), "serverInfo")
}

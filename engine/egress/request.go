package egress

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"perch/engine/abi"
	"perch/engine/jsonread"
	"perch/engine/near"
)

// Request is a request as the module wrote it, checked for its form.
type Request struct {
	Method  string
	URL     string   // as written
	Headers []Header // in the module's order, without the dropped ones
	Dropped []Header // connection headers, which are not sent
	Body    BodyKind
	Content []byte // of a text or JSON body, as it is sent
	File    string // path of a file body
	Output  string // path of a file output; empty: inline
	Follow  bool
	Timeout time.Duration // 0: the call's own limit

	target target
}

// Header is a header line; its name is lower case.
type Header struct{ Name, Value string }

// BodyKind says what a request's body is.
type BodyKind string

// The kinds of bodies (ABI page, HTTP: subako_http).
const (
	BodyNone BodyKind = ""
	BodyText BodyKind = "text"
	BodyJSON BodyKind = "json"
	BodyFile BodyKind = "file"
)

// Default content types of bodies; a file has none.
const (
	typeText = "text/plain; charset=utf-8"
	typeJSON = "application/json"
)

// FormError says where a request's JSON leaves the form of the ABI page.
type FormError struct {
	Offset  int    // in the JSON, from 0
	Pointer string // JSON pointer of the member
	Text    string // what is wrong there, and what to write
	Hint    string // the end of Text that says what to write; may be empty
	Ours    bool   // the ABI page does not say that this is refused: our reading
}

// Error implements error.
func (e *FormError) Error() string {
	if e.Hint != "" {
		return e.without() + ". " + e.Hint
	}
	return e.without()
}

// without is the error without its hint.
func (e *FormError) without() string {
	if e.Offset >= abi.MaxRequest {
		return strings.TrimSuffix(e.Text, ". "+e.Hint) // no byte in what was read
	}
	return fmt.Sprintf("%s (byte %d)", strings.TrimSuffix(e.Text, ". "+e.Hint), e.Offset)
}

// ParseRequest reads the JSON of a request. That no other fields are taken is
// the ABI page's word; that this holds at every level, and all that is said of
// doubled members, header values and the URL, is our reading. On an error the
// request holds what was understood before it. It does not look at files, nor
// at whether the URL may be reached: http:// is well formed.
func ParseRequest(raw []byte) (*Request, *FormError) {
	r := &Request{Method: abi.HTTPMethods()[0], Follow: true}
	switch {
	case len(raw) == 0:
		return r, &FormError{Text: "the request is empty: it is a JSON object with at least a url"}
	case len(raw) > abi.MaxRequest:
		const hint = "Send a larger body from a file"
		return r, &FormError{Offset: abi.MaxRequest, Hint: hint, Ours: true,
			Text: fmt.Sprintf("the request has %d bytes: at most %d (8 MiB) are taken. %s", len(raw), abi.MaxRequest, hint)}
	}
	doc, jerr := jsonread.Parse(raw)
	if jerr != nil {
		text := jerr.Text
		if jerr.Kind != jsonread.Constant {
			text = "the request " + text
		}
		return r, &FormError{Offset: jerr.Offset, Pointer: jerr.Pointer, Text: text}
	}
	f := form{request: r}
	root := doc.Root()
	f.peek(root)
	f.plain(doc)
	f.object(root, "a request", fields())
	f.method(root.Get("method"))
	f.url(root, root.Get("url"))
	f.headers(root.Get("headers"))
	f.body(root.Get("body"))
	f.output(root.Get("output"))
	f.follow(root.Get("follow_redirects"))
	f.timeout(root.Get("timeout_ms"))
	return r, f.err
}

func fields() []string {
	return []string{"method", "url", "headers", "body", "output", "follow_redirects", "timeout_ms"}
}

// form reads the members one by one; the first fault stays.
type form struct {
	request *Request
	err     *FormError
}

func (f *form) fault(at jsonread.Value, format string, args ...any) {
	if f.err == nil {
		f.err = &FormError{Offset: at.Start(), Pointer: at.Pointer(), Text: fmt.Sprintf(format, args...)}
	}
}

// ours is a fault that the ABI page does not name: our reading.
func (f *form) ours(at jsonread.Value, format string, args ...any) {
	if f.err == nil {
		f.fault(at, format, args...)
		f.err.Ours = true
	}
}

// faultWith is a fault with a sentence more that says what to write.
func (f *form) faultWith(hint string, at jsonread.Value, format string, args ...any) {
	if f.err == nil {
		f.fault(at, format+". %s", append(args, hint)...)
		f.err.Hint = hint
	}
}

// peek keeps what a refused request wanted, for whoever looks at it.
func (f *form) peek(root jsonread.Value) {
	if method, ok := root.Get("method").Text(); ok {
		f.request.Method = method
	}
	f.request.URL, _ = root.Get("url").Text()
}

// plain refuses what readers of JSON take in different ways. Inside a json
// body a doubled member is the module's own affair: it is sent as written.
func (f *form) plain(doc *jsonread.Doc) {
	for _, issue := range doc.Issues() {
		switch v := issue.Value; issue.Kind {
		case jsonread.DuplicateMember:
			if !strings.HasPrefix(v.Pointer(), "/body/json/") {
				f.ours(v, "%s stands twice in one object", short(v.Raw()))
			}
		case jsonread.LoneSurrogate:
			f.ours(v, "a string has a lone surrogate escape, which stands for no character")
		}
	}
}

// object checks that v is an object with known members alone.
func (f *form) object(v jsonread.Value, what string, known []string) bool {
	if v.Kind() != jsonread.Object {
		f.fault(v, "%s is %s: it is an object", what, v.Kind())
		return false
	}
	for name := range v.Members() {
		text, _ := name.Text()
		if slices.Contains(known, text) {
			continue
		}
		hint := "The fields are " + list(known)
		if meant := near.Word(text, known); meant != "" {
			hint = "Did you mean " + meant + "?"
		}
		f.faultWith(hint, name, "%s is no field of %s", short(name.Raw()), what)
		return false
	}
	return true
}

// text reads a member that must be a string.
func (f *form) text(v jsonread.Value, what string) (string, bool) {
	s, ok := v.Text()
	if !ok {
		f.fault(v, "%s is %s: it is a string", what, v.Kind())
	}
	return s, ok
}

func (f *form) method(v jsonread.Value) {
	if v.IsZero() {
		return
	}
	method, ok := f.text(v, "method")
	if !ok {
		return
	}
	known := abi.HTTPMethods()
	if !slices.Contains(known, method) {
		hint := ""
		if up := strings.ToUpper(method); slices.Contains(known, up) {
			hint = ": write " + up
		}
		f.faultWith("The methods are "+list(known), v, "method is %s%s", short(v.Raw()), hint)
		return
	}
	f.request.Method = method
}

func (f *form) url(root, v jsonread.Value) {
	if v.IsZero() {
		f.fault(root, "url is missing")
		return
	}
	raw, ok := f.text(v, "url")
	if !ok {
		return
	}
	t, err := parseTarget(raw)
	switch {
	case err != nil:
		text := err.text
		if err.hint != "" {
			text += ". " + err.hint
		}
		if f.err == nil {
			f.ours(v, "%s", text)
			f.err.Hint = err.hint
		}
	case t.scheme != "https" && t.scheme != "http":
		f.fault(v, "url begins with %s: requests are https alone", short(t.scheme))
	}
	f.request.URL, f.request.target = raw, t
}

func (f *form) headers(v jsonread.Value) {
	if v.IsZero() {
		return
	}
	if v.Kind() != jsonread.Object {
		f.fault(v, "headers is %s: it is an object of strings", v.Kind())
		return
	}
	for name, value := range v.Members() {
		key, _ := name.Text()
		if why := nameFault(key); why != "" {
			f.fault(name, "the header name %s %s", short(name.Raw()), why)
			return
		}
		text, ok := f.text(value, "header "+short(key))
		if !ok {
			return
		}
		if why := valueFault(text); why != "" {
			f.ours(value, "the value of header %s %s", short(key), why)
			return
		}
		h := Header{key, text}
		if slices.Contains(abi.DroppedHeaders(), key) {
			f.request.Dropped = append(f.request.Dropped, h)
		} else {
			f.request.Headers = append(f.request.Headers, h)
		}
	}
}

func (f *form) body(v jsonread.Value) {
	if v.IsZero() || v.Kind() == jsonread.Null {
		return
	}
	r := f.request
	switch kind := f.kind(v, "body", "text", "json", "file"); kind {
	case "text":
		if !f.object(v, "a text body", []string{"type", "text"}) {
			return
		}
		if text, ok := f.text(f.need(v, "text", "a text body"), "text"); ok {
			r.Body, r.Content = BodyText, []byte(text)
			r.defaultType(typeText)
		}
	case "json":
		if !f.object(v, "a json body", []string{"type", "json"}) {
			return
		}
		if value := f.need(v, "json", "a json body"); !value.IsZero() {
			r.Body, r.Content = BodyJSON, value.Raw()
			r.defaultType(typeJSON)
		}
	case "file":
		if path, ok := f.path(v, "a file body"); ok {
			r.Body, r.File = BodyFile, path
		}
	}
}

func (f *form) output(v jsonread.Value) {
	if v.IsZero() {
		return
	}
	switch f.kind(v, "output", "inline", "file") {
	case "inline":
		f.object(v, "an inline output", []string{"type"})
	case "file":
		if path, ok := f.path(v, "a file output"); ok {
			f.request.Output = path
		}
	}
}

// kind reads the "type" of a body or output, and gives one of known or "".
func (f *form) kind(v jsonread.Value, what string, known ...string) string {
	if v.Kind() != jsonread.Object {
		f.fault(v, "%s is %s: it is an object with a type, %s", what, v.Kind(), list(known))
		return ""
	}
	t := v.Get("type")
	if t.IsZero() {
		f.fault(v, "%s has no type: it is one of %s", what, list(known))
		return ""
	}
	kind, ok := f.text(t, "type of "+what)
	if ok && !slices.Contains(known, kind) {
		f.fault(t, "type of %s is %s: it is one of %s", what, short(t.Raw()), list(known))
		return ""
	}
	return kind
}

func (f *form) path(v jsonread.Value, what string) (string, bool) {
	if !f.object(v, what, []string{"type", "path"}) {
		return "", false
	}
	path := f.need(v, "path", what)
	if path.IsZero() {
		return "", false
	}
	text, ok := f.text(path, "path")
	if ok && text == "" {
		f.fault(path, "path is empty")
		return "", false
	}
	return text, ok
}

func (f *form) need(v jsonread.Value, name, what string) jsonread.Value {
	member := v.Get(name)
	if member.IsZero() {
		f.fault(v, "%s has no %s", what, name)
	}
	return member
}

func (f *form) follow(v jsonread.Value) {
	if v.IsZero() {
		return
	}
	if v.Kind() != jsonread.True && v.Kind() != jsonread.False {
		f.fault(v, "follow_redirects is %s: it is true or false", v.Kind())
		return
	}
	f.request.Follow = v.Kind() == jsonread.True
}

func (f *form) timeout(v jsonread.Value) {
	if v.IsZero() || v.Kind() == jsonread.Null {
		return
	}
	raw := string(v.Raw())
	n, err := strconv.ParseUint(raw, 10, 64)
	if v.Kind() != jsonread.Number || err != nil || n > abi.MaxRequestTimeoutMS {
		f.fault(v, "timeout_ms is %s: it is a whole number from 0 to %d, written in digits (0: the call's own limit)", short(raw), abi.MaxRequestTimeoutMS)
		return
	}
	f.request.Timeout = time.Duration(n) * time.Millisecond
}

// defaultType adds a content type where the module set none.
func (r *Request) defaultType(value string) {
	if !slices.ContainsFunc(r.Headers, func(h Header) bool { return h.Name == "content-type" }) {
		r.Headers = append(r.Headers, Header{"content-type", value})
	}
}

// short keeps a module's text from filling a sentence.
func short[T string | []byte](text T) string {
	s := string(text)
	if len(s) <= 60 {
		return s
	}
	cut := 60
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

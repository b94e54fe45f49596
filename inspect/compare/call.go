package compare

import (
	"bytes"
	"fmt"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/engine/quote"
	"perch/inspect/model"
	"perch/inspect/record"
)

// call is what of a run is compared, read once.
type call struct {
	Call
	begin   event.Begin
	end     event.End
	exit    event.Exit
	verdict event.Verdict
	lines   []line // of stdin and stdout, in the order of their events
}

// line is a message on the wire.
type line struct {
	name  string // in 1, out 2
	event uint64
	text  []byte
}

// maxLines is how many lines on the wire are compared.
const maxLines = 4_096

func read(c Call) *call {
	x := &call{Call: c, begin: c.Run.Begin()}
	x.end, _ = c.Run.End()
	last := func(k record.Kind) event.Body {
		seqs := c.Run.Of(k)
		if len(seqs) == 0 {
			return nil
		}
		e, _ := c.Run.Event(uint64(seqs[len(seqs)-1]))
		return e.Body
	}
	x.exit, _ = last(record.KindExit).(event.Exit)
	x.verdict, _ = last(record.KindVerdict).(event.Verdict)
	left := MaxText
	for _, seq := range c.Run.Of(record.KindRequest, record.KindMessage) {
		if len(x.lines) == maxLines || left <= 0 {
			break
		}
		e, _ := c.Run.Event(uint64(seq))
		l := line{event: e.Seq}
		switch b := e.Body.(type) {
		case event.Request:
			l.name, l.text = fmt.Sprintf("in %d", b.Line), bytes.TrimSuffix(b.Bytes, []byte("\n"))
		case event.Message:
			l.name, l.text = fmt.Sprintf("out %d", b.Line), c.Run.Stream(event.Stdout).Bytes(b.Offset, min(b.Len, left))
		default:
			continue
		}
		left -= len(l.text)
		x.lines = append(x.lines, l)
	}
	return x
}

// values compares two JSON texts, or what is none as text. apart says which
// pointers differ in every call.
func (s *Section) values(where string, a, b []byte, apart func(pointer string) bool) {
	if bytes.Equal(a, b) {
		return
	}
	docA, errA := jsonread.Parse(a)
	docB, errB := jsonread.Parse(b)
	if errA != nil || errB != nil {
		s.texts(where, string(a), string(b), Row{})
		return
	}
	s.trees(where, docA.Root(), docB.Root(), apart)
}

// trees compares two values.
func (s *Section) trees(where string, a, b jsonread.Value, apart func(pointer string) bool) {
	changes, more := JSON(a, b, MaxRows)
	s.More += more
	for _, c := range changes {
		if apart != nil && c.Kind.Real() && apart(c.Pointer) {
			c.Kind = Moving
		}
		at := quote.Pointer(c.Pointer)
		if where != "" && at != "" {
			at = where + " " + at
		} else if at == "" {
			at = where
		}
		r := Row{Kind: c.Kind, Where: at, A: valueText(c.A), B: valueText(c.B)}
		if longText(c.A) && longText(c.B) {
			r.text = func() *Text { return Lines(c.A.String(), c.B.String()) }
		} else {
			r.text = contents(c.A, c.B)
		}
		s.add(r)
	}
}

// contents are two values of which one holds more than its row tells: a list or
// an object that came, went or took the place of something else. It is nil where
// the row tells all.
func contents(a, b jsonread.Value) func() *Text {
	long := func(v jsonread.Value) bool {
		return (v.Kind() == jsonread.Array || v.Kind() == jsonread.Object) && len(v.Raw()) > quote.Longest
	}
	if !long(a) && !long(b) {
		return nil
	}
	written := func(v jsonread.Value) string {
		if v.Kind() == jsonread.Absent {
			return ""
		}
		return indented(v.Raw())
	}
	return func() *Text { return Lines(written(a), written(b)) }
}

// longText reports whether a value is a text of several lines.
func longText(v jsonread.Value) bool {
	t, ok := v.Text()
	return ok && bytes.IndexByte([]byte(t[:min(len(t), 1<<16)]), '\n') >= 0
}

// valueText is a value in a row.
func valueText(v jsonread.Value) string {
	switch v.Kind() {
	case jsonread.Absent:
		return ""
	case jsonread.Array:
		return short(v, "[ "+quote.Plural(v.Len(), "item")+" ]")
	case jsonread.Object:
		return short(v, "{ "+quote.Plural(v.Len(), "member")+" }")
	}
	return quote.Value(v)
}

func short(v jsonread.Value, else_ string) string {
	if raw := v.Raw(); len(raw) <= quote.Longest {
		return quote.Pointer(string(jsonread.Compact(nil, raw)))
	}
	return else_
}

// texts compares two texts in one row.
func (s *Section) texts(where, a, b string, r Row) {
	if a == b {
		return
	}
	r.Kind, r.Where = Changed, where
	switch {
	case a == "":
		r.Kind = Added
	case b == "":
		r.Kind = Removed
	}
	oneLine := func(t string) bool { return len(t) <= 2*quote.Longest }
	if oneLine(a) && oneLine(b) {
		if a != "" {
			r.A = quote.Text(a)
		}
		if b != "" {
			r.B = quote.Text(b)
		}
	} else {
		r.A, r.B = sizeText(a), sizeText(b)
	}
	r.text = func() *Text { return Lines(a, b) }
	s.add(r)
}

func sizeText(t string) string {
	if t == "" {
		return ""
	}
	n := 1
	for i := range len(t) - 1 {
		if t[i] == '\n' {
			n++
		}
	}
	return fmt.Sprintf("%s, %s", quote.Plural(n, "line"), bytesText(len(t)))
}

// answer is the result that answered a call; absent when none did.
func answer(x *call) jsonread.Value {
	raw, _, ok := model.Answer(x.Run)
	if !ok {
		return jsonread.Value{}
	}
	doc, err := jsonread.Parse(raw)
	if err != nil {
		return jsonread.Value{}
	}
	return doc.Root().Get("result")
}

// result compares the results but for their content, which the model's view has.
func result(x, y *call) Section {
	s := Section{Part: Result}
	a, b := answer(x), answer(y)
	s.None = a.IsZero() && b.IsZero()
	switch {
	case s.None:
	case a.IsZero() || b.IsZero():
		s.add(Row{Kind: map[bool]Kind{true: Added, false: Removed}[a.IsZero()], Where: "result", A: valueText(a), B: valueText(b), text: contents(a, b)})
	default:
		changes := Section{}
		changes.trees("", a, b, nil)
		for _, r := range changes.Rows {
			if !beneath(r.Where, "/content") {
				s.add(r)
			}
		}
		s.More += changes.More
	}
	return s
}

func beneath(pointer, of string) bool {
	return pointer == of || len(pointer) > len(of) && pointer[:len(of)] == of && pointer[len(of)] == '/'
}

// blocks compares what the model reads.
func blocks(x, y *call) Section {
	s := Section{Part: Model, None: len(x.Model)+len(y.Model) == 0}
	for i := range max(len(x.Model), len(y.Model)) {
		var a, b model.Block
		if i < len(x.Model) {
			a = x.Model[i]
		}
		if i < len(y.Model) {
			b = y.Model[i]
		}
		s.block(i+1, a, b)
	}
	return s
}

func (s *Section) block(n int, a, b model.Block) {
	name := func(t model.Type) string { return fmt.Sprintf("%s %d", t, n) }
	switch {
	case a.Type == "":
		s.add(Row{Kind: Added, Where: name(b.Type), B: blockText(b)})
	case b.Type == "":
		s.add(Row{Kind: Removed, Where: name(a.Type), A: blockText(a)})
	case a.Type != b.Type:
		s.add(Row{Kind: Changed, Where: fmt.Sprintf("block %d", n), A: string(a.Type) + " " + blockText(a), B: string(b.Type) + " " + blockText(b)})
	case a.Type == model.Image:
		if a.MIME != b.MIME || !bytes.Equal(a.Data, b.Data) {
			s.add(Row{Kind: Changed, Where: name(a.Type), A: blockText(a), B: blockText(b)})
		}
	case a.Type == model.Text:
		s.values(name(a.Type), []byte(a.Text), []byte(b.Text), nil)
	default:
		s.texts(name(a.Type), a.Text, b.Text, Row{})
	}
}

func blockText(b model.Block) string {
	if b.Type == model.Image {
		return quote.Pointer(b.Text)
	}
	return quote.Text(b.Text)
}

// wire compares the lines of stdin and stdout by their number.
func wire(x, y *call) Section {
	s := Section{Part: Wire}
	byName := func(lines []line) map[string]line {
		m := make(map[string]line, len(lines))
		for _, l := range lines {
			m[l.name] = l
		}
		return m
	}
	inA, inB := byName(x.lines), byName(y.lines)
	for _, a := range x.lines {
		b, ok := inB[a.name]
		if !ok {
			s.add(Row{Kind: Removed, Where: a.name, A: bytesText(len(a.text)), EventA: a.event, HasA: true,
				text: func() *Text { return Lines(indented(a.text), "") }})
			continue
		}
		s.line(a, b)
	}
	for _, b := range y.lines {
		if _, ok := inA[b.name]; !ok {
			s.add(Row{Kind: Added, Where: b.name, B: bytesText(len(b.text)), EventB: b.event, HasB: true,
				text: func() *Text { return Lines("", indented(b.text)) }})
		}
	}
	if len(x.lines) >= maxLines || len(y.lines) >= maxLines {
		s.Note = fmt.Sprintf("the first %s lines are compared", quote.Count(maxLines))
	}
	return s
}

func (s *Section) line(a, b line) {
	if bytes.Equal(a.text, b.text) {
		return
	}
	r := Row{Kind: Changed, Where: a.name, A: bytesText(len(a.text)), B: bytesText(len(b.text)),
		EventA: a.event, EventB: b.event, HasA: true, HasB: true}
	r.text = func() *Text { return Lines(indented(a.text), indented(b.text)) }
	docA, errA := jsonread.Parse(a.text)
	docB, errB := jsonread.Parse(b.text)
	if errA == nil && errB == nil {
		changes, _ := JSON(docA.Root(), docB.Root(), MaxRows)
		r.Kind = lineKind(changes)
	}
	s.add(r)
}

// lineKind is how two messages differ by what differs in them. Ids do in every
// call (ABI page, The protocol).
func lineKind(changes []Change) Kind {
	k := Same
	for _, c := range changes {
		switch {
		case c.Kind.Real() && c.Pointer != "/id":
			return Changed
		case c.Kind.Real() || c.Kind == Moving:
			k = Moving
		case k == Same:
			k = c.Kind
		}
	}
	if k == Same {
		return Respelled // white space
	}
	return k
}

// stderr compares what was logged, of a long stream its end.
func stderr(x, y *call) Section {
	a, b := x.Run.Stream(event.Stderr), y.Run.Stream(event.Stderr)
	s := Section{Part: Stderr, None: a.Len()+b.Len() == 0}
	const most = abi.MaxStdout
	if a.Len() > most || b.Len() > most {
		s.Note = fmt.Sprintf("the last %s of each are compared", bytesText(most))
	}
	s.texts("stderr", string(a.Tail(most)), string(b.Tail(most)), Row{})
	return s
}

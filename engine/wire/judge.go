package wire

import (
	"bytes"
	"fmt"
	"iter"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
)

// Judge reads a run's stdout as it is written and judges each line at its
// newline, and the whole by its bytes. The verdict falls with the first breach
// whose rule breaks a run; later lines are evidence. A Judge is for one
// goroutine.
type Judge struct {
	out     []byte // stdout up to abi.MaxStdout; lines point into it
	total   int64  // bytes that were written
	start   int    // of the line that is not finished
	scanned int    // up to here out holds no newline after start
	lines   int    // lines that ended
	over    bool   // the breach of abi.MaxStdout was handed over

	asked  []*asked
	errors bool // a JSON-RPC error answers its request

	broken  bool // lines are evidence from here on
	spoilt  bool // ... because of something on stdout that is no message
	first   *fault
	seen    map[abi.RuleID]bool
	noticed map[string]bool // notices that were handed over, by kind and name
	late    int             // lines of evidence so far
	skipped int             // lines of evidence that were not looked at
	good    int             // the first line of evidence that was a good answer, 0: none
}

// asked is a request and how it was answered.
type asked struct {
	Request
	id       jsonread.Value
	answered int // the line of its answer, 0: it is open
}

// Item is what the judge has to say at a byte of stdout.
type Item struct {
	Message  *event.Message // nil for a breach that belongs to no whole line
	Breaches []event.Breach
	Answer   *Answer // an answer that counts, so never one of evidence
}

// Answer is a good answer to a request: one line with the right id and a
// result that is an object.
type Answer struct {
	Request Request
	Line    int    // in stdout, from 1
	Offset  int64  // of the line in stdout, from 0
	Raw     []byte // the line without its LF
	Result  jsonread.Value
	Error   jsonread.Value // present only after TakeErrors; Result is absent then
	// IsError says that a call's result has isError true (ABI page, When the
	// agent calls a tool). Any other value is none (our reading).
	IsError bool
}

// Where is the place of a value of the answer in stdout.
func (a *Answer) Where(v jsonread.Value) event.Where {
	return event.Where{
		Stream: event.Stdout, Line: a.Line,
		Offset: a.Offset + int64(v.Start()), End: a.Offset + int64(v.End()), Pointer: v.Pointer(),
	}
}

// NewJudge returns a judge that has read nothing.
func NewJudge() *Judge {
	return &Judge{seen: make(map[abi.RuleID]bool), noticed: make(map[string]bool)}
}

// TakeErrors lets a JSON-RPC error answer its request, as MCP has it: a probe
// asks for some. To Subako an error is never an answer.
func (j *Judge) TakeErrors() { j.errors = true }

// Asked says that a request was put into stdin. When no request is open, the
// one before was the last.
func (j *Judge) Asked(q Request) {
	doc, err := jsonread.Parse([]byte(q.ID))
	if err != nil {
		panic(fmt.Sprintf("wire: the id %q of a request is no JSON: %v", q.ID, err))
	}
	j.asked = append(j.asked, &asked{Request: q, id: doc.Root()})
}

// Broken says by which rule the run broke: what comes now is evidence, and none
// of it says the same again.
func (j *Judge) Broken(by abi.RuleID) {
	j.broken = true
	j.seen[by] = true
	j.spoilt = j.spoilt || spoilt(by)
}

// Write takes bytes of stdout, however they were cut, and judges the lines that
// they end. The bytes are taken at once, each line when it is asked for: an
// Asked in the loop counts for the lines that follow in the same bytes. What a
// loop leaves comes with the next one.
func (j *Judge) Write(chunk []byte) iter.Seq2[int, Item] {
	j.total += int64(len(chunk))
	j.out = append(j.out, chunk[:min(len(chunk), abi.MaxStdout-len(j.out))]...)
	return func(yield func(int, Item) bool) {
		for i := 0; ; i++ {
			item, ok := j.next()
			if !ok || !yield(i, item) {
				return
			}
		}
	}
}

// next judges one more line, if there is one.
func (j *Judge) next() (Item, bool) {
	for {
		i := bytes.IndexByte(j.out[j.scanned:], '\n')
		if i < 0 {
			j.scanned = len(j.out)
			break
		}
		end := j.scanned + i
		l := line{number: j.lines + 1, offset: j.start, bytes: j.out[j.start:end:end], newline: true}
		j.lines++
		j.start, j.scanned = end+1, end+1
		if j.broken {
			if j.late == abi.MaxEvidence {
				j.skipped++
				continue
			}
			j.late++
		}
		return j.judge(l), true
	}
	if j.total > abi.MaxStdout && !j.over {
		j.over = true
		return Item{Breaches: j.report(j.tooMuch())}, true
	}
	return Item{}, false
}

func (j *Judge) tooMuch() *fault {
	return &fault{Breach: event.Breach{
		Rule: abi.FrameStdoutSize,
		Where: event.Where{Stream: event.Stdout, Line: j.lines + 1,
			Offset: abi.MaxStdout, End: abi.MaxStdout},
		Detail: fmt.Sprintf("stdout passed %s: this is byte %s", mib(abi.MaxStdout), thousands(abi.MaxStdout+1)),
		Fix:    "Answer less. Put what is large into a file below /volume/tmp and link it as volume:///tmp/NAME.",
	}}
}

// Finish judges what stands behind the last newline; the module has ended.
func (j *Judge) Finish() []Item {
	var items []Item
	for _, item := range j.Write(nil) {
		items = append(items, item)
	}
	if j.start == len(j.out) {
		return items
	}
	l := line{number: j.lines + 1, offset: j.start, bytes: j.out[j.start:], newline: false}
	j.lines++
	j.start, j.scanned = len(j.out), len(j.out)
	return append(items, j.judge(l))
}

// Pending are the bytes of the line that is not finished, and where it stands.
func (j *Judge) Pending() (lineNumber int, offset int64, b []byte) {
	return j.lines + 1, int64(j.start), j.out[j.start:]
}

// Unfinished is the breach of a whole message that waits for its newline, for
// when the module waits too: it will write no more.
func (j *Judge) Unfinished() (event.Breach, bool) {
	l := line{number: j.lines + 1, offset: j.start, bytes: j.out[j.start:]}
	if text := bytes.TrimSpace(l.bytes); !bytes.HasSuffix(text, []byte("}")) {
		return event.Breach{}, false // a flood need not be read to its end
	}
	doc, err := whole.Parse(l.bytes)
	if err != nil || doc.Root().Kind() != jsonread.Object {
		return event.Breach{}, false
	}
	return j.noNewline(l, doc).Breach, true
}

// Good is the first line that came after the verdict and would have been a good
// answer before it; false when there is none.
func (j *Judge) Good() (line int, ok bool) { return j.good, j.good > 0 }

// Skipped is how many lines of evidence were not looked at, past
// abi.MaxEvidence. Their bytes are in the run's output all the same.
func (j *Judge) Skipped() int { return j.skipped }

// line is one line of stdout, or what stands behind the last one.
type line struct {
	number  int
	offset  int
	bytes   []byte // without its LF
	newline bool
}

// where is the part from..to of the line.
func (l line) where(from, to int) event.Where {
	return event.Where{Stream: event.Stdout, Line: l.number, Offset: int64(l.offset + from), End: int64(l.offset + to)}
}

func (l line) whereValue(v jsonread.Value) event.Where {
	w := l.where(v.Start(), v.End())
	w.Pointer = v.Pointer()
	return w
}

// name is how a sentence calls the line.
func (l line) name() string { return fmt.Sprintf("line %d on stdout", l.number) }

// fault is a breach that breaks the run, and what is needed to explain it
// better later.
type fault struct {
	event.Breach
	line  line
	early bool // the line ends inside a JSON value: more of it may follow
	str   bool // ... inside a string
}

// whole reads a message of any depth: its line is at most abi.MaxStdout long,
// the reader does not recurse, and no page names a limit.
var whole = jsonread.Options{MaxDepth: -1}

// judge looks at one line.
func (j *Judge) judge(l line) Item {
	m := &event.Message{Line: l.number, Offset: int64(l.offset), Len: len(l.bytes), Newline: l.newline, Evidence: j.broken}
	item := Item{Message: m}
	found := j.examine(l, m)
	if found.doc != nil && m.Kind != event.NotMessage {
		if !m.Evidence {
			m.Doc = found.doc
		}
		item.Breaches = j.notices(l, m, found)
	}
	if found.fault != nil {
		item.Breaches = append(j.report(found.fault), item.Breaches...)
		return item
	}
	if found.answers != nil {
		found.answers.answered = l.number
		if !m.Evidence {
			item.Answer = answerOf(l, found)
		} else if j.good == 0 {
			j.good = l.number
		}
	}
	return item
}

func answerOf(l line, f finding) *Answer {
	result := f.doc.Root().Get("result")
	return &Answer{
		Request: f.answers.Request, Line: l.number, Offset: int64(l.offset), Raw: l.bytes,
		Result: result, Error: f.doc.Root().Get("error"),
		IsError: f.answers.Method == abi.MethodCall && result.Get("isError").Kind() == jsonread.True,
	}
}

// report hands a breaking breach over: the first one is the verdict. Of those
// that come later only one a rule is shown, and none that says the same of
// stdout again: one fault, one finding.
func (j *Judge) report(f *fault) []event.Breach {
	again := j.seen[f.Rule] || j.spoilt && spoilt(f.Rule)
	j.seen[f.Rule] = true
	if j.broken {
		if again {
			return nil
		}
		f.Follow = true
	}
	if j.first == nil {
		j.first = f
		j.spoilt = j.spoilt || spoilt(f.Rule)
	}
	j.broken = true
	return []event.Breach{f.Breach}
}

// spoilt says of a rule that it is about something on stdout that is no
// message at all.
func spoilt(id abi.RuleID) bool {
	return id.Group() == "frame" || id == abi.LifeOutputAfter || id == abi.RPCVersion || id == abi.RPCKind
}

// finding is what examine made of a line: a fault, or a message.
type finding struct {
	doc     *jsonread.Doc // nil when the line is no JSON
	fault   *fault
	answers *asked
}

// examine fills in the message and finds the first fault of a line.
func (j *Judge) examine(l line, m *event.Message) finding {
	m.Kind = event.NotMessage
	if len(bytes.Trim(l.bytes, " \t\r")) == 0 {
		m.What = "an empty line"
		return finding{fault: j.after(blank(l))}
	}
	doc, err := whole.Parse(l.bytes)
	if err != nil {
		return finding{fault: j.after(j.notJSON(l, err, m))}
	}
	root := doc.Root()
	if root.Kind() != jsonread.Object {
		return finding{doc: doc, fault: j.after(notObject(l, root, m))}
	}
	answers, f := j.message(l, root, m)
	if !l.newline {
		return finding{doc: doc, fault: j.noNewline(l, doc)}
	}
	return finding{doc: doc, fault: j.after(f), answers: answers}
}

// done reports whether the last request was answered: none is open.
func (j *Judge) done() bool {
	for _, q := range j.asked {
		if q.answered == 0 {
			return false
		}
	}
	return len(j.asked) > 0
}

// after names a fault anew when it stands behind the last answer: what is
// written there is a good-bye, whatever it is.
func (j *Judge) after(f *fault) *fault {
	if f == nil || j.broken || !j.done() {
		return f
	}
	switch f.Rule {
	case abi.FrameJSON, abi.FrameObject, abi.RPCVersion, abi.RPCKind:
		f.Rule = abi.LifeOutputAfter
		f.Detail += ". It follows the last answer, which is lost by it"
		f.Fix = "Write nothing to stdout after the answer; logs belong on stderr."
	}
	return f
}

// notices are findings that break nothing.
func (j *Judge) notices(l line, m *event.Message, found finding) []event.Breach {
	doc := found.doc
	var list []event.Breach
	if n := len(l.bytes); n > 0 && l.bytes[n-1] == '\r' && l.newline && !j.seen[abi.FrameCR] {
		j.seen[abi.FrameCR] = true
		list = append(list, event.Breach{
			Rule: abi.FrameCR, Where: l.where(n-1, n), Cause: string(abi.FrameCR),
			Detail: l.name() + " ends in CR LF. The ABI page says lines end in \\n; CR is white space to JSON, so most readers take it",
			Fix:    "Write \\n alone. On Windows-minded runtimes, put stdout into binary mode.",
		})
	}
	if doc.Depth() > abi.MaxDepthJSON {
		list = append(list, event.Breach{
			Rule: abi.FrameDepth, Where: l.where(0, len(l.bytes)),
			Detail: fmt.Sprintf("%s nests %s deep, deeper than %s (our limit). Readers differ on how deep they go",
				l.name(), thousands(doc.Depth()), thousands(abi.MaxDepthJSON)),
			Fix: "Nest less.",
		})
	}
	if b, ok := duplicate(l, doc); ok && j.fresh(b.Cause) {
		list = append(list, b)
	}
	if m.Kind == event.Notification && found.fault == nil && !m.Evidence && j.fresh("notification "+m.Method) {
		list = append(list, event.Breach{
			Rule: abi.RPCNotificationIgnored, Where: l.where(0, len(l.bytes)), Cause: "notification " + m.Method,
			Detail: fmt.Sprintf("%s is the notification %s. Subako ignores it", l.name(), show(m.Method)),
		})
	}
	return list
}

// fresh reports whether a notice was not handed over yet. A run can write
// thousands of lines that all say the same.
func (j *Judge) fresh(notice string) bool {
	if j.noticed[notice] || len(j.noticed) == abi.MaxNotices {
		return false
	}
	j.noticed[notice] = true
	return true
}

// maxDoubled is how many doubled names of one line are counted.
const maxDoubled = 1_000

// duplicate is the first doubled member name of a line.
func duplicate(l line, doc *jsonread.Doc) (event.Breach, bool) {
	doubled := doc.Doubled(maxDoubled)
	n := len(doubled)
	if n == 0 {
		return event.Breach{}, false
	}
	first := doubled[0]
	detail := fmt.Sprintf("the member %s stands twice in one object, at bytes %d and %d of stdout. Readers differ on which one counts; here it is the last",
		show(first.Value.String()), l.offset+first.First.Start(), l.offset+first.Value.Start())
	switch {
	case n == maxDoubled:
		detail += fmt.Sprintf(". So do at least %s more on this line", thousands(n-1))
	case n > 1:
		detail += fmt.Sprintf(". So do %s more on this line", thousands(n-1))
	}
	return event.Breach{Rule: abi.FrameDuplicateMember, Where: l.whereValue(first.Value), Detail: detail,
		Cause: "doubled " + first.Value.String(),
		Fix:   "Write each member once."}, true
}

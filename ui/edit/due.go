package edit

import (
	"strings"

	"perch/engine/jsonread"
)

// due is what must be found out by reading the whole text: whether it is JSON,
// and what a search finds in it.
type due struct {
	deferred bool
	running  bool

	checked int // the revision that doc and fault belong to, -1: none
	doc     *jsonread.Doc
	fault   *jsonread.Error
	at      Pos  // of the fault; it moves along with changes
	wrong   bool // there is a fault, of that revision or of one before
}

// soon is how many bytes of text are read at once, within a key: well below a
// millisecond.
const soon = 32 << 10

// Defer says who reads texts that are long. With yes, Due has the work, to be
// done beside the screen, and till then faults and matches stand where they
// were last seen. Without it View reads all of a text that has changed.
func (e *Editor) Defer(yes bool) { e.due.deferred = yes }

// waits reports whether the text is left to a Job.
func (e *Editor) waits() bool { return e.due.deferred && e.size > soon }

// Job is work on one state of the text. It may be run in any goroutine.
type Job struct {
	revision, search int
	lines            []string
	check            bool
	find             *matcher
}

// Done is what a job found out.
type Done struct {
	Revision int             // of the text
	Text     []byte          // the text
	Doc      *jsonread.Doc   // nil when it is no JSON, or was not to be checked
	Fault    *jsonread.Error // why it is no JSON

	checked  bool
	searched bool
	search   int
	matches  []match
	more     bool
}

// Due is work that must be done for the text as it is; false when there is none,
// or when some is still being done. Every job must be handed to Take.
func (e *Editor) Due() (Job, bool) {
	check := e.json && e.due.checked != e.revision
	find := e.finder.m != nil && !e.finder.complete
	if e.due.running || !e.waits() || !check && !find {
		return Job{}, false
	}
	e.due.running = true
	j := Job{revision: e.revision, search: e.finder.search, check: check, lines: append([]string(nil), e.lines...)}
	if find {
		j.find = e.finder.m
	}
	return j, true
}

// Run does the work.
func (j Job) Run() Done {
	d := Done{Revision: j.revision, search: j.search, checked: j.check, searched: j.find != nil}
	if j.check {
		d.Text = []byte(strings.Join(j.lines, "\n"))
		d.Doc, d.Fault = jsonread.Parse(d.Text)
	}
	if j.find != nil {
		d.matches, d.more = j.find.all(j.lines)
	}
	return d
}

// Take takes what a job found out. What belongs to a text that has changed
// since is left: the work is due again. It reports whether there is something
// new to be seen.
func (e *Editor) Take(d Done) bool {
	e.due.running = false
	news := false
	if d.checked && d.Revision == e.revision {
		e.takeCheck(d.Doc, d.Fault)
		news = true
	}
	if d.searched && d.Revision == e.revision && d.search == e.finder.search {
		e.finder.take(e, d.matches, d.more)
		news = true
	}
	return news
}

func (e *Editor) takeCheck(doc *jsonread.Doc, fault *jsonread.Error) {
	d := &e.due
	d.checked, d.doc, d.fault, d.wrong = e.revision, doc, fault, fault != nil
	if fault != nil {
		d.at = e.At(fault.Offset)
		d.at.Byte = e.boundary(d.at)
	}
}

// Checked is what is known of the text as JSON without reading it. current says
// that it is of the text as it is now.
func (e *Editor) Checked() (doc *jsonread.Doc, fault *jsonread.Error, current bool) {
	return e.due.doc, e.due.fault, e.due.checked == e.revision
}

// settleDue does the work that View may do itself.
func (e *Editor) settleDue() {
	if e.waits() {
		return
	}
	if e.json {
		e.Check()
	}
	e.finder.finish(e)
}

package export

import (
	"fmt"
	"slices"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/engine/quote"
	"perch/engine/units"
	"perch/inspect/model"
	"perch/inspect/record"
	"perch/inspect/report"
	"perch/inspect/rules"
	"perch/inspect/safe"
)

// Bounds of a report; all are our own. What is left out is counted.
const (
	mostText      = 16 << 10 // bytes of one text
	mostLine      = 8 << 10  // bytes of one line on the wire
	mostLines     = 24
	mostBlocks    = 32
	mostFindings  = 50
	mostExchanges = 50
	mostFiles     = 100
	mostName      = 160 // cells of a name or a path
	findingCells  = 96
)

// Call is a call to be reported.
type Call struct {
	Package  report.Package
	Name     string // of the package, as it was opened
	Run      *record.Run
	Model    []model.Block
	Findings []rules.Finding
	Source   report.Source // of the bytes that findings point at; may be nil
	// Changed says that somebody changed the run by hand: its outcome is not the
	// module's alone.
	Changed bool
}

// Report is a call as a page in Markdown: package, tool and arguments, outcome
// and both verdicts, findings with their places, what the model reads, wire,
// HTTP, files and stderr. It is bounded, nothing in it acts where it is shown,
// and no secret header is in it.
func Report(c Call) string {
	p := &page{}
	begin := c.Run.Begin()
	end, ended := c.Run.End()
	p.heading(1, "Call of "+code(begin.Tool, mostName))
	c.outcome(p, begin, end, ended)
	p.heading(2, "Arguments")
	p.fence("json", pretty(begin.Arguments), mostText)
	p.line("\nAgain:\n")
	p.fence("sh", Perch(c.Name, begin.Tool, begin.Arguments), 4*mostText)
	c.findings(p)
	c.model(p)
	c.wire(p)
	c.http(p)
	c.files(p)
	c.stderr(p)
	return p.b.String()
}

// pretty is JSON with a line for each value, any other text as it is.
func pretty(b []byte) string {
	doc, err := jsonread.Parse(b)
	if err != nil {
		return string(b)
	}
	return string(Pretty(doc.Root()))
}

func (c Call) outcome(p *page, begin event.Begin, end event.End, ended bool) {
	about := []string{code(c.Package.Name, mostName)}
	for i, part := range c.Package.Heading() {
		if i > 0 && part != "" {
			about = append(about, visiblePlain(part))
		}
	}
	p.item("Package: %s", strings.Join(about, " · "))
	if c.Name != "" {
		p.item("Opened as: %s", code(c.Name, mostName))
	}
	if begin.Seed != "" {
		p.item("Seed: %s; ids, random bytes and clock are not real", code(begin.Seed, mostName))
	}
	if !ended {
		p.item("Outcome: it still runs")
		return
	}
	parts := []string{map[event.Outcome]string{event.OK: "✓ ok", event.ToolError: "▲ tool error", event.Broken: "✗ broken",
		event.Refused: "✗ refused", event.Cancelled: "· stopped"}[end.Outcome], units.Duration(end.Usage.Time), exit(c.Run)}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	p.item("Outcome: **%s**", strings.Join(parts, " · "))
	if c.Changed {
		p.item("≠ changed by hand: what follows is not the module's alone")
	}
	subako, mcp := rules.Verdicts(end.Outcome, c.Findings)
	p.item("Subako: %s", subako.Text)
	p.item("MCP %s: %s", abi.ProtocolVersion, mcp.Text)
	u := end.Usage
	p.item("Used: memory %s · stdout %s · stderr %s · written %s · HTTP %s", units.Size(u.MemoryPeak), units.Size(u.Stdout),
		units.Size(u.Stderr), units.Size(u.Written), quote.Plural(u.HTTP, "request"))
}

// visiblePlain is text of ours and of toolchains in a line of Markdown: what has
// a meaning there is in a code span.
func visiblePlain(s string) string {
	if strings.ContainsAny(s, "`*_[]<>&|\\~#") || !plain(s) {
		return code(s, mostName)
	}
	return s
}

func exit(r *record.Run) string {
	seqs := r.Of(record.KindExit)
	if len(seqs) == 0 {
		return ""
	}
	e, _ := r.Event(uint64(seqs[len(seqs)-1]))
	x, _ := e.Body.(event.Exit)
	switch {
	case x.Trap != "":
		return "trap: " + code(x.Trap, mostName)
	case x.Stopped != "":
		return "stopped: " + code(x.Stopped, mostName)
	case x.Code != nil && x.AfterEOF >= 0:
		return fmt.Sprintf("exit %d, %s after stdin closed", *x.Code, units.Duration(x.AfterEOF))
	case x.Code != nil:
		return fmt.Sprintf("exit %d", *x.Code)
	}
	return ""
}

func (c Call) findings(p *page) {
	p.heading(2, "Findings")
	if len(c.Findings) == 0 {
		p.line("None.")
		return
	}
	shown := c.Findings[:min(len(c.Findings), mostFindings)]
	style := report.Style{Width: findingCells}
	p.fence("", strings.TrimSuffix(style.Findings(shown, c.Source), "\n"), 8*mostText)
	if n := len(c.Findings) - len(shown); n > 0 {
		p.line("\n%s more left out.", quote.Plural(n, "finding"))
	}
}

func (c Call) model(p *page) {
	p.heading(2, "What the model reads")
	if len(c.Model) == 0 {
		p.line("Nothing.")
		return
	}
	for i, b := range c.Model {
		if i == mostBlocks {
			p.line("\n%s more left out.", quote.Plural(len(c.Model)-i, "block"))
			return
		}
		if i > 0 {
			p.line("")
		}
		p.line("%d. %s, %s%s\n", i+1, b.Type, sizeOf(b), map[bool]string{true: " (our wording)", false: ""}[b.OurWords])
		p.fence("", b.Text, mostText)
		if b.About != "" {
			p.line("\nNote, the model is not told: %s", code(b.About, 2*mostName))
		}
	}
}

func sizeOf(b model.Block) string {
	if b.Type == model.Image {
		return units.Size(len(b.Data))
	}
	return quote.Count(len(b.Text)) + " B"
}

func (c Call) wire(p *page) {
	p.heading(2, "Wire")
	seqs := c.Run.Of(record.KindRequest, record.KindMessage)
	for i, seq := range seqs {
		if i == mostLines {
			p.line("\n%s more left out.", quote.Plural(len(seqs)-i, "line"))
			return
		}
		e, _ := c.Run.Event(uint64(seq))
		switch b := e.Body.(type) {
		case event.Request:
			p.line("→ in %d at %.3f, %s B\n", b.Line, e.Time.Seconds(), quote.Count(len(b.Bytes)))
			p.fence("json", strings.TrimSuffix(string(b.Bytes), "\n"), mostLine)
		case event.Message:
			note := ""
			switch {
			case b.Evidence:
				note = ", not read by Subako"
			case b.Kind == event.NotMessage:
				note = ", not a message"
			case b.Kind == event.Notification:
				note = ", a notification, ignored"
			}
			p.line("← out %d at %.3f, %s B%s\n", b.Line, e.Time.Seconds(), quote.Count(b.Len), note)
			text := c.Run.Stream(event.Stdout).Bytes(b.Offset, min(b.Len, mostLine+4))
			p.fence("", string(text), mostLine)
			if left := b.Len - len(text); left > 0 {
				p.line("\nThe line has %s in all.", quote.Plural(b.Len, "byte"))
			}
		}
		p.line("")
	}
	if len(seqs) == 0 {
		p.line("Nothing.")
	}
}

func (c Call) stderr(p *page) {
	s := c.Run.Stream(event.Stderr)
	if s.Len() == 0 {
		return
	}
	p.heading(2, "stderr")
	tail := s.Tail(abi.StderrTail)
	if cut := s.Len() - int64(len(tail)); cut > 0 {
		p.line("The last %s B of %s B.\n", quote.Count(len(tail)), quote.Count(s.Len()))
	}
	p.fence("", string(tail), abi.StderrTail)
}

// summary is what of an exchange stands in its line.
// masked is how many secrets are hidden in it.
func summary(x Exchange) (text string, masked int) {
	address, masked := Address(x.Request.URL)
	text = code(strings.TrimSpace(x.Request.Method+" "+address), 2*mostName)
	switch a := x.Answer; {
	case a == nil:
		text += ": no answer"
	case a.Kind != "":
		text += fmt.Sprintf(": ✗ %s, %s", a.Kind, code(a.Message, 2*mostName))
	default:
		text += fmt.Sprintf(": %d, %s B, %s", a.Status, quote.Count(max(a.Bytes, int64(len(a.Body)))), units.Duration(a.Took))
	}
	if x.Answer != nil && x.Answer.Mock != "" {
		text += ", by the mock " + code(x.Answer.Mock, mostName)
	}
	return text, masked
}

func (c Call) http(p *page) {
	all, more := Exchanges(c.Run, mostExchanges)
	if len(all) == 0 {
		return
	}
	p.heading(2, "HTTP")
	masked := 0
	for _, x := range all {
		text, n := summary(x)
		masked += n
		p.item("%s", text)
		for _, h := range x.Hops {
			for _, d := range h.Decisions {
				p.line("  - hop %d %s %s: %s%s", h.Hop, map[bool]string{true: "✓", false: "✗"}[d.OK], visiblePlain(d.Check), code(d.What, mostName), by(d.Source))
			}
			if h.Location != "" {
				to, n := Address(h.Location)
				masked += n
				p.line("  - hop %d %d → %s", h.Hop, h.Status, code(to, 2*mostName))
			}
		}
	}
	if more > 0 {
		p.line("\n%s more left out.", quote.Plural(more, "request"))
	}
	if masked > 0 {
		p.line("\nIn these addresses %s hidden, which may be secret; perch shows them as they were in HTTP.", isHidden(masked))
	}
}

func by(source string) string {
	if source == "" {
		return ""
	}
	return ", by " + code(source, mostName)
}

// Exchanges are the first exchanges of a run, and how many more there are.
func Exchanges(r *record.Run, most int) (all []Exchange, more int) {
	index := map[int]int{}
	for _, seq := range r.Of(record.KindHTTPRequest, record.KindHTTPHop, record.KindHTTPAnswer) {
		e, ok := r.Event(uint64(seq))
		if !ok {
			continue
		}
		id := 0
		switch b := e.Body.(type) {
		case event.HTTPRequest:
			id = b.ID
		case event.HTTPHop:
			id = b.ID
		case event.HTTPAnswer:
			id = b.ID
		}
		i, known := index[id]
		if !known {
			i = len(all)
			if index[id] = i; i >= most {
				index[id] = -1
				more++
				continue
			}
			all = append(all, Exchange{})
		}
		if i < 0 {
			continue
		}
		switch b := e.Body.(type) {
		case event.HTTPRequest:
			all[i].Request = b
		case event.HTTPHop:
			if all[i].Request.URL == "" {
				all[i].Request.Method, all[i].Request.URL = b.Method, b.URL
			}
			all[i].Hops = append(all[i].Hops, b)
		case event.HTTPAnswer:
			all[i].Answer = &b
		}
	}
	return all, more
}

// touched is what a call did to a file.
type touched struct {
	path string
	did  []string
	size int64
}

func (c Call) files(p *page) {
	index := map[string]int{}
	var all []touched
	more := 0
	for _, seq := range c.Run.Of(record.KindFile) {
		e, ok := c.Run.Event(uint64(seq))
		f, is := e.Body.(event.FileEffect)
		if !ok || !is {
			continue
		}
		i, known := index[f.Path]
		if !known {
			if len(all) == mostFiles {
				more++
				continue
			}
			i = len(all)
			index[f.Path] = i
			all = append(all, touched{path: f.Path})
		}
		t := &all[i]
		if did := describe(f); !slices.Contains(t.did, did) && len(t.did) < 8 {
			t.did = append(t.did, did)
		}
		if f.Op == event.FileWrite {
			t.size += f.Bytes
		}
	}
	if len(all) == 0 {
		return
	}
	p.heading(2, "Files")
	for _, t := range all {
		text := strings.Join(t.did, ", ")
		if t.size > 0 {
			text += ", " + units.Size(t.size) + " written"
		}
		p.item("%s: %s", code(t.path, 2*mostName), text)
	}
	if more > 0 {
		p.line("\n%s on other files left out.", quote.Plural(more, "effect"))
	}
}

func describe(f event.FileEffect) string {
	switch {
	case f.Op == event.FileRefused:
		return "refused" + because(f.Note)
	case f.NewPath != "":
		return string(f.Op) + " to " + code(f.NewPath, mostName)
	}
	return string(f.Op)
}

func because(note string) string {
	if note == "" {
		return ""
	}
	return ": " + code(note, mostName)
}

// Findings are findings as text, as the commands write them, with the bytes that
// they point at.
func Findings(all []rules.Finding, src report.Source) string {
	return report.Style{Safe: safe.Mode{}, Width: findingCells}.Findings(all, src)
}

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/near"
	"perch/engine/quote"
	"perch/engine/units"
	"perch/engine/wire"
	"perch/inspect/bench"
	"perch/inspect/model"
	"perch/inspect/record"
	"perch/inspect/report"
	"perch/inspect/rules"
	"perch/samples"
)

// plain is the app in lines: for screen readers, and for terminals that cannot
// move the cursor. It only appends lines, uses no box and no colour, and takes
// numbers and words.
type plain struct {
	*app
	lines *bufio.Scanner
	safe  report.Style
	b     *bench.Bench
	u     bench.Upload
	tool  wire.Tool
	args  []byte
	last  *bench.Call
	calls []bench.Call // of this session
	// stamp is what the package looked like when it was opened, noticed what it
	// looked like when that was said to be another.
	stamp, noticed [32]byte
}

// errQuit ends the plain mode.
var errQuit = errors.New("quit")

// plainMode opens a package, or asks for one, and goes on until the person
// quits or the input ends.
func (a *app) plainMode(ctx context.Context, args []string, why string) error {
	p := &plain{app: a, lines: bufio.NewScanner(a.in), safe: textStyle(a.out)}
	p.lines.Buffer(nil, abi.MaxArguments)
	p.safe.Severity = nil
	if why != "" {
		why += " "
	}
	p.say("perch: %sthis is the plain mode (perch --plain). ? helps.", why)
	name := ""
	if len(args) == 1 {
		name = args[0]
	}
	err := p.open(ctx, name)
	if p.b != nil {
		err = errors.Join(err, p.b.Close())
	}
	if errors.Is(err, errQuit) || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func (p *plain) say(format string, args ...any) {
	fmt.Fprintln(p.out, p.safe.Safe.Text(fmt.Sprintf(format, args...)))
}

// ask prints a question and returns the line that answers it.
func (p *plain) ask(ctx context.Context, prompt string) (string, error) {
	p.noticeRebuilt()
	fmt.Fprint(p.out, p.safe.Safe.Line(prompt)+"> ")
	read := make(chan bool, 1)
	go func() { read <- p.lines.Scan() }() // a cancel ends perch, and this with it
	select {
	case <-ctx.Done():
		fmt.Fprintln(p.out)
		return "", failure(ctx, ctx.Err())
	case more := <-read:
		if more {
			return strings.TrimSpace(p.lines.Text()), nil
		}
	}
	fmt.Fprintln(p.out)
	if err := p.lines.Err(); err != nil {
		return "", &exitError{exitUsage, fmt.Errorf("read a line: %w", err)}
	}
	return "", io.EOF
}

func (p *plain) open(ctx context.Context, name string) error {
	if name == "" {
		var err error
		if name, err = p.choosePackage(ctx); err != nil {
			return err
		}
	}
	b, err := p.app.open(ctx, name)
	if err != nil {
		return err
	}
	p.b = b
	return p.begin(ctx)
}

// begin uploads the package that is open and goes on with its tools.
func (p *plain) begin(ctx context.Context) error {
	var err error
	p.remember()
	if p.u, err = p.upload(ctx, p.b); err != nil {
		return err
	}
	p.opened()
	if p.u.Run == nil || len(p.u.Tools) == 0 {
		p.findings(p.u.Findings)
		return ended(uploadStatus(p.u, p.b.Settings.Strict))
	}
	for {
		if err := p.oneTool(ctx); err != nil {
			return err
		}
	}
}

func (p *plain) choosePackage(ctx context.Context) (string, error) {
	all := samples.List()
	for i, s := range all {
		p.say("%d. %s, %s: %s.", i+1, s.Name, s.Language, s.Description)
	}
	for {
		answer, err := p.ask(ctx, fmt.Sprintf("sample 1-%d, or a path", len(all)))
		if err != nil {
			return "", err
		}
		if n, err := strconv.Atoi(answer); err == nil && n >= 1 && n <= len(all) {
			return bench.SamplePrefix + all[n-1].Name, nil
		}
		switch answer {
		case "", "?", "help":
			p.say("A number opens a sample; a path opens a folder, a .wasm, a .tar, a .tar.gz or a .zip. quit ends.")
		case "quit", "q":
			return "", errQuit
		default:
			return answer, nil
		}
	}
}

// opened says what was opened.
func (p *plain) opened() {
	about := p.b.About()
	parts := []string{"ABI " + about.ABI, about.Made(), units.Size(int64(about.Bytes))}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" || s == "ABI " })
	subako, mcp := rules.PackageVerdicts(p.u.Accepted(), p.u.Findings)
	p.say("%s: %s. Subako: %s. MCP: %s.", about.Name, strings.Join(parts, ", "), subako.Text, mcp.Text)
}

func (p *plain) toolList() {
	names := make([]string, len(p.u.Tools))
	for i, t := range p.u.Tools {
		names[i] = fmt.Sprintf("%d %s.", i+1, t.Name)
	}
	p.say("%s. %s", tools(len(names)), strings.Join(names, " "))
}

// oneTool takes a tool from its choice to what to do after its call.
func (p *plain) oneTool(ctx context.Context) error {
	p.toolList()
	if err := p.chooseTool(ctx); err != nil {
		return err
	}
	for {
		if err := p.edit(ctx); err != nil {
			return err
		}
		again, err := p.callAndLook(ctx)
		if err != nil || !again {
			return err
		}
	}
}

func (p *plain) chooseTool(ctx context.Context) error {
	var names []string
	for _, t := range p.u.Tools {
		names = append(names, t.Name)
	}
	for {
		answer, err := p.ask(ctx, fmt.Sprintf("tool 1-%d", len(names)))
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(answer)
		switch at := slices.Index(names, answer); {
		case err == nil && n >= 1 && n <= len(names):
			p.tool = p.u.Tools[n-1]
			return nil
		case at >= 0:
			p.tool = p.u.Tools[at]
			return nil
		case answer == "quit", answer == "q":
			return errQuit
		case strings.HasPrefix(answer, "open "):
			return p.reopen(ctx, strings.TrimSpace(answer[len("open "):]))
		case answer == "reload", answer == "build":
			if err := p.act(ctx, answer, ""); err != nil {
				return err
			}
			if names = names[:0]; len(p.u.Tools) > 0 {
				for _, t := range p.u.Tools {
					names = append(names, t.Name)
				}
				p.toolList()
			}
		case p.ofPackage(answer):
		case answer == "findings":
			p.findings(p.u.Findings)
		case answer == "", answer == "?", answer == "help":
			p.say("A number or a name chooses a tool; findings lists what was found; rule ID explains a rule; package and settings tell of those; reload opens the package anew, build builds it; open PATH opens another package; quit ends.")
		default:
			p.say("No tool is named %s.%s", quote.Text(answer), meant(answer, names))
		}
	}
}

func meant(word string, words []string) string {
	if w := near.Word(word, words); w != "" {
		return " Did you mean " + w + "?"
	}
	return ""
}

// edit asks for the arguments of the call.
func (p *plain) edit(ctx context.Context) error {
	sets := p.b.Arguments()[p.tool.Name]
	p.say("%s", p.safe.Safe.Line(p.tool.Name+": "+p.tool.Description))
	if s := signature(p.tool); s != "" {
		p.say("Takes %s. A star is required.", s)
	}
	p.args = []byte("{}")
	if len(sets) > 0 {
		p.args = sets[0].Value
		p.say("Samples: %s.", sampleList(sets))
	}
	for {
		line, err := wire.Arguments(p.args)
		if err != nil {
			return err
		}
		p.say("sends %d bytes: %s", len(line), line)
		answer, err := p.ask(ctx, "run? yes, fields, set FIELD VALUE, a JSON object, sample NUMBER, preset NAME, tool, quit")
		if err != nil {
			return err
		}
		word, rest, _ := strings.Cut(answer, " ")
		switch {
		case answer == "", word == "yes", word == "y", word == "run":
			return nil
		case word == "quit", word == "q":
			return errQuit
		case word == "tool":
			if err := p.chooseTool(ctx); err != nil {
				return err
			}
			return p.edit(ctx)
		case word == "sample":
			p.takeSample(sets, rest)
		case word == "preset", word == "presets":
			p.preset(strings.TrimSpace(rest))
		case strings.HasPrefix(answer, "{"):
			p.takeJSON(answer)
		case p.takeField(word, rest):
		default:
			p.say("yes runs it as shown. fields lists the fields; set name Ada fills one in, null name and unset name say null and leave it out. A line that begins with { is taken as the arguments. sample 2 takes the second sample. preset lists what was saved, preset NAME takes it, preset save NAME saves what is sent.")
		}
	}
}

func sampleList(sets []samples.Arguments) string {
	var names []string
	for i, s := range sets {
		names = append(names, fmt.Sprintf("%d %s", i+1, s.Name))
	}
	return strings.Join(names, ", ")
}

func (p *plain) takeSample(sets []samples.Arguments, which string) {
	n, err := strconv.Atoi(strings.TrimSpace(which))
	if err != nil || n < 1 || n > len(sets) {
		p.say("There are %d samples: name one by its number.", len(sets))
		return
	}
	p.args = sets[n-1].Value
}

func (p *plain) takeJSON(text string) {
	if _, err := wire.Arguments([]byte(text)); err != nil {
		p.say("%v", badArguments("the line", []byte(text), err, p.safe))
		return
	}
	p.args = []byte(text)
}

// callAndLook runs the call and answers questions about it. again: the person
// wants to edit and run once more.
func (p *plain) callAndLook(ctx context.Context) (again bool, err error) {
	if err := p.call(ctx); err != nil {
		return false, err
	}
	for {
		answer, err := p.ask(ctx, "next: again edit wire stderr http files findings tool help quit")
		if err != nil {
			return false, err
		}
		word, rest, _ := strings.Cut(answer, " ")
		switch word {
		case "edit":
			return true, nil
		case "tool", "":
			return false, nil
		case "quit", "q":
			return false, errQuit
		}
		if err := p.act(ctx, word, strings.TrimSpace(rest)); err != nil {
			return false, err
		}
	}
}

// call runs the call; every second it says that it still runs.
func (p *plain) call(ctx context.Context) error {
	done := make(chan struct{})
	told := make(chan struct{})
	go func() {
		defer close(told)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for n := 1; ; n++ {
			select {
			case <-done:
				return
			case <-tick.C:
				p.say("running: %d s.", n)
			}
		}
	}()
	c, err := p.b.Call(ctx, p.tool.Name, p.args)
	close(done)
	<-told
	if err != nil {
		return failure(ctx, err)
	}
	p.last = &c
	p.calls = append(p.calls, c)
	p.say("%s.", outcomeLine(p.safe, c))
	p.say("The model reads %d %s.", len(c.Model), plural("block", len(c.Model)))
	for i, b := range c.Model {
		p.say("%d: %s, %d bytes: %s", i+1, b.Type, max(len(b.Data), len(b.Text)), blockText(b))
	}
	if n := len(c.Findings); n > 0 {
		p.say("Found: %s.", report.Counts(c.Findings))
	}
	return nil
}

func plural(word string, n int) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

func blockText(b model.Block) string {
	return strings.TrimRight(b.Text, "\n")
}

func (p *plain) wireLines(run *record.Run) {
	seqs := run.Of(record.KindRequest, record.KindMessage)
	for i, seq := range seqs {
		e, _ := run.Event(uint64(seq))
		switch b := e.Body.(type) {
		case event.Request:
			p.say("%d of %d, to the module, %d bytes: %s", i+1, len(seqs), len(b.Bytes), bytes.TrimSpace(b.Bytes))
		case event.Message:
			text := run.Stream(event.Stdout).Bytes(b.Offset, min(b.Len, abi.MaxShownLine))
			p.say("%d of %d, from the module, %d bytes, %s: %s", i+1, len(seqs), b.Len, b.Kind, text)
		}
	}
}

func (p *plain) stderrLines(run *record.Run) {
	s := run.Stream(event.Stderr)
	if s.Len() == 0 {
		p.say("Nothing on stderr.")
		return
	}
	s.Range(1, func(l record.Line) bool {
		p.say("%s", s.Bytes(l.Offset, int(min(l.Len, abi.MaxShownLine))))
		return true
	})
}

func (p *plain) events(run *record.Run, none string, line func(event.Body) string, kind record.Kind) {
	seqs := run.Of(kind)
	if len(seqs) == 0 {
		p.say("%s", none)
	}
	for i, seq := range seqs {
		e, _ := run.Event(uint64(seq))
		p.say("%d of %d, %s", i+1, len(seqs), line(e.Body))
	}
}

func (p *plain) httpLine(b event.Body) string {
	a, _ := b.(event.HTTPAnswer)
	if a.Kind != "" {
		return fmt.Sprintf("request %d: %s: %s", a.ID, a.Kind, a.Message)
	}
	return fmt.Sprintf("request %d: %d, %d bytes, %s", a.ID, a.Status, a.Bytes, p.safe.Duration(a.Took))
}

func fileLine(b event.Body) string {
	f, _ := b.(event.FileEffect)
	text := fmt.Sprintf("%s %s", f.Op, f.Path)
	if f.NewPath != "" {
		text += " to " + f.NewPath
	}
	if f.Bytes > 0 {
		text += fmt.Sprintf(", %d bytes at %d", f.Bytes, f.Offset)
	}
	if f.Note != "" {
		text += ": " + f.Note
	}
	return text
}

func (p *plain) findings(all []rules.Finding) {
	if len(all) == 0 {
		p.say("Nothing was found.")
	}
	for _, f := range all {
		p.say("%s", p.safe.Finding(f, p.b.Source))
	}
}

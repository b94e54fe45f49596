package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"

	"perch/inspect/bench"
	"perch/inspect/probe"
	"perch/inspect/rules"
)

// probe makes the probes of a package and shows on stderr how far they are and
// what they found, where that is a terminal. When ctx ends it returns what was
// found so far and the context's error.
func (a *app) probe(ctx context.Context, b *bench.Bench, u bench.Upload) ([]rules.Finding, error) {
	progress, done := a.progress("probing")
	defer done()
	return b.Probe(ctx, u, progress)
}

// progressStep is how often the progress line is written.
const progressStep = 100 * time.Millisecond

// progress returns a function that takes how far probes are, and one that ends
// it. On a terminal one line of stderr shows the state and is gone at the end,
// with a line above it for each finding as it comes; elsewhere nothing is
// written.
func (a *app) progress(doing string) (report probe.Progress, end func()) {
	width := lineWidth(a.err)
	if width == 0 {
		return func(probe.State) {}, func() {}
	}
	p := &progressLine{out: a.err, width: width, doing: doing, told: map[string]bool{}, stop: make(chan struct{}), stopped: make(chan struct{})}
	tick := time.NewTicker(progressStep)
	go func() {
		defer tick.Stop()
		p.run(tick.C)
	}()
	return p.set, p.end
}

// lineWidth is the width of a terminal that can rewrite a line; 0 for what is
// none.
func lineWidth(w io.Writer) int {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(file.Fd()) || os.Getenv("TERM") == "dumb" {
		return 0
	}
	width, _, err := term.GetSize(file.Fd())
	if err != nil {
		return 0
	}
	return width
}

// progressLine is one line that is written again and again.
type progressLine struct {
	out   io.Writer
	width int
	doing string

	mu   sync.Mutex
	now  probe.State
	told map[string]bool // findings that have their line

	stop, stopped chan struct{}
}

func (p *progressLine) set(now probe.State) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = now
}

// run writes the line at each tick until it is ended. Work that is done before
// the first one shows none, and no finding: the report has them all.
func (p *progressLine) run(tick <-chan time.Time) {
	defer close(p.stopped)
	shown := ""
	for {
		select {
		case <-tick:
			found, text := p.found(), p.text()
			if found != "" || text != shown {
				shown = text
				fmt.Fprint(p.out, "\r"+found+text+eraseToEnd)
			}
		case <-p.stop:
			if shown != "" {
				fmt.Fprint(p.out, "\r"+eraseToEnd)
			}
			return
		}
	}
}

// eraseToEnd clears a line from the cursor on (ECMA-48, EL).
const eraseToEnd = "\x1b[K"

// text is the line, at most as wide as the terminal less one column: in the
// last one some terminals wrap.
func (p *progressLine) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	safe := textStyle(p.out).Safe
	line := p.doing
	if p.now.Total > 0 {
		line = fmt.Sprintf("%s %d of %d: %s", p.doing, min(p.now.Done+1, p.now.Total), p.now.Total, p.now.Next)
	}
	return safe.Cut(safe.Line(line), p.width-1)
}

// found are the lines of the findings that have none yet.
func (p *progressLine) found() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	safe := textStyle(p.out).Safe
	var lines strings.Builder
	for _, f := range p.now.Found {
		key := string(f.Rule) + " " + f.Tool
		if p.told[key] {
			continue
		}
		p.told[key] = true
		line := fmt.Sprintf("%s[%s]: %s", f.Severity, f.Rule, f.Title)
		lines.WriteString(safe.Cut(safe.Line(line), p.width-1) + eraseToEnd + "\n")
	}
	return lines.String()
}

func (p *progressLine) end() {
	close(p.stop)
	<-p.stopped
}

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"

	"perch/inspect/bench"
	"perch/inspect/rules"
)

// probe makes the probes of a package and shows on stderr how far they are,
// where that is a terminal. When ctx ends it returns what was found so far and
// the context's error.
func (a *app) probe(ctx context.Context, b *bench.Bench, u bench.Upload) ([]rules.Finding, error) {
	progress, done := a.progress("probing")
	defer done()
	return b.Probe(ctx, u, progress)
}

// progressStep is how often the progress line is written.
const progressStep = 100 * time.Millisecond

// progress returns a function that takes how far some work is, and one that
// ends it. On a terminal one line of stderr shows the state and is gone at the
// end; elsewhere nothing is written.
func (a *app) progress(doing string) (report func(done, total int, name string), end func()) {
	width := lineWidth(a.err)
	if width == 0 {
		return func(int, int, string) {}, func() {}
	}
	p := &progressLine{out: a.err, width: width, doing: doing, stop: make(chan struct{}), stopped: make(chan struct{})}
	go p.run()
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

	mu          sync.Mutex
	done, total int
	name        string

	stop, stopped chan struct{}
}

func (p *progressLine) set(done, total int, name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done, p.total, p.name = done, total, name
}

// run writes the line until it is ended. Work that is done at once shows none.
func (p *progressLine) run() {
	defer close(p.stopped)
	tick := time.NewTicker(progressStep)
	defer tick.Stop()
	shown := ""
	for {
		select {
		case <-tick.C:
			if text := p.text(); text != shown {
				shown = text
				fmt.Fprint(p.out, "\r"+text+eraseToEnd)
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
	if p.total > 0 {
		line = fmt.Sprintf("%s %d of %d: %s", p.doing, min(p.done+1, p.total), p.total, p.name)
	}
	return safe.Cut(safe.Line(line), p.width-1)
}

func (p *progressLine) end() {
	close(p.stop)
	<-p.stopped
}

package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"perch/engine/event"
	"perch/ui/box"
	"perch/ui/result"
	"perch/ui/words"
)

// repeating are the commands that make a call more than once.
func repeating() []command {
	return []command{
		{id: "run.options", ctx: ctxBrowse, keys: keys("R"), title: "Run N times, until it fails, or as before", why: (*App).whyNoOptions, run: on((*App).openRunOptions)},
	}
}

// Bounds of a series; both are ours: each call stays in the history.
const (
	maxSeries   = 1000
	usualSeries = 10
	usualUntil  = 100
	doingAfter  = 300 * time.Millisecond
	doingRoom   = 100 // cells of the terminal from which the header says what the module is doing
)

// series are calls in a row, with the same arguments.
type series struct {
	tool    string
	args    []byte
	total   int
	until   bool // one fails
	runs    map[uint32]bool
	took    []time.Duration
	count   map[event.Outcome]int
	first   uint32 // the first that failed
	last    uint32
	stopped bool // by the person
	ended   bool
}

// goesOn reports whether more calls come.
func (s *series) goesOn() bool { return s != nil && !s.ended }

// stop keeps more calls from being made; the one that is made ends by itself.
func (s *series) stop() {
	if s.goesOn() {
		s.stopped = true
	}
}

// failed is how many calls failed.
func (s *series) failed() int { return s.count[event.ToolError] + s.count[event.Broken] }

// worst is the worst outcome of the calls.
func (s *series) worst() event.Outcome {
	for _, o := range []event.Outcome{event.Broken, event.ToolError, event.OK} {
		if s.count[o] > 0 {
			return o
		}
	}
	return event.Cancelled
}

// words are the outcomes in the header.
func (s *series) words() string {
	sign, _, _ := strings.Cut(words.Outcome(s.worst()), " ")
	if n := s.failed(); n > 0 {
		return fmt.Sprintf("%s %s of %s failed", sign, words.Count(n), words.Count(len(s.took)))
	}
	return fmt.Sprintf("%s %s of %s ok", sign, words.Count(s.count[event.OK]), words.Count(s.total))
}

// take counts a call that has ended.
func (s *series) take(run uint32, end event.End) {
	s.runs[run], s.last = true, run
	if end.Outcome == event.Cancelled {
		s.stopped = true
		return
	}
	s.count[end.Outcome]++
	s.took = append(s.took, end.Usage.Time)
	if end.Outcome != event.OK && s.first == 0 {
		s.first = run
	}
}

// over reports whether no more calls are to be made.
func (s *series) over() bool {
	return s.stopped || len(s.took) >= s.total || s.until && s.first != 0
}

// summary is what the result tells of the series. number is the number of the
// first call that failed.
func (s *series) summary(number int) *result.Series {
	out := &result.Series{Total: s.total, OK: s.count[event.OK], ToolError: s.count[event.ToolError], Broken: s.count[event.Broken],
		Stopped: s.stopped, Live: !s.ended, First: number, Until: s.until, Has: func(run uint32) bool { return s.runs[run] }}
	if n := len(s.took); n > 0 {
		sorted := slices.Clone(s.took)
		slices.SortFunc(sorted, cmp.Compare[time.Duration])
		out.Min, out.Median, out.Max = sorted[0], sorted[n/2], sorted[n-1]
	}
	return out
}

// seriesWas is the series that ended with the newest run; nil when there is
// none.
func (s *session) seriesWas() *series {
	if x := s.series; x != nil && x.ended {
		if last := s.bench.Record.Last(); last != nil && last.ID() == x.last {
			return x
		}
	}
	return nil
}

// runningWords say in the header that a call goes on: how many of how many, or
// how long, and what the module is doing.
func (a *App) runningWords() string {
	s := a.session
	if x := s.series; x.goesOn() {
		text := fmt.Sprintf("» run %s of %s · %s ok", words.Count(len(x.took)+1), words.Count(x.total), words.Count(x.count[event.OK]))
		if n := x.failed(); n > 0 {
			text += " · " + words.Count(n) + " failed"
		}
		return text
	}
	text := "» running " + seconds(a.elapsed())
	if a.w >= doingRoom && a.elapsed() >= doingAfter && s.live.run != nil {
		text += " · " + a.look.Text.Cut(a.look.Text.Line(result.Doing(s.live.run, a.elapsed())), 32)
	}
	return text
}

func (a *App) whyNoOptions() string {
	if a.page != nil {
		return "close the page first: it runs the tool that is chosen"
	}
	return a.whyNoCall()
}

// openRunOptions offers the ways to make the call more than once.
func (a *App) openRunOptions() tea.Cmd {
	t, _ := a.tools.Selected()
	s := a.session
	again := box.Item{Letter: "l", Label: "again, with the arguments of the last call of this tool", Value: "last"}
	if sent, ok := s.sent[t.Name]; ok {
		again.Note = onOneLine(string(sent[:min(len(sent), 4096)]))
	} else {
		again.Disabled = "this tool was not called yet"
	}
	items := []box.Item{
		{Letter: "n", Label: "N times", Value: "times", Note: "Each call stays in the history; the result sums them up."},
		{Letter: "f", Label: "until it fails", Value: "until", Note: "The first call that is not ok ends the series, and is shown."},
		again,
	}
	b := &box.Box{Title: "Run", Sign: "R", Width: 64, Foot: "enter, or the letter   ctrl+c ends a series   esc", Items: func(string) []box.Item { return items }}
	a.push(&overlay{box: b, choose: func(a *App, it box.Item) tea.Cmd {
		switch it.Value {
		case "times":
			return a.askTimes(false)
		case "until":
			return a.askTimes(true)
		}
		if why := a.whyNoCall(); why != "" {
			return a.say(toast{text: why, brief: true})
		}
		return a.callWith(t.Name, s.sent[t.Name], nil)
	}})
	return nil
}

// askTimes asks how often a call is made.
func (a *App) askTimes(until bool) tea.Cmd {
	usual, title := usualSeries, "Run how many times?"
	if until {
		usual, title = usualUntil, "Run until it fails: how often at most?"
	}
	b := &box.Box{Title: title, Sign: "R", Prompt: "times", Width: 56, Foot: "enter runs   esc"}
	b.Items = func(query string) []box.Item {
		n, why := timesOf(query, usual)
		if why != "" {
			return []box.Item{{Label: "type a number", Disabled: why}}
		}
		once := box.Item{Label: "run it " + words.Plural(n, "time"), Value: times{n, false}}
		stop := box.Item{Label: "run it up to " + words.Plural(n, "time") + ", until one fails", Value: times{n, true}}
		if until {
			return []box.Item{stop, once}
		}
		return []box.Item{once, stop}
	}
	a.push(&overlay{box: b, choose: func(a *App, it box.Item) tea.Cmd {
		x, _ := it.Value.(times)
		return a.startSeries(x)
	}})
	return nil
}

// times is how often a call is made.
type times struct {
	n     int
	until bool
}

// timesOf reads a number of calls; nothing typed is the usual one.
func timesOf(text string, usual int) (n int, why string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return usual, ""
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil || n < 1:
		return 0, "a whole number from 1 to " + words.Count(maxSeries)
	case n > maxSeries:
		return 0, "at most " + words.Count(maxSeries) + ": each call stays in the history"
	}
	return n, ""
}

// startSeries makes the selected call several times in a row.
func (a *App) startSeries(x times) tea.Cmd {
	if why := a.whyNoOptions(); why != "" {
		return a.say(toast{text: why, brief: true})
	}
	t, _ := a.tools.Selected()
	args, err := a.args.Sends()
	if err != nil {
		a.args.ToFault()
		return a.say(toast{text: "cannot send: " + a.args.Problem(), bad: true, brief: true})
	}
	s := a.session
	s.series = &series{tool: t.Name, args: slices.Clone(args), total: x.n, until: x.until, runs: map[uint32]bool{}, count: map[event.Outcome]int{}}
	s.older = false
	a.result.SetSeries(s.series.summary(0))
	return a.callWith(t.Name, s.series.args, nil)
}

// nextOfSeries takes a call of a series, and makes the next one.
func (a *App) nextOfSeries(m calledMsg) tea.Cmd {
	s := a.session
	x := s.series
	if !x.goesOn() {
		return nil
	}
	r := m.call.Run
	if r == nil { // it could not be made, and no other can
		x.ended, x.stopped = true, true
		a.result.SetSeries(x.summary(a.numberOf(x.first)))
		return nil
	}
	end, _ := r.End()
	x.take(r.ID(), end)
	a.entryOf(r)
	if !x.over() && !a.quits {
		a.result.SetSeries(x.summary(a.numberOf(x.first)))
		if r.ID() != x.first {
			a.release(r.ID())
		}
		return a.callWith(x.tool, x.args, nil)
	}
	x.ended = true
	a.result.SetSeries(x.summary(a.numberOf(x.first)))
	if first := s.bench.Record.Run(x.first); first != nil && !s.older {
		a.showRun(first)
	}
	return a.remember()
}

// release forgets what is found again when a run is looked at: a thousand
// answers with pictures need not be kept.
func (a *App) release(run uint32) {
	delete(a.session.calls, run)
	delete(a.session.found, run)
}

// numberOf is the number of a call in the history, 0 when there is none.
func (a *App) numberOf(run uint32) int {
	n := 0
	for _, r := range a.session.bench.Record.Runs() {
		if r.Begin().Kind == event.Call {
			n++
		}
		if r.ID() == run {
			return n
		}
	}
	return 0
}

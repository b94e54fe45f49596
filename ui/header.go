package ui

import (
	"time"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/layout"
	"perch/ui/result"
	"perch/ui/words"
)

// outcomeNow is the word for how things stand, for the header.
func (a *App) outcomeNow() (text string, outcome event.Outcome, live bool) {
	s := a.session
	if o := a.opening; o != nil {
		return waiting("opening", a.clock.Mono()-o.since), "", true
	}
	if s == nil || a.at == inOpen && s.live == nil { // the gallery has no outcome
		return "ready", "", false
	}
	wait := a.clock.Mono() - s.since
	switch {
	case s.live != nil:
		return "» running " + seconds(a.elapsed()), "", true
	case s.phase == compiling:
		return waiting("compiling", wait), "", true
	case s.phase == uploading:
		return waiting("uploading", wait), "", true
	case s.last != "":
		text = words.Outcome(s.last)
		if s.last == event.OK || s.last == event.ToolError {
			text += " " + words.Duration(s.took)
		}
		return text, s.last, false
	case s.upload.Outcome == event.Refused:
		return words.Outcome(event.Refused), event.Refused, false
	}
	return "ready", "", false
}

// waiting says what is waited for; how long is told from 0.3 s on.
func waiting(word string, d time.Duration) string {
	if d < 300*time.Millisecond {
		return word
	}
	return word + " " + seconds(d)
}

// header is the first row: the package, the verdict of its upload, how things
// stand.
func (a *App) header() string {
	var l cell.Line
	l.Fill = cell.Style{Fg: themes.Text, Bg: themes.Surface}
	wide := a.w >= 100
	short := a.w < 60
	l.Blank(1)
	switch {
	case a.opening != nil || a.session == nil || a.at == inOpen:
		l.Own(cell.Fg(themes.Accent).With(themes.Bold), "perch")
		if a.opening != nil {
			l.Blank(2).Text(cell.Fg(themes.Text), a.look.Text.CutPath(a.look.Text.Line(a.opening.name), max(a.w-40, 12)))
		}
	default:
		a.headerPackage(&l, wide, short)
	}
	text, outcome, live := a.outcomeNow()
	role := themes.Muted
	if outcome != "" {
		role = result.OutcomeRole(outcome)
	} else if live {
		role = themes.Notice
	}
	l.Gap()
	if a.w >= layout.MinWidth {
		name := map[place]string{inOpen: "Open", inExplore: "Explore", inCheck: "Check"}[a.at]
		if !short {
			name = "[" + name + "]"
		}
		l.Own(cell.Fg(themes.Accent).With(themes.Bold), name).Blank(2)
		if wide {
			l.Blank(1)
		}
	}
	l.Own(cell.Fg(role).With(themes.Bold), text).Blank(1)
	return a.look.Row(l, a.w)
}

func (a *App) headerPackage(l *cell.Line, wide, short bool) {
	s := a.session
	about := s.bench.About()
	if wide {
		l.Own(cell.Fg(themes.Accent).With(themes.Bold), "perch").Blank(2)
	}
	name := about.Name
	if name == "" {
		name = s.name
	}
	l.Text(cell.Fg(themes.Text).With(themes.Bold), a.look.Text.Cut(a.look.Text.Line(name), max(a.w/4, 12)))
	if short {
		switch {
		case !s.known:
		case s.upload.Accepted():
			l.Own(cell.Fg(themes.OK), " ✓")
		default:
			l.Own(cell.Fg(themes.Error), " ✗")
		}
		return
	}
	if wide {
		l.Blank(2)
		dot := ""
		if about.ABI != "" {
			l.Own(cell.Fg(themes.Muted), "ABI ").Text(cell.Fg(themes.Muted), a.look.Text.Cut(a.look.Text.Line(about.ABI), 8))
			dot = " · "
		}
		if about.Made() != "" {
			l.Own(cell.Fg(themes.Muted), dot).Text(cell.Fg(themes.Muted), a.look.Text.Cut(a.look.Text.Line(about.Made()), 24))
			dot = " · "
		}
		l.Own(cell.Fg(themes.Muted), dot+words.Size(about.Bytes))
	}
	if !s.known {
		return
	}
	l.Blank(3).Own(cell.Fg(themes.Muted), "Subako ")
	if s.upload.Accepted() {
		l.Own(cell.Fg(themes.OK), verdictWord("✓", "accepted", wide))
	} else {
		l.Own(cell.Fg(themes.Error), verdictWord("✗", "refused", wide))
	}
	a.headerWarnings(l, wide)
}

func verdictWord(sign, word string, wide bool) string {
	if wide {
		return sign + " " + word
	}
	return sign
}

// headerWarnings counts what was found beside errors: of MCP, and ours.
func (a *App) headerWarnings(l *cell.Line, wide bool) {
	mcp, ours := 0, 0
	for _, f := range a.session.upload.Findings {
		switch {
		case f.Class == abi.ClassM:
			mcp++
		case f.Severity == abi.Notice:
			ours++
		}
	}
	if mcp > 0 {
		l.Blank(3).Own(cell.Fg(themes.Muted), "MCP ").Own(cell.Fg(themes.Warning), countWord("▲", mcp, "warning", wide))
	}
	if ours > 0 {
		l.Blank(3).Own(cell.Fg(themes.Notice), countWord("◇", ours, "notice", wide))
	}
}

func countWord(sign string, n int, word string, wide bool) string {
	if wide {
		return sign + " " + words.Plural(n, word)
	}
	return sign + " " + words.Count(n)
}

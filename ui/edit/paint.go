package edit

import (
	"sort"
	"strings"
	"unicode/utf8"

	"perch/inspect/jsonview"
	"perch/inspect/safe"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/syntax"
)

// painter draws lines of the text in their colours, with what lies over them.
// Each character is drawn by itself, so that the caret, a click and what is
// drawn never differ on where it stands.
type painter struct {
	e    *Editor
	k    *cell.Look
	pair pair

	from, to Pos // what is selected
	selected bool
	all      []placed
}

// over is a style over some bytes of a line.
type over struct {
	from, to int
	as       overlay
}

type overlay uint8

// What may lie over a text, what is told last on top.
const (
	asProblem overlay = iota
	asFault
	asMatch
	asCurrent // the match at the caret
	asPair
	asWrongPair
	asSelected
)

// apply lays an overlay over a style.
func (o overlay) apply(s cell.Style) cell.Style {
	switch o {
	case asProblem:
		return cell.Style{Fg: themes.Error, Bg: s.Bg, Attr: s.Attr | themes.Underline}
	case asFault, asWrongPair:
		return cell.Style{Fg: themes.Error, Bg: s.Bg, Attr: s.Attr | themes.Reverse}
	case asMatch:
		return cell.Style{Fg: themes.Match, Bg: s.Bg}
	case asCurrent:
		return cell.Style{Fg: themes.Match, Bg: s.Bg, Attr: themes.Underline | themes.Bold}
	case asPair:
		return cell.Style{Fg: themes.Accent, Bg: s.Bg, Attr: s.Attr | themes.Bold | themes.Underline}
	}
	s.Bg = themes.Selection
	return s
}

func (e *Editor) painter(k *cell.Look) painter {
	p := painter{e: e, k: k, pair: e.pairAtCaret(), all: e.problems.all}
	p.from, p.to, p.selected = e.Selection()
	return p
}

// line adds what is in sight of a line from a cell on, and returns the cell at
// which that begins in what was added.
func (p *painter) line(l *cell.Line, i, left, width int) int {
	e, line := p.e, p.e.lines[i]
	mode := measureIn(p.k.Text)
	begin, skipped := 0, 0
	if left > 1 {
		// One character more than is in sight: ‹ stands over it.
		begin, skipped = e.byteAt(mode, i, left-1)
	}
	end := p.sight(i, begin, left-skipped+width+2)
	classes := p.classes(i, begin, end)
	overs := p.overs(i, begin, end)
	var run strings.Builder
	var style cell.Style
	joins := false
	flush := func() {
		if run.Len() > 0 {
			l.Text(style, run.String())
			run.Reset()
		}
	}
	for u := range p.k.Text.Units(line[begin:end]) {
		b := begin + u.Start
		for len(classes) > 1 && classes[0].end <= b {
			classes = classes[1:]
		}
		st := cell.Fg(classes[0].role)
		if u.Hidden {
			st.Fg = themes.Hidden
		}
		for _, o := range overs {
			if o.from <= b && b < o.to {
				st = o.as.apply(st)
			}
		}
		if e.one && line[b] == '\n' {
			flush()
			l.Spans = append(l.Spans, cell.Span{Text: "⏎", Style: st, Ours: true})
			continue
		}
		if st != style && !joins {
			flush()
			style = st
		}
		run.WriteString(u.Text)
		// What joins the next character must stand in one text with it.
		joins = strings.HasSuffix(u.Text, "\u200c") || strings.HasSuffix(u.Text, "\u200d")
	}
	flush()
	p.lineEnd(l, i, end)
	return left - skipped
}

// sight is the byte where the cells end that are in sight.
func (p *painter) sight(i, begin, cells int) int {
	line := p.e.lines[i]
	if len(line)-begin <= cells {
		return len(line)
	}
	at, n := begin, 0
	rest := line[begin:min(len(line), begin+cells*maxCharacter)]
	if cells < len(rest) && safe.IsPlain(rest[:cells]) && rest[cells] < utf8.RuneSelf {
		return begin + cells
	}
	for u := range p.k.Text.Units(rest) {
		if n >= cells {
			break
		}
		n += u.Width
		at = begin + u.End
	}
	return at
}

// class is a run of bytes of a line in one role.
type class struct {
	end  int
	role themes.Role
}

// classes are the roles of some bytes of a line; there is at least one.
func (p *painter) classes(i, begin, end int) []class {
	e := p.e
	if !e.json {
		return []class{{end, themes.Text}}
	}
	line := e.lines[i]
	var out []class
	add := func(tokens []jsonview.Token, at int, cut bool) {
		for n, t := range tokens {
			at += len(t.Text)
			c := t.Class
			if cut && n == len(tokens)-1 && c == jsonview.Wrong && t.Text[0] == '"' {
				c = jsonview.String // it goes on out of sight
			}
			out = append(out, class{at, syntax.JSON(c)})
		}
	}
	if len(line) <= longLine {
		add(jsonview.Tokens(line), 0, false)
	} else {
		from := begin
		if e.stateAt(Pos{i, begin}) != outside {
			from = p.stringRest(i, begin, end, &out)
		}
		add(jsonview.Tokens(line[from:end]), from, end < len(line))
	}
	if len(out) == 0 {
		out = append(out, class{end, themes.Text})
	}
	return out
}

// stringRest adds the rest of a string that began out of sight and returns
// where it ends.
func (p *painter) stringRest(i, begin, end int, out *[]class) int {
	line := p.e.lines[i]
	at, st := begin, p.e.stateAt(Pos{i, begin})
	for at < end && st != outside {
		switch c := line[at]; {
		case st == escaped:
			st = inString
		case c == '\\':
			st = escaped
		case c == '"':
			st = outside
		}
		at++
	}
	role := syntax.JSON(jsonview.String)
	if rest := strings.TrimLeft(line[at:min(len(line), at+8)], " \t"); st == outside && strings.HasPrefix(rest, ":") {
		role = syntax.JSON(jsonview.Key)
	}
	*out = append(*out, class{at, role})
	return at
}

// overs are what lies over some bytes of a line, the lowest first.
func (p *painter) overs(i, begin, end int) []over {
	var out []over
	e := p.e
	for n := sort.Search(len(p.all), func(n int) bool { return p.all[n].from.Line >= i }); n < len(p.all) && p.all[n].from.Line == i; n++ {
		pr := p.all[n]
		to := pr.to.Byte
		if pr.to.Line > i {
			to = len(e.lines[i])
		}
		if pr.from.Byte < end && to > begin {
			out = append(out, over{pr.from.Byte, to, asProblem})
		}
	}
	if e.due.wrong && e.due.at.Line == i {
		out = append(out, over{e.due.at.Byte, e.due.at.Byte + 1, asFault})
	}
	f := &e.finder
	for n := f.behind(i, begin); n < len(f.matches) && f.matches[n].line == i && f.matches[n].from < end; n++ {
		m := f.matches[n]
		as := asMatch
		if m.at() == e.caret {
			as = asCurrent
		}
		out = append(out, over{m.from, m.to, as})
	}
	if p.pair.found {
		as := asPair
		if !p.pair.ok {
			as = asWrongPair
		}
		if p.pair.at.Line == i {
			out = append(out, over{p.pair.at.Byte, p.pair.at.Byte + 1, as})
		}
		if p.pair.matched && p.pair.partner.Line == i {
			out = append(out, over{p.pair.partner.Byte, p.pair.partner.Byte + 1, as})
		}
	}
	if p.selected && p.from.Line <= i && i <= p.to.Line {
		o := over{0, len(e.lines[i]), asSelected}
		if p.from.Line == i {
			o.from = p.from.Byte
		}
		if p.to.Line == i {
			o.to = p.to.Byte
		}
		out = append(out, o)
	}
	return out
}

// lineEnd adds a blank behind a line where there is something to be told of its
// break: it is selected, or it is where the text stops being JSON.
func (p *painter) lineEnd(l *cell.Line, i, end int) {
	if end < len(p.e.lines[i]) {
		return
	}
	st, tell := cell.Style{}, false
	if p.e.due.wrong && p.e.due.at == (Pos{i, end}) {
		st, tell = asFault.apply(st), true
	}
	if p.selected && p.from.Line <= i && i < p.to.Line {
		st, tell = asSelected.apply(st), true
	}
	if tell {
		l.Own(st, " ")
	}
}

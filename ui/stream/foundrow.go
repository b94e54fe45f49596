package stream

import (
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/findings"
	"perch/ui/words"
)

// short is a place in a few cells: out 2:0, err 5, event 12, module 0x16.
func (c *found) short(f rules.Finding) string {
	w := f.Where
	names := map[event.Stream]string{event.Stdout: "out", event.Stdin: "in", event.Stderr: "err"}
	switch name := names[w.Stream]; {
	case name != "" && w.Line > 0:
		text := fmt.Sprintf("%s %d", name, w.Line)
		if run := c.runOf(f); run != nil && w.Stream == event.Stdout {
			if l, ok := run.Stream(w.Stream).Line(int64(w.Line)); ok && w.Offset >= l.Offset {
				text += fmt.Sprintf(":%d", w.Offset-l.Offset)
			}
		}
		return text
	case name != "":
		return name
	case w.Stream == event.File && w.File == abi.ManifestFile:
		return "manifest"
	case w.Stream == event.File && (w.Offset > 0 || w.Section != ""):
		return fmt.Sprintf("0x%x", w.Offset)
	case w.Stream == event.File:
		return "package"
	case f.RunID != 0:
		return "event " + words.Count(f.Event)
	}
	return ""
}

func (c *found) columns(w int) []cell.Line {
	var l cell.Line
	l.Blank(1)
	for _, s := range []abi.Severity{abi.Error, abi.Warning, abi.Notice, abi.Info} {
		if n := c.count[s]; n > 0 {
			sign, word, role := findings.Severity(s)
			text := words.Plural(n, word)
			if s == abi.Info {
				text = words.Count(n) + " info"
			}
			if w < 52 {
				text = words.Count(n)
			}
			l.Own(cell.Fg(role), sign+" "+text).Blank(3)
		}
	}
	l.Gap().Own(cell.Fg(themes.Muted), c.kinds.String()).Blank(2)
	return []cell.Line{l}
}

// notes say what comes of it on either side.
func (c *found) notes(w int) []cell.Line {
	if c.live() || w < 30 {
		return nil
	}
	var out []cell.Line
	add := func(name string, role themes.Role, sign, text string) {
		var l cell.Line
		l.Blank(2).OwnIn(cell.Fg(themes.Muted), name, 9)
		l.Own(cell.Fg(role), sign+" ").Own(cell.Fg(themes.Muted), text)
		out = append(out, l)
	}
	for _, side := range []struct {
		name string
		v    rules.Verdict
	}{{"Subako", c.book.now.Subako}, {"MCP", c.book.now.MCP}} {
		switch s := signOf(side.v); {
		case side.v.Text == "":
		case c.stopped() && side.v.Severity == "":
			add(side.name, themes.Muted, "·", "not judged: the run was stopped")
		default:
			add(side.name, s.role, s.text, side.v.Text)
		}
	}
	ours := 0
	for _, f := range c.book.now.Own {
		if f.Side() == rules.OurReading && f.Severity != abi.Info {
			ours++
		}
	}
	if ours > 0 {
		add("with us", themes.Notice, "◇", words.Plural(ours, "finding")+" by our own reading")
	}
	if len(out) > 0 {
		out = append([]cell.Line{{}}, out...)
	}
	return out
}

// stopped reports whether a person ended the run.
func (c *found) stopped() bool {
	if c.run == nil {
		return false
	}
	end, ok := c.run.End()
	return ok && end.Outcome == event.Cancelled
}

// losses tell how far probes are, with a bar.
func (c *found) losses() []cell.Line {
	if c.Probes == nil {
		return nil
	}
	p := c.Probes()
	if p.Total == 0 {
		return nil
	}
	const bar = 24
	done := min(p.Done*bar/p.Total, bar)
	var l cell.Line
	l.Blank(1).Own(cell.Fg(themes.Notice), strings.Repeat("█", done)).Own(cell.Fg(themes.Border), strings.Repeat("░", bar-done))
	l.Blank(1).Own(cell.Fg(themes.Text), fmt.Sprintf("probe %d of %d", min(p.Done+1, p.Total), p.Total)).Blank(2)
	l.Text(cell.Fg(themes.Muted), p.Name)
	var m cell.Line
	m.Blank(1).Own(cell.Fg(themes.Muted), "Probes are not what Subako does at upload · ctrl+c ends them")
	return []cell.Line{l, m}
}

// foundColumns says which columns there is room for.
type foundColumns struct {
	word, rule, place int
	title             bool
}

func (c *found) fit(w int) foundColumns {
	p := foundColumns{word: 8, rule: min(max(c.rule, 10), 22), place: min(max(c.place, 5), 14), title: true}
	rest := func() int { return w - 4 - p.word - p.rule - p.place - 5 }
	const title = 12
	if rest() < title && w < 56 {
		p.title = false
		if w < 4+p.word+p.rule+p.place+3 {
			p.word = 0
		}
		p.rule = max(w-4-p.word-p.place-3, 8)
		if p.rule < 14 {
			p.rule, p.place = max(w-5, 1), 0
		}
		return p
	}
	if rest() > 40 {
		p.rule = min(max(c.rule, 10), 34)
	}
	return p
}

// Row implements list.Source.
func (c *found) Row(i, w int) cell.Line {
	n := c.nodes[i]
	var l cell.Line
	fold := " "
	if n.Below > 0 {
		fold = "▾"
		if c.folded[n.Key] {
			fold = "▸"
		}
	}
	if n.Finding == nil {
		return c.headRow(n, fold, w)
	}
	f := n.Finding
	p := c.fit(w)
	sign, word, role := findings.Severity(f.Severity)
	lead := 2 * max(n.Depth-1, 0)
	l.Blank(lead)
	if f.Follows {
		l.Own(cell.Fg(themes.Muted), " └ ").OwnIn(cell.Fg(themes.Muted), "then", max(p.word-1-lead, 5))
	} else {
		l.Own(cell.Fg(themes.Muted), fold).Own(cell.Fg(role).With(themes.Bold), sign).Blank(1)
		if p.word > 0 {
			l.OwnIn(cell.Fg(role), word, max(p.word-lead, 1))
		}
	}
	l.Blank(1).OwnIn(cell.Fg(themes.Accent), cutRule(string(f.Rule), p.rule), p.rule)
	if p.place > 0 {
		l.Blank(1).TextIn(cell.Fg(themes.Muted), c.places[i], p.place, cell.CutEnd)
	}
	l.Pinned()
	if p.title {
		title := themes.Text
		if f.Follows {
			title = themes.Muted
		}
		l.Blank(2)
		c.find.Add(&l, cell.Fg(title), f.Title)
	}
	return l
}

// cutRule shortens the name of a rule, which is ours, to n cells.
func cutRule(name string, n int) string {
	if len(name) <= n || n < 2 {
		return name
	}
	return name[:n-1] + "…"
}

func (c *found) headRow(n findings.Node, fold string, w int) cell.Line {
	var l cell.Line
	if n.Key == nothingKey {
		return cell.Own(themes.Muted, " "+c.empty())
	}
	l.Own(cell.Fg(themes.Muted), fold+" ")
	if g, is := c.group(n); is {
		if n.Below == 0 {
			return *l.Own(cell.Fg(themes.Muted), g.None)
		}
		return *l.Own(cell.Fg(themes.Muted).With(themes.Bold), g.Title).Own(cell.Fg(themes.Muted), "  "+words.Count(n.Below))
	}
	l.Own(cell.Fg(themes.Notice).With(themes.Bold), "one cause").Own(cell.Fg(themes.Muted), fmt.Sprintf(" of %d  ", n.Below))
	c.find.Add(&l, cell.Fg(themes.Text), n.Cause)
	return l
}

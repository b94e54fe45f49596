package timeline

import (
	"fmt"
	"slices"
	"strings"

	"perch/engine/event"
	"perch/inspect/safe"
	"perch/inspect/timeline"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/words"
)

// box is one cell of a lane.
type box struct {
	sign string // "": nothing; of a wide character the second cell is "\x00"
	role themes.Role
}

const second = "\x00"

// row is one lane.
func (v *View) row(k *cell.Look, p timeline.Picture, l timeline.Lane, moment int, focused bool) cell.Line {
	boxes := make([]box, v.cells)
	switch l {
	case timeline.Module:
		module(boxes, p.Strips[l])
	case timeline.HTTP:
		v.exchanges(k, boxes, p)
	case timeline.Memory:
		memory(boxes, p.Strips[l])
	case timeline.Findings:
		findings(boxes, p.Strips[l])
	default:
		points(boxes, p.Strips[l], roleOf(l))
	}
	v.signs(k, boxes, p, l)
	if moment >= 0 && moment < len(boxes) && boxes[moment].sign == "" {
		boxes[moment] = box{"┆", themes.Accent}
	}
	return v.line(l, boxes, focused)
}

// line is a lane with its name.
func (v *View) line(l timeline.Lane, boxes []box, focused bool) cell.Line {
	var out cell.Line
	name := themes.Muted
	switch {
	case l != v.lane:
		out.Blank(2)
	case focused:
		name = themes.Text
		out.Own(cell.Fg(themes.BorderFocus), "❯").Blank(1)
		out.Fill = cell.Style{Bg: themes.Selection}
	default:
		out.Own(cell.Fg(themes.Muted), "›").Blank(1)
		out.Fill = cell.Style{Bg: themes.SelectionQuiet}
	}
	out.OwnIn(cell.Fg(name), l.String(), v.names-3).Blank(1)
	addBoxes(&out, boxes)
	if slices.Contains(v.extra.Touched, l) {
		out.Blank(1).Own(cell.Fg(themes.Accent), "◆")
	}
	return out
}

// addBoxes adds cells to a line, those of one role together.
func addBoxes(out *cell.Line, boxes []box) {
	for i := 0; i < len(boxes); {
		var text strings.Builder
		role := boxes[i].role
		start := i
		for ; i < len(boxes) && boxes[i].role == role; i++ {
			switch boxes[i].sign {
			case "":
				text.WriteByte(' ')
			case second:
			default:
				text.WriteString(boxes[i].sign)
			}
		}
		// A sign of two cells in ASCII must not move what follows.
		out.OwnIn(cell.Fg(role), text.String(), i-start)
	}
}

func roleOf(l timeline.Lane) themes.Role {
	switch l {
	case timeline.Stdin:
		return themes.ToModule
	case timeline.Stdout:
		return themes.FromModule
	case timeline.HTTP:
		return themes.HTTP
	case timeline.Files:
		return themes.File
	case timeline.Stderr:
		return themes.Stderr
	case timeline.Memory:
		return themes.Memory
	}
	return themes.WASI
}

// module is full where it computes, empty where it waits.
func module(boxes []box, s timeline.Strip) {
	for i, c := range s.Cells {
		switch {
		case !c.Alive:
		case c.Share >= 2./3:
			boxes[i] = box{"█", themes.Text}
		case c.Share >= 1./3:
			boxes[i] = box{"▌", themes.Text}
		default:
			boxes[i] = box{"░", themes.Muted}
		}
	}
}

// points are events that take no time worth a bar.
func points(boxes []box, s timeline.Strip, role themes.Role) {
	for i, c := range s.Cells {
		if c.N == 0 {
			continue
		}
		boxes[i] = box{"▪", role}
		if c.Kinds&(timeline.Refusals|timeline.Errnos) != 0 {
			boxes[i].role = themes.Warning
		}
	}
}

// memory is a level, of the most that there was.
func memory(boxes []box, s timeline.Strip) {
	levels := []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}
	for i, c := range s.Cells {
		if c.Weight > 0 {
			boxes[i] = box{levels[max(min(int(c.Share*8+0.5), 8), 1)-1], themes.Memory}
		}
	}
}

// findings are the worst of each cell.
func findings(boxes []box, s timeline.Strip) {
	for i, c := range s.Cells {
		if c.N == 0 {
			continue
		}
		switch {
		case c.Kinds&timeline.Errors != 0:
			boxes[i] = box{"✗", themes.Error}
		case c.Kinds&timeline.Warnings != 0:
			boxes[i] = box{"▲", themes.Warning}
		case c.Kinds&timeline.Notices != 0:
			boxes[i] = box{"◇", themes.Notice}
		default:
			boxes[i] = box{"·", themes.Info}
		}
	}
}

// exchanges are bars with what was asked and answered.
func (v *View) exchanges(k *cell.Look, boxes []box, p timeline.Picture) {
	for _, b := range p.Bars {
		q := v.x.Exchange(b.Exchange)
		role := themes.HTTP
		if q.Kind != "" {
			role = themes.Error
		}
		from, to := b.From, min(b.To, len(boxes)-1)
		if from >= to {
			boxes[from] = box{"▪", role}
			continue
		}
		for i := from; i <= to; i++ {
			boxes[i] = box{"═", role}
		}
		if q.From >= p.From {
			boxes[from] = box{"╞", role}
		}
		if !b.Open && q.To <= p.To {
			boxes[to] = box{"╡", role}
		}
		label := q.Method
		switch {
		case q.Kind != "":
			label += " " + string(q.Kind)
		case q.Done:
			label += fmt.Sprintf(" %d", q.Status)
		}
		put(k, boxes[:to], from+2, " "+label+" ", role, true)
	}
}

// signs are words and marks at single moments.
func (v *View) signs(k *cell.Look, boxes []box, p timeline.Picture, l timeline.Lane) {
	for _, s := range p.Signs {
		it := v.x.Item(s.Item)
		if it.Lane != l {
			continue
		}
		switch it.What {
		case timeline.Asked:
			put(k, boxes, s.Cell, fmt.Sprintf("in %d", it.Line), themes.ToModule, false)
		case timeline.Closed:
			last(k, boxes, s.Cell, "end", themes.Muted)
		case timeline.Judged:
			sign, _, _ := strings.Cut(words.Outcome(it.Outcome), " ")
			boxes[s.Cell] = box{sign, outcomeRole(it.Outcome)}
		case timeline.Refused:
			boxes[s.Cell] = box{"✗", themes.Error}
		case timeline.Exited:
			last(k, boxes, s.Cell+1, "exit", themes.Muted)
		case timeline.Trapped:
			last(k, boxes, s.Cell+1, "trap", themes.Error)
		case timeline.Stopped:
			last(k, boxes, s.Cell+1, "stopped", themes.Muted)
		}
	}
}

func outcomeRole(o event.Outcome) themes.Role {
	switch o {
	case event.OK:
		return themes.OK
	case event.ToolError:
		return themes.Warning
	case event.Broken, event.Refused:
		return themes.Error
	}
	return themes.Muted
}

// put writes a word from a cell on, when all of it has room: over a bar, or on
// cells in which there is nothing else.
func put(k *cell.Look, boxes []box, at int, word string, role themes.Role, over bool) {
	word = k.Text.Line(word)
	n := safe.Width(word)
	if at < 0 || at+n > len(boxes) {
		return
	}
	for i := at; i < at+n && !over; i++ {
		if free := boxes[i].sign == "" || i == at && boxes[i].sign == "▪"; !free {
			return
		}
	}
	for u := range k.Text.Units(word) {
		boxes[at] = box{u.Text, role}
		for i := 1; i < u.Width; i++ {
			boxes[at+i] = box{second, role}
		}
		at += u.Width
	}
}

// last writes a word that ends a lane: behind its cell, or over the cells before
// it where the window ends.
func last(k *cell.Look, boxes []box, at int, word string, role themes.Role) {
	put(k, boxes, min(at, len(boxes)-len(word)), word, role, true)
}

func repeat(s string, n int) string { return strings.Repeat(s, max(n, 0)) }

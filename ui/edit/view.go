package edit

import (
	"fmt"
	"strings"

	"perch/inspect/jsonview"
	"perch/inspect/safe"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/syntax"
)

// View draws the editor in exactly h rows of w cells. typing says that the
// caret is in it: a single line then stands on the ground of a field.
//
// Many lines have a gutter: ❯ on the caret's line, ✗ on lines with a problem,
// the line's number.
func (e *Editor) View(k *cell.Look, w, h int, typing bool) cell.Block {
	if w <= 0 || h <= 0 {
		return k.Blank(w, h)
	}
	e.gutter = 1
	if !e.one {
		e.gutter = 3 + max(len(fmt.Sprint(len(e.lines))), 2)
	}
	e.width, e.height = max(w-e.gutter-1, 1), h
	if e.one {
		e.width = max(w-e.gutter, 1)
	}
	e.settle(k.Text)
	fault := -1
	if e.json {
		if _, err := e.Check(); err != nil {
			fault = e.At(err.Offset).Line
		}
	}
	rows := make(cell.Block, 0, h)
	for i := e.top; i < len(e.lines) && len(rows) < h; i++ {
		rows = append(rows, e.row(k, i, w, typing, fault == i || e.marks[i]))
	}
	return k.Fill(rows, w, h)
}

// settle scrolls so that the caret is in sight.
func (e *Editor) settle(m safe.Mode) {
	line := e.lines[e.caret.Line]
	at := cells(m, line, e.caret.Byte)
	wide := 1
	for u := range m.Units(line[e.caret.Byte:]) {
		wide = u.Width
		break
	}
	// The first cell shows ‹ when scrolled, the last one … when there is more.
	all := cells(m, line, len(line))
	switch margin := min(4, e.width/4, all-at); {
	case at <= e.left:
		e.left = max(at-margin-1, 0)
	case at+min(wide, 2) >= e.left+e.width:
		e.left = at + min(wide, 2) - e.width + 1 + margin
	}
	if at < e.width-1 && e.left > 0 && all < e.width {
		e.left = 0
	}
	e.top = max(min(e.top, e.caret.Line, len(e.lines)-1), e.caret.Line-e.height+1, 0)
	if last := len(e.lines) - e.height; e.top > last {
		e.top = max(last, 0)
	}
	e.x, e.y = e.gutter+at-e.left, e.caret.Line-e.top
}

// Cursor is the caret's place in what was drawn last, in cells from its upper
// left.
func (e *Editor) Cursor() (x, y int) { return e.x, e.y }

// Click puts the caret where a click in what was drawn last points.
func (e *Editor) Click(k *cell.Look, x, y int) {
	line := max(min(e.top+y, len(e.lines)-1), 0)
	e.place(Pos{line, byteAt(k.Text, e.lines[line], max(x-e.gutter+e.left, 0))})
}

// Scroll moves what is in sight by n lines; the caret comes along when it
// would be out of sight.
func (e *Editor) Scroll(n int) {
	e.top = max(min(e.top+n, len(e.lines)-e.height), 0)
	e.caret.Line = max(min(e.caret.Line, e.top+e.height-1), e.top)
	e.caret.Line = min(e.caret.Line, len(e.lines)-1)
	e.caret.Byte = e.boundary(Pos{e.caret.Line, min(e.caret.Byte, len(e.lines[e.caret.Line]))})
	e.goal = -1
}

// Where text is coloured: past this many bytes of a line it is plain.
const maxColoured = 16 << 10

func (e *Editor) row(k *cell.Look, i, w int, typing, problem bool) string {
	var gutter, text cell.Line
	line := e.lines[i]
	if e.one {
		edge := themes.Border
		if typing {
			gutter.Fill.Bg, text.Fill.Bg, edge = themes.Field, themes.Field, themes.Caret
		}
		gutter.Own(cell.Fg(edge), "▏")
		e.addLine(&text, line)
	} else {
		e.addGutter(&gutter, i, typing, problem)
		e.addTokens(&text, line)
	}
	if !e.one && !typing && i == e.caret.Line && e.chosen == Strong {
		gutter.Fill = cell.Style{Fg: themes.Text, Bg: themes.Selection}
		text.Fill = gutter.Fill
	}
	out := k.AppendRow(nil, gutter, min(e.gutter, w))
	out = k.AppendRowFrom(out, text, e.left, min(e.width, w-e.gutter))
	return string(k.AppendRow(out, cell.Line{}, w-e.gutter-e.width))
}

// addTokens adds a line of JSON in its colours.
func (e *Editor) addTokens(l *cell.Line, line string) {
	head := line
	if len(head) > maxColoured {
		head = line[:safeStart(line, maxColoured)]
	}
	for _, t := range jsonview.Tokens(head) {
		l.Text(cell.Fg(syntax.JSON(t.Class)), t.Text)
	}
	if len(head) < len(line) {
		l.Text(cell.Fg(themes.Text), line[len(head):])
	}
}

// addLine adds a single line, in which line breaks are text.
func (e *Editor) addLine(l *cell.Line, line string) {
	for i, part := range strings.SplitAfter(line, "\n") {
		if i > 0 && part == "" {
			break
		}
		body, broken := strings.CutSuffix(part, "\n")
		l.Text(cell.Fg(themes.Text), body)
		if broken {
			l.Spans = append(l.Spans, cell.Span{Text: "⏎", Style: cell.Fg(themes.Hidden), Ours: true})
		}
	}
}

func (e *Editor) addGutter(l *cell.Line, i int, typing, problem bool) {
	here := i == e.caret.Line
	switch {
	case here && (typing || e.chosen == Strong):
		l.Own(cell.Fg(themes.BorderFocus), "❯")
	case here && e.chosen == Quiet:
		l.Own(cell.Fg(themes.Muted), "›")
	default:
		l.Blank(1)
	}
	if problem {
		l.Own(cell.Fg(themes.Error), "✗")
	} else {
		l.Blank(1)
	}
	number := themes.Faint
	if here {
		number = themes.Muted
	}
	l.NumberIn(cell.Fg(number), fmt.Sprint(i+1), e.gutter-3).Blank(1)
}

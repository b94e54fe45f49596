// Package box is what lies over the panes: palette, help, pickers, questions
// and cards are one thing, a box with a text, an input that filters, and rows
// to choose from. It knows nothing of what a choice does.
package box

import (
	"reflect"
	"strconv"

	"perch/themes"
	"perch/ui/cell"
	"perch/ui/edit"
	"perch/ui/prose"
)

// Item is a row of a box.
type Item struct {
	Head     bool   // a heading, which cannot be chosen
	Mark     string // ours, in two cells before the label: ticked or not
	Label    string // ours
	Name     string // not ours, stands behind the label
	Right    string // the key
	Letter   string // chooses it, where there is no input
	Disabled string // the reason
	Note     string // told below when it is selected
	Value    any
}

// Box is one overlay. Set its fields, then use it.
type Box struct {
	Title string
	Sign  string      // right of the title: the key that opens it, ✗, ?
	Error bool        // an error card
	Text  []cell.Line // above the rows; made for Width-4 cells
	// Prompt stands before the input; without it there is none.
	Prompt string
	Width  int
	Height int // rows of the list at most, 0: as many as there are
	Foot   string
	Under  []cell.Line // between the rows and the foot, where there is room
	// Items are the rows for what was typed.
	Items func(query string) []Item
	Count func(shown int) string // right of the input

	input    *edit.Editor
	items    []Item
	selected int
	top      int
	made     bool
	at       cursor
	rowsAt   int
	rowsN    int

	textTop int // the first line of the text in sight
	textN   int // lines of the text in sight, when it was drawn last
	textAll int
}

type cursor struct {
	x, y int
	ok   bool
}

// Input is where the caret is, nil when the box has none.
func (b *Box) Input() *edit.Editor {
	if b.Prompt == "" {
		return nil
	}
	if b.input == nil {
		b.input = edit.NewLine("")
	}
	return b.input
}

// Changed takes what was typed.
func (b *Box) Changed() {
	b.made = false
	b.selected, b.top = 0, 0
	b.make()
}

// Refresh makes the rows anew; the selection stays.
func (b *Box) Refresh() { b.made = false }

func (b *Box) make() {
	if b.made {
		return
	}
	b.made = true
	query := ""
	if b.input != nil {
		query = b.input.Text()
	}
	b.items = nil
	if b.Items != nil {
		b.items = b.Items(query)
	}
	b.settle(1)
}

// settle moves the selection off headings.
func (b *Box) settle(step int) {
	for i := 0; i < len(b.items); i++ {
		if b.selected >= 0 && b.selected < len(b.items) && !b.items[b.selected].Head {
			return
		}
		b.selected += step
		if b.selected >= len(b.items) {
			b.selected = 0
		}
		if b.selected < 0 {
			b.selected = len(b.items) - 1
		}
	}
}

// Move moves the selection by n rows, around the ends when it is one.
func (b *Box) Move(n int) {
	b.make()
	if len(b.items) == 0 {
		return
	}
	b.selected += n
	switch {
	case b.selected < 0 && n == -1:
		b.selected = len(b.items) - 1
	case b.selected >= len(b.items) && n == 1:
		b.selected = 0
	}
	b.selected = min(max(b.selected, 0), len(b.items)-1)
	if n < 0 {
		b.settle(-1)
	} else {
		b.settle(1)
	}
}

// Page moves by a page: the text where it is longer than its room, else the
// selection.
func (b *Box) Page(n int) {
	if b.textN < b.textAll {
		b.ScrollText(n * max(b.textN-1, 1))
		return
	}
	b.Move(n * 8)
}

// ScrollText moves the text by n lines and reports whether it is longer than
// its room.
func (b *Box) ScrollText(n int) bool {
	b.textTop = max(min(b.textTop+n, b.textAll-b.textN), 0)
	return b.textN < b.textAll
}

// Select selects the row of a value; one that cannot be compared, such as what
// holds a function, selects nothing.
func (b *Box) Select(value any) {
	b.make()
	if value != nil && !reflect.ValueOf(value).Comparable() {
		return
	}
	for i, it := range b.items {
		if !it.Head && it.Value == value {
			b.selected = i
		}
	}
}

// Selected is the selected row.
func (b *Box) Selected() (Item, bool) {
	b.make()
	if b.selected < 0 || b.selected >= len(b.items) || b.items[b.selected].Head {
		return Item{}, false
	}
	return b.items[b.selected], true
}

// Letter is the row that a letter chooses.
func (b *Box) Letter(s string) (Item, bool) {
	b.make()
	for i, it := range b.items {
		if it.Letter != "" && it.Letter == s {
			b.selected = i
			return it, true
		}
	}
	return Item{}, false
}

// At is the row drawn at a place within the box.
func (b *Box) At(_, y int) (Item, bool) {
	i := b.top + y - b.rowsAt
	if y < b.rowsAt || y >= b.rowsAt+b.rowsN || i < 0 || i >= len(b.items) || b.items[i].Head {
		return Item{}, false
	}
	b.selected = i
	return b.items[i], true
}

// Cursor is the place of the caret or of the selected row within the box.
func (b *Box) Cursor() (x, y int, ok bool) { return b.at.x, b.at.y, b.at.ok }

// View draws the box into at most w times h cells.
func (b *Box) View(k *cell.Look, w, h int) cell.Block {
	b.make()
	b.at = cursor{}
	width := min(b.Width, w)
	inner := width - 4
	if inner < 4 || h < 3 {
		return nil
	}
	room := h - 2
	lines := b.text(k, inner, room)
	inputAt := -1
	if b.Input() != nil {
		inputAt = len(lines)
		lines = append(lines, b.inputLine(k, inner), cell.Line{})
	}
	var foot []cell.Line
	if note := b.note(k, inner); len(note) > 0 {
		foot = append(append(foot, cell.Line{}), note...)
	}
	if len(b.Under) > 0 && len(lines)+len(foot)+len(b.Under)+3+min(b.limit(), 6) <= room {
		foot = append(append(foot, cell.Line{}), b.Under...)
	}
	if b.Foot != "" {
		foot = append(foot, cell.Line{}, cell.Own(themes.Muted, b.Foot))
	}
	if len(lines)+len(foot)+1 > room {
		foot = nil
	}
	b.rowsAt = 1 + len(lines)
	rows := b.rows(min(room-len(lines)-len(foot), max(b.limit(), 1)))
	b.rowsN = len(rows)
	lines = append(append(lines, rows...), foot...)
	lines = lines[:min(len(lines), room)]
	sign := cell.Own(themes.Muted, b.Sign)
	if b.Error {
		sign = cell.Own(themes.Error, b.Sign)
	}
	block := k.Box(cell.Own(themes.None, b.Title), sign, lines, width)
	if inputAt >= 0 {
		b.drawInput(k, block, inputAt+1, width)
	}
	return block
}

// text are the lines of the text that there is room for: the rows to choose
// from stay in sight. A text that is longer says how much more there is.
func (b *Box) text(k *cell.Look, w, room int) []cell.Line {
	n := room - len(b.items)
	if b.Foot != "" && n > 6 {
		n -= 2
	}
	n = max(n, min(room-1, 2), 0)
	b.textAll, b.textN = len(b.Text), len(b.Text)
	if len(b.Text) <= n {
		b.textTop = 0
		return append([]cell.Line(nil), b.Text...)
	}
	b.textN = max(n-2, 1)
	b.ScrollText(0)
	out := append([]cell.Line(nil), b.Text[b.textTop:b.textTop+b.textN]...)
	if n < 3 {
		return out
	}
	above, below := b.textTop, len(b.Text)-b.textTop-b.textN
	text := "pgdn  " + count(below) + " below"
	switch {
	case below <= 0:
		text = "pgup  " + count(above) + " above"
	case above > 0:
		text += ", " + strconv.Itoa(above) + " above"
	}
	return append(out, cell.Own(themes.Accent, text), cell.Line{})
}

func count(lines int) string {
	if lines == 1 {
		return "1 more line"
	}
	return strconv.Itoa(lines) + " more lines"
}

func (b *Box) limit() int {
	if b.Height > 0 {
		return b.Height
	}
	return len(b.items)
}

// note is what the selected row tells, for a box that tells such things.
func (b *Box) note(k *cell.Look, w int) []cell.Line {
	it, ok := b.Selected()
	if !ok {
		return nil
	}
	text := it.Note
	if it.Disabled != "" {
		text = it.Disabled
		if it.Label != "" {
			text = it.Label + ": " + text
		}
	}
	if text == "" {
		return nil
	}
	return prose.Text(k, themes.Muted, text, w)
}

func (b *Box) rows(n int) []cell.Line {
	if n > 0 && len(b.items) == 0 {
		return b.nothing()
	}
	if n <= 0 || len(b.items) == 0 {
		return nil
	}
	b.top = max(min(b.top, b.selected), b.selected-n+1, 0)
	if b.top == 1 && b.items[0].Head && b.selected < n {
		b.top = 0
	}
	b.top = max(min(b.top, len(b.items)-n), 0)
	var out []cell.Line
	for i := b.top; i < len(b.items) && len(out) < n; i++ {
		if i == b.selected && b.Prompt == "" {
			b.at = cursor{2, b.rowsAt + len(out), true}
		}
		out = append(out, b.row(i))
	}
	return out
}

// nothing says that no row is left by what was typed.
func (b *Box) nothing() []cell.Line {
	if b.input == nil || b.input.Text() == "" || b.Items == nil {
		return nil
	}
	var l cell.Line
	l.Own(cell.Fg(themes.Muted), " nothing matches ").Text(cell.Fg(themes.Text), b.input.Text())
	return []cell.Line{l}
}

func (b *Box) row(i int) cell.Line {
	it := b.items[i]
	var l cell.Line
	if it.Head {
		l.Own(cell.Fg(themes.Muted).With(themes.Bold), it.Label)
		return l
	}
	if i == b.selected {
		l.Own(cell.Fg(themes.BorderFocus), "❯")
		l.Fill = cell.Style{Fg: themes.Text, Bg: themes.Selection}
	} else {
		l.Blank(1)
	}
	role := themes.Text
	if it.Disabled != "" {
		role = themes.Faint
	}
	if it.Letter != "" {
		l.Own(cell.Fg(themes.Accent), it.Letter).Blank(2)
	}
	if it.Mark != "" {
		l.OwnIn(cell.Fg(themes.Accent), it.Mark, 2)
	}
	l.Own(cell.Fg(role), it.Label)
	if it.Name != "" {
		l.Text(cell.Fg(role), it.Name)
	}
	if it.Disabled != "" {
		l.Own(cell.Fg(themes.Faint), " · ").Text(cell.Fg(themes.Faint), it.Disabled)
	}
	if it.Right != "" {
		l.Gap().Text(cell.Fg(themes.Muted), it.Right).Blank(1)
	}
	return l
}

// inputLine is the row of the input; the input itself is drawn over it.
func (b *Box) inputLine(k *cell.Look, w int) cell.Line {
	var l cell.Line
	l.Own(cell.Fg(themes.Muted), b.Prompt)
	if b.Count != nil {
		n := 0
		for _, it := range b.items {
			if !it.Head {
				n++
			}
		}
		l.Gap().Own(cell.Fg(themes.Muted), b.Count(n))
	}
	return l
}

// drawInput lays the input over its row.
func (b *Box) drawInput(k *cell.Look, block cell.Block, y, width int) {
	from := 2 + k.Measure(b.Prompt) + 1
	room := width - 4 - k.Measure(b.Prompt) - 1
	if b.Count != nil {
		room -= 14
	}
	if room < 4 || y >= len(block) {
		return
	}
	row := b.input.View(k, room, 1, true)
	block[y] = cell.Overlay(cell.Block{block[y]}, row, from, 0)[0]
	x, _ := b.input.Cursor()
	b.at = cursor{from + x, y, true}
}

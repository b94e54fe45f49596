package uitest

import (
	"fmt"
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
)

// Cell is one cell of a screen. The second cell of a wide character has no
// text and no width.
type Cell struct {
	Text                                    string
	Width                                   int
	Fg, Bg                                  color.Color // nil: the terminal's own
	Bold, Faint, Italic, Underline, Reverse bool
}

// Screen is a picture of a terminal in cells.
type Screen struct {
	Width, Height int
	Rows          [][]Cell
	CursorX       int
	CursorY       int
	Cursor        CursorShape
	Title         string
	Alt           bool // the alternate screen
	Fg, Bg        color.Color
}

// CursorShape is how the cursor looks.
type CursorShape uint8

// The cursor's shapes.
const (
	NoCursor CursorShape = iota
	Block
	Underline
	Bar
)

// screen copies what the emulator shows.
func (t *terminal) screen() Screen {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := t.em.CursorPosition()
	s := Screen{
		Width: t.em.Width(), Height: t.em.Height(), CursorX: at.X, CursorY: at.Y,
		Title: t.title, Alt: t.em.IsAltScreen(), Fg: t.em.ForegroundColor(), Bg: t.em.BackgroundColor(),
	}
	if !t.em.CursorHidden() {
		s.Cursor = map[vt.CursorStyle]CursorShape{vt.CursorBlock: Block, vt.CursorUnderline: Underline, vt.CursorBar: Bar}[t.style]
	}
	s.Rows = make([][]Cell, s.Height)
	for y := range s.Rows {
		s.Rows[y] = make([]Cell, s.Width)
		for x := range s.Rows[y] {
			s.Rows[y][x] = cellOf(t.em.CellAt(x, y))
		}
	}
	return s
}

func cellOf(c *uv.Cell) Cell {
	if c == nil {
		return Cell{Text: " ", Width: 1}
	}
	out := Cell{
		Text: c.Content, Width: c.Width, Fg: c.Style.Fg, Bg: c.Style.Bg,
		Bold: c.Style.Attrs&uv.AttrBold != 0, Faint: c.Style.Attrs&uv.AttrFaint != 0,
		Italic: c.Style.Attrs&uv.AttrItalic != 0, Reverse: c.Style.Attrs&uv.AttrReverse != 0,
		Underline: c.Style.Underline != uv.UnderlineNone,
	}
	if c.Width > 0 && c.Content == "" {
		out.Text = " "
	}
	return out
}

// Line is row y as text, blanks at its end included.
func (s Screen) Line(y int) string {
	if y < 0 || y >= len(s.Rows) {
		return ""
	}
	var b strings.Builder
	for _, c := range s.Rows[y] {
		b.WriteString(c.Text)
	}
	return b.String()
}

// Text is the screen's rows without the blanks at their ends.
func (s Screen) Text() string {
	var b strings.Builder
	for y := range s.Rows {
		b.WriteString(strings.TrimRight(s.Line(y), " ") + "\n")
	}
	return b.String()
}

// Framed is Text in a frame, for the message of a failed test.
func (s Screen) Framed() string {
	edge := "+" + strings.Repeat("-", s.Width) + "+\n"
	var b strings.Builder
	b.WriteString(edge)
	for y := range s.Rows {
		b.WriteString("|" + s.Line(y) + "|\n")
	}
	fmt.Fprintf(&b, "%scursor %d,%d\n", edge, s.CursorX, s.CursorY)
	return b.String()
}

// Contains reports whether a text stands in one of the rows.
func (s Screen) Contains(text string) bool {
	_, _, ok := s.Find(text)
	return ok
}

// Find is the first cell of a text.
func (s Screen) Find(text string) (x, y int, ok bool) {
	for y := range s.Rows {
		if x, ok := s.findIn(y, text); ok {
			return x, y, true
		}
	}
	return 0, 0, false
}

func (s Screen) findIn(y int, text string) (int, bool) {
	line := s.Line(y)
	at := strings.Index(line, text)
	if at < 0 || text == "" {
		return 0, false
	}
	pos := 0
	for x, c := range s.Rows[y] {
		if pos >= at && c.Width > 0 {
			return x, true
		}
		pos += len(c.Text)
	}
	return 0, false
}

// At is a cell; an empty one outside of the screen.
func (s Screen) At(x, y int) Cell {
	if y < 0 || y >= len(s.Rows) || x < 0 || x >= len(s.Rows[y]) {
		return Cell{}
	}
	return s.Rows[y][x]
}

// Styles are the runs of equal style of each row, one row a line, for golden
// files: "0:4-9 #7fd08a on #16181f bold" are the cells 4 to 9 of row 0.
func (s Screen) Styles() string {
	var b strings.Builder
	for y, row := range s.Rows {
		for x := 0; x < len(row); {
			end := x + 1
			for end < len(row) && sameStyle(row[x], row[end]) {
				end++
			}
			if desc := describe(row[x]); desc != "" {
				fmt.Fprintf(&b, "%d:%d-%d %s\n", y, x, end-1, desc)
			}
			x = end
		}
	}
	return b.String()
}

// sameStyle holds for the second cell of a wide character too.
func sameStyle(a, b Cell) bool { return b.Width == 0 || describe(a) == describe(b) }

func describe(c Cell) string {
	var parts []string
	if c.Fg != nil {
		parts = append(parts, hex(c.Fg))
	}
	if c.Bg != nil {
		parts = append(parts, "on "+hex(c.Bg))
	}
	for _, a := range []struct {
		on   bool
		name string
	}{{c.Bold, "bold"}, {c.Faint, "faint"}, {c.Italic, "italic"}, {c.Underline, "underline"}, {c.Reverse, "reverse"}} {
		if a.on {
			parts = append(parts, a.name)
		}
	}
	return strings.Join(parts, " ")
}

func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

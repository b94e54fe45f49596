package safe

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Width is the number of cells that safe text takes. It is the one measure of
// the product, and the one by which the screen is drawn.
func Width(s string) int {
	w := 0
	for i := 0; i < len(s); {
		if n := plainPrefix(s[i:]); n > 0 {
			w += n
			i += n
			continue
		}
		text, cells := ansi.FirstGraphemeCluster(s[i:], ansi.GraphemeWidth)
		if len(text) == 0 {
			_, size := utf8.DecodeRuneInString(s[i:])
			i += size
			continue
		}
		w += cells
		i += len(text)
	}
	return w
}

// Ellipsis is the mark of a cut in this mode, one cell wide.
func (m Mode) Ellipsis() string {
	if m.ASCII {
		return "~"
	}
	return "…"
}

// Head returns the longest start of safe text that fits into w cells, and its
// width. No character is split.
func Head(s string, w int) (string, int) {
	if w <= 0 {
		return "", 0
	}
	if len(s) <= w && IsPlain(s) {
		return s, len(s)
	}
	used := 0
	for i := 0; i < len(s); {
		if n := min(plainPrefix(s[i:]), w-used); n > 0 {
			used += n
			i += n
			continue
		}
		text, cells := ansi.FirstGraphemeCluster(s[i:], ansi.GraphemeWidth)
		if len(text) == 0 || used+cells > w {
			return s[:i], used
		}
		used += cells
		i += len(text)
	}
	return s, used
}

// Tail returns the longest end of safe text that fits into w cells.
func Tail(s string, w int) string {
	over := Width(s) - w
	if over <= 0 {
		return s
	}
	head, got := Head(s, over)
	for got < over && len(head) < len(s) { // a wide character stands across the edge
		text, cells := ansi.FirstGraphemeCluster(s[len(head):], ansi.GraphemeWidth)
		if len(text) == 0 {
			break
		}
		head, got = s[:len(head)+len(text)], got+cells
	}
	return s[len(head):]
}

// Cut returns safe text in at most w cells; the end that does not fit is an
// ellipsis.
func (m Mode) Cut(s string, w int) string {
	if w <= 0 {
		return ""
	}
	head, _ := Head(s, w)
	if len(head) == len(s) {
		return s
	}
	head, _ = Head(s, w-1)
	return head + m.Ellipsis()
}

// CutMiddle keeps both ends, as for ids.
func (m Mode) CutMiddle(s string, w int) string {
	if w <= 0 {
		return ""
	}
	if Width(s) <= w {
		return s
	}
	tail := Tail(s, (w-1)/2)
	head, _ := Head(s, w-1-Width(tail))
	return head + m.Ellipsis() + tail
}

// CutPath cuts a path in its middle, whole elements first: the last element
// and as much of the start as fits, /volume/…/chart.png.
func (m Mode) CutPath(s string, w int) string {
	if w <= 0 {
		return ""
	}
	if Width(s) <= w {
		return s
	}
	slash := strings.LastIndexByte(strings.TrimRight(s, "/"), '/')
	if slash <= 0 {
		return m.CutMiddle(s, w)
	}
	last := s[slash:]
	room := w - Width(last) - 1
	if room < 0 {
		return m.CutMiddle(s, w)
	}
	head, _ := Head(s[:slash], room)
	if k := strings.LastIndexByte(head, '/'); k >= 0 {
		head = head[:k+1]
	} else {
		head = ""
	}
	return head + m.Ellipsis() + last
}

// Pad returns safe text followed by blanks to w cells. Longer text is
// returned as it is.
func Pad(s string, w int) string {
	if n := w - Width(s); n > 0 {
		return s + strings.Repeat(" ", n)
	}
	return s
}

// PadLeft is Pad with the blanks in front.
func PadLeft(s string, w int) string {
	if n := w - Width(s); n > 0 {
		return strings.Repeat(" ", n) + s
	}
	return s
}

// Wrap breaks safe text into lines of at most w cells, between words where it
// can. Line feeds break too; other blanks at a break are dropped.
func Wrap(s string, w int) []string {
	if w <= 0 {
		return nil
	}
	var lines []string
	for para := range strings.SplitSeq(s, "\n") {
		lines = wrapParagraph(lines, para, w)
	}
	return lines
}

func wrapParagraph(lines []string, para string, w int) []string {
	for {
		head, _ := Head(para, w)
		if len(head) == len(para) {
			return append(lines, para)
		}
		cut := len(head)
		if para[cut] != ' ' {
			if k := strings.LastIndexByte(head, ' '); k > 0 {
				cut = k
			}
		}
		if cut == 0 { // one character is wider than the line
			text, _ := ansi.FirstGraphemeCluster(para, ansi.GraphemeWidth)
			cut = max(len(text), 1)
		}
		lines = append(lines, strings.TrimRight(para[:cut], " "))
		if para = strings.TrimLeft(para[cut:], " "); para == "" {
			return lines
		}
	}
}

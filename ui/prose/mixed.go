package prose

import (
	"strings"

	"perch/ui/cell"
)

// signs are our own, which have a spelling where only ASCII can be shown.
const signs = "·✓✗▲◇»→←×…≠∅µ↑↓■"

// Mixed adds a text in which our words stand beside words that are not ours:
// our signs are spelled as the look has them, all else is shown as it is.
func Mixed(l *cell.Line, st cell.Style, text string) *cell.Line {
	for text != "" {
		i := strings.IndexAny(text, signs)
		if i < 0 {
			return l.Text(st, text)
		}
		if i > 0 {
			l.Text(st, text[:i])
		}
		n := 1
		for n < len(text)-i && text[i+n]&0xC0 == 0x80 {
			n++
		}
		l.Own(st, text[i:i+n])
		text = text[i+n:]
	}
	return l
}

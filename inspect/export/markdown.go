package export

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"perch/engine/quote"
	"perch/inspect/safe"
)

// page is a text in Markdown. What others wrote stands in fences and code spans
// alone, where nothing of it has a meaning.
type page struct{ b strings.Builder }

func (p *page) heading(level int, text string) {
	if text := p.b.String(); text != "" && !strings.HasSuffix(text, "\n\n") {
		p.b.WriteByte('\n')
	}
	p.b.WriteString(strings.Repeat("#", level) + " " + text + "\n\n")
}

func (p *page) line(format string, a ...any) { fmt.Fprintf(&p.b, format+"\n", a...) }

// item is a line of a list.
func (p *page) item(format string, a ...any) { p.line("- "+format, a...) }

// fence puts a text between lines of more backticks than it has in a row. Of a
// long text the first most bytes stand there, and how much is left out.
func (p *page) fence(language, text string, most int) {
	left := 0
	if len(text) > most {
		cut := most
		for cut > most-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
			cut--
		}
		left, text = len(text)-cut, text[:cut]
	}
	text = safe.Text(text)
	bar := strings.Repeat("`", max(longestRun(text)+1, 3))
	p.line("%s%s", bar, language)
	p.b.WriteString(text)
	if !strings.HasSuffix(text, "\n") {
		p.b.WriteByte('\n')
	}
	p.line("%s", bar)
	if left > 0 {
		p.line("\n%s more %s left out.", quote.Count(left), map[bool]string{true: "byte is", false: "bytes are"}[left == 1])
	}
}

// code is text as a code span on one line, at most so many cells of it.
func code(s string, most int) string {
	s = visible(s, most)
	if strings.TrimSpace(s) == "" {
		return "(empty)"
	}
	bar := strings.Repeat("`", longestRun(s)+1)
	if s[0] == '`' || s[len(s)-1] == '`' || s[0] == ' ' && s[len(s)-1] == ' ' {
		s = " " + s + " "
	}
	return bar + s + bar
}

// visible is text on one line with what is hidden made visible, at most so many
// cells of it.
func visible(s string, most int) string {
	if len(s) > 8*most {
		s = s[:8*most]
	}
	return safe.Mode{}.Cut(safe.Line(s), most)
}

// longestRun is the longest run of backticks.
func longestRun(s string) int {
	longest, n := 0, 0
	for i := range len(s) {
		if s[i] != '`' {
			n = 0
			continue
		}
		n++
		longest = max(longest, n)
	}
	return longest
}

package cell

import (
	"strings"
	"unicode/utf8"
)

// asciiSign is what stands for one of our own signs where only ASCII can be
// shown. Text that is not ours is never changed like this.
func asciiSign(r rune) string {
	switch r {
	case '✓', '↓':
		return "v"
	case '▼':
		return "V"
	case '✗', '×':
		return "x"
	case '▲':
		return "!"
	case '◇':
		return "*"
	case '·', '▪', '░':
		return "."
	case '»':
		return ">>"
	case '■', '█':
		return "#"
	case '❯':
		return ">"
	case '›', '▌', '┆':
		return ":"
	case '•':
		return "&"
	case '▾':
		return "-"
	case '▸':
		return "+"
	case '└':
		return `\`
	case '◆':
		return "@"
	case '●':
		return "O"
	case '○':
		return "o"
	case '◎':
		return "t"
	case '∅':
		return "null"
	case '▏', '╞':
		return "["
	case '╡':
		return "]"
	case '…':
		return "~"
	case '‹':
		return "<"
	case '≠':
		return "!="
	}
	return asciiText(r)
}

// asciiText covers arrows, signs for hidden characters and typography.
func asciiText(r rune) string {
	switch r {
	case '→':
		return "->"
	case '←':
		return "<-"
	case '↔':
		return "<->"
	case '↑':
		return "^"
	case '⏎', '␊':
		return `\n`
	case '␍':
		return `\r`
	case '␉':
		return `\t`
	case '␛':
		return `\x1b`
	case '¼':
		return "1/4"
	case 'µ':
		return "u"
	case '’', '‘':
		return "'"
	case '“', '”':
		return `"`
	}
	return asciiRule(r)
}

// asciiRule covers the rules, boxes and bars.
func asciiRule(r rune) string {
	switch r {
	case '━', '═':
		return "="
	case '─', '–', '—':
		return "-"
	case '│', '┃':
		return "|"
	case '╭', '╮', '╰', '╯', '┬', '┴', '┼', '├', '┤', '┌', '┐', '┘', '┯', '┷':
		return "+"
	case '▁', '▂', '▃':
		return "_"
	case '▄', '▅':
		return "="
	case '▆', '▇':
		return "#"
	}
	return "?"
}

// own returns our own words as this look shows them.
func (k *Look) own(s string) string {
	if !k.ASCII {
		return s
	}
	i := 0
	for i < len(s) && s[i] < utf8.RuneSelf {
		i++
	}
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:i])
	for _, r := range s[i:] {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
		} else {
			b.WriteString(asciiSign(r))
		}
	}
	return b.String()
}

// Sign is one of our own signs as this look shows it: Sign("✓") is "v" in
// ASCII. A word goes through unchanged.
func (k *Look) Sign(s string) string { return k.own(s) }

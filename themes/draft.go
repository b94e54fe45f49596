package themes

import (
	"fmt"
	"strings"
)

// Draft is the text of a palette that stands on this one and changes nothing
// yet: each role is there to be uncommented.
func (t Theme) Draft() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# A theme of your own. It is read again at each save.\n"+
		"# Take the # from a line to change a role; all others are those of base.\n"+
		"# A value is any of: bold dim italic underline reverse, then one colour:\n"+
		"# #rrggbb, a name of the 16 (red, bright-red), or default.\n\nbase = %q\nnote = %q\n", t.Name, "my own")
	heads := map[Role]string{
		Bg: "Grounds", Text: "Text and lines", Accent: "Meanings", ToModule: "Where something comes from",
		Hidden: "Signs and differences", Key: "Tokens",
	}
	for r := Bg; r < Roles; r++ {
		if head := heads[r]; head != "" {
			fmt.Fprintf(&b, "\n# %s\n", head)
		}
		fmt.Fprintf(&b, "# %s = %q\n", r, t.Tints[r].String())
	}
	return []byte(b.String())
}

// String is the tint as a palette has it: "bold #8fb4ff".
func (t Tint) String() string {
	var words []string
	for i, word := range [...]string{"bold", "dim", "italic", "underline", "reverse"} {
		if t.Attr&(1<<i) != 0 {
			words = append(words, word)
		}
	}
	if t.Color.Kind != Default || len(words) == 0 {
		words = append(words, t.Color.String())
	}
	return strings.Join(words, " ")
}

// String is the colour as a palette has it.
func (c Color) String() string {
	switch c.Kind {
	case RGB:
		return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
	case Named:
		name := colourNames()[c.Index&7]
		if c.Index >= 8 {
			return "bright-" + name
		}
		return name
	}
	return "default"
}

// colourNames are the first eight of the terminal's colours.
func colourNames() []string {
	return []string{"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"}
}

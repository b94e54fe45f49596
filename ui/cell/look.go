// Package cell is how the screen is drawn: lines of styled text that become
// rows of exactly so many cells, title rules, boxes, and the joining of rows
// into a frame. Colours are roles; they become escape sequences once for each
// theme. Every text passes through inspect/safe on its way.
//
// The package knows no panes, no keys and nothing of what is shown.
package cell

import (
	"strconv"
	"strings"

	"perch/inspect/safe"
	"perch/themes"
)

// Style is a role for the text, a role for what lies behind it, and attributes
// on top of those that the theme gives the roles. A role that is None is taken
// from the row.
type Style struct {
	Fg, Bg themes.Role
	Attr   themes.Attr
	// Ink and Ground, where they are not the terminal's own, stand in place of
	// the roles' colours: those that a module chose.
	Ink, Ground themes.Color
}

// Fg is text in a role, on what lies behind.
func Fg(r themes.Role) Style { return Style{Fg: r} }

// On is the style on another ground.
func (s Style) On(bg themes.Role) Style {
	s.Bg = bg
	return s
}

// With is the style with more attributes.
func (s Style) With(a themes.Attr) Style {
	s.Attr |= a
	return s
}

// over fills what s leaves open from the row's style.
func (s Style) over(row Style) Style {
	if s.Fg == themes.None {
		s.Fg = row.Fg
	}
	if s.Bg == themes.None {
		s.Bg = row.Bg
	}
	s.Attr |= row.Attr
	return s
}

// Config is what must be known of the terminal beside the theme.
type Config struct {
	ASCII bool // the locale is not UTF-8
	Split bool // the terminal counts the parts of a joined character (no mode 2027)
	// Key is the key that does a command now; usual is the one that does it
	// unless a person chose another. Nil: the usual one.
	Key func(command, usual string) string
}

// ConfigFrom reads the locale variables. Without any of them the terminal is
// taken for a UTF-8 one, as terminals are by now; a locale that names another
// charset, C and POSIX included, gets ASCII.
func ConfigFrom(getenv func(string) string) Config {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(getenv(name)); v != "" {
			return Config{ASCII: !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")}
		}
	}
	return Config{}
}

// NoColor reports whether the environment asks for no colour: NO_COLOR with
// any value but the empty one (no-color.org).
func NoColor(getenv func(string) string) bool { return getenv("NO_COLOR") != "" }

// Look is a theme made ready for drawing. It is never changed once made, and
// may be used by several goroutines.
type Look struct {
	Theme themes.Theme
	Text  safe.Mode // how text that is not ours is shown
	ASCII bool      // our own signs are the ASCII ones

	fg, bg [themes.Roles]string
	key    func(command, usual string) string
}

// New makes a look. It is done once for each theme, never while drawing.
func New(t themes.Theme, c Config) *Look {
	k := &Look{Theme: t, Text: safe.Mode{ASCII: c.ASCII, Split: c.Split}, ASCII: c.ASCII, key: c.Key}
	if safe.Width("─") != 1 {
		k.ASCII = true // a terminal with wide rules: they would not fit
	}
	for r := themes.Bg; r < themes.Roles; r++ {
		k.fg[r] = colourParams(t.Tints[r].Color, 30)
		k.bg[r] = colourParams(t.Tints[r].Color, 40)
	}
	return k
}

// Key is the key that does a command now, for texts that name it; usual is the
// one that does it unless a person chose another.
func (k *Look) Key(command, usual string) string {
	if k == nil || k.key == nil {
		return usual
	}
	return k.key(command, usual)
}

// colourParams are the SGR parameters of a colour, "" for the terminal's own.
func colourParams(c themes.Color, base int) string {
	switch c.Kind {
	case themes.Named:
		if c.Index >= 8 {
			return ";" + strconv.Itoa(base+60+int(c.Index)-8)
		}
		return ";" + strconv.Itoa(base+int(c.Index))
	case themes.RGB:
		return ";" + strconv.Itoa(base+8) + ";2;" + strconv.Itoa(int(c.R)) + ";" + strconv.Itoa(int(c.G)) + ";" + strconv.Itoa(int(c.B))
	}
	return ""
}

// appendSGR appends the sequence that switches to a style, whatever was before.
func (k *Look) appendSGR(dst []byte, s Style) []byte {
	fg, bg := s.Fg, s.Bg
	if fg == themes.None {
		fg = themes.Text
	}
	if bg == themes.None {
		bg = themes.Bg
	}
	fgTint, bgTint := k.Theme.Tints[fg], k.Theme.Tints[bg]
	attr := s.Attr&^themes.Reverse | fgTint.Attr&^themes.Reverse | bgTint.Attr&^themes.Reverse
	// Reversed text on a reversed row stands out by not being reversed.
	reverse := s.Attr&themes.Reverse ^ fgTint.Attr&themes.Reverse ^ bgTint.Attr&themes.Reverse
	dst = append(dst, "\x1b[0"...)
	for i, code := range [...]string{";1", ";2", ";3", ";4"} {
		if attr&(1<<i) != 0 {
			dst = append(dst, code...)
		}
	}
	if reverse != 0 {
		dst = append(dst, ";7"...)
	}
	if bgTint.Attr&themes.Reverse == 0 {
		// Coloured text on a row that is told by reversing would make it a
		// row of coloured blocks.
		dst = append(dst, own(k.fg[fg], s.Ink, 30)...)
		dst = append(dst, own(k.bg[bg], s.Ground, 40)...)
	} else {
		dst = append(dst, k.bg[bg]...)
	}
	return append(dst, 'm')
}

// own are the parameters of a colour that was chosen, else those of a role.
func own(role string, c themes.Color, base int) string {
	if c.Kind == themes.Default {
		return role
	}
	return colourParams(c, base)
}

const reset = "\x1b[m"

// Package themes holds the palettes of the product as data, and the one loader
// for them. A palette gives each role of the screen a colour; who draws with it
// knows roles, never colours. The package knows nothing of terminals, styles or
// panes.
package themes

import (
	"embed"
	"fmt"
	"strings"
)

// Role is what a colour is for.
type Role uint8

// The roles. None is no colour of its own: what lies below shows.
const (
	None Role = iota

	// Grounds.
	Bg
	Surface // header and footer
	Overlay // boxes over the panes
	Field   // behind an input

	// Text and lines.
	Text
	Muted
	Faint
	Border
	BorderFocus
	Selection      // ground of the selected row of the focused pane
	SelectionQuiet // ground of the selected row of another pane
	Caret
	Match // of a search
	Changed

	// Meanings.
	Accent
	OK
	Warning
	Error
	Notice
	Info

	// Where something comes from.
	ToModule
	FromModule
	Stderr
	HTTP
	File
	WASI
	Memory

	Hidden // signs for bytes that would not show
	DiffAdd
	DiffDel

	// Tokens of code and data.
	Key
	String
	Number
	Keyword
	Punct
	Comment

	// Roles counts them.
	Roles
)

// roleNames are the keys of a palette, in the order of the constants.
const roleNames = "none bg surface overlay field text muted faint border border_focus selection selection_quiet " +
	"caret match changed accent ok warning error notice info to_module from_module stderr http file wasi memory " +
	"hidden diff_add diff_del key string number keyword punct comment"

// String is the role's key in a palette.
func (r Role) String() string {
	names := strings.Fields(roleNames)
	if int(r) >= len(names) {
		return fmt.Sprintf("role %d", uint8(r))
	}
	return names[r]
}

// roleOf finds a role by its key.
func roleOf(key string) (Role, bool) {
	for i, name := range strings.Fields(roleNames) {
		if name == key && Role(i) != None {
			return Role(i), true
		}
	}
	return None, false
}

// IsGround reports whether a role is a colour behind text.
func (r Role) IsGround() bool {
	return r >= Bg && r <= Field || r == Selection || r == SelectionQuiet
}

// Kind says how a colour is given.
type Kind uint8

// The kinds of colours.
const (
	Default Kind = iota // the terminal's own
	Named               // one of the terminal's 16 colours
	RGB
)

// Color is one colour.
type Color struct {
	Kind    Kind
	Index   uint8 // of a named colour, 0 to 15
	R, G, B uint8
}

// Attr is a set of attributes of text.
type Attr uint8

// The attributes.
const (
	Bold Attr = 1 << iota
	Dim
	Italic
	Underline
	Reverse
)

// Tint is what a palette says of one role.
type Tint struct {
	Color Color
	Attr  Attr
}

// Ground says on what a palette is made to be read.
type Ground string

// The grounds.
const (
	Dark  Ground = "dark"
	Light Ground = "light"
	Any   Ground = "any" // it takes the terminal's own
)

// Theme is a palette.
type Theme struct {
	Name   string
	Ground Ground
	Note   string // a few words for the picker
	Tints  [Roles]Tint
}

// ContrastFloor is the least contrast of text on a ground, as WCAG 2 counts it.
const ContrastFloor = 4.5

//go:embed *.toml
var files embed.FS

// Names lists the embedded palettes, the default dark and light ones first.
func Names() []string {
	return []string{"dusk", "paper", "ember", "pine", "porcelain", "contrast", "contrast-day", "okabe", "okabe-day", "sixteen", "mono"}
}

// Load reads an embedded palette. The error names the palettes there are.
func Load(name string) (Theme, error) {
	src, err := files.ReadFile(name + ".toml")
	if err != nil {
		return Theme{}, fmt.Errorf("no theme is named %q; there are %s", name, strings.Join(Names(), ", "))
	}
	return Parse(name, src)
}

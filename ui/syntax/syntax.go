// Package syntax gives code and data their colours: the tokens of our own JSON
// scanner, hex rows, and those of any Chroma lexer, all by the roles of one
// palette. It builds a Chroma style from a palette and links neither Chroma's
// lexers nor its styles, which cost time at start.
package syntax

import (
	"fmt"
	"strings"

	"github.com/alecthomas/chroma/v2"

	"perch/inspect/jsonview"
	"perch/themes"
)

// Chroma is the token type that Chroma's JSON lexer gives such a token.
func Chroma(c jsonview.Class) chroma.TokenType {
	switch c {
	case jsonview.Key:
		return chroma.NameTag
	case jsonview.String:
		return chroma.LiteralStringDouble
	case jsonview.Number:
		return chroma.LiteralNumber
	case jsonview.Keyword:
		return chroma.KeywordConstant
	case jsonview.Punct:
		return chroma.Punctuation
	case jsonview.Note:
		return chroma.Comment
	case jsonview.Wrong:
		return chroma.Error
	}
	return chroma.Text
}

// JSON is the role of a token of JSON.
func JSON(c jsonview.Class) themes.Role { return Role(Chroma(c)) }

// Role is the role of a Chroma token.
func Role(t chroma.TokenType) themes.Role {
	switch {
	case t == chroma.Error, t == chroma.GenericError:
		return themes.Error
	case t == chroma.NameTag, t == chroma.NameAttribute, t == chroma.NameProperty, t.InSubCategory(chroma.NameFunction):
		return themes.Key
	case t == chroma.GenericInserted:
		return themes.DiffAdd
	case t == chroma.GenericDeleted:
		return themes.DiffDel
	case t.InCategory(chroma.Keyword), t == chroma.NameBuiltin:
		return themes.Keyword
	case t.InSubCategory(chroma.LiteralString):
		return themes.String
	case t.InSubCategory(chroma.LiteralNumber):
		return themes.Number
	case t.InCategory(chroma.Comment):
		return themes.Comment
	case t.InCategory(chroma.Punctuation), t.InCategory(chroma.Operator):
		return themes.Punct
	}
	return themes.Text
}

// Style is a Chroma style made from a palette. Roles without a colour of their
// own leave it to the terminal.
func Style(t themes.Theme) (*chroma.Style, error) {
	entries := chroma.StyleEntries{chroma.Background: entry(t, themes.Text) + ground(t)}
	for _, tt := range []chroma.TokenType{
		chroma.Text, chroma.Error, chroma.NameTag, chroma.NameAttribute, chroma.NameProperty, chroma.NameFunction,
		chroma.NameBuiltin, chroma.Keyword, chroma.KeywordConstant, chroma.LiteralString, chroma.LiteralStringDouble,
		chroma.LiteralNumber, chroma.Comment, chroma.Punctuation, chroma.Operator,
		chroma.GenericInserted, chroma.GenericDeleted, chroma.GenericError,
	} {
		entries[tt] = entry(t, Role(tt))
	}
	style, err := chroma.NewStyle("perch-"+t.Name, entries)
	if err != nil {
		return nil, fmt.Errorf("making a Chroma style of the theme %s: %w", t.Name, err)
	}
	return style, nil
}

func ground(t themes.Theme) string {
	if hex := hexOf(t.Tints[themes.Bg].Color); hex != "" {
		return " bg:" + hex
	}
	return ""
}

func entry(t themes.Theme, r themes.Role) string {
	tint := t.Tints[r]
	var words []string
	if tint.Attr&themes.Bold != 0 {
		words = append(words, "bold")
	}
	if tint.Attr&themes.Italic != 0 {
		words = append(words, "italic")
	}
	if tint.Attr&themes.Underline != 0 {
		words = append(words, "underline")
	}
	if hex := hexOf(tint.Color); hex != "" {
		words = append(words, hex)
	}
	return strings.Join(words, " ")
}

// hexOf spells a colour as Chroma reads it. The 16 named ones have the values
// of xterm: Chroma has no names that every terminal shares.
func hexOf(c themes.Color) string {
	switch c.Kind {
	case themes.RGB:
		return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
	case themes.Named:
		xterm := strings.Fields("#000000 #cd0000 #00cd00 #cdcd00 #0000ee #cd00cd #00cdcd #e5e5e5 " +
			"#7f7f7f #ff0000 #00ff00 #ffff00 #5c5cff #ff00ff #00ffff #ffffff")
		return xterm[c.Index&15]
	}
	return ""
}

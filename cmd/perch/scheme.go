package main

import (
	"image/color"

	"charm.land/fang/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"perch/themes"
)

// scheme gives the help the colours of the palette that can be read on every
// ground: a terminal that does not say which it has is taken for a dark one by
// what asks it.
func scheme(lipgloss.LightDarkFunc) fang.ColorScheme {
	t, err := themes.Load("sixteen")
	if err != nil {
		return fang.ColorScheme{} // no colours
	}
	of := func(r themes.Role) color.Color { return gloss(t.Tints[r].Color) }
	return fang.ColorScheme{
		Base: of(themes.Text), Description: of(themes.Text), Help: of(themes.Text), Dash: of(themes.Muted),
		Title: of(themes.Accent), Program: of(themes.Accent), Command: of(themes.Accent),
		Codeblock: of(themes.Surface), Comment: of(themes.Comment),
		Argument: of(themes.Text), DimmedArgument: of(themes.Muted), QuotedString: of(themes.String),
		Flag: of(themes.Keyword), FlagDefault: of(themes.Muted),
		ErrorHeader: [2]color.Color{of(themes.Error), of(themes.Bg)}, ErrorDetails: of(themes.Text),
	}
}

// gloss is a palette's colour as Lip Gloss has it.
func gloss(c themes.Color) color.Color {
	if c.Kind == themes.RGB {
		return lipgloss.Color(c.String())
	}
	if c.Kind == themes.Named {
		return ansi.BasicColor(c.Index)
	}
	return lipgloss.NoColor{}
}

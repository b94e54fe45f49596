package main

import (
	"strings"
	"testing"

	"charm.land/lipgloss/v2"

	"perch/themes"
)

// Every palette's colours mean the same to Lip Gloss.
func TestGloss(t *testing.T) {
	for c, want := range map[themes.Color]string{
		{}:                                     "x",
		{Kind: themes.Named, Index: 1}:         "\x1b[31mx\x1b[m",
		{Kind: themes.Named, Index: 14}:        "\x1b[96mx\x1b[m",
		{Kind: themes.RGB, R: 1, G: 2, B: 250}: "\x1b[38;2;1;2;250mx\x1b[m",
	} {
		if got := lipgloss.NewStyle().Foreground(gloss(c)).Render("x"); got != want {
			t.Errorf("%v is drawn %q, want %q", c, got, want)
		}
	}
}

// The help sets no ground: it can be read on each.
func TestSchemeSetsNoGround(t *testing.T) {
	s := scheme(lipgloss.LightDark(true))
	if _, none := s.Codeblock.(lipgloss.NoColor); !none || s.Title == nil {
		t.Errorf("the ground is %v, the title %v", s.Codeblock, s.Title)
	}
	if got := lipgloss.NewStyle().Foreground(s.Title).Background(s.Codeblock).Render("x"); strings.Contains(got, ";4") || !strings.Contains(got, "[36m") {
		t.Errorf("a title is drawn %q", got)
	}
}

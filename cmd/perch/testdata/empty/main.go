// Command empty is the least program of Bubble Tea that shows a screen: what
// perch takes while nothing happens is held against it.
package main

import (
	"fmt"
	"os"

	tea "charm.land/bubbletea/v2"
)

type model struct{}

// Init implements tea.Model.
func (model) Init() tea.Cmd { return nil }

// Update implements tea.Model.
func (m model) Update(tea.Msg) (tea.Model, tea.Cmd) { return m, nil }

// View implements tea.Model.
func (model) View() tea.View {
	v := tea.NewView("empty")
	v.AltScreen = true
	return v
}

func main() {
	if _, err := tea.NewProgram(model{}, tea.WithFPS(60)).Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

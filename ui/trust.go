package ui

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"perch/engine/settings"
)

// grants are all values that a yes would make count, each on its own line: what
// is not shown cannot be agreed to. Values are the package's words.
func grants(all []settings.Notice) string {
	var text []string
	for _, n := range all {
		text = append(text, n.Key+", "+n.Where)
		for _, v := range n.Values {
			text = append(text, "- "+strconv.Quote(v))
		}
		if n.Key == "build.command" {
			text = append(text, "  run as you, outside of any sandbox, when you ask for it or a watched file changes")
		}
	}
	return strings.Join(text, "\n")
}

// askTrust asks whether a settings file may grant what it says.
func (a *App) askTrust(s *session) {
	file := s.bench.Settings
	a.ask(question{
		title: "Trust the settings beside the package?",
		text:  fmt.Sprintf("%s came with the package, and would grant what you did not:\n\n%s", file.File, grants(s.bench.LeftOut)),
		answers: []answer{
			{"n", "leave it out", nil},
			{"t", "trust this file, as it is now", func(a *App) tea.Cmd {
				if err := a.o.Trust.Remember(file.File, file.SHA256); err != nil {
					return a.say(toast{text: err.Error(), bad: true})
				}
				if a.current(s.id) && !s.bench.Sample() {
					return a.reopen(s, byPerson)
				}
				return a.openPackage(s.name)
			}},
		},
	})
}

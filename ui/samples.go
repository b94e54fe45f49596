package ui

import (
	"os"
	"time"

	tea "charm.land/bubbletea/v2"

	"perch/engine/jsonread"
	"perch/inspect/bench"
	"perch/samples"
	"perch/ui/gallery"
	"perch/ui/memory"
	"perch/ui/words"
)

// sampleList is what is known of the samples at once.
func sampleList() []gallery.Sample {
	var out []gallery.Sample
	for _, s := range samples.List() {
		out = append(out, gallery.Sample{Name: s.Name, Open: bench.SamplePrefix + s.Name, Language: s.Language, Description: s.Description, Build: s.Build})
	}
	return out
}

// readSamples reads the rest: sizes, and the tools with arguments at hand.
func (a *App) readSamples() tea.Cmd {
	return a.once(func() tea.Msg {
		all := sampleList()
		for i := range all {
			look, err := samples.Look(all[i].Name)
			if err != nil {
				continue
			}
			all[i].Size, all[i].Tools = int64(look.Module), toolNames(look.Arguments)
		}
		return samplesMsg{all}
	})
}

// goneOf are the recent packages where nothing is any more.
func goneOf(all []memory.Recent) map[string]bool {
	out := map[string]bool{}
	for _, r := range all {
		if _, err := os.Stat(r.Path); os.IsNotExist(err) {
			out[r.Path] = true
		}
	}
	return out
}

func seconds(d time.Duration) string { return words.Elapsed(d) }

// toolNames are the tools that an arguments.json has sets for, in its order.
func toolNames(file []byte) []string {
	doc, err := jsonread.Parse(file)
	if err != nil {
		return nil
	}
	var out []string
	for name := range doc.Root().Members() {
		out = append(out, name.String())
	}
	return out
}

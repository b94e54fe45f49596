package result

import (
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/model"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/findings"
	"perch/ui/prose"
	"perch/ui/words"
)

// brokenItems tell what the model is told, and how it came to that.
func (p *Pane) brokenItems(k *cell.Look, w int) []item {
	var crash model.Block
	if len(p.call.Model) > 0 {
		crash = p.call.Model[0]
	}
	tail := p.call.Run.Stream(event.Stderr).Tail(abi.StderrTail)
	out := []item{{line: cell.Own(themes.Text, "The model is told: the function crashed."), block: 0}}
	if len(tail) > 0 {
		head := fmt.Sprintf("With the last %s of stderr (%s):", words.Limit(abi.StderrTail), words.Bytes(len(tail)))
		out = append(out, item{line: cell.Own(themes.Muted, head), block: 0})
		if p.call.Run.Stream(event.Stderr).Len() > int64(len(tail)) {
			for _, l := range prose.Hanging(k, cell.Own(themes.Faint, "  … "), 4, themes.Faint, crash.About, w) {
				out = append(out, item{line: l, block: 0})
			}
		}
		for _, line := range strings.Split(strings.TrimSuffix(string(tail), "\n"), "\n") {
			var l cell.Line
			l.Blank(2).Own(cell.Fg(themes.Border), "│ ").Text(cell.Fg(themes.Stderr), line)
			out = append(out, item{line: l, block: 0})
		}
	}
	return append(out, p.findingItems(k, w)...)
}

// maxTold is how many findings stand in this pane; Findings has all.
const maxTold = 20

// findingItems are what was found in the run, the cause first.
func (p *Pane) findingItems(k *cell.Look, w int) []item {
	shown := 0
	var out []item
	for i := range p.call.Findings {
		f := &p.call.Findings[i]
		if f.Severity == abi.Info {
			continue
		}
		if shown == maxTold {
			out = append(out, item{block: -1}, item{line: cell.Own(themes.Muted, "… and more: 0 lists them all"), block: -1})
			break
		}
		if shown == 0 {
			head := "What was found"
			if o, _ := outcome(p.call.Run); o == event.Broken {
				head = "From the cause to the outcome"
			}
			out = append(out, item{block: -1}, item{line: cell.Own(themes.Muted, head), block: -1})
		}
		if shown > 0 && !f.Follows {
			out = append(out, item{block: -1})
		}
		shown++
		out = append(out, findingItem(k, f, w)...)
	}
	return out
}

func findingItem(k *cell.Look, f *rules.Finding, w int) []item {
	var out []item
	for _, l := range findings.Lines(k, *f, w) {
		out = append(out, item{line: l, block: -1, finding: f})
	}
	return out
}

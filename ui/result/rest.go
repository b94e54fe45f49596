package result

import (
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/inspect/safe"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/prose"
	"perch/ui/tools"
)

// viewRest is the pane before any call.
func (p *Pane) viewRest(k *cell.Look, w int) []cell.Line {
	if !p.has {
		return prose.Own(k, themes.Muted, p.none, w-1)
	}
	out := prose.Own(k, themes.Text, "No call yet.", w-1)
	out = append(out, cell.Line{})
	name := k.Text.Cut(k.Text.Line(p.tool.Name), 40)
	out = append(out, prose.Text(k, themes.Muted, k.Key("run.call", "ctrl+r")+" runs "+name+". Here you will read, word for word, what the model would be shown.", w-1)...)
	if fields := tools.Fields(p.tool.OutputSchema, 8); len(fields) > 0 {
		out = append(out, cell.Line{})
		out = append(out, prose.Text(k, themes.Muted, name+" promises (outputSchema, not shown to the model):", w-1)...)
		for _, f := range fields {
			star := " "
			if f.Required {
				star = "*"
			}
			var l cell.Line
			l.Blank(3).TextIn(cell.Fg(themes.Key), f.Name, 12, cell.CutEnd).Blank(1).
				Own(cell.Fg(themes.Accent), star).Blank(1)
			prose.Mixed(&l, cell.Fg(themes.Muted), f.Type)
			out = append(out, l)
		}
	}
	if len(p.sets) > 0 {
		out = append(out, cell.Line{}, prose.Indent(cell.Own(themes.Muted, "Arguments at hand: "+k.Key("pane.second", "2")+", then "+k.Key("args.sample", "s")), 1))
		for i, s := range p.sets {
			if i == 8 {
				break
			}
			var l cell.Line
			l.Blank(3).TextIn(cell.Fg(themes.Text), s.Name, min(26, max(w/2, 8)), cell.CutEnd).Blank(1).
				Text(cell.Fg(themes.Muted), oneLine(s.Value))
			out = append(out, l)
		}
	}
	return out
}

// oneLine is JSON without the line breaks it was written with, as far as a row
// can show it; what is not JSON stays as it is.
func oneLine(text []byte) string {
	if compact := jsonread.Compact(nil, text); len(compact) > 0 {
		return string(compact)
	}
	return string(text)
}

// noAnswer is what stands in place of an answer that did not come.
func (p *Pane) noAnswer(k *cell.Look, w int) []cell.Line {
	text := "No answer came to this call, so there is no JSON. Wire has every line."
	if p.call.Run.Begin().Kind == event.Upload {
		text = "The upload run answers several requests: Wire has them all."
	}
	return prose.Own(k, themes.Muted, text, min(w-1, max(safe.Width(text), 1)))
}

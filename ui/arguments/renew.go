package arguments

import (
	"strings"

	"perch/engine/jsonread"
	"perch/engine/wire"
	"perch/inspect/toolsdiff"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/prose"
	"perch/ui/words"
)

// lost are the fields of a draft that the schema named before the package was
// built again, and names no longer. They stay as they were written.
type lost struct {
	before   jsonread.Value // the schema that named them; zero: none did
	revision int            // of the text that names are of
	known    bool
	names    []string
}

// Renew takes the tools of a package that was built again. Drafts stay as they
// were written; it returns how many of them have fields which their schema no
// longer names.
func (p *Pane) Renew(before, now []wire.Tool) int {
	old, is := byName(before), byName(now)
	n := 0
	for name, d := range p.drafts {
		t, has := is[name]
		if !has {
			continue
		}
		if was, had := old[name]; had && string(was.Raw) != string(t.Raw) {
			d.renew(was, t)
		}
		if len(d.gone()) > 0 {
			n++
		}
	}
	if p.now == nil {
		return n
	}
	if t, has := is[p.tool.Name]; has {
		p.tool = t
	}
	if p.typing && p.now.tab == Form {
		if p.now.fields().Find(p.now.at) < 0 {
			p.stop()
		} else {
			p.retype()
		}
	}
	return n
}

func byName(tools []wire.Tool) map[string]wire.Tool {
	out := map[string]wire.Tool{}
	for _, t := range tools {
		if _, doubled := out[t.Name]; !doubled {
			out[t.Name] = t
		}
	}
	return out
}

// renew gives the draft the schema that its tool has now.
func (d *draft) renew(was, now wire.Tool) {
	if len(d.gone()) == 0 {
		d.lost = lost{before: was.InputSchema}
	}
	d.lost.known = false
	d.tool = now
	d.form, d.schema, d.rows, d.synced, d.told = nil, nil, nil, -1, -1
}

// gone are the fields that fit no longer.
func (d *draft) gone() []string {
	l := &d.lost
	if l.before.IsZero() || d.ed.Size() > longest {
		return nil
	}
	if l.known && l.revision == d.ed.Revision() {
		return l.names
	}
	l.known, l.revision, l.names = true, d.ed.Revision(), nil
	if doc, err := jsonread.Parse([]byte(d.ed.Text())); err == nil {
		l.names = toolsdiff.Lost(l.before, d.tool.InputSchema, doc.Root())
	}
	return l.names
}

// goneLine says which fields fit no longer.
func (p *Pane) goneLine(k *cell.Look, w int) []cell.Line {
	names := p.now.gone()
	if len(names) == 0 {
		return nil
	}
	var l cell.Line
	l.Blank(1).Own(cell.Fg(themes.Notice), "◇ ")
	tail := " fits no longer; kept as written"
	if len(names) > 1 {
		tail = " fit no longer; kept as written"
	}
	what := strings.Join(names, ", ")
	if room := w - k.Measure(tail) - 4; k.Measure(what) > room {
		what = words.Plural(len(names), "field")
		if k.Measure(what) > room {
			tail = " kept, not in the schema"
		}
	}
	l.Text(cell.Fg(themes.Text), k.Text.Line(what))
	prose.Mixed(&l, cell.Fg(themes.Muted), tail)
	return []cell.Line{l}
}

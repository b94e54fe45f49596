package arguments

import "maps"

// Kept is how the arguments of a tool are looked at, beside what they are.
type Kept struct {
	Tab   int             // a Tab
	Folds map[string]bool // by pointer: true for a group that was unfolded by hand, false for one that was folded
}

// What is kept of one tool at most.
const (
	maxFolds   = 64
	maxPointer = 256 // bytes
)

// Kept is how the tools of this package are looked at that do not look as they
// come.
func (p *Pane) Kept() map[string]Kept {
	out := maps.Clone(p.kept) // of tools that nobody looked at this time
	if out == nil {
		out = map[string]Kept{}
	}
	for name, d := range p.drafts {
		if _, waits := p.kept[name]; waits {
			continue
		}
		k := Kept{Tab: int(d.tab), Folds: map[string]bool{}}
		if d.form != nil {
			for path, open := range d.form.Folds() {
				if len(path) <= maxPointer && len(k.Folds) < maxFolds {
					k.Folds[path] = open
				}
			}
		}
		if k.Tab != int(Form) || len(k.Folds) > 0 {
			out[name] = k
		}
	}
	return out
}

// PutKept brings back how tools were looked at; each is looked at so when it is
// shown for the first time.
func (p *Pane) PutKept(all map[string]Kept) { p.kept = maps.Clone(all) }

// reopen shows the draft as it was looked at before.
func (p *Pane) reopen(tool string) {
	k, ok := p.kept[tool]
	if !ok {
		return
	}
	delete(p.kept, tool)
	if len(k.Folds) > 0 {
		p.now.fields().SetFolds(k.Folds)
	}
	p.SetTab(k.Tab)
}

package form

import "maps"

// Folds are the groups that were folded or unfolded by hand, by pointer: true is
// unfolded.
func (f *Form) Folds() map[string]bool { return maps.Clone(f.folds) }

// SetFolds folds and unfolds groups as they were before; what is not there is
// ignored.
func (f *Form) SetFolds(all map[string]bool) {
	for path, open := range all {
		if len(f.folds) < maxRows {
			f.folds[path] = open
		}
	}
	f.rev++
}

package form

import "maps"

// state is all that an act changes and undoing brings back. Its maps are never
// changed in place.
type state struct {
	raw    string            // the text as it was written
	picks  map[string]pick   // branches and types that were chosen, by place
	drafts map[string]string // values that are not sent now, by place, in JSON
	made   map[string]bool   // objects and lists that came into being for something within them
	maps   int               // grows with each change of the maps
}

// pick is a branch, or a type, that was chosen.
type pick struct {
	n    int
	name string // of a type
	// soft picks give way to what a text says that was written elsewhere.
	soft bool
}

func (s *state) pick(key string, p pick) {
	m := maps.Clone(s.picks)
	if m == nil {
		m = map[string]pick{}
	}
	m[key] = p
	s.picks = m
	s.maps++
}

func (s *state) soften() {
	if len(s.picks) == 0 {
		return
	}
	m := make(map[string]pick, len(s.picks))
	for key, p := range s.picks {
		p.soft = true
		m[key] = p
	}
	s.picks = m
}

func (s *state) draft(key, raw string) {
	if len(raw) > maxDraft || len(s.drafts) >= maxDrafts {
		return
	}
	m := maps.Clone(s.drafts)
	if m == nil {
		m = map[string]string{}
	}
	m[key] = raw
	s.drafts = m
	s.maps++
}

func (s *state) make(path string, made bool) {
	if s.made[path] == made {
		return
	}
	m := maps.Clone(s.made)
	if m == nil {
		m = map[string]bool{}
	}
	if made {
		m[path] = true
	} else {
		delete(m, path)
	}
	s.made = m
	s.maps++
}

// Keys of picks and drafts are the pointer of their place and, behind a byte
// that no pointer in use holds, what they are of.
const (
	ofBranch    = "\x00b"
	ofType      = "\x00t"
	ofCondition = "\x00c"
)

// moved gives what is kept below a list to the elements' new indexes; to
// returns -1 for one that is gone.
func (s *state) moved(list string, to func(int) int) {
	s.maps++
	s.picks = moveKeys(s.picks, list, to)
	s.drafts = moveKeys(s.drafts, list, to)
	s.made = moveKeys(s.made, list, to)
}

func moveKeys[V any](old map[string]V, list string, to func(int) int) map[string]V {
	changed := false
	for key := range old {
		if _, _, ok := elementKey(key, list); ok {
			changed = true
			break
		}
	}
	if !changed {
		return old
	}
	m := make(map[string]V, len(old))
	for key, v := range old {
		i, rest, ok := elementKey(key, list)
		if ok {
			if i = to(i); i < 0 {
				continue
			}
			key = element(list, i) + rest
		}
		m[key] = v
	}
	return m
}

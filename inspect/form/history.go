package form

// step is what was before an act, or after one that was undone.
type step struct {
	state state
	path  string // what the act was about
}

// keep remembers what was before an act. Acts with the same burst that follow
// each other are one step; "" is one by itself.
func (f *Form) keep(old state, burst, path string) {
	f.future = nil
	if burst == "" || burst != f.burst || len(f.past) == 0 {
		f.past = append(f.past, step{old, path})
		f.forget()
	}
	f.burst = burst
}

// forget drops the oldest steps where there are too many.
func (f *Form) forget() {
	size := 0
	for i := len(f.past) - 1; i >= 0; i-- {
		size += len(f.past[i].state.raw) + 64
		if size > maxPast || len(f.past)-i > maxSteps {
			f.past = append([]step(nil), f.past[i+1:]...)
			return
		}
	}
}

// Settle ends a burst of typing: what is typed next is a step of its own.
func (f *Form) Settle() { f.burst = "" }

// Undo takes the latest act back. It returns the place that the act was about;
// ok is false when there is none.
func (f *Form) Undo() (path string, ok bool) { return f.back(&f.past, &f.future) }

// Redo does again what was undone last.
func (f *Form) Redo() (path string, ok bool) { return f.back(&f.future, &f.past) }

func (f *Form) back(from, to *[]step) (string, bool) {
	if len(*from) == 0 {
		return "", false
	}
	last := (*from)[len(*from)-1]
	*from = (*from)[:len(*from)-1]
	*to = append(*to, step{f.now, last.path})
	f.now = last.state
	f.set(f.now.raw)
	f.burst = ""
	return last.path, true
}

// Undoes and Redoes are how many steps can be taken back and done again.
func (f *Form) Undoes() int { return len(f.past) }

// Redoes is how many steps can be done again.
func (f *Form) Redoes() int { return len(f.future) }

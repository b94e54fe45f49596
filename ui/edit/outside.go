package edit

import "strings"

// Lent is a text that was given to another editor.
type Lent struct {
	Text []byte // what goes into its file, byte for byte
}

// Lend gives the text to another editor. What is done here in the meantime is
// not lost either: it can be undone to.
func (e *Editor) Lend() Lent {
	e.list.close()
	e.seal()
	return Lent{Text: []byte(e.Text())}
}

// TakeBack puts in what the other editor left in its file, as one change, and
// reports whether the text is another one now. A line break that it added at
// the end, as most do, stays out. failed is why the editor or the reading of
// its file went wrong: then nothing is put in, and the text stays as it is.
func (e *Editor) TakeBack(l Lent, text []byte, failed error) (changed bool) {
	if failed != nil {
		return false
	}
	return e.Become(l.Back(text))
}

// Back is what the other editor left, without a line break that it added at the
// end.
func (l Lent) Back(text []byte) string {
	now := string(text)
	if was := string(l.Text); !strings.HasSuffix(was, "\n") {
		now = strings.TrimSuffix(now, "\n")
		if !strings.HasSuffix(was, "\r") {
			now = strings.TrimSuffix(now, "\r")
		}
	}
	return now
}

// Become makes the text another one by one change of what differs, so that the
// caret and folds stay where they are as far as they can. It reports whether
// anything differed.
func (e *Editor) Become(text string) bool {
	was := e.Text()
	if was == text {
		return false
	}
	head := 0
	for head < len(was) && head < len(text) && was[head] == text[head] {
		head++
	}
	tail := 0
	for tail < len(was)-head && tail < len(text)-head && was[len(was)-1-tail] == text[len(text)-1-tail] {
		tail++
	}
	from, to := e.At(head), e.At(len(was)-tail)
	caret := e.caret
	e.replace(from, to, text[head:len(text)-tail], other)
	end := e.caret
	at := end
	if caret.before(from) || to.before(caret) || to == caret {
		at = along(caret, from, to, end)
	}
	e.stand(at, at)
	return true
}

// Package answers keeps what a terminal answers from being taken for typing. An
// answer that is cut in two on its way, as happens over a network, comes from
// Bubble Tea as a start that nobody knows and the rest as keys: they would land
// in a field, or press commands. Here the pieces become the answer again.
//
// The package knows sequences and keys, and nothing of what was asked.
package answers

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// What an answer may be at most. A person who types on never loses more.
const (
	maxLength = 256 // bytes
	// maxPause is how long the next piece is waited for. It is counted where
	// messages are worked off, and that waits too while a terminal takes its
	// time to read what it is sent: seconds, over a network.
	maxPause = 3 * time.Second
	// maxAsked is how long after a question esc may be the start of an answer
	// that was cut behind its first byte; Hold is how long it is kept back then.
	maxAsked = 5 * time.Second
	Hold     = 250 * time.Millisecond
)

// Filter puts answers together. The zero Filter is ready to use. It is for one
// goroutine.
type Filter struct {
	awaited bool
	asked   time.Time // when an answer was asked for last
	esc     tea.Msg   // a lone esc that is kept back, nil: none
	kind    byte      // '[', ']', 'P', '_', '^' or 'X': what is being put together; 0: nothing
	text    strings.Builder
	last    time.Time // of the newest piece
}

// Await says whether an answer is outstanding; when none was before, it was asked
// for now. Only then is alt+_
// the start of one, since a terminal's two first bytes are that key on their
// own; and esc, the first byte alone, for a few seconds.
func (f *Filter) Await(on bool, now time.Time) {
	if on && !f.awaited {
		f.asked = now
	}
	f.awaited = on
}

// Held reports whether esc is kept back: Release is to be called once Hold has
// passed.
func (f *Filter) Held() bool { return f.esc != nil }

// Release gives back the esc that is kept back, nil when there is none.
func (f *Filter) Release() tea.Msg {
	esc := f.esc
	f.esc = nil
	return esc
}

// Take gives back messages that are no piece of an answer, and the whole answer
// for its last piece; most often one, the one that came. now is when that was,
// on a clock that does not go back.
func (f *Filter) Take(msg tea.Msg, now time.Time) []tea.Msg {
	var out []tea.Msg
	switch m := msg.(type) {
	case tea.KeyPressMsg:
		if f.kind == 0 && f.holds(m, now) {
			return f.swap(m)
		}
		esc := f.Release()
		if kind := introducer(m.Key()); esc != nil && kind != 0 {
			f.begin(kind, "\x1b"+m.Key().Text, now)
			return nil
		}
		out = given(out, esc)
	case uv.UnknownEvent, tea.MouseMsg, tea.PasteMsg:
		out = given(out, f.Release())
	}
	return given(out, f.take(msg, now))
}

// holds reports whether a key may be the first byte of an answer.
func (f *Filter) holds(m tea.KeyPressMsg, now time.Time) bool {
	return f.awaited && m.String() == "esc" && now.Sub(f.asked) < maxAsked
}

// swap keeps esc back and lets go of the one before.
func (f *Filter) swap(esc tea.Msg) []tea.Msg {
	out := given(nil, f.Release())
	f.esc = esc
	return out
}

func given(out []tea.Msg, msg tea.Msg) []tea.Msg {
	if msg != nil {
		out = append(out, msg)
	}
	return out
}

// introducer is the kind of sequence that a key's byte begins behind ESC; 0:
// none.
func introducer(k tea.Key) byte {
	switch k.Text {
	case "[", "]", "P", "_", "^", "X":
		return k.Text[0]
	}
	return 0
}

// take is Take without what is kept back.
func (f *Filter) take(msg tea.Msg, now time.Time) tea.Msg {
	if f.kind != 0 && now.Sub(f.last) > maxPause {
		f.kind = 0 // it does not come to an end
	}
	switch m := msg.(type) {
	case uv.UnknownEvent:
		if kind := begun(string(m)); kind != 0 {
			return f.begin(kind, string(m), now)
		}
	case tea.KeyPressMsg:
		return f.key(m, now)
	case tea.MouseMsg, tea.PasteMsg:
		f.kind = 0
	}
	return msg
}

// begun is the kind of a sequence that has begun and not ended.
func begun(s string) byte {
	if len(s) < 3 || s[0] != ansi.ESC {
		return 0
	}
	switch s[1] {
	case '[':
		if strings.ContainsFunc(s[2:], func(r rune) bool { return r >= '@' && r <= '~' }) {
			return 0
		}
		return '['
	case ']', 'P', '_', '^', 'X':
		if strings.HasSuffix(s, "\x1b\\") || strings.HasSuffix(s, "\a") {
			return 0
		}
		return s[1]
	}
	return 0
}

func (f *Filter) begin(kind byte, text string, now time.Time) tea.Msg {
	f.kind, f.last = kind, now
	f.text.Reset()
	f.text.WriteString(text)
	return nil
}

// key works off a key that may be a piece.
func (f *Filter) key(m tea.KeyPressMsg, now time.Time) tea.Msg {
	key := m.Key()
	name := m.String()
	if f.kind == 0 {
		if f.awaited && (name == "alt+_" || name == "alt+]") {
			return f.begin(name[len(name)-1], "\x1b"+name[len(name)-1:], now)
		}
		return m
	}
	f.last = now
	switch {
	case f.kind != '[' && name == `alt+\`:
		f.text.WriteString("\x1b\\")
		return f.end()
	case f.kind == ']' && name == "ctrl+g":
		f.text.WriteByte('\a')
		return f.end()
	case key.Text == "" || f.text.Len()+len(key.Text) > maxLength:
		f.kind = 0 // no answer has this in it
		return m
	}
	f.text.WriteString(key.Text)
	if last := key.Text[len(key.Text)-1]; f.kind == '[' && last >= '@' && last <= '~' {
		return f.end()
	}
	return nil
}

// end reads what was put together; what cannot be read is dropped.
func (f *Filter) end() tea.Msg {
	f.kind = 0
	_, event := (&uv.EventDecoder{}).Decode([]byte(f.text.String()))
	switch e := event.(type) { // as Bubble Tea names them
	case uv.KeyPressEvent, uv.UnknownEvent, nil:
		return nil
	case uv.BackgroundColorEvent:
		return tea.BackgroundColorMsg(e)
	case uv.ForegroundColorEvent:
		return tea.ForegroundColorMsg(e)
	case uv.ModeReportEvent:
		return tea.ModeReportMsg(e)
	case uv.TerminalVersionEvent:
		return tea.TerminalVersionMsg(e)
	case uv.CapabilityEvent:
		return tea.CapabilityMsg(e)
	case uv.KeyboardEnhancementsEvent:
		return tea.KeyboardEnhancementsMsg(e)
	}
	return event
}

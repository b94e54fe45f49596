package ui

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// monkey does what nobody would do, in an order that a seed gives.
type monkey struct {
	t    *testing.T
	a    *App
	r    *rand.Rand
	msgs chan tea.Msg
	gone chan struct{}
	acts []string // the last ones, to tell where it went wrong
	w, h int
}

func newMonkey(t *testing.T, a *App, seed uint64) *monkey {
	m := &monkey{t: t, a: a, r: rand.New(rand.NewPCG(seed, 7)), msgs: make(chan tea.Msg, 64), gone: make(chan struct{}), w: 120, h: 40}
	t.Cleanup(func() { close(m.gone) })
	return m
}

// start runs a command beside; what comes of it is taken in between two acts.
func (m *monkey) start(c tea.Cmd) {
	if c == nil {
		return
	}
	go func() {
		switch msg := c().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				m.start(c)
			}
		default:
			select {
			case m.msgs <- msg:
			case <-m.gone:
			}
		}
	}()
}

func (m *monkey) give(msg tea.Msg) {
	_, cmd := m.a.Update(msg)
	m.start(cmd)
}

// step is one act, with what came of earlier ones before it.
func (m *monkey) step() {
	for range 32 {
		select {
		case msg := <-m.msgs:
			if _, quit := msg.(tea.QuitMsg); !quit {
				m.give(msg)
			}
			continue
		default:
		}
		break
	}
	msg, name := m.act()
	m.acts = append(m.acts, name)
	m.give(msg)
	view := m.a.View()
	if c := m.a.Crash(); c != nil {
		m.t.Fatalf("%s\n%s\nafter %v", c.Value, c.Stack, m.acts[max(0, len(m.acts)-40):])
	}
	if rows := strings.Count(view.Content, "\n") + 1; rows > max(m.h, 1) {
		m.t.Fatalf("%d rows on a screen of %dx%d after %v", rows, m.w, m.h, m.acts[max(0, len(m.acts)-40):])
	}
	if bad := rawByte(view.Content); bad != "" {
		m.t.Fatalf("the screen has %s raw after %v", bad, m.acts[max(0, len(m.acts)-40):])
	}
	if bad := rawByte(view.WindowTitle); bad != "" || strings.Contains(view.WindowTitle, "\x1b") {
		m.t.Fatalf("the title has %s raw: %q", bad, view.WindowTitle)
	}
}

var monkeyKeys = strings.Fields("up down left right up down left right enter enter enter esc esc tab tab shift+tab space home end pgup pgdown " +
	"backspace delete shift+up shift+down shift+left shift+right alt+up alt+down alt+left alt+right ctrl+left ctrl+right " +
	"f1 f2 f3 f5 f12 insert ctrl+enter alt+enter shift+enter")

func (m *monkey) act() (tea.Msg, string) {
	switch n := m.r.IntN(100); {
	case n < 45:
		k := string(rune(33 + m.r.IntN(94)))
		return keyMsg(k), k
	case n < 70:
		k := monkeyKeys[m.r.IntN(len(monkeyKeys))]
		return keyMsg(k), k
	case n < 82:
		k := "ctrl+" + string(rune('a'+m.r.IntN(26)))
		if m.r.IntN(4) == 0 {
			k = "alt+" + string(rune('a'+m.r.IntN(26)))
		}
		return keyMsg(k), k
	case n < 93:
		return m.mouse()
	case n < 96:
		text := []string{"{\"a\":[1,2", "\x1b[31m\u202e\x00\x9b", "sample:greeter", strings.Repeat("[", 3000), "é👩‍👩‍👧‍👦\u0301\u0301", "\r\n\t\n"}[m.r.IntN(6)]
		return tea.PasteMsg{Content: text}, fmt.Sprintf("paste %.12q", text)
	}
	sizes := [][2]int{{1, 1}, {2, 1}, {1, 50}, {200, 1}, {20, 5}, {40, 10}, {80, 24}, {120, 40}, {120, 40}, {120, 40}, {200, 60}, {500, 200}}
	s := sizes[m.r.IntN(len(sizes))]
	m.w, m.h = s[0], s[1]
	return tea.WindowSizeMsg{Width: s[0], Height: s[1]}, fmt.Sprintf("size %dx%d", s[0], s[1])
}

func (m *monkey) mouse() (tea.Msg, string) {
	at := tea.Mouse{X: m.r.IntN(m.w+2) - 1, Y: m.r.IntN(m.h+2) - 1, Button: tea.MouseLeft}
	if m.r.IntN(5) == 0 {
		at.Button = tea.MouseRight
	}
	where := fmt.Sprintf("%d,%d", at.X, at.Y)
	switch m.r.IntN(5) {
	case 0:
		return tea.MouseMotionMsg(at), "move " + where
	case 1:
		return tea.MouseReleaseMsg(at), "release " + where
	case 2:
		at.Button = []tea.MouseButton{tea.MouseWheelDown, tea.MouseWheelUp, tea.MouseWheelLeft, tea.MouseWheelRight}[m.r.IntN(4)]
		return tea.MouseWheelMsg(at), "wheel " + where
	}
	return tea.MouseClickMsg(at), "click " + where
}

// rawByte names the first character that must not come to a terminal: a
// control other than the escapes that we write, or one that turns or hides text.
func rawByte(s string) string {
	for i, r := range s {
		switch {
		case r == '\n' || r == '\x1b' && i+1 < len(s) && (s[i+1] == '[' || s[i+1] == ']' || s[i+1] == '\\'):
		case r < ' ', r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200b, r == 0x200e, r == 0x200f, r == 0xfeff:
			return fmt.Sprintf("%U in %.80q", r, s[max(0, i-40):])
		}
	}
	return ""
}

// TestRandomActs does random acts on the samples and on a hostile package:
// nothing panics, nothing hangs, no screen is larger than the terminal, and
// nothing comes to it raw. PERCH_MONKEY and PERCH_MONKEY_SEEDS ask for more acts
// and more rounds.
func TestRandomActs(t *testing.T) {
	steps, seeds := 250, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("PERCH_MONKEY")); err == nil {
		steps = n
	}
	if n, err := strconv.Atoi(os.Getenv("PERCH_MONKEY_SEEDS")); err == nil {
		seeds = uint64(n)
	}
	t.Setenv("EDITOR", "true")
	for _, name := range []string{"sample:greeter", "sample:orders", "sample:charts", "sample:notebook", "sample:mischief", "hostile"} {
		for seed := range seeds {
			t.Run(fmt.Sprintf("%s-%d", strings.TrimPrefix(name, "sample:"), seed), func(t *testing.T) {
				t.Chdir(t.TempDir())
				a := quietApp(t, 120, 40)
				a.o.Memory = t.TempDir()
				if name == "hostile" {
					openNow(t, a, hostilePackage(t, t.TempDir()))
				} else {
					openNow(t, a, name)
				}
				m := newMonkey(t, a, seed)
				for range steps {
					m.step()
				}
			})
		}
	}
}

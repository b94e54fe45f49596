package picture

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"

	"perch/ui/cell"
)

// Patience is how long an answer of the terminal is waited for: after it, call
// GiveUp. One that comes later is heard all the same.
const Patience = 2 * time.Second

// Limits of the terminal's graphics.
const (
	maxPlaces  = 297     // rows or columns that a placeholder can name
	maxHandles = 24      // pictures in the terminal
	maxSent    = 4 << 20 // bytes of one picture
	chunk      = kitty.MaxChunkSize
	queryIndex = 255 // of our own ids
)

// terminal is what is known of the terminal's graphics, and what it has of ours.
type terminal struct {
	never   bool // it must not be asked
	tmux    bool // it is asked, and sent to, through tmux
	asked   bool
	settled bool // it has said yes or no, or took too long
	draws   bool
	cell    cellSize

	group    int // the highest byte of our ids
	next     int
	failures int
	handles  []*handle
}

// newTerminal reads what the environment says of terminals that would show a
// question instead of answering it. It never says that there are graphics.
func newTerminal(o Options) terminal {
	t := terminal{cell: usualCell(), group: int(o.Group)}
	if t.group == 0 || t.group > 127 {
		t.group = 1 + rand.IntN(127)
	}
	name := o.Getenv("TERM")
	t.tmux = o.Getenv("TMUX") != ""
	screen := o.Getenv("STY") != "" || strings.HasPrefix(name, "screen") && !t.tmux
	t.never = o.Plain || screen || name == "" || name == "dumb" || name == "linux" || strings.HasPrefix(name, "eterm") ||
		o.Getenv("TERM_PROGRAM") == "Apple_Terminal"
	t.settled = t.never
	return t
}

// Ask is what to send to the terminal to learn what it can: once, when a picture
// is in sight for the first time; "" when there is nothing to ask. Nothing is
// drawn by it: a picture that does not exist is to be put in two ways that
// exclude each other. A terminal that knows placeholders says that; one without
// them says that there is no such picture; one without graphics says nothing,
// and what it answers next, to a question that all know, ends the waiting. The
// size of a cell is asked for first, so that it is known by then.
func (v *Viewer) Ask() string {
	if v.term.asked || v.term.never {
		return ""
	}
	v.term.asked = true
	id := v.term.id(queryIndex)
	question := ansi.KittyGraphics(nil, "a=p", "U=1", fmt.Sprintf("i=%d", id), fmt.Sprintf("P=%d", id))
	return ansi.WindowOp(16) + v.term.wrap(question) + ansi.RequestPrimaryDeviceAttributes
}

// Waiting reports whether an answer is outstanding. Who quits then waits a
// little, or it lands in the shell.
func (v *Viewer) Waiting() bool {
	return v.term.asked && !v.term.settled || slices.ContainsFunc(v.term.handles, func(h *handle) bool { return h.waiting })
}

// GiveUp ends the waiting.
func (v *Viewer) GiveUp() {
	v.term.settled = v.term.settled || v.term.asked
	for _, h := range v.term.handles {
		h.waiting = false
	}
}

// Hear takes a message that may be an answer. ours is false for all others;
// changed says that pictures may look otherwise now.
func (v *Viewer) Hear(msg any) (changed, ours bool) {
	switch m := msg.(type) {
	case uv.KittyGraphicsEvent:
		return v.term.heard(m), true
	case uv.CellSizeEvent:
		size := cellSize{m.Width, m.Height}
		if size == v.term.cell || size.w < 2 || size.h < 2 || size.w > 200 || size.h > 400 {
			return false, true
		}
		v.term.cell = size
		return true, true
	case uv.PrimaryDeviceAttributesEvent:
		if v.term.tmux {
			return false, true // tmux's own; the terminal around it may still answer
		}
		v.term.settled = v.term.settled || v.term.asked
		return false, true
	}
	return false, false
}

// heard is an answer about a picture.
func (t *terminal) heard(m uv.KittyGraphicsEvent) (changed bool) {
	text := string(m.Payload)
	if m.Options.ID == t.id(queryIndex) {
		t.settled = true
		if !t.asked || t.draws || !strings.HasPrefix(text, "EINVAL") || !strings.Contains(text, "virtual") {
			return false
		}
		t.draws = true
		return true
	}
	for _, h := range t.handles {
		if h.id != m.Options.ID || h.shown {
			continue
		}
		h.waiting = false
		if h.shown = text == "OK"; !h.shown {
			if t.failures++; t.failures >= 3 {
				t.draws = false
			}
			return t.failures == 3
		}
		return true
	}
	return false
}

// id is a picture's number. Its highest byte is ours, the lowest is the colour
// of its placeholders: of 256, which pass through what has no more.
func (t *terminal) id(index int) int { return t.group<<24 | index }

// wrap sends a sequence through tmux where there is one.
func (t *terminal) wrap(seq string) string {
	if t.tmux {
		return ansi.TmuxPassthrough(seq)
	}
	return seq
}

// handle is a picture in the terminal.
type handle struct {
	id      int
	shown   bool // the terminal has it
	waiting bool // its answer is outstanding
	gone    bool // it was taken away again
	used    int
}

// send transmits a picture and takes away those that are too many. Through tmux
// no answer is asked for: it would be typed into whatever pane is in use.
func (t *terminal) send(data []byte, cols, rows, now int) (*handle, string) {
	if len(data) == 0 {
		return nil, ""
	}
	var out strings.Builder
	for len(t.handles) >= maxHandles {
		oldest := slices.MinFunc(t.handles, func(a, b *handle) int { return cmp.Compare(a.used, b.used) })
		out.WriteString(t.drop(oldest))
	}
	h := &handle{id: t.free(), shown: t.tmux, waiting: !t.tmux, used: now}
	t.handles = append(t.handles, h)
	options := []string{"a=T", "U=1", "f=100", "t=d", fmt.Sprintf("i=%d", h.id), fmt.Sprintf("c=%d", cols), fmt.Sprintf("r=%d", rows)}
	if t.tmux {
		options = append(options, "q=2")
	}
	text := base64.StdEncoding.EncodeToString(data)
	for start := 0; start < len(text); start += chunk {
		part := text[start:min(start+chunk, len(text))]
		more := "m=1"
		if start+chunk >= len(text) {
			more = "m=0"
		}
		out.WriteString(t.wrap(ansi.KittyGraphics([]byte(part), append(options, more)...)))
		if options = nil; t.tmux {
			options = []string{"q=2"}
		}
	}
	return h, out.String()
}

// free is an id that no picture of ours has. The number goes round, so that a
// late answer is not taken for another picture's.
func (t *terminal) free() int {
	for {
		t.next = t.next%(queryIndex-1) + 1
		if id := t.id(t.next); !slices.ContainsFunc(t.handles, func(h *handle) bool { return h.id == id }) {
			return id
		}
	}
}

// drop takes a picture away from the terminal, without an answer.
func (t *terminal) drop(h *handle) string {
	if h == nil || h.gone {
		return ""
	}
	h.gone, h.shown, h.waiting = true, false, false
	t.handles = slices.DeleteFunc(t.handles, func(other *handle) bool { return other == h })
	return t.wrap(ansi.KittyGraphics(nil, "a=d", "d=I", fmt.Sprintf("i=%d", h.id), "q=2"))
}

// Forget takes all pictures away from the terminal; those that are looked at
// again are sent anew. It is for the end, for going to the background, and for
// drawing the screen anew. "" when the terminal has none.
func (v *Viewer) Forget() string {
	var out strings.Builder
	for len(v.term.handles) > 0 {
		out.WriteString(v.term.drop(v.term.handles[0]))
	}
	return out.String()
}

// marks are the placeholders of a picture. Each cell says which part it stands
// for, so that any of them can be drawn alone.
func (h *handle) marks(cols, rows int) cell.Block {
	third := string(kitty.Diacritic(h.id >> 24))
	columns := make([]string, cols)
	for x := range columns {
		columns[x] = string(kitty.Diacritic(x)) + third
	}
	out := make(cell.Block, 0, rows)
	var row strings.Builder
	for y := range rows {
		row.Reset()
		row.WriteString("\x1b[38;5;" + strconv.Itoa(h.id&0xff) + "m")
		mark := string(kitty.Placeholder) + string(kitty.Diacritic(y))
		for _, column := range columns {
			row.WriteString(mark + column)
		}
		row.WriteString("\x1b[m")
		out = append(out, row.String())
	}
	return out
}

// encode makes a PNG of a picture, of less than twice the pixels across and down
// that it is to fill; nil when it is too much to send.
func encode(m *image.RGBA, w, h int) []byte {
	b := m.Bounds()
	if n := min(b.Dx()/w, b.Dy()/h); n >= 2 {
		m = halved(m, n)
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&out, m); err != nil || out.Len() > maxSent {
		return nil
	}
	return out.Bytes()
}

// halved is a picture at 1/n of its size.
func halved(m *image.RGBA, n int) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, max(m.Rect.Dx()/n, 1), max(m.Rect.Dy()/n, 1)))
	for y := range out.Rect.Dy() {
		strip := &image.RGBA{Pix: m.Pix[y*n*m.Stride:], Stride: m.Stride, Rect: image.Rect(0, 0, m.Rect.Dx(), n)}
		for x := range out.Rect.Dx() {
			mean(out.Pix[y*out.Stride+4*x:], strip, x*n, n, n)
		}
	}
	return out
}

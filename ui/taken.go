package ui

import (
	"math"

	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/inspect/export"
	"perch/inspect/record"
	"perch/ui/clip"
	"perch/ui/stream"
)

// taken is what is selected, as far as it can be copied.
type taken struct {
	what  string // in words
	value []byte
	ext   string
	// text is what the clipboard gets in place of the value, which is no text;
	// "": the value.
	text    string
	pointer string // JSON pointer into the line
	placed  bool   // pointer counts
	json    []byte // the JSON text of the value; nil: look whether the value is one
	line    []byte // in which it stands; nil: in none
	call    *made  // the call that it would make, nil: that of the run in sight
	http    *export.Exchange
}

// made is a call that is not made yet.
type made struct {
	tool string
	args []byte
}

func (t taken) copy() clip.Copy {
	if t.text == "" {
		return plainCopy(t.value, t.ext)
	}
	x := plainCopy([]byte(t.text), t.ext)
	x.Raw = t.value
	return x
}

// maxJSON is how large a value may be that is read to be written in another
// way; it is our own, and far above what a call may answer.
const maxJSON = 16 << 20

// parsed is the value as JSON, absent when it is none.
func (t taken) parsed() jsonread.Value {
	text := t.json
	if text == nil {
		text = t.value
	}
	if len(text) > maxJSON {
		return jsonread.Value{}
	}
	doc, err := jsonread.Parse(text)
	if err != nil {
		return jsonread.Value{}
	}
	return doc.Root()
}

// taken is what is selected; false when nothing is that can be copied.
func (a *App) taken() (taken, bool) {
	words := func(what, text string, ok bool) (taken, bool) {
		return taken{what: what, value: []byte(text), ext: "txt"}, ok && text != ""
	}
	switch {
	case a.page != nil:
		text, ok := a.page.Copy()
		return words("the selected row", text, ok)
	case a.at == inOpen:
		return words("the selected name", a.open.Chosen(), true)
	case a.at == inCheck:
		text, ok := a.check.Copy()
		return words("the selected row", text, ok)
	}
	switch a.focus {
	case paneTools:
		t, ok := a.tools.Selected()
		return taken{what: "the selected tool", value: t.Raw, ext: "json"}, ok
	case paneArguments:
		return a.takenArguments()
	case paneResult:
		t, ok := a.result.Taken()
		return taken{what: t.What, value: t.Value, ext: t.Ext, text: t.Text, pointer: t.Pointer, placed: t.Placed, json: t.JSON, line: t.Line}, ok
	}
	return a.takenRow()
}

// takenArguments are the arguments as they are written, and the call that they
// would make.
func (a *App) takenArguments() (taken, bool) {
	t := taken{what: "the arguments", value: []byte(a.args.Copy()), ext: "json"}
	tool, ok := a.tools.Selected()
	if args, err := a.args.Sends(); err == nil && ok {
		t.call = &made{tool.Name, append([]byte(nil), args...)}
	}
	return t, len(t.value) > 0
}

// takenRow is the selected row of a stream.
func (a *App) takenRow() (taken, bool) {
	p := a.pane()
	text, raw, ok := p.Copy()
	if !ok {
		return taken{}, false
	}
	if raw == nil {
		raw = []byte(text)
	}
	t := taken{what: "the selected row of " + p.Name(), value: raw, ext: "txt"}
	switch p.Digit() {
	case paneWire:
		t.ext, t.line = "json", raw
	case paneHTTP:
		t.ext = "json"
		if m, ok := p.Selected(); ok {
			t.http = a.exchange(m)
		}
	}
	return t, true
}

// exchange is the HTTP exchange of a moment, nil when it has none.
func (a *App) exchange(m stream.Moment) *export.Exchange {
	r := a.runOf(m.Run)
	if r == nil {
		return nil
	}
	id := 0
	for _, seq := range r.Of(record.KindHTTPRequest, record.KindHTTPHop, record.KindHTTPAnswer) {
		if n := uint64(seq); n < m.From || n > m.To {
			continue
		}
		e, _ := r.Event(uint64(seq))
		switch b := e.Body.(type) {
		case event.HTTPRequest:
			id = b.ID
		case event.HTTPHop:
			id = b.ID
		case event.HTTPAnswer:
			id = b.ID
		}
		break
	}
	all, _ := export.Exchanges(r, math.MaxInt)
	for i, x := range all {
		if id != 0 && x.Request.ID == id {
			return &all[i]
		}
	}
	return nil
}

package result

import (
	"fmt"
	"strconv"

	"perch/engine/jsonread"
	"perch/inspect/export"
	"perch/inspect/model"
	"perch/inspect/report"
)

// Taken is what is selected, as far as it can be copied.
type Taken struct {
	What  string // in words
	Value []byte // the decoded text of a string, the JSON text of another value
	Ext   string // of a file with it
	Text  string // what stands for a value that is no text, "": the value itself
	// Pointer leads to the value in the line; it counts where Placed.
	Pointer string
	Placed  bool
	JSON    []byte // the value's own JSON text, nil when there is none
	Line    []byte // in which it stands, nil when in none
}

// Taken is the selected block, value, cell or line; false when there is nothing
// to copy.
func (p *Pane) Taken() (Taken, bool) {
	rows := p.current()
	switch {
	case p.hex != nil:
		return p.hex.taken, true
	case p.opened != nil:
		return p.takenOpened()
	case rows == nil:
		return Taken{}, false
	}
	i, ok := rows.Selected()
	switch {
	case !ok:
		return Taken{}, false
	case p.tab == Model:
		return p.takenItem(i)
	case p.tab == Raw:
		line := []byte(p.doc.Source())
		return Taken{What: "the answer as it came", Value: line, Ext: "json", Line: line, Placed: p.doc.JSON() != nil}, true
	}
	if p.tab == Table {
		return p.takenCell()
	}
	v := p.shownDoc().Value(i)
	switch {
	case v.IsZero():
		return Taken{}, false
	case p.jq.doc != nil:
		return p.takenResult(v), true
	}
	return p.takenValue("the selected value", v), true
}

// takenValue is a value of the answer.
func (p *Pane) takenValue(what string, v jsonread.Value) Taken {
	ext := "json"
	if v.Kind() == jsonread.String {
		ext = "txt"
	}
	return Taken{What: what, Value: export.Value(v), Ext: ext, Pointer: v.Pointer(), Placed: true, JSON: v.Raw(), Line: []byte(p.doc.Source())}
}

// takenItem is the block or the finding that a row of the tab Model belongs to.
func (p *Pane) takenItem(i int) (Taken, bool) {
	it, _ := p.item(i)
	switch {
	case it.block >= 0 && it.block < len(p.call.Model):
		return p.takenBlock(it.block), true
	case it.finding != nil:
		return Taken{What: "the selected finding", Value: []byte(report.Style{}.Finding(*it.finding, nil)), Ext: "txt"}, true
	}
	return Taken{}, false
}

func (p *Pane) takenBlock(i int) Taken {
	b := p.call.Model[i]
	t := Taken{What: fmt.Sprintf("the selected block, %d of %d", i+1, len(p.call.Model)), Value: []byte(b.Text), Ext: "txt"}
	member := "/text"
	if b.Type == model.Image {
		member, t.Value, t.Text, t.Ext = "/data", b.Data, b.Text, pictureExt(b.MIME)
		if len(b.Data) == 0 {
			t.Value, t.Text, t.Ext = []byte(b.Text), "", "txt"
		}
	}
	if line, _, ok := model.Answer(p.call.Run); ok && b.Index >= 0 {
		t.Line, t.Placed = line, true
		t.Pointer = "/result/content/" + strconv.Itoa(b.Index)
		if b.Type == model.Text || b.Type == model.Image && b.Path == "" {
			t.Pointer += member
		}
	}
	return t
}

// pictureExt is the ending of a file with a picture of that type.
func pictureExt(mime string) string {
	switch mime {
	case "image/png":
		return "png"
	case "image/jpeg":
		return "jpg"
	case "image/gif":
		return "gif"
	case "image/webp":
		return "webp"
	}
	return "bin"
}

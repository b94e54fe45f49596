package syntax

import (
	"perch/inspect/hexview"
	"perch/inspect/jsonview"
	"perch/themes"
	"perch/ui/cell"
)

// JSONLine draws a line of JSON: its indent with the sign of its fold, then its
// tokens. An open list or object in the outermost level has no sign.
func JSONLine(l jsonview.Line) cell.Line {
	var out cell.Line
	sign := ""
	switch {
	case l.Fold == jsonview.Folded:
		sign = "▸"
	case l.Fold == jsonview.Open && l.Depth > 1:
		sign = "▾"
	}
	switch indent := 2 * l.Depth; {
	case sign == "":
		out.Blank(indent)
	case indent >= 2:
		out.Blank(indent-2).Own(cell.Fg(themes.Muted), sign).Blank(1)
	default:
		out.Own(cell.Fg(themes.Muted), sign+" ")
	}
	for _, t := range l.Tokens {
		if t.Class == jsonview.Note {
			out.Own(cell.Fg(JSON(t.Class)), t.Text)
		} else {
			out.Text(cell.Fg(JSON(t.Class)), t.Text)
		}
	}
	return out
}

// JSONRows is a document as the rows of a list.
type JSONRows struct{ Doc *jsonview.Doc }

// Len is the number of lines.
func (r JSONRows) Len() int { return r.Doc.Len() }

// Row is one of them.
func (r JSONRows) Row(i, _ int) cell.Line {
	return JSONLine(r.Doc.Line(i))
}

// HexRows is bytes as the rows of a list. Its View must have been given the
// width of the pane.
type HexRows struct {
	View  *hexview.View
	ASCII bool // only ASCII can be shown, and a sign must be one cell
}

// Len is the number of rows, those of ^^ included.
func (r HexRows) Len() int { return r.View.Len() }

// Row is one of them.
func (r HexRows) Row(i, _ int) cell.Line {
	row := r.View.Row(i)
	var l cell.Line
	if row.Marks {
		l.OwnIn(cell.Style{}, "", len(row.Offset)+2)
		l.Own(cell.Fg(themes.Error), row.Hex())
		return l
	}
	l.Own(cell.Fg(themes.Faint), row.Offset).Blank(2)
	if row.Err != nil {
		l.Text(cell.Fg(themes.Error), row.Err.Error())
		return l
	}
	for i, b := range row.Bytes {
		if i > 0 {
			l.Blank(1)
		}
		l.Own(hexStyle(b), hexDigits[b.Value>>4:][:1]+hexDigits[b.Value&15:][:1])
	}
	short := r.View.Bytes() - len(row.Bytes)
	l.Blank(3*short + 3)
	for _, b := range row.Bytes {
		l.Own(hexStyle(b), r.oneCell(b))
	}
	return l
}

// Head is the row above the digits.
func (r HexRows) Head() cell.Line {
	var l cell.Line
	offset := 0
	if r.View.Len() > 0 {
		offset = len(r.View.Row(0).Offset)
	}
	l.OwnIn(cell.Fg(themes.Muted), "offset", max(offset, 5)+2)
	l.Own(cell.Fg(themes.Muted), r.View.Head()).Blank(3).Own(cell.Fg(themes.Muted), "text")
	return l
}

const hexDigits = "0123456789abcdef"

func hexStyle(b hexview.Byte) cell.Style {
	switch {
	case b.Marked:
		return cell.Fg(themes.Error).With(themes.Reverse)
	case b.Value < ' ' || b.Value >= 0x7f:
		return cell.Fg(themes.Hidden)
	}
	return cell.Fg(themes.Text)
}

// oneCell keeps a byte's text one cell wide: the ASCII sign of ␊ is two.
func (r HexRows) oneCell(b hexview.Byte) string {
	if r.ASCII && len(b.Text) > 1 {
		return "."
	}
	return b.Text
}

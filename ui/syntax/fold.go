package syntax

import (
	"perch/inspect/jsonview"
	"perch/ui/list"
)

// Fold does what a command means in a list that shows doc, and elsewhere what
// it means in any list; false when it means nothing.
func Fold(rows *list.List, doc *jsonview.Doc, id string) bool {
	i, ok := rows.Selected()
	if !ok {
		return rows.Do(id, false)
	}
	switch id {
	case "nav.in", "nav.toggle":
		line, ok := doc.Toggle(i)
		if ok {
			rows.Select(line)
		}
		return ok
	case "nav.right":
		return doc.Fold(i, false)
	case "nav.left":
		if doc.Fold(i, true) {
			return true
		}
		up := doc.Parent(i)
		rows.Select(up)
		return up != i
	case "result.fold":
		doc.FoldAll()
		rows.Top()
	case "result.unfold":
		doc.UnfoldAll()
	default:
		return rows.Do(id, false)
	}
	return true
}

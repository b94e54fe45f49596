package list

import "perch/ui/cell"

// Lines is a Source of lines that are at hand.
type Lines []cell.Line

// Len is the number of lines.
func (s Lines) Len() int { return len(s) }

// Row is one of them.
func (s Lines) Row(i, _ int) cell.Line { return s[i] }

// Func is a Source made of a number and a function.
type Func struct {
	N    int
	Draw func(i, w int) cell.Line
}

// Len is the number of rows.
func (f Func) Len() int { return f.N }

// Row is one of them.
func (f Func) Row(i, w int) cell.Line { return f.Draw(i, w) }

package edit

import "strings"

const indent = "  "

// Insert types text at the caret. A closing bracket on a blank line takes one
// step of indent back.
func (e *Editor) Insert(text string) {
	from := e.caret
	if e.json && (text == "}" || text == "]") {
		before := e.lines[from.Line][:from.Byte]
		if strings.TrimLeft(before, " \t") == "" && strings.HasSuffix(before, indent) && e.lines[from.Line] == before {
			from.Byte -= len(indent)
		}
	}
	e.replace(from, e.caret, text, typing)
}

// Paste puts text in at the caret as one change. Terminals send the line breaks
// of a paste as carriage returns: they become line feeds.
func (e *Editor) Paste(text string) {
	if strings.Contains(text, "\r") {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	e.replace(e.caret, e.caret, text, other)
}

// Put types text as it is, without what typing adds or takes: a paste that
// comes key by key. What is put in one after the other is one change.
func (e *Editor) Put(text string) { e.replace(e.caret, e.caret, text, pasting) }

// Newline breaks the line and keeps its indent; after an opening bracket it is
// one step deeper, and a closing bracket behind the caret goes to a line of its
// own. In a single line it is a line break in the text.
func (e *Editor) Newline() {
	if e.one {
		e.replace(e.caret, e.caret, "\n", other)
		return
	}
	line := e.lines[e.caret.Line]
	before, after := line[:e.caret.Byte], line[e.caret.Byte:]
	base := before[:len(before)-len(strings.TrimLeft(before, " \t"))]
	trimmed := strings.TrimRight(before, " \t")
	text := "\n" + base
	if strings.HasSuffix(trimmed, "{") || strings.HasSuffix(trimmed, "[") {
		text += indent
		if rest := strings.TrimLeft(after, " \t"); strings.HasPrefix(rest, "}") || strings.HasPrefix(rest, "]") {
			at := e.caret
			e.replace(at, Pos{at.Line, at.Byte + len(after) - len(rest)}, text+"\n"+base, other)
			e.caret = Pos{at.Line + 1, len(base) + len(indent)}
			return
		}
	}
	e.replace(e.caret, e.caret, text, other)
}

// Backspace deletes the character before the caret; in the indent of a line one
// step of it.
func (e *Editor) Backspace() {
	from := e.prev(e.caret)
	if before := e.lines[e.caret.Line][:e.caret.Byte]; e.json && before != "" && strings.Trim(before, " ") == "" {
		from = Pos{e.caret.Line, (len(before) - 1) / len(indent) * len(indent)}
	}
	e.replace(from, e.caret, "", erasing)
}

// Delete deletes the character after the caret.
func (e *Editor) Delete() {
	at := e.caret
	e.replace(at, e.next(at), "", erasing)
}

// DeleteWord deletes the word before the caret.
func (e *Editor) DeleteWord() { e.replace(e.wordLeft(e.caret), e.caret, "", other) }

// DeleteToStart deletes what is before the caret on its line.
func (e *Editor) DeleteToStart() { e.replace(Pos{e.caret.Line, 0}, e.caret, "", other) }

// DeleteToEnd deletes what is after the caret on its line; at its end the line
// break.
func (e *Editor) DeleteToEnd() {
	to := Pos{e.caret.Line, len(e.lines[e.caret.Line])}
	if to == e.caret {
		to = e.next(e.caret)
	}
	e.replace(e.caret, to, "", other)
}

// Indent puts one step of indent in at the caret.
func (e *Editor) Indent() { e.replace(e.caret, e.caret, indent, other) }

// Outdent takes one step of indent from the line.
func (e *Editor) Outdent() {
	line := e.lines[e.caret.Line]
	n := min(len(line)-len(strings.TrimLeft(line, " ")), len(indent))
	if n == 0 {
		return
	}
	caret := e.caret
	e.replace(Pos{caret.Line, 0}, Pos{caret.Line, n}, "", other)
	e.caret = Pos{caret.Line, max(caret.Byte-n, 0)}
}

// Key does what a key means in a text and reports whether it means anything
// there. name is the key as Bubble Tea spells it; text is what it types, "" for
// keys that type nothing. Every key that types is typed. Enter, tab and escape
// are left to who uses the editor.
func (e *Editor) Key(name, text string) bool {
	if text != "" {
		e.Insert(text)
		return true
	}
	if e.moveKey(name) {
		return true
	}
	switch name {
	case "backspace":
		e.Backspace()
	case "delete", "ctrl+d":
		e.Delete()
	case "ctrl+w", "alt+backspace":
		e.DeleteWord()
	case "ctrl+u":
		e.DeleteToStart()
	case "ctrl+k":
		e.DeleteToEnd()
	case "ctrl+j", "shift+enter":
		e.Newline()
	case "ctrl+z":
		e.Undo()
	case "ctrl+y":
		e.Redo()
	default:
		return false
	}
	return true
}

func (e *Editor) moveKey(name string) bool {
	switch name {
	case "left":
		e.Left()
	case "right":
		e.Right()
	case "home", "ctrl+a":
		e.Home()
	case "end", "ctrl+e":
		e.End()
	case "alt+left", "alt+b", "ctrl+left":
		e.WordLeft()
	case "alt+right", "alt+f", "ctrl+right":
		e.WordRight()
	case "up", "down":
		if e.one {
			return false
		}
		if name == "up" {
			e.Up(1)
		} else {
			e.Down(1)
		}
	case "pgup":
		e.Up(max(e.height-1, 1))
	case "pgdown":
		e.Down(max(e.height-1, 1))
	case "ctrl+home":
		e.place(Pos{})
	case "ctrl+end":
		e.place(e.end())
	default:
		return false
	}
	return true
}

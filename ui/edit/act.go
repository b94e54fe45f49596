package edit

import "strings"

const indent = "  "

// Insert types text at the caret. A closing bracket that is first on its line
// takes the indent of the line where its bracket opens.
func (e *Editor) Insert(text string) {
	if e.json && (text == "}" || text == "]") && e.close(text) {
		return
	}
	e.put(text, typing)
	e.typed(text)
}

// close types a closing bracket on a blank line, and reports whether the indent
// was another one.
func (e *Editor) close(text string) bool {
	line, at := e.lines[e.caret.Line], e.caret
	if _, _, selected := e.Selection(); selected || strings.TrimLeft(line[:at.Byte], " \t") != "" || strings.Trim(line[at.Byte:], " \t\r") != "" {
		return false
	}
	want := strings.TrimSuffix(line[:at.Byte], indent)
	if open, ok := e.opening(Pos{at.Line, 0}); ok {
		want = blankStart(e.lines[open.Line])
	}
	if want == line[:at.Byte] {
		return false
	}
	if rest, ok := strings.CutPrefix(line[:at.Byte], want); ok && rest != "" {
		e.replace(Pos{at.Line, len(want)}, at, text, other)
	} else {
		e.replace(Pos{at.Line, 0}, at, want+text, other)
	}
	e.list.close()
	return true
}

func blankStart(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// Paste puts text in at the caret as one change. Terminals send the line breaks
// of a paste as carriage returns: they become line feeds. It returns how many
// carriage returns before a line feed went in that way.
func (e *Editor) Paste(text string) (pairs int) {
	if strings.Contains(text, "\r") {
		pairs = strings.Count(text, "\r\n")
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	e.put(text, other)
	e.list.close()
	return pairs
}

// Put types text as it is, without what typing adds or takes: a paste that
// comes key by key. What is put in one after the other is one change.
func (e *Editor) Put(text string) {
	e.put(text, pasting)
	e.list.close()
}

// Newline breaks the line and keeps its indent; after an opening bracket it is
// one step deeper, and a closing bracket behind the caret goes to a line of its
// own. In a single line it is a line break in the text.
func (e *Editor) Newline() {
	e.list.close()
	from, to, _ := e.Selection()
	if e.one {
		e.replace(from, to, "\n", other)
		return
	}
	before, after := e.lines[from.Line][:from.Byte], e.lines[to.Line][to.Byte:]
	base := blankStart(before)
	trimmed := strings.TrimRight(before, " \t")
	end := "\n"
	if e.breaksWithReturn(to.Line) {
		end = "\r\n"
	}
	text := end + base
	if strings.HasSuffix(trimmed, "{") || strings.HasSuffix(trimmed, "[") {
		text += indent
		if rest := strings.TrimLeft(after, " \t"); strings.HasPrefix(rest, "}") || strings.HasPrefix(rest, "]") {
			to.Byte += len(after) - len(rest)
			e.replace(from, to, text+end+base, other)
			at := Pos{from.Line + 1, len(base) + len(indent)}
			e.stand(at, at)
			return
		}
	}
	e.replace(from, to, text, other)
}

// breaksWithReturn reports whether lines end in a carriage return here.
func (e *Editor) breaksWithReturn(line int) bool {
	if line+1 == len(e.lines) {
		line--
	}
	return line >= 0 && strings.HasSuffix(e.lines[line], "\r")
}

// Backspace deletes what is selected, or the character before the caret; in the
// indent of a line one step of it.
func (e *Editor) Backspace() {
	if e.erase(other) {
		e.list.close()
		return
	}
	from := e.prev(e.caret)
	if before := e.lines[e.caret.Line][:e.caret.Byte]; e.json && before != "" && strings.Trim(before, " ") == "" {
		from = Pos{e.caret.Line, (len(before) - 1) / len(indent) * len(indent)}
	}
	e.replace(from, e.caret, "", erasing)
	e.erased()
}

// Delete deletes what is selected, or the character after the caret.
func (e *Editor) Delete() {
	if !e.erase(other) {
		at := e.caret
		e.replace(at, e.next(at), "", erasing)
	}
	e.erased()
}

// DeleteWord deletes what is selected, or the word before the caret.
func (e *Editor) DeleteWord() {
	if !e.erase(other) {
		e.replace(e.wordLeft(e.caret), e.caret, "", other)
	}
	e.erased()
}

// DeleteToStart deletes what is selected, or what is before the caret on its
// line.
func (e *Editor) DeleteToStart() {
	if !e.erase(other) {
		from := 0
		if e.one {
			from, _ = e.rowAt(e.caret.Byte)
		}
		e.replace(Pos{e.caret.Line, from}, e.caret, "", other)
	}
	e.list.close()
}

// DeleteToEnd deletes what is selected, or what is after the caret on its line;
// at its end the line break.
func (e *Editor) DeleteToEnd() {
	e.list.close()
	if e.erase(other) {
		return
	}
	to := Pos{e.caret.Line, max(e.eol(e.caret.Line), e.caret.Byte)}
	if e.one {
		_, to.Byte = e.rowAt(e.caret.Byte)
	}
	if to == e.caret {
		to = e.next(e.caret)
	}
	e.replace(e.caret, to, "", other)
}

// Indent puts one step of indent in at the caret, or before each line of the
// selection.
func (e *Editor) Indent() {
	e.list.close()
	if from, to, ok := e.Selection(); ok && from.Line != to.Line {
		e.shift(false)
		return
	}
	e.put(indent, other)
}

// Outdent takes one step of indent from the line, or from each line of the
// selection.
func (e *Editor) Outdent() {
	e.list.close()
	if !e.one {
		e.shift(true)
	}
}

// Tab takes the suggestion, or indents.
func (e *Editor) Tab() {
	if !e.Accept() {
		e.Indent()
	}
}

// Escape undoes one step in: it closes the list of suggestions, else ends the
// selection. It reports whether there was one to undo.
func (e *Editor) Escape() bool { return e.Dismiss() || e.Unselect() }

// Key does what a key means in a text and reports whether it means anything
// there. name is the key as Bubble Tea spells it; text is what it types, "" for
// keys that type nothing. Every key that types is typed. Enter, tab and escape
// are left to who uses the editor.
func (e *Editor) Key(name, text string) bool {
	if text != "" {
		e.Insert(text)
		return true
	}
	if e.listKey(name) || e.moveKey(name) {
		return true
	}
	if name != "shift+enter" && strings.Contains(name, "shift+") {
		base := strings.Replace(name, "shift+", "", 1)
		return e.extendBy(func() bool { return e.moveKey(base) })
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

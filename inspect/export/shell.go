package export

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"perch/engine/abi"
	"perch/engine/jsonread"
	"perch/inspect/safe"
)

// longestWord is what one word of a command may hold where it is handed to a
// program, in bytes: Linux takes 128 KiB, Windows less. It is no bound for the
// shell's own printf.
const longestWord = 30_000

// word is text as one word of a POSIX shell's command. It must be plain.
func word(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@+,-") == "" && s[0] != '-' {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Word is text as one word of a POSIX shell's command, "" where none can be
// pasted into a terminal.
func Word(s string) string {
	if !plain(s) {
		return ""
	}
	return word(s)
}

// plain reports whether text can stand in quotes of a command that is pasted
// into a terminal: nothing of it is hidden, or would act there.
func plain(s string) bool { return safe.Line(s) == s }

// printed is a command that writes exactly these bytes: what is not plain is
// written by its octal number.
func printed(b []byte) string {
	var f strings.Builder
	f.WriteString("printf '")
	for u := range (safe.Mode{}).Units(string(b)) {
		switch text := string(b[u.Start:u.End]); {
		case text == "'":
			f.WriteString(`'\''`)
		case text == `\` || text == "%":
			f.WriteString(text + text)
		case text == "\n":
			f.WriteString(`\n`)
		case u.Hidden, text == "!", text == "-" && u.Start == 0: // ! is a shell's history, - an option
			for i := range len(text) {
				fmt.Fprintf(&f, `\%03o`, text[i])
			}
		default:
			f.WriteString(text)
		}
	}
	f.WriteByte('\'')
	return f.String()
}

// argument is a word of a command for any text but one with a NUL byte, which
// none can hold. A text that is not plain loses line feeds at its end.
func argument(s string) string {
	if plain(s) {
		return word(s)
	}
	return `"$(` + printed([]byte(s)) + `)"`
}

// path is a word that names a file and is no option.
func path(s string) string {
	if strings.HasPrefix(s, "-") {
		s = "./" + s
	}
	return argument(s)
}

// Dir is a folder that a runtime gives a module.
type Dir struct{ Host, Guest string }

// Runtime is how a module is run outside perch.
type Runtime struct {
	Module string // path of module.wasm; empty: its usual name
	Dirs   []Dir  // folders that stand for the module's mounts
	HTTP   bool   // the module imports subako_http, which the runtime must provide
}

// WASI is a command that gives a module these lines on stdin, in a runtime for
// WASI preview 1 (ABI page, Testing locally): wasmtime, whose options for folders
// others share or name alike. It is for a POSIX shell.
func WASI(lines [][]byte, r Runtime) string {
	var b strings.Builder
	if r.HTTP {
		b.WriteString("# the module imports " + abi.ModuleHTTP + ": the runtime must provide it, or link a stub\n")
	}
	b.WriteString(stdin(lines))
	b.WriteString(" | wasmtime run")
	for _, d := range r.Dirs {
		b.WriteString(" --dir " + path(filepath.ToSlash(d.Host)+"::"+d.Guest))
	}
	module := r.Module
	if module == "" {
		module = abi.ModuleFile
	}
	return b.String() + " " + path(module) + "\n"
}

// stdin is a command that writes lines.
func stdin(lines [][]byte) string {
	all := "printf '%s\\n'"
	for _, l := range lines {
		if s := string(l); plain(s) {
			all += " '" + strings.ReplaceAll(s, "'", `'\''`) + "'"
			continue
		}
		// One that would act in a terminal: all of them by number.
		var whole []byte
		for _, l := range lines {
			whole = append(append(whole, l...), '\n')
		}
		return printed(whole)
	}
	return all
}

// Perch is a command that makes the call again. name is the package's, as it
// was opened; flags are words of their own, as they were given.
func Perch(name, tool string, arguments []byte, flags ...string) string {
	line := string(jsonText(arguments))
	var options string
	before := ""
	switch {
	case len(line) > longestWord:
		before, options = output(line)+" | ", " --args -"
	case line != "{}":
		options = " --args " + argument(line)
	}
	for _, f := range flags {
		options += " " + flag(f)
	}
	names := " " + path(name) + " " + argument(tool)
	if strings.HasPrefix(tool, "-") { // a tool of a wrong package, which looks like an option
		return before + "perch call" + options + " --" + names + "\n"
	}
	return before + "perch call" + names + options + "\n"
}

// jsonText is the text of a call's arguments on one line.
func jsonText(b []byte) []byte {
	if len(bytes.TrimSpace(b)) == 0 {
		return []byte("{}")
	}
	if bytes.ContainsAny(b, "\r\n") {
		return jsonread.Compact(nil, b)
	}
	return b
}

// flag is an option as it was given.
func flag(f string) string {
	name, value, ok := strings.Cut(f, "=")
	if ok && strings.HasPrefix(name, "--") && word(strings.TrimLeft(name, "-")) == strings.TrimLeft(name, "-") {
		return name + "=" + argument(value)
	}
	if bare := strings.TrimLeft(f, "-"); strings.HasPrefix(f, "-") && bare != "" && word(bare) == bare {
		return f
	}
	return argument(f)
}

// output is a command that writes a text.
func output(s string) string {
	if plain(s) {
		return "printf %s '" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return printed([]byte(s))
}

package wire

import (
	"bytes"
	"slices"
	"strings"

	"perch/engine/quote"
)

// Crash is what a language's runtime wrote to stderr when it gave up: a guess
// from its words, to be held against how the module ended.
type Crash struct {
	What string // Go panic, Rust panic, C assertion, …
	Text string // what it said, one line, as the module wrote it
	At   string // file and line as the text names them, empty: it names none
	Fix  string // what to do about it, in that language

	trap  bool     // such a crash ends in a trap
	codes []uint32 // or in one of these exit statuses; nil: any but 0
	exits bool     // or in an exit
}

// longestCrash is how much of a crash's text a sentence quotes, in characters.
const longestCrash = 160

// longestPlace is the longest file and line that a text may name, in bytes.
const longestPlace = 1 << 10

// Said is the crash as a sentence begins with it: Go panic: "…".
func (c Crash) Said() string { return c.What + ": " + quote.TextTo(c.Text, longestCrash) }

// Trapped reports whether a crash of this kind ends in a trap.
func (c Crash) Trapped() bool { return c.trap }

// Exited reports whether a crash of this kind ends in this exit status.
func (c Crash) Exited(code uint32) bool {
	return code != 0 && c.exits && (c.codes == nil || slices.Contains(c.codes, code))
}

// OfMemory reports whether the crash itself is about memory that was not given.
func (c Crash) OfMemory() bool {
	text := strings.ToLower(c.Text)
	return strings.Contains(text, "memory") || strings.Contains(text, "alloc")
}

// Language reports whether the text can only be that of a language with checks
// of its own: a crash of Go or Rust says what went wrong, memory or not.
func (c Crash) Language() bool {
	return strings.HasPrefix(c.What, "Go ") || strings.HasPrefix(c.What, "Rust ")
}

// What to do about crashes that languages make of failures.
const (
	fixGoPanic   = "Go: check before the line that panics, or recover in the tool's handler, and answer with isError."
	fixGoFatal   = "Go's runtime cannot go on after this, and recover does not catch it: look at the goroutine on stderr."
	fixRustPanic = "Rust: handle the case where it panics (match, ?, get in place of unwrap, expect and [i]), and answer with isError."
	fixAssert    = "C and C++: an assertion ends the module. Check what comes from outside and answer with isError."
	fixTerminate = "C++: an exception that nobody catches, or a check of the library, ends the module. Check first, and answer with isError."
	fixZigPanic  = "Zig: a failed safety check or @panic ends the module. Check first, return an error, and answer with isError."
	fixASAbort   = "AssemblyScript: an abort ends the module. Check indexes and nulls first, and answer with isError."
	fixUncaught  = "Catch it where the tool is called, and answer with isError."
	fixAborted   = "Check first, and answer with isError."
)

// kindOfCrash is one way in which a runtime says that it gives up. One of read
// is not nil when line i is its first: it returns the text and its place.
type kindOfCrash struct {
	Crash
	read func(lines [][]byte, i int) (text, at string, ok bool)
}

func kindsOfCrash() []kindOfCrash {
	goes := []uint32{2}
	return []kindOfCrash{
		{Crash{What: "Rust panic", Fix: fixRustPanic, trap: true, exits: true, codes: []uint32{101, 134}}, rustPanic},
		{Crash{What: "Rust allocation error", Fix: "Rust: ask for less memory, or use try_reserve and answer with isError.", trap: true}, beginning("memory allocation of ", keep)},
		{Crash{What: "Go panic", Fix: fixGoPanic, trap: true, exits: true, codes: goes}, beginning("panic: ", drop)},
		{Crash{What: "Go fatal error", Fix: fixGoFatal, trap: true, exits: true, codes: goes}, goFatal},
		{Crash{What: "C assertion", Fix: fixAssert, trap: true, exits: true}, assertion},
		{Crash{What: "C++ terminate", Fix: fixTerminate, trap: true, exits: true}, terminate},
		{Crash{What: "Zig panic", Fix: fixZigPanic, trap: true, exits: true}, zigPanic},
		{Crash{What: "AssemblyScript abort", Fix: fixASAbort, trap: true, exits: true}, beginning("abort: ", drop)},
		{Crash{What: "Swift fatal error", Fix: fixAborted, trap: true, exits: true}, holding("Fatal error: ")},
		{Crash{What: "Nim exception", Fix: fixUncaught, trap: true, exits: true}, holding("Error: unhandled exception: ")},
		{Crash{What: "Python exception", Fix: fixUncaught, trap: true, exits: true}, traceback},
		{Crash{What: "JavaScript exception", Fix: fixUncaught, trap: true, exits: true}, holding("Uncaught ")},
		{Crash{What: "stack protector", Fix: "A write went past the end of an array on the stack: build with -fsanitize=address on your machine to find it.", trap: true, exits: true}, holding("*** stack smashing detected ***")},
	}
}

// CrashIn finds the last crash that a runtime tells in the end of stderr; false
// when none does. Whether the module ended by it is for the caller to ask.
func CrashIn(stderr []byte) (found Crash, ok bool) {
	lines := bytes.Split(stderr, []byte{'\n'})
	kinds := kindsOfCrash()
	for i, line := range lines {
		if len(line) > lookedAt {
			lines[i] = line[:lookedAt]
		}
		for _, k := range kinds {
			text, at, is := k.read(lines, i)
			if !is {
				continue
			}
			found, ok = k.Crash, true
			found.Text, found.At = strings.TrimSpace(text), at
			if len(at) > longestPlace {
				found.At = ""
			}
			if fix := found.missing(); fix != "" {
				found.Fix = fix
			}
			break
		}
	}
	return found, ok
}

// LastLine is the last line of stderr that says something, for a sentence;
// empty without one.
func LastLine(stderr []byte) string {
	line := bytes.TrimSpace(stderr)
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	if len(line) == 0 {
		return ""
	}
	text, _ := stripped(line[:min(len(line), lookedAt)])
	return quote.TextTo(strings.TrimSpace(text), longestCrash)
}

const (
	keep = true  // the sign is a part of the text
	drop = false // the text stands behind it
)

// beginning reads a text that stands behind a sign at the start of a line.
func beginning(sign string, kept bool) func([][]byte, int) (string, string, bool) {
	return func(lines [][]byte, i int) (string, string, bool) {
		text, is := strings.CutPrefix(string(lines[i]), sign)
		if !is {
			return "", "", false
		}
		if kept {
			text = string(lines[i])
		}
		return text, "", true
	}
}

// holding reads a text that stands behind a sign anywhere in a line.
func holding(sign string) func([][]byte, int) (string, string, bool) {
	return func(lines [][]byte, i int) (string, string, bool) {
		if !bytes.Contains(lines[i], []byte(sign)) {
			return "", "", false
		}
		before, text, _ := strings.Cut(string(lines[i]), sign)
		if strings.TrimSpace(text) == "" {
			text = sign
		}
		return text, strings.TrimSuffix(strings.TrimSpace(before), ":"), true
	}
}

// rustPanic reads both forms: thread 'main' panicked at 'text', a.rs:1:2, and
// since 1.73 thread 'main' panicked at a.rs:1:2: with the text on the next line.
func rustPanic(lines [][]byte, i int) (text, at string, ok bool) {
	if !bytes.HasPrefix(lines[i], []byte("thread ")) {
		return "", "", false
	}
	_, rest, is := strings.Cut(string(lines[i]), " panicked at ")
	if !is {
		return "", "", false
	}
	if place, is := strings.CutSuffix(strings.TrimSpace(rest), ":"); is {
		if i+1 < len(lines) {
			text = string(lines[i+1])
		}
		return text, place, true
	}
	end := strings.LastIndex(rest, "', ")
	if strings.HasPrefix(rest, "'") && end > 0 {
		return rest[1:end], strings.TrimSpace(rest[end+3:]), true
	}
	return rest, "", true
}

// assertion reads musl's Assertion failed: x (a.c: f: 7), glibc's a.c:7: f:
// Assertion `x' failed, and that of libc++.
func assertion(lines [][]byte, i int) (text, at string, ok bool) {
	line := string(lines[i])
	if rest, is := strings.CutPrefix(line, "Assertion failed: "); is {
		open := strings.LastIndex(rest, " (")
		if open < 0 {
			return rest, "", true
		}
		place := strings.Split(strings.TrimSuffix(strings.TrimSpace(rest[open+2:]), ")"), ": ")
		if len(place) == 3 {
			at = place[0] + ":" + place[2]
		}
		return rest[:open], at, true
	}
	if before, rest, is := strings.Cut(line, ": Assertion `"); is {
		text, _, _ = strings.Cut(rest, "' failed")
		for part := range strings.SplitSeq(before, ": ") { // program: file:line: function
			if strings.Contains(part, ":") {
				at = part
			}
		}
		return text, at, true
	}
	return "", "", false
}

func terminate(lines [][]byte, i int) (text, at string, ok bool) {
	line := string(lines[i])
	for _, sign := range []string{"libc++abi: ", "terminate called ", "terminating due to ", "terminating with "} {
		if strings.HasPrefix(line, sign) {
			return strings.TrimPrefix(line, "libc++abi: "), "", true
		}
	}
	for _, sign := range []string{": assertion ", ": libc++ Hardening assertion "} {
		if before, rest, is := strings.Cut(line, sign); is && strings.Contains(rest, " failed") {
			return rest, before, true
		}
	}
	return "", "", false
}

// zigPanic reads thread 1 panic: text, and the place in the line that follows.
func zigPanic(lines [][]byte, i int) (text, at string, ok bool) {
	line := string(lines[i])
	before, rest, is := strings.Cut(line, "panic: ")
	if !is || before == "" || !strings.HasPrefix(before, "thread ") {
		return "", "", false
	}
	if i+1 < len(lines) {
		if place, _, is := strings.Cut(string(lines[i+1]), ": 0x"); is && strings.Contains(place, ".zig:") {
			at = place
		}
	}
	return rest, at, true
}

// traceback reads Python's: the text is the first line behind it that is not
// indented.
func traceback(lines [][]byte, i int) (text, at string, ok bool) {
	if !bytes.HasPrefix(lines[i], []byte("Traceback (most recent call last)")) {
		return "", "", false
	}
	const most = 64 // lines of a traceback that are looked at
	for _, line := range lines[i+1 : min(len(lines), i+1+most)] {
		s := strings.TrimSpace(string(line))
		if rest, is := strings.CutPrefix(s, `File "`); is {
			file, rest, _ := strings.Cut(rest, `", line `)
			n, _, _ := strings.Cut(rest, ",")
			at = file + ":" + n
		}
		if s != "" && line[0] != ' ' && line[0] != '\t' {
			return s, at, true
		}
	}
	return "it was told in part", at, true
}

package wire

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// look is what a line of text looks like, and what to do about it.
type look struct{ what, fix string }

// Ways out that several looks share.
const (
	fixLog    = "Logs belong on stderr."
	fixCrash  = "The module reports a crash here: find its cause. Such reports belong on stderr."
	fixMarkup = "Write the answer as a JSON-RPC message, with the text in a content block."
)

// lookedAt is how much of a line is looked at.
const lookedAt = 4 << 10

// describe says what a line of text looks like. It is a guess from its words,
// told as such: "looks like" is in what a reader makes of it, not in a rule.
func describe(b []byte) look {
	if len(b) > lookedAt {
		b = b[:lookedAt]
	}
	if binary(b) {
		return look{"binary data", "Write such bytes into a file, or as base64 in an image block."}
	}
	plain, coloured := stripped(b)
	s := strings.TrimSpace(plain)
	found := named(plain, s)
	if found.what == "" {
		found = common(s)
	}
	if coloured {
		found.what += " with terminal colours"
	}
	return found
}

// binary reports whether a line holds bytes that no text has.
func binary(b []byte) bool {
	odd := 0
	for _, c := range b {
		if c == 0 {
			return true
		}
		if c < 0x20 && c != '\t' && c != '\r' && c != 0x1b {
			odd++
		}
	}
	return odd*10 > len(b)
}

// stripped takes terminal sequences out of a line.
func stripped(b []byte) (text string, coloured bool) {
	if bytes.IndexByte(b, 0x1b) < 0 {
		return string(b), false
	}
	var out []byte
	for i := 0; i < len(b); i++ {
		if b[i] != 0x1b {
			out = append(out, b[i])
			continue
		}
		if i+1 < len(b) && b[i+1] == '[' {
			for i += 2; i < len(b) && (b[i] < 0x40 || b[i] > 0x7e); i++ {
			}
		}
	}
	return string(out), true
}

// signs are the words by which a text is known: it begins with one of begins,
// or holds one of holds.
type signs struct {
	look
	begins, holds []string
}

// named knows texts that a runtime, a shell or another protocol wrote. line is
// the text with its white space, s without.
func named(line, s string) look {
	for _, k := range runtimes() {
		for _, begin := range k.begins {
			if strings.HasPrefix(s, begin) {
				return k.look
			}
		}
		for _, hold := range k.holds {
			if strings.Contains(s, hold) {
				return k.look
			}
		}
	}
	if frame(line) {
		return look{"a line of a stack trace", fixCrash}
	}
	if i := strings.Index(s, `{"jsonrpc"`); i > 0 {
		return look{"a message with text before it", "Begin the line with { and write the text to stderr."}
	}
	return markup(s)
}

func runtimes() []signs {
	return []signs{
		{look{"a Rust panic", fixCrash}, nil, []string{"panicked at ", "note: run with `RUST_BACKTRACE"}},
		{look{"a Go panic", fixCrash}, []string{"panic: ", "[signal "}, []string{"runtime error: ", " [running]:"}},
		{look{"a Go runtime message", fixCrash}, []string{"fatal error: "}, nil},
		{look{"a panic", fixCrash}, nil, []string{" panic: "}},
		{look{"a Python traceback", fixCrash}, []string{"Traceback (most recent call last)", `File "`}, nil},
		{look{"a C++ runtime message", fixCrash}, []string{"terminate called", "terminating due to", "libc++abi: "}, []string{"-fno-exceptions mode"}},
		{look{"a failed assertion of C", fixCrash}, []string{"Assertion failed: "}, []string{": Assertion `"}},
		{look{"an AssemblyScript abort", fixCrash}, []string{"abort: "}, nil},
		{look{"a Java exception", fixCrash}, []string{"Exception in thread "}, nil},
		{look{"a JavaScript error", fixCrash}, []string{"Uncaught ", "TypeError: ", "ReferenceError: ", "SyntaxError: ", "RangeError: "}, nil},
		{look{"a shell error", "A shell wrote this: build with the tool itself, and look at what it could not run."},
			[]string{"sh: ", "bash: ", "zsh: ", "/bin/sh: ", "/bin/bash: "}, []string{": command not found"}},
		{look{"an HTTP answer", "Write JSON-RPC messages, one a line, without HTTP."}, []string{"HTTP/1.", "HTTP/2 "}, nil},
		{look{"a server-sent event", "Write the JSON alone, one message a line: no data: or event: before it."}, []string{"data: {", "data:{", "event: message"}, nil},
	}
}

// frame knows a line of a stack trace by its indent.
func frame(line string) bool {
	s := strings.TrimLeft(line, " \t")
	if s == line {
		return false
	}
	return strings.HasPrefix(s, "at ") || strings.Contains(s, ".go:") || strings.Contains(s, ".rs:") || strings.Contains(s, ".zig:") ||
		strings.Contains(s, ".cpp:") || strings.Contains(s, ".c:")
}

func markup(s string) look {
	low := strings.ToLower(s)
	for _, begin := range []string{"<!doctype html", "<html", "<head", "<body"} {
		if strings.HasPrefix(low, begin) {
			return look{"HTML", fixMarkup}
		}
	}
	if strings.HasPrefix(s, "<?xml") || len(s) > 2 && s[0] == '<' && unicode.IsLetter(rune(s[1])) && strings.HasSuffix(s, ">") {
		return look{"XML", fixMarkup}
	}
	return look{}
}

// common tells a banner, a log line and other text apart.
func common(s string) look {
	letters, others, words := 0, 0, 0
	inWord := false
	for _, r := range s {
		isWord := unicode.IsLetter(r) || unicode.IsDigit(r)
		switch {
		case isWord:
			letters++
		case !unicode.IsSpace(r) && r != utf8.RuneError:
			others++
		}
		if isWord && !inWord {
			words++
		}
		inWord = isWord || inWord && (r == '\'' || r == '-' || r == '.' || r == '_')
	}
	switch {
	case others > 2 && others > 3*letters:
		return look{"a banner", "Banners belong on stderr, if anywhere."}
	case words > 1:
		return look{"a log line", fixLog}
	}
	return look{"plain text", fixLog}
}

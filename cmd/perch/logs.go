package main

import (
	"bytes"
	"io"
	"os"
	"unicode"
	"unicode/utf8"
)

// Services that run jobs read their logs for commands: a line that begins with
// ::, and ##[ or ##vso[ anywhere. What a module writes could set a variable of
// the job, or hide what follows.

// inJob reports whether a service that reads logs so runs this: GitHub's and
// Azure's set these variables.
func inJob() bool { return os.Getenv("GITHUB_ACTIONS") != "" || os.Getenv("TF_BUILD") != "" }

// guarded is w, where no text can be a command to the service that keeps the
// log. Elsewhere, and on a terminal, it is w itself.
func guarded(w io.Writer) io.Writer {
	if !inJob() || isTerminal(w) {
		return w
	}
	return &logGuard{w: w, begin: true, mark: inText}
}

// guardedAs is w for a document of a format: in it a character can be written
// in another way that says the same. GitHub's own commands stay what they are.
func guardedAs(w io.Writer, format string) io.Writer {
	g, ok := w.(*logGuard)
	if !ok {
		return w
	}
	switch format {
	case formatJSON, formatSARIF:
		return &logGuard{w: g.w, begin: true, mark: func(c rune) string { return map[rune]string{'[': `\u005b`, ':': ":"}[c] }}
	case formatJUnit:
		return &logGuard{w: g.w, begin: true, mark: func(c rune) string { return map[rune]string{'[': "&#91;", ':': "&#58;"}[c] }}
	case formatGitHub:
		return g.w
	}
	return w
}

// loss is a writer that keeps the first error: a report that is cut short must
// not look like one that is whole.
type loss struct {
	w   io.Writer
	err error
}

// Write implements io.Writer.
func (l *loss) Write(b []byte) (int, error) {
	n, err := l.w.Write(b)
	if err != nil && l.err == nil {
		l.err = err
	}
	return n, err
}

// inText puts a mark before what would begin a command.
func inText(c rune) string {
	if utf8Locale() {
		return "…" + string(c)
	}
	return "..." + string(c)
}

// logGuard writes what a service would take for a command as mark says. Its
// state holds over writes: a line can come in pieces.
type logGuard struct {
	w     io.Writer
	mark  func(rune) string
	begin bool // nothing but white space stands on the line so far
	hash  int  // how many # stand before, and letters behind them
}

// Write implements io.Writer.
func (g *logGuard) Write(b []byte) (int, error) {
	var out bytes.Buffer
	for rest := b; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		if g.begin && r == ':' || g.hash >= 2 && r == '[' {
			out.WriteString(g.mark(r))
		} else {
			out.Write(rest[:n])
		}
		g.step(r)
		rest = rest[n:]
	}
	if _, err := g.w.Write(out.Bytes()); err != nil {
		return 0, err
	}
	return len(b), nil
}

func (g *logGuard) step(r rune) {
	switch {
	case r == '#':
		g.hash++
	case g.hash >= 2 && (r|0x20 >= 'a' && r|0x20 <= 'z'): // ##vso[
	default:
		g.hash = 0
	}
	g.begin = r == '\n' || r == '\r' || g.begin && unicode.IsSpace(r)
}

package wire

import (
	"bytes"
	"strings"
)

// missing is what to do about a crash that comes of what a module has not: its
// host gives it no threads, sockets, environment or working directory. Empty
// for other crashes.
func (c Crash) missing() string {
	for _, m := range []struct{ sign, fix string }{
		{"operation not supported on this platform", "WASI preview 1 has no threads and no sockets of its own: work in the one thread, and send HTTP through subako_http."},
		{"dial tcp", fixSockets},
		{"dial udp", fixSockets},
		{"failed to find a pre-opened file descriptor", "Open files by absolute names: below /volume/tmp, /volume/data (where it is enabled), /package (where the package has assets) or /skills."},
		{"NotPresent", fixEnvironment},
		{"environment variable not found", fixEnvironment},
	} {
		if strings.Contains(c.Text, m.sign) {
			return m.fix
		}
	}
	return ""
}

const (
	fixSockets     = "A module has no sockets, so net/http and net cannot connect: send HTTP through subako_http."
	fixEnvironment = "A module gets no environment variables: take what it needs as an argument of the tool, or from a file below /package."
)

// goFatal reads fatal error: text. What the runtime gives up about stands in
// the goroutine told first: its innermost function of package main is the place.
func goFatal(lines [][]byte, i int) (text, at string, ok bool) {
	text, is := strings.CutPrefix(string(lines[i]), "fatal error: ")
	if !is {
		return "", "", false
	}
	const most = 64 // lines behind it that are looked at
	told := false
	for n, line := range lines[i+1 : min(len(lines), i+1+most)] {
		switch {
		case bytes.HasPrefix(line, []byte("goroutine ")):
			if told {
				return text, "", true
			}
			told = true
		case told && bytes.HasPrefix(line, []byte("main.")) && i+2+n < len(lines):
			place, _, _ := strings.Cut(strings.TrimSpace(string(lines[i+2+n])), " ")
			return text, place, true
		}
	}
	return text, "", true
}

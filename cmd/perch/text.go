package main

import (
	"io"
	"os"
	"strings"

	"perch/engine/abi"
	"perch/inspect/report"
	"perch/inspect/safe"
)

// textStyle is how text looks on w: colours on a terminal alone, ASCII where
// the locale is not UTF-8.
func textStyle(w io.Writer) report.Style {
	s := report.Style{Safe: safe.Mode{ASCII: !utf8Locale()}}
	if colours(w) {
		s.Severity = map[abi.Severity]func(string) string{
			abi.Error:   painter("1", true),
			abi.Warning: painter("3", true),
			abi.Notice:  painter("4", true),
			abi.Info:    painter("8", false),
		}
	}
	return s
}

// utf8Locale reports whether the locale's characters are UTF-8. Where nothing
// names a locale we take it to be.
func utf8Locale() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(os.Getenv(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return true
}

// wrapped breaks safe text between words at the width of a terminal; lines that
// are indented stay whole, since they are commands to copy. 0: it is no
// terminal, and nothing is broken.
func wrapped(text string, width int) string {
	const least = 20
	if width < least {
		return text
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, " ") {
			lines = append(lines, line)
			continue
		}
		lines = append(lines, safe.Wrap(line, width)...)
	}
	return strings.Join(lines, "\n")
}

package near

import (
	"strings"
	"testing"
)

func TestWord(t *testing.T) {
	words := []string{"timeout_ms", "follow_redirects", "headers", "url", "body", "method"}
	for wrong, want := range map[string]string{
		"timeout": "timeout_ms", "Timeout_MS": "timeout_ms", "timeoutMs": "timeout_ms", "heders": "headers", "header": "headers",
		"ulr": "url", "uri": "url", "redirects": "follow_redirects", "": "", "x": "", "colour": "", "metohd": "method",
		strings.Repeat("u", 100): "",
	} {
		if got := Word(wrong, words); got != want {
			t.Errorf("%q is taken for %q, want %q", wrong, got, want)
		}
	}
}

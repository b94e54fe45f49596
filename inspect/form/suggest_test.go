package form_test

import (
	"fmt"
	"strings"
	"testing"

	"perch/inspect/form"
)

func words(list []form.Suggestion) string {
	var all []string
	for _, s := range list {
		text := s.JSON
		if s.Required {
			text += "*"
		}
		if s.Set {
			text += " set"
		}
		if s.Default {
			text += " default"
		}
		if s.About != "" {
			text += " (" + s.About + ")"
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

func TestSuggestions(t *testing.T) {
	u := properties(t, `"a\"b":{"type":"integer","minimum":1,"title":"A"},"style":{"enum":["plain","warm"],"default":"warm"},
		"on":{"type":["boolean","null"]},"l":{"type":"array","items":{"$ref":"#/$defs/row"},"examples":[[1 ]]},"never":false,
		"pay":{"oneOf":[{"type":"object","properties":{"kind":{"const":"card"},"n":{"type":"string"}}},{"type":"object","properties":{"kind":{"const":"cash"}}}]}`,
		`"required":["style"]`, `"$defs":{"row":{"type":"object","properties":{"sku":{"type":"string"}}}}`)
	u.SetText(`{"l":[{"sku":"x"}],"pay":{"kind":"cash"}}`)
	for path, want := range map[string]string{
		"":       `"style"* (plain · warm), "a\"b" (integer ≥ 1 · A), "on" (boolean | null), "l" set (array), "pay" set (object)`,
		"/l/0":   `"sku" set (string)`,
		"/l/7":   `"sku" (string)`,
		"/pay":   `"kind" set (cash)`,
		"/style": ``,
		"/x/y":   ``,
	} {
		if got := words(u.Keys(path)); got != want {
			t.Errorf("keys of %s: %s\nwant %s", path, got, want)
		}
	}
	for path, want := range map[string]string{
		"/style":    `"plain", "warm" default`,
		"/on":       `true, false, null`,
		"/l":        `[1] (example), [] (array)`,
		"/l/0":      `{} (object)`,
		"/pay/kind": `"cash"`,
		"/never":    ``,
		"/l/0/sku":  `"" (string)`,
	} {
		if got := words(u.Values(path)); got != want {
			t.Errorf("values of %s: %s\nwant %s", path, got, want)
		}
	}
	many := properties(t, `"e":{"enum":[`+strings.Repeat(`0,`, 10)+numbers(2000)+`]}`)
	if n := len(many.Values("/e")); n != 500 {
		t.Errorf("%d values", n)
	}
}

func numbers(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprint(&b, i)
	}
	return b.String()
}

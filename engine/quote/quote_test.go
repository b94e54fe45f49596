package quote_test

import (
	"strings"
	"testing"

	"perch/engine/jsonread"
	"perch/engine/quote"
)

func TestTextIsShortAndVisible(t *testing.T) {
	for in, want := range map[string]string{
		"":                               `""`,
		"a\"b\\c":                        `"a\"b\\c"`,
		"a\nb\rc\td":                     `"a\nb\rc\td"`,
		"\x1b[2J":                        `"⟨U+001B⟩[2J"`,
		"a\u202eb\u200bc\u0301":          `"a⟨U+202E⟩b⟨U+200B⟩c⟨U+0301⟩"`,
		"a\xffb":                         "\"a\uFFFDb\"",
		strings.Repeat("é", 60):          `"` + strings.Repeat("é", 60) + `"`,
		strings.Repeat("é", 61) + "\x1b": `"` + strings.Repeat("é", 60) + `…"`,
	} {
		if got := quote.Text(in); got != want {
			t.Errorf("%q is quoted as %s, want %s", in, got, want)
		}
	}
}

func TestValues(t *testing.T) {
	for in, want := range map[string]string{
		`"a b"`: `"a b"`, `1e400`: "1e400", `-0`: "-0", `null`: "null", `true`: "true", `{"a":1}`: "an object", `[1]`: "a list",
		strings.Repeat("1", 70): strings.Repeat("1", 60) + "…",
	} {
		doc, err := jsonread.Parse([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		if got := quote.Value(doc.Root()); got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
	if got := quote.Value(jsonread.Value{}); got != jsonread.Absent.String() {
		t.Errorf("an absent value is %q", got)
	}
	if got := quote.Pointer("/a\x1b/" + strings.Repeat("x", 200)); got != "/a⟨U+001B⟩/"+strings.Repeat("x", 116)+"…" {
		t.Errorf("a pointer is %s", got)
	}
}

func TestCounts(t *testing.T) {
	for n, want := range map[int]string{0: "0 bytes", 1: "1 byte", 999: "999 bytes", 1000: "1,000 bytes", 1234567: "1,234,567 bytes", -1000: "-1,000 bytes"} {
		if got := quote.Plural(n, "byte"); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

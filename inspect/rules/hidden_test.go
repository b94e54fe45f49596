package rules_test

import (
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
)

// TestHiddenCharacters: what no person sees in a tool's texts is counted by
// class; what emoji and scripts need is not.
func TestHiddenCharacters(t *testing.T) {
	in := func(description, schema string) string {
		return discover + page(1001, `{"name":"add","description":"`+description+`","inputSchema":{"type":"object"`+schema+`}}`, "")
	}
	for _, c := range []struct{ name, stdout, want, at string }{
		{"every class", in("Adds numbers\u202etxt.exe\u200b\U000e0049\U000e0047\U000e004e\\u001b[0m\u3164", ""),
			`the description of tool 1 ("add") has 7 characters that nobody sees: 1 of text direction, 1 of no width, 3 tag letters, 1 control character and 1 of another kind (first U+202E, U+200B, U+E0049, U+001B and U+3164). `, "/result/tools/0/description"},
		{"as JSON escapes", in(`Adds \u202e\udb40\udc49`, ""), `has 2 characters that nobody sees: 1 of text direction and 1 tag letter (first U+202E and U+E0049)`, "/result/tools/0/description"},
		{"in a schema", in("Adds.", `,"properties":{"a":{"description":"x"},"b":{"enum":["y\u2060"]}}`), `inputSchema of tool 1 ("add") has 1 character that nobody sees: 1 of no width (first U+2060)`, "/result/tools/0/inputSchema/properties/b/enum/0"},
		{"in a member's name", in("Adds.", `,"properties":{"a\u200b":{}}`), `1 of no width`, ""},
		{"a mark of direction in English", in("Adds\u200f.", ""), "1 of text direction", "/result/tools/0/description"},
		{"tags behind a flag that are no region", in("\U0001F3F4"+strings.Repeat("\U000e0061", 40)+"\U000e007f", ""), "41 tag letters", "/result/tools/0/description"},

		{"lines and tabs", in(`a\n\tb\r\nc`, ""), "", ""},
		{"emoji", in("👩‍👩‍👧‍👦 🏳️‍🌈 ❤️ 1️⃣ 👍🏽 🇯🇵 \U0001F3F4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", ""), "", ""},
		{"scripts that need joiners", in("می‌خواهم क्‍ष", ""), "", ""},
		{"marks of direction in Hebrew", in("שלום\u200f!", ""), "", ""},
		{"combining marks, Thai and CJK", in("e\u0301 กำ 日本語 葛\U000e0100", ""), "", ""},
		{"a soft hyphen", in("Donau\u00addampf", ""), "", ""},
	} {
		list, found := about(heard(t, event.Upload, c.stdout), "tool")
		if c.want == "" {
			if len(found) != 0 {
				t.Errorf("%s: %q, %s", c.name, list, found[0].Detail)
			}
			continue
		}
		if len(found) != 1 || found[0].Rule != abi.ToolDescription || found[0].Severity != abi.Notice || found[0].Refuses() || !strings.Contains(found[0].Detail, c.want) {
			t.Errorf("%s: %q %+v", c.name, list, found)
			continue
		}
		if c.at != "" && found[0].Where.Pointer != c.at {
			t.Errorf("%s: at %s, want %s", c.name, found[0].Where.Pointer, c.at)
		}
		if strings.ContainsAny(found[0].Detail, "\u202e\u200b\u2060\x1b") {
			t.Errorf("%s: %q holds what it tells of", c.name, found[0].Detail)
		}
	}
}

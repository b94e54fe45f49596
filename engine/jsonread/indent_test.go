package jsonread_test

import (
	"strings"
	"testing"

	"perch/engine/jsonread"
)

func TestIndent(t *testing.T) {
	for src, want := range map[string]string{
		` {"a" : [1.0, {} , [ ]],"b":"x\"}{"} `: "{\n  \"a\": [\n    1.0,\n    {},\n    []\n  ],\n  \"b\": \"x\\\"}{\"\n}",
		` 1e5 `:                                 "1e5",
		`[[1]]`:                                 "[\n  [\n    1\n  ]\n]",
	} {
		got := jsonread.Indent(nil, []byte(src))
		if string(got) != want {
			t.Errorf("%s becomes\n%s\nwant\n%s", src, got, want)
		}
		if back := jsonread.Compact(nil, got); string(back) != string(jsonread.Compact(nil, []byte(src))) {
			t.Errorf("%s comes back as %s", src, back)
		}
	}
	deep := strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000)
	if n := len(jsonread.Indent(nil, []byte(deep))); n > 100*len(deep) {
		t.Errorf("%d bytes grow to %d", len(deep), n)
	}
}

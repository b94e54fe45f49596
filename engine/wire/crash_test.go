package wire_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"perch/engine/wire"
)

// TestCrashIn: the last crash counts, a log line is none, and long texts are
// quoted in part.
func TestCrashIn(t *testing.T) {
	for _, c := range []struct{ name, stderr, said, at string }{
		{"nothing", "", "", ""},
		{"logs", "2026/07/28 listening\nno panic: all is well\nError: no such row\n", "", ""},
		{"a word within a line", "recovered from panic: no such row\n", "", ""},
		{"the last of two", "panic: first\n\ngoroutine 1 [running]:\nthread 'main' panicked at 'second', a.rs:1:2\n", `Rust panic: "second"`, "a.rs:1:2"},
		{"a panic in a panic", "panic: first\n\tpanic: second\n\ngoroutine 1 [running]:\n", `Go panic: "first"`, ""},
		{"Rust without a text", "thread 'main' panicked at src/a.rs:1:2:", `Rust panic: ""`, "src/a.rs:1:2"},
		{"a thread that is not main", "thread '<unnamed>' panicked at a.rs:1:2:\nno such row\n", `Rust panic: "no such row"`, "a.rs:1:2"},
		{"glibc", "rows: rows.c:7: row: Assertion `n > 0' failed.\n", `C assertion: "n > 0"`, "rows.c:7"},
		{"an assertion without a place", "Assertion failed: n > 0\n", `C assertion: "n > 0"`, ""},
		{"Zig without a trace", "thread 1 panic: reached unreachable code\nUnable to dump stack trace\n", `Zig panic: "reached unreachable code"`, ""},
		{"half a traceback", "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n", `Python exception: "it was told in part"`, "a.py:3"},
		{"bytes that are no text", "panic: \xff\x1b[31mred\n", `Go panic: "` + "\uFFFD" + `⟨U+001B⟩[31mred"`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := wire.CrashIn([]byte(c.stderr))
			if ok != (c.said != "") {
				t.Fatalf("a crash: %t, %+v", ok, got)
			}
			if ok && (got.Said() != c.said || got.At != c.at || got.Fix == "") {
				t.Errorf("%s at %q, fix %q", got.Said(), got.At, got.Fix)
			}
		})
	}
	long, _ := wire.CrashIn([]byte("panic: " + strings.Repeat("x", 10_000)))
	if n := utf8.RuneCountInString(long.Said()); n > 200 {
		t.Errorf("a long text is quoted with %d characters", n)
	}
}

// TestLastLine: what stands at the end, without what only moves a cursor.
func TestLastLine(t *testing.T) {
	for stderr, want := range map[string]string{
		"": "", "\n\n": "", "one\ntwo\n\n": `"two"`, "\x1b[31mred\x1b[0m": `"red"`, "half": `"half"`,
	} {
		if got := wire.LastLine([]byte(stderr)); got != want {
			t.Errorf("%q: %s, want %s", stderr, got, want)
		}
	}
}

// FuzzCrashIn: any bytes are read, in time, and said in one line.
func FuzzCrashIn(f *testing.F) {
	for _, seed := range []string{"panic: x\n", "thread 'm' panicked at 'x', a.rs:1:1\n", "Assertion failed: x (a.c: f: 1)\n",
		"Traceback (most recent call last):\nE\n", "thread 1 panic: x\na.zig:1:1: 0x1 in\n", "usage: x\n", "waiting for initialize\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, stderr []byte) {
		c, ok := wire.CrashIn(stderr)
		texts := []string{wire.LastLine(stderr)}
		if ok {
			texts = append(texts, c.Said())
		}
		said, _ := wire.SaysItWaits(stderr)
		asks, _ := wire.AsksForArguments(stderr)
		for _, text := range append(texts, said, asks) {
			if strings.ContainsAny(text, "\n\r\x1b") || !utf8.ValidString(text) {
				t.Errorf("%q", text)
			}
		}
	})
}

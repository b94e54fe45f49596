package wire_test

import (
	"strings"
	"testing"

	"perch/engine/wire"
)

// TestWhatTheHostHasNot: a crash for want of threads, sockets, environment or a
// working directory is told with what to use in their place, others are not.
func TestWhatTheHostHasNot(t *testing.T) {
	for stderr, fix := range map[string]string{
		"thread 'main' panicked at a.rs:1:2:\nfailed to spawn thread: Error { kind: Unsupported, message: \"operation not supported on this platform\" }\n": "no threads",
		"panic: Get \"https://api.example.com/\": dial tcp: lookup api.example.com on [::1]:53: write: Connection reset by peer\n":                          "subako_http",
		"thread 'main' panicked at 'failed to find a pre-opened file descriptor through which \"a.txt\" could be opened', a.rs:1:2\n":                       "absolute names",
		"thread 'main' panicked at 'TOKEN must be set: NotPresent', a.rs:1:2\n":                                                                             "no environment",
		"panic: no such row\n": "recover",
	} {
		c, ok := wire.CrashIn([]byte(stderr))
		if !ok || !strings.Contains(c.Fix, fix) {
			t.Errorf("%q: fix %q, want %q in it", stderr, c.Fix, fix)
		}
	}
}

// TestPlaceOfAGoFatalError: it is the innermost function of package main in the
// goroutine that is told first.
func TestPlaceOfAGoFatalError(t *testing.T) {
	const fatal = "fatal error: all goroutines are asleep - deadlock!\n\n"
	for name, c := range map[string]struct{ stderr, at string }{
		"in main": {fatal + "goroutine 1 [sync.Mutex.Lock]:\nsync.(*Mutex).Lock(...)\n\tsync/mutex.go:46\nmain.greet({0x1, 0x2})\n\tgreeter/main.go:12 +0x4\n" +
			"main.main()\n\tgreeter/main.go:30 +0x2\n", "greeter/main.go:12"},
		"in another goroutine":  {fatal + "goroutine 1 [select]:\nlib.Wait()\n\tlib/a.go:1 +0x1\n\ngoroutine 2 [select]:\nmain.work()\n\tgreeter/main.go:9 +0x1\n", ""},
		"without a trace":       {fatal, ""},
		"a trace that is cut":   {fatal + "goroutine 1 [select]:\nmain.main()", ""},
		"a place that is large": {fatal + "goroutine 1 [select]:\nmain.main()\n\t" + strings.Repeat("x", 5_000) + ":1 +0x1\n", ""},
	} {
		got, ok := wire.CrashIn([]byte(c.stderr))
		if !ok || got.At != c.at {
			t.Errorf("%s: at %q, want %q", name, got.At, c.at)
		}
	}
}

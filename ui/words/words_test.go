package words_test

import (
	"testing"
	"time"

	"perch/engine/event"
	"perch/ui/words"
)

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		words.Count(0):                                           "0",
		words.Count(999):                                         "999",
		words.Count(1_204_331):                                   "1,204,331",
		words.Count(int64(-1000)):                                "-1,000",
		words.Bytes(41_316):                                      "41,316 B",
		words.Size(1023):                                         "1023 B",
		words.Size(1024):                                         "1.0 KiB",
		words.Size(int64(33_000_000)):                            "31.5 MiB",
		words.Size(uint64(1 << 30)):                              "1.0 GiB",
		words.Limit(256 << 10):                                   "256 KiB",
		words.Limit(1 << 30):                                     "1 GiB",
		words.Limit(1000):                                        "1,000 B",
		words.Duration(41 * time.Microsecond):                    "41 µs",
		words.Duration(4100 * time.Microsecond):                  "4.1 ms",
		words.Duration(84 * time.Millisecond):                    "84 ms",
		words.Duration(2400 * time.Millisecond):                  "2.4 s",
		words.Duration(124 * time.Second):                        "2 min 4 s",
		words.Elapsed(340 * time.Millisecond):                    "0.3 s",
		words.Elapsed(125 * time.Second):                         "2 min 5 s",
		words.Whole(30 * time.Second):                            "30 s",
		words.Whole(1500 * time.Millisecond):                     "1.5 s",
		words.Whole(2 * time.Minute):                             "2 min 0 s",
		words.Moment(4 * time.Millisecond):                       "0.004",
		words.Ago(10 * time.Second):                              "just now",
		words.Ago(61 * time.Second):                              "1 minute ago",
		words.Ago(3 * time.Hour):                                 "3 hours ago",
		words.Ago(30 * time.Hour):                                "yesterday",
		words.Ago(100 * time.Hour):                               "4 days ago",
		words.Plural(1, "line"):                                  "1 line",
		words.Plural(1200, "line"):                               "1,200 lines",
		words.Outcome(event.ToolError):                           "▲ tool error",
		words.Outcome(event.Cancelled) + words.Outcome(event.OK): "· stopped by you✓ ok",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

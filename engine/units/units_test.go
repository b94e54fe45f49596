package units

import (
	"testing"
	"time"
)

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 108926: "106.4 KiB", 3 << 19: "1.5 MiB", 5 << 29: "2.5 GiB"} {
		if got := Size(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

func TestLimit(t *testing.T) {
	for n, want := range map[uint64]string{1: "1 B", 1000: "1000 B", 1 << 10: "1 KiB", 256 << 10: "256 KiB", 1<<20 + 1<<10: "1.0 MiB", 3 << 19: "1.5 MiB", 1 << 30: "1 GiB", 1<<30 + 1: "1.0 GiB"} {
		if got := Limit(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{41 * time.Microsecond: "41 µs", 4100 * time.Microsecond: "4.1 ms",
		84 * time.Millisecond: "84 ms", 2400 * time.Millisecond: "2.4 s", 124 * time.Second: "2 min 4 s"} {
		if got := Duration(d); got != want {
			t.Errorf("%d is %q, want %q", d, got, want)
		}
	}
}

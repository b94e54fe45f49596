// Package units writes sizes and times as people read them. It knows nothing of
// what is measured.
package units

import (
	"fmt"
	"time"
)

// Size writes a number of bytes: exact below 1 KiB, else with one decimal.
func Size[N int | int64 | uint64](n N) string {
	switch f := float64(n); {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", f/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.1f MiB", f/(1<<20))
	default:
		return fmt.Sprintf("%.1f GiB", f/(1<<30))
	}
}

// Limit writes a number of bytes as limits are written: whole units without a
// decimal, 256 KiB, and others as Size does.
func Limit[N int | int64 | uint64](n N) string {
	for _, u := range []struct {
		size N
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= u.size && n%u.size == 0 {
			return fmt.Sprintf("%d %s", n/u.size, u.name)
		}
		if n >= u.size {
			break
		}
	}
	return Size(n)
}

// Duration writes how long something took: 41 µs, 4.1 ms, 84 ms, 2.4 s,
// 2 min 4 s.
func Duration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", d.Seconds()*1e3)
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
}

// Package words writes numbers, sizes and times as the screen shows them. It
// knows nothing of what they belong to.
package words

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"perch/engine/event"
	"perch/engine/units"
)

// Count writes a number with commas: 1,204,331.
func Count[N int | int64 | uint64](n N) string {
	if n < 0 {
		return "-" + Count(-n)
	}
	s := strconv.FormatUint(uint64(n), 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Bytes writes an exact size: 41,316 B.
func Bytes[N int | int64 | uint64](n N) string { return Count(n) + " B" }

// Size writes a size for a list: exact below 1 KiB, else with one decimal.
func Size[N int | int64 | uint64](n N) string { return units.Size(n) }

// Limit writes a limit in its own unit: 256 KiB, 1 GiB.
func Limit(n int64) string {
	for _, u := range []struct {
		size int64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= u.size && n%u.size == 0 {
			return Count(n/u.size) + " " + u.name
		}
	}
	return Bytes(n)
}

// Duration writes how long something took.
func Duration(d time.Duration) string { return units.Duration(d) }

// Moment writes a time since the start of a run: 0.004.
func Moment(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// Ago writes how long something is past, for people: 2 minutes ago.
func Ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return plural(int(d.Minutes()), "minute") + " ago"
	case d < 24*time.Hour:
		return plural(int(d.Hours()), "hour") + " ago"
	case d < 48*time.Hour:
		return "yesterday"
	}
	return plural(int(d.Hours()/24), "day") + " ago"
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// Plural writes a number with its word: 1 finding, 3 findings.
func Plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return Count(n) + " " + word + "s"
}

// Outcome is an outcome's glyph and word.
func Outcome(o event.Outcome) string {
	switch o {
	case event.OK:
		return "✓ ok"
	case event.ToolError:
		return "▲ tool error"
	case event.Broken:
		return "✗ broken"
	case event.Refused:
		return "✗ refused"
	case event.Cancelled:
		return "· stopped by you"
	}
	return string(o)
}

// Elapsed writes how long something goes on: 0.3 s, 2.4 s, 2 min 4 s.
func Elapsed(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.1f s", d.Truncate(100*time.Millisecond).Seconds())
	}
	return Duration(d)
}

// Whole writes a limit of time: 30 s, 1.5 s.
func Whole(d time.Duration) string {
	if d < time.Minute && d >= time.Second {
		return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + " s"
	}
	return Duration(d)
}

// How well a name fits what was typed; the lower the better.
const (
	Same = iota
	Begins
	Holds
	NoMatch
)

// Match says how well a name fits what was typed. Nothing typed fits nothing.
func Match(name, typed string) int {
	switch {
	case typed == "":
		return NoMatch
	case name == typed:
		return Same
	case strings.HasPrefix(name, typed):
		return Begins
	case strings.Contains(name, typed):
		return Holds
	}
	return NoMatch
}

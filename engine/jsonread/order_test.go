package jsonread_test

import (
	"strings"
	"testing"

	"perch/engine/jsonread"
)

// TestNumbersInTheirOrder: each number of the list is below all behind it, and
// the spellings of one line are the same number.
func TestNumbersInTheirOrder(t *testing.T) {
	huge := strings.Repeat("9", 2000)
	order := [][]string{
		{"-1e" + huge},
		{"-1e99999999999999999999999", "-10e99999999999999999999998"},
		{"-123456789012345678901234567890"},
		{"-2", "-2.0", "-20e-1"}, {"-1.5"}, {"-1e-400"},
		{"-1e-99999999999999999999"},
		{"0", "-0", "0.0", "0e999"},
		{"1e-" + huge}, {"1e-99999999999999999999"}, {"1e-400"}, {"0.1", "1e-1", "0.10"}, {"0.1000000000000000000001"},
		{"1", "1.0", "10e-1"}, {"9"}, {"10", "1e1"}, {"9007199254740992"}, {"9007199254740993", "9007199254740993.0"},
		{"1e400", "10e399"}, {"2e400"}, {"1e99999999999999999999"}, {"1e" + huge}, {"1e1" + huge},
	}
	for i, alike := range order {
		for _, a := range alike {
			for j, others := range order {
				for _, b := range others {
					want := 0
					if i < j {
						want = -1
					} else if i > j {
						want = 1
					}
					va, vb := parse(t, a), parse(t, b)
					if got := jsonread.CompareNumbers(va, vb); got != want {
						t.Errorf("%.40s to %.40s: %d, want %d", a, b, got, want)
					}
					if same := string(va.AppendNumber(nil)) == string(vb.AppendNumber(nil)); same != (want == 0) {
						t.Errorf("%.40s and %.40s are written alike: %v", a, b, same)
					}
				}
			}
		}
	}
}

func TestMultiples(t *testing.T) {
	for _, c := range []struct {
		v, of     string
		is, known bool
	}{
		{"6", "3", true, true}, {"7", "3", false, true}, {"0", "3", true, true}, {"-6", "3", true, true}, {"4.5", "1.5", true, true},
		{"0.3", "0.1", true, true}, {"35", "1.5", false, true}, {"0.0075", "0.0001", true, true}, {"0.00751", "0.0001", false, true},
		{"1e308", "0.123456789", false, true}, {"1e308", "1e300", true, true}, {"1e300", "1e308", false, true}, {"1e1000000000", "7", false, true},
		{"1e1000000000", "8", true, true}, {"9007199254740993", "2", false, true}, {"12391239123", "1e-8", true, true},
		{"1e99999999999999999999", "2", false, false}, {strings.Repeat("7", 1001), "2", false, false}, {"5", "0", false, true},
	} {
		if is, known := jsonread.MultipleOf(parse(t, c.v), parse(t, c.of)); is != c.is || known != c.known {
			t.Errorf("%.30s of %s: %v %v, want %v %v", c.v, c.of, is, known, c.is, c.known)
		}
	}
}

package compare

// match is a run of elements that are the same in both lists.
type match struct{ a, b, n int }

// align finds what two lists have in common, by the shortest way to make one of
// the other (Myers). With more edits than most what lies between their equal
// ends has nothing in common, and whole is false.
func align(a, b []uint64, most int) (matches []match, whole bool) {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	if head > 0 {
		matches = append(matches, match{0, 0, head})
	}
	middle, whole := shortest(a[head:len(a)-tail], b[head:len(b)-tail], most)
	for _, m := range middle {
		matches = append(matches, match{m.a + head, m.b + head, m.n})
	}
	if tail > 0 {
		matches = append(matches, match{len(a) - tail, len(b) - tail, tail})
	}
	return matches, whole
}

// maxWork is how many steps a search takes at most, as elements times edits.
const maxWork = 200_000_000

// shortest is Myers' greedy search. It remembers how far each round came: most
// squared numbers at worst.
func shortest(a, b []uint64, most int) ([]match, bool) {
	if len(a) == 0 || len(b) == 0 {
		return nil, true
	}
	most = min(most, len(a)+len(b), max(maxWork/(len(a)+len(b)), 16))
	far := make([]int32, 2*most+3) // the furthest in a on each diagonal, from -most
	zero := most + 1
	var rounds [][]int32
	for d := 0; d <= most; d++ {
		rounds = append(rounds, append([]int32(nil), far[zero-d:zero+d+1]...))
		for k := -d; k <= d; k += 2 {
			var x int
			if k == -d || k != d && far[zero+k-1] < far[zero+k+1] {
				x = int(far[zero+k+1])
			} else {
				x = int(far[zero+k-1]) + 1
			}
			for x < len(a) && x-k < len(b) && x-k >= 0 && a[x] == b[x-k] {
				x++
			}
			far[zero+k] = int32(x)
			if x >= len(a) && x-k >= len(b) {
				return back(rounds, d, k, len(a)), true
			}
		}
	}
	return nil, false
}

// back follows the rounds from the end to the start.
func back(rounds [][]int32, d, k, x int) []match {
	var found []match
	for ; d >= 0; d-- {
		far := rounds[d] // as it was before the round, from diagonal -d
		at := func(k int) int {
			if k < -d || k > d {
				return -1
			}
			return int(far[k+d])
		}
		prev, start := k, 0
		if d > 0 {
			if k == -d || k != d && at(k-1) < at(k+1) {
				prev = k + 1
				start = at(prev)
			} else {
				prev = k - 1
				start = at(prev) + 1
			}
		}
		if n := x - start; n > 0 {
			found = append(found, match{start, start - k, n})
		}
		if d == 0 {
			break
		}
		x = at(prev)
		k = prev
	}
	for i, j := 0, len(found)-1; i < j; i, j = i+1, j-1 {
		found[i], found[j] = found[j], found[i]
	}
	return found
}

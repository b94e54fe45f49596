package egress

import "strings"

// list joins names for a sentence.
func list(names []string) string { return strings.Join(names, ", ") }

// nearest returns the known name that word was most likely meant to be, or "".
func nearest(word string, known []string) string {
	if len(word) > 40 {
		return ""
	}
	w := plainName(word)
	for _, k := range known {
		if plainName(k) == w {
			return k
		}
	}
	for _, k := range known {
		if p := plainName(k); len(w) >= 3 && (strings.HasPrefix(p, w) || strings.HasSuffix(p, w) || strings.HasPrefix(w, p)) {
			return k
		}
	}
	best, at := "", 3
	for _, k := range known {
		if d := distance(w, plainName(k)); d < at && d < len(k)/2+1 {
			best, at = k, d
		}
	}
	return best
}

func plainName(s string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(s))
}

// distance counts the bytes to insert, drop or change (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

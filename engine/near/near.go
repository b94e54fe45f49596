// Package near finds the word that was most likely meant by a slip of the hand.
// It knows nothing of what the words are.
package near

import "strings"

// longest is the length of a word, in bytes, that can be a slip of another.
const longest = 64

// Word returns the one of words that wrong was most likely meant to be: the
// same but for case, - and _, one or two letters off, or cut short. "" when
// none is near.
func Word(wrong string, words []string) string {
	if len(wrong) > longest {
		return ""
	}
	w := plain(wrong)
	best, least := "", 3
	for _, word := range words {
		p := plain(word)
		if p == w {
			return word
		}
		if d := distance(w, p); d < least && d < max(2, len(p)/2) {
			best, least = word, d
		}
	}
	if best != "" || len(w) < 3 {
		return best
	}
	for _, word := range words {
		if p := plain(word); strings.HasPrefix(p, w) || strings.HasSuffix(p, w) || strings.HasPrefix(w, p) {
			return word
		}
	}
	return ""
}

func plain(s string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(s))
}

// distance counts the letters to change, add, drop or swap with their
// neighbour (optimal string alignment).
func distance(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			change := row[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			next[j] = min(change, row[j]+1, next[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

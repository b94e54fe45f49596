// Package near finds the word that was most likely meant by a slip of the pen. It
// knows nothing of what the words are.
package near

import (
	"strings"
)

// Word returns the word of words that was most likely meant by a slip of
// the hand: one or two letters off, or another case. "" when none is near.
func Word(wrong string, words []string) string {
	if len(wrong) > 64 {
		return ""
	}
	wrong = strings.ToLower(wrong)
	best, least := "", 3
	for _, word := range words {
		d := distance(wrong, word)
		if d < least && d < max(2, len(word)/2) {
			best, least = word, d
		}
	}
	if best == "" {
		for _, word := range words { // a plural, or a word cut short
			if len(wrong) >= 3 && (strings.HasPrefix(word, wrong) || strings.HasPrefix(wrong, word)) {
				return word
			}
		}
	}
	return best
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

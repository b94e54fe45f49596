package rules

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"perch/engine/abi"
)

// What is said of the rules stands in a file for each part of the ledger.
//
//go:embed words/*.toml
var wordFiles embed.FS

// wordBook is what is said of all rules.
type wordBook struct{ byID map[abi.RuleID]Words }

// allWords reads the files once. They are part of the program: one that cannot
// be read is a mistake in our code and panics, and a test reads them all.
var allWords = sync.OnceValue(func() wordBook {
	book, err := readWords(wordFiles)
	if err != nil {
		panic("rules: " + err.Error())
	}
	return book
})

// entry is a rule in a file of words.
type entry struct {
	Rule   string `toml:"rule"`
	Why    string `toml:"why"`
	Fix    string `toml:"fix"`
	Source string `toml:"source"`
	Medium Medium `toml:"medium"`
	Bad    string `toml:"bad"`
	Good   string `toml:"good"`

	C              string `toml:"c"`
	CPP            string `toml:"cpp"`
	Rust           string `toml:"rust"`
	Go             string `toml:"go"`
	Zig            string `toml:"zig"`
	AssemblyScript string `toml:"assemblyscript"`
}

// readWords reads the files of words of a file system. A rule that is not in
// the ledger, or stands twice, and a key that is not known are errors.
func readWords(files fs.FS) (wordBook, error) {
	book := wordBook{make(map[abi.RuleID]Words)}
	known := make(map[abi.RuleID]abi.Rule)
	for _, r := range abi.Rules() {
		known[r.ID] = r
	}
	names, err := fs.Glob(files, "words/*.toml")
	if err != nil {
		return book, fmt.Errorf("find the words of rules: %w", err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return book, fmt.Errorf("read the words of rules: %w", err)
		}
		entries := make(map[abi.RuleID]entry)
		if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&entries); err != nil {
			return book, fmt.Errorf("read the words in %s: %w", path.Base(name), err)
		}
		for id, e := range entries {
			r, ok := known[id]
			if !ok {
				return book, fmt.Errorf("%s has words for %s, which is no rule", path.Base(name), id)
			}
			if _, twice := book.byID[id]; twice {
				return book, fmt.Errorf("%s has words for %s, which stand in another file too", path.Base(name), id)
			}
			book.byID[id] = e.words(r)
		}
	}
	return book, nil
}

func (e entry) words(r abi.Rule) Words {
	w := Words{ID: r.ID, Rule: cmp.Or(e.Rule, r.Statement), Why: paragraph(e.Why), Fix: paragraph(e.Fix), Source: paragraph(e.Source),
		Side: sideOf(r), Medium: e.Medium, Bad: lines(e.Bad), Good: lines(e.Good)}
	for _, a := range []Advice{
		{"C", e.C}, {"C++", e.CPP}, {"Rust", e.Rust}, {"Go", e.Go}, {"Zig", e.Zig}, {"AssemblyScript", e.AssemblyScript},
	} {
		if a.Text = lines(a.Text); a.Text != "" {
			w.Fixes = append(w.Fixes, a)
		}
	}
	return w
}

// paragraph is prose as one line: in the files it is wrapped.
func paragraph(s string) string { return strings.Join(strings.Fields(s), " ") }

// lines are lines of code without the line ends around them.
func lines(s string) string { return strings.Trim(s, "\n") }

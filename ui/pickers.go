package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"perch/ui/box"
	"perch/ui/words"
)

// matching are the items that a query fits: words first, then letters in
// order.
func matching(items []box.Item, query string) []box.Item {
	query = strings.ToLower(strings.TrimSpace(query))
	if query == "" {
		return items
	}
	var first, then []box.Item
	for _, it := range items {
		if it.Head {
			continue
		}
		text := strings.ToLower(it.Label + it.Name)
		switch {
		case containsAll(text, strings.Fields(query)):
			first = append(first, it)
		case inOrder(text, query):
			then = append(then, it)
		}
	}
	return append(first, then...)
}

func containsAll(text string, all []string) bool {
	for _, w := range all {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

func inOrder(text, letters string) bool {
	for _, r := range letters {
		if r == ' ' {
			continue
		}
		i := strings.IndexRune(text, r)
		if i < 0 {
			return false
		}
		text = text[i+len(string(r)):]
	}
	return true
}

// openPalette lists every command: those that can be done now first.
func (a *App) openPalette() tea.Cmd {
	able, not := a.paletteItems()
	items := append(able, not...)
	b := &box.Box{Title: "Commands", Prompt: ":", Width: 60, Height: 14, Foot: "↑↓ choose   enter do it   f1 keys   esc",
		Items: func(query string) []box.Item { return ranked(items, query, a.memory.Commands) },
		Count: func(n int) string { return fmt.Sprintf("%d of %d", n, len(items)) }}
	a.push(&overlay{box: b, choose: func(a *App, it box.Item) tea.Cmd {
		if c, ok := it.Value.(command); ok {
			a.memory = a.memory.WithCommand(c.id)
		}
		return chooseCommand(a, it)
	}})
	return nil
}

func (a *App) paletteItems() (able, not []box.Item) {
	seen := map[string]bool{}
	active := map[scope]bool{}
	for _, ctx := range a.contexts() {
		active[ctx] = true
	}
	for _, c := range a.table {
		if c.ctx == ctxMenu || c.ctx == ctxLayout || c.ctx == ctxType || c.ctx == ctxEditor || c.ctx == ctxField || c.ctx == ctxBar || c.ctx == ctxPath || seen[c.id+c.title] || isMove(c.id) {
			continue
		}
		seen[c.id+c.title] = true
		it := box.Item{Label: c.title, Right: strings.Join(c.keys, " "), Value: c}
		if c.why != nil {
			it.Disabled = c.why(a)
		}
		if it.Disabled == "" && !active[c.ctx] && c.ctx != ctxBrowse && (c.ctx != ctxExplore || a.at != inExplore) {
			it.Disabled = "it belongs to " + placeName(c.ctx)
		}
		if it.Disabled == "" {
			able = append(able, it)
		} else {
			not = append(not, it)
		}
	}
	usefulFirst(able)
	return able, not
}

// usefulFirst puts commands that the footer would name first, in its order, and
// those that cannot be done now last.
func usefulFirst(items []box.Item) {
	rank := func(it box.Item) int {
		if it.Disabled != "" {
			return -1
		}
		c, _ := it.Value.(command)
		return c.rank
	}
	slices.SortStableFunc(items, func(x, y box.Item) int { return rank(y) - rank(x) })
}

// chooseCommand does the command of a row, as if its key had been pressed
// without a caret.
func chooseCommand(a *App, it box.Item) tea.Cmd {
	c, ok := it.Value.(command)
	if !ok {
		return nil
	}
	return a.run(c, "")
}

// openHelp lists the keys that count here, the narrowest places first.
func (a *App) openHelp() tea.Cmd {
	at := a.contexts()
	b := &box.Box{Title: "Keys and commands here", Sign: "?", Prompt: "find", Width: 62, Height: 18,
		Foot:  "words, or @key   ↑↓ choose   enter do it   esc",
		Items: func(query string) []box.Item { return a.helpItems(at, query) },
		Count: func(n int) string { return words.Plural(n, "key") }}
	a.push(&overlay{box: b, choose: chooseCommand})
	return nil
}

// helpItems are the commands of these contexts under headings.
func (a *App) helpItems(at []scope, query string) []box.Item {
	query = strings.ToLower(strings.TrimSpace(query))
	var out []box.Item
	taken := map[string]bool{}
	for _, ctx := range at {
		head := box.Item{Head: true, Label: placeName(ctx)}
		fresh := true
		for _, i := range a.byKey[ctx] {
			c := a.table[i]
			names := freeKeys(c.keys, taken)
			if len(names) == 0 || !helpFits(c, names, query) {
				continue
			}
			if fresh {
				out, fresh = append(out, head), false
			}
			it := box.Item{Label: fmt.Sprintf("%-16s %s", strings.Join(names, " "), c.title), Value: c}
			if c.why != nil {
				it.Disabled = c.why(a)
			}
			out = append(out, it)
		}
		for _, i := range a.byKey[ctx] {
			for _, k := range a.table[i].keys {
				taken[k] = true
			}
		}
	}
	return out
}

// freeKeys are the keys that no narrower context has taken.
func freeKeys(keys []string, taken map[string]bool) []string {
	var out []string
	for _, k := range keys {
		if !taken[k] {
			out = append(out, k)
		}
	}
	return out
}

// helpFits reports whether a command is looked for: @ finds keys.
func helpFits(c command, names []string, query string) bool {
	if key, is := strings.CutPrefix(query, "@"); is {
		for _, k := range names {
			if strings.HasPrefix(strings.ToLower(k), key) {
				return true
			}
		}
		return key == ""
	}
	return containsAll(strings.ToLower(c.title+" "+strings.Join(names, " ")), strings.Fields(query))
}

// placeName is a context in words.
func placeName(ctx scope) string {
	switch ctx {
	case ctxAny:
		return "Everywhere"
	case ctxWork:
		return "Also while typing"
	case ctxBrowse:
		return "Without a caret"
	case ctxType:
		return "While typing: letters are text"
	case ctxOpen:
		return "Open"
	case ctxExplore:
		return "Explore"
	case ctxCheck:
		return "Check"
	case ctxTools:
		return "Tools"
	case ctxArguments:
		return "Arguments"
	case ctxResult:
		return "Result"
	case ctxStream:
		return "Streams"
	case ctxHTTP:
		return "HTTP"
	case ctxFiles:
		return "Files"
	case ctxMock:
		return "Writing a mock"
	case ctxEvents:
		return "Events"
	case ctxTimeline:
		return "Timeline"
	case ctxFindings:
		return "Findings"
	case ctxFinding:
		return "A row with a finding"
	case ctxPage:
		return "Pages"
	case ctxHistory:
		return "History"
	case ctxPinned:
		return "A pinned search"
	case ctxEditor:
		return "In the JSON editor"
	case ctxField:
		return "In a field of the form"
	case ctxBar:
		return "In the find bar"
	case ctxBarMenu:
		return "The menu of the find bar"
	case ctxPath:
		return "In the path"
	case ctxTour:
		return "The tour"
	case ctxLayout:
		return "While edges are moved"
	}
	return "In boxes"
}

// openRowMenu lists the commands of the row in focus by their letters.
func (a *App) openRowMenu() tea.Cmd {
	var own, other []box.Item // of the row, of every place
	taken := map[string]bool{}
	for _, ctx := range a.rowContexts() {
		items := &own
		if ctx == ctxExplore || ctx == ctxBrowse {
			items = &other
		}
		for _, i := range a.byKey[ctx] {
			c := a.table[i]
			letter := ""
			for _, k := range c.keys {
				if len(k) == 1 && !taken[k] {
					letter = k
					break
				}
			}
			if letter == "" || isMove(c.id) || strings.HasPrefix(c.id, "pane.") || strings.HasPrefix(c.id, "nav.") {
				continue
			}
			taken[letter] = true
			it := box.Item{Letter: letter, Label: c.title, Value: c}
			if c.why != nil {
				it.Disabled = c.why(a)
			}
			*items = append(*items, it)
		}
	}
	usefulFirst(own)
	usefulFirst(other)
	items := append(own, other...)
	b := &box.Box{Title: "Commands of this row", Sign: "ctrl+x", Width: 58, Height: 16, Foot: "the letter, or enter   esc",
		Items: func(string) []box.Item { return items }}
	a.push(&overlay{box: b, choose: chooseCommand})
	return nil
}

// rowContexts are those without a caret, for a menu that is opened with one.
func (a *App) rowContexts() []scope {
	var finding []scope
	if _, ok := a.selectedFinding(); ok {
		finding = []scope{ctxFinding}
	}
	switch {
	case a.historyPage() != nil:
		return []scope{ctxHistory, ctxPage, ctxBrowse}
	case a.page != nil:
		return []scope{ctxPage, ctxBrowse}
	case a.at == inOpen:
		return []scope{ctxOpen, ctxBrowse}
	case a.at == inCheck:
		return append(finding, ctxCheck, ctxBrowse)
	}
	if a.finding() {
		finding = []scope{ctxBarMenu}
	}
	return append(append(finding, a.paneContexts()...), ctxExplore, ctxBrowse)
}

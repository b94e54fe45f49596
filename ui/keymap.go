package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"perch/engine/near"
	"perch/ui/prefs"
)

// cancelKey ends a run and quits, whatever else is changed.
const cancelKey = "ctrl+c"

// scopes are the places that commands of a table are of.
func scopes(table []command) []scope {
	var all []scope
	for _, c := range table {
		if !slices.Contains(all, c.ctx) {
			all = append(all, c.ctx)
		}
	}
	return all
}

// remap gives commands the keys that the person's settings name. The error is a
// *prefs.Fault at the first line that cannot be taken; nothing is changed then.
func remap(table []command, all []prefs.Binding) ([]command, error) {
	out := slices.Clone(table)
	given := map[int]prefs.Binding{} // by row
	for _, b := range all {
		if err := rebind(out, b, given); err != nil {
			return nil, err
		}
	}
	return out, clashes(out, given)
}

func bindingFault(b prefs.Binding, format string, args ...any) error {
	return &prefs.Fault{Line: b.Line, Col: b.Col, What: fmt.Sprintf(format, args...)}
}

// rebind takes one line.
func rebind(table []command, b prefs.Binding, given map[int]prefs.Binding) error {
	rows := rowsNamed(table, b.Name)
	if len(rows) == 0 {
		return bindingFault(b, "%s", noCommand(table, b.Name))
	}
	keys, err := keysNamed(b)
	if err != nil {
		return err
	}
	id := table[rows[0]].id
	if id == "run.cancel" && !slices.Contains(keys, cancelKey) {
		keys = append(keys, cancelKey)
	}
	if id == "nav.out" && !slices.ContainsFunc(keys, func(k string) bool { return !isText(k) }) {
		return bindingFault(b, "nav.out needs a key that is no letter: it ends typing")
	}
	taken := map[string]bool{}
	for _, i := range rows {
		c := &table[i]
		own := c.keys
		c.keys = nil
		for _, k := range keys {
			if isText(k) && typesIn(c.ctx) {
				continue // it is text there
			}
			c.keys, taken[k] = append(c.keys, k), true
		}
		if typesIn(c.ctx) && len(own) > 0 {
			c.run = asKey(c.run, own[0]) // texts know their commands by these
		}
		given[i] = b
	}
	for _, k := range keys {
		if !taken[k] {
			return bindingFault(b, "%s: %s is text while typing. Name a key that is none, such as ctrl+%s", id, k, k)
		}
	}
	return nil
}

func asKey(run func(*App, string) tea.Cmd, key string) func(*App, string) tea.Cmd {
	return func(a *App, _ string) tea.Cmd { return run(a, key) }
}

// rowsNamed are the rows of the table that a line of the settings is about: an
// id, or an id in one place.
func rowsNamed(table []command, name string) []int {
	var rows, in []int
	for i, c := range table {
		switch name {
		case c.id:
			rows = append(rows, i)
		case string(c.ctx) + "." + c.id:
			in = append(in, i)
		}
	}
	if len(rows) > 0 {
		return rows
	}
	return in
}

// noCommand says that a line names no command, and which was meant.
func noCommand(table []command, name string) string {
	var ids []string
	for _, c := range table {
		ids = append(ids, c.id)
	}
	place, id, _ := strings.Cut(name, ".")
	if slices.Contains(scopes(table), scope(place)) && slices.Contains(ids, id) {
		var places []string
		for _, i := range rowsNamed(table, id) {
			places = append(places, string(table[i].ctx))
		}
		return fmt.Sprintf("%s is no command of %s; it is one of %s", id, place, strings.Join(places, ", "))
	}
	if meant := near.Word(name, ids); meant != "" {
		return fmt.Sprintf("no command is named %q. Did you mean %s?", name, meant)
	}
	return fmt.Sprintf("no command is named %q. perch keys lists all", name)
}

// keysNamed are the keys of a line as the app knows them.
func keysNamed(b prefs.Binding) ([]string, error) {
	var out []string
	for _, name := range b.Keys {
		key, wrong := keyNamed(name)
		switch {
		case wrong != "":
			return nil, bindingFault(b, "%s", wrong)
		case key == cancelKey && !strings.HasSuffix(b.Name, "run.cancel"):
			return nil, bindingFault(b, "ctrl+c ends a run and quits, and stays so")
		case !slices.Contains(out, key):
			out = append(out, key)
		}
	}
	return out, nil
}

// isText reports whether a key is text where there is a caret.
func isText(key string) bool { return key == "space" || utf8.RuneCountInString(key) == 1 }

// typesIn reports whether a place has a caret.
func typesIn(ctx scope) bool {
	return slices.Contains([]scope{ctxType, ctxEditor, ctxField, ctxBar, ctxPath, ctxMock}, ctx)
}

// clashes is the fault of two commands of one place that have one key.
func clashes(table []command, given map[int]prefs.Binding) error {
	type slot struct {
		ctx scope
		key string
	}
	at := map[slot]int{}
	for i, c := range table {
		for _, k := range c.keys {
			j, there := at[slot{c.ctx, k}]
			at[slot{c.ctx, k}] = i
			if !there || table[j].id == c.id {
				continue
			}
			b, mine := given[i]
			other := j
			if o, its := given[j]; !mine || its && o.Line > b.Line {
				b, other = o, i
			}
			return bindingFault(b, "%s is the key of %s already, in the place %s (%s). Give that another key too", k, table[other].id,
				c.ctx, table[other].title)
		}
	}
	return nil
}

// keyNamed is a key as Bubble Tea spells it; wrong says why there is none of
// this name.
func keyNamed(name string) (key, wrong string) {
	rest := name
	mods := map[string]bool{}
	for {
		mod, after, found := strings.Cut(rest, "+")
		mod = strings.ToLower(mod)
		if !found || after == "" || !slices.Contains(modifiers(), mod) {
			break
		}
		mods[mod], rest = true, after
	}
	if utf8.RuneCountInString(rest) != 1 {
		rest = strings.ToLower(rest)
		if long := map[string]string{"escape": "esc", "return": "enter", "pagedown": "pgdown", "pgdn": "pgdown", "pageup": "pgup", "del": "delete", "ins": "insert"}[rest]; long != "" {
			rest = long
		}
		if !slices.Contains(namedKeys(), rest) {
			if meant := near.Word(rest, namedKeys()); meant != "" {
				return "", fmt.Sprintf("no key is named %q. Did you mean %s?", name, strings.TrimSuffix(name, rest)+meant)
			}
			return "", fmt.Sprintf("no key is named %q. A key is one character, or enter, tab, space, f1, or one of these behind ctrl+, alt+ or shift+", name)
		}
	}
	if rest == " " {
		rest = "space"
	}
	if one := utf8.RuneCountInString(rest) == 1; one && mods["ctrl"] {
		rest = strings.ToLower(rest)
	} else if one && mods["shift"] && len(mods) == 1 {
		return strings.ToUpper(rest), "" // a capital is what the terminal sends
	}
	for _, m := range slices.Backward(modifiers()) {
		if mods[m] {
			rest = m + "+" + rest
		}
	}
	if twin := map[string]string{"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "esc", "ctrl+h": "backspace"}[rest]; twin != "" {
		return "", fmt.Sprintf("%s is %s in most terminals. Name another key", rest, twin)
	}
	return rest, ""
}

// modifiers in the order in which Bubble Tea spells them.
func modifiers() []string { return []string{"ctrl", "alt", "shift", "meta", "hyper", "super"} }

// namedKeys are the keys that are no characters.
func namedKeys() []string {
	names := []string{"enter", "tab", "space", "esc", "backspace", "delete", "insert", "up", "down", "left", "right", "home", "end", "pgup", "pgdown", "begin"}
	for n := 1; n <= 24; n++ {
		names = append(names, "f"+strconv.Itoa(n))
	}
	return names
}

// Keys is the table of commands in its order, with what settings.toml in a
// folder changes of it; "" is no folder. The error is what is wrong with that
// file; the table is then as it comes.
func Keys(dir string) ([]Key, error) {
	table := commands()
	p, err := prefs.Read(dir)
	if err == nil {
		var changed []command
		if changed, err = remap(table, p.Keys); err == nil {
			table = changed
		}
	}
	var out []Key
	for _, c := range table {
		out = append(out, Key{Place: string(c.ctx), Where: placeName(c.ctx), Keys: c.keys, ID: c.id, Title: c.title})
	}
	return out, err
}

// noKey stands for the key of a command that has none here: the palette has it.
const noKey = ":"

// keyNamed is the key by which a text names a command: the usual one unless the
// person took it away.
func (a *App) keyNamed(id, usual string) string {
	key := noKey
	for _, c := range a.table {
		switch {
		case c.id != id:
		case slices.Contains(c.keys, usual):
			return usual
		case key == noKey && len(c.keys) > 0:
			key = c.keys[0]
		}
	}
	return key
}

// keyFor is the key of a command as things stand.
func (a *App) keyFor(id string) string {
	taken := map[string]bool{}
	for _, ctx := range a.contexts() {
		for _, i := range a.byKey[ctx] {
			if a.table[i].id != id {
				continue
			}
			if free := freeKeys(a.table[i].keys, taken); len(free) > 0 {
				return free[0]
			}
		}
		for _, i := range a.byKey[ctx] {
			for _, k := range a.table[i].keys {
				taken[k] = true
			}
		}
	}
	return noKey
}

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"perch/ui"
)

// Forms of the key sheet.
const (
	keysText     = "text"
	keysMarkdown = "markdown"
	keysJSON     = "json"
)

func newKeys(a *app) *cobra.Command {
	format := keysText
	c := &cobra.Command{
		Use:   "keys",
		Short: "The keys and commands of the app, as they are on this machine",
		Long: "Lists every command of the app with its keys and its id, by the place where it counts.\n" +
			"What settings.toml in the folder for settings changes is in it:\n\n" +
			"  [keys]\n" +
			"  \"run.call\" = [\"ctrl+r\", \"f6\"]     # all keys of the command\n" +
			"  [keys.editor]\n" +
			"  \"type.newline\" = [\"enter\"]       # in one place alone",
		Args: takes(0, 0),
	}
	c.Flags().StringVar(&format, "format", keysText, "text, markdown or json")
	c.RunE = func(*cobra.Command, []string) error {
		if a.json {
			format = keysJSON
		}
		return a.keySheet(format)
	}
	return c
}

// keySheet prints the table of commands. Settings that are not in order are
// told of, and end it with the status of usage: the sheet is then as it comes.
func (a *app) keySheet(format string) error {
	keys, err := ui.Keys(settingsDir())
	switch format {
	case keysText:
		keysAsText(a.out, keys)
	case keysMarkdown:
		keysAsMarkdown(a.out, keys)
	case keysJSON:
		text, failed := keysAsJSON(keys)
		if failed != nil {
			return &exitError{exitUsage, failed}
		}
		a.object(text)
	default:
		return usage("--format is text, markdown or json, not %q", format)
	}
	if err != nil {
		return &exitError{exitUsage, fmt.Errorf("%w\nNothing of that file counts", err)}
	}
	return nil
}

// byPlace calls begin at each new place and row for each of its keys.
func byPlace(keys []ui.Key, begin func(ui.Key), row func(ui.Key)) {
	var order []string
	rows := map[string][]ui.Key{}
	for _, k := range keys {
		if rows[k.Place] == nil {
			order = append(order, k.Place)
		}
		rows[k.Place] = append(rows[k.Place], k)
	}
	for _, place := range order {
		begin(rows[place][0])
		for _, k := range rows[place] {
			row(k)
		}
	}
}

func keysAsText(w io.Writer, keys []ui.Key) {
	ids, names := 0, 0
	for _, k := range keys {
		ids, names = max(ids, len(k.ID)), max(names, len(strings.Join(k.Keys, " ")))
	}
	first := true
	byPlace(keys, func(k ui.Key) {
		if !first {
			fmt.Fprintln(w)
		}
		first = false
		fmt.Fprintf(w, "%s (%s)\n", k.Where, k.Place)
	}, func(k ui.Key) {
		fmt.Fprintf(w, "  %-*s  %-*s  %s\n", names, strings.Join(k.Keys, " "), ids, k.ID, k.Title)
	})
	fmt.Fprintln(w, "\nCommands without a key are in the palette, : or ctrl+p.")
}

func keysAsMarkdown(w io.Writer, keys []ui.Key) {
	fmt.Fprintln(w, "# Keys of perch")
	byPlace(keys, func(k ui.Key) {
		fmt.Fprintf(w, "\n## %s\n\nPlace `%s` in the settings.\n\n| keys | what | id |\n|---|---|---|\n", k.Where, k.Place)
	}, func(k ui.Key) {
		var names []string
		for _, name := range k.Keys {
			names = append(names, codeCell(name))
		}
		fmt.Fprintf(w, "| %s | %s | `%s` |\n", strings.Join(names, " "), strings.ReplaceAll(k.Title, "|", `\|`), k.ID)
	})
}

// codeCell is a key in a table of Markdown.
func codeCell(name string) string {
	name = strings.ReplaceAll(name, "|", `\|`)
	if strings.Contains(name, "`") {
		return "`` " + name + " ``"
	}
	return "`" + name + "`"
}

// keyRow is a row of the sheet in JSON.
type keyRow struct {
	Place string   `json:"place"`
	ID    string   `json:"id"`
	Keys  []string `json:"keys"`
	Title string   `json:"title"`
}

func keysAsJSON(keys []ui.Key) ([]byte, error) {
	out := struct {
		Keys []keyRow `json:"keys"`
	}{}
	for _, k := range keys {
		names := k.Keys
		if names == nil {
			names = []string{}
		}
		out.Keys = append(out.Keys, keyRow{k.Place, k.ID, names, k.Title})
	}
	text, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("write the keys: %w", err)
	}
	return text, nil
}

package ui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"perch/ui/box"
	"perch/ui/prefs"
	"perch/ui/uitest"
)

func mustKeys(t *testing.T) []Key {
	t.Helper()
	all, err := Keys("")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// settingsIn is a folder with a settings file.
func settingsIn(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(prefs.Path(dir), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestKeysOfTheSettings(t *testing.T) {
	keysIn := func(text string) map[string]string {
		all, err := Keys(settingsIn(t, text))
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		out := map[string]string{}
		for _, k := range all {
			out[k.Place+"."+k.ID] = strings.Join(k.Keys, " ")
		}
		return out
	}
	got := keysIn(`
[keys]
"run.call" = ["Ctrl+Y", "w"]
theme.pick = "shift+t"
"app.quit" = []
"type.undo" = ["alt+z"]
"run.cancel" = ["f9"]
"type.redo" = []
[keys.editor]
"type.newline" = ["alt+Enter"]
`)
	for name, want := range map[string]string{
		"work.run.call": "ctrl+y w", "browse.run.call": "ctrl+y w", "browse.theme.pick": "T", "browse.app.quit": "", "type.type.undo": "alt+z",
		"any.run.cancel": "f9 ctrl+c", "editor.type.newline": "alt+enter", "type.type.newline": "ctrl+j shift+enter", "browse.nav.up": "up k",
	} {
		if got[name] != want {
			t.Errorf("%s has %q, want %q", name, got[name], want)
		}
	}
}

func TestKeysNotInOrder(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"[keys]\n\"run.cal\" = [\"f6\"]", `settings.toml:2:1: no command is named "run.cal". Did you mean run.call?`},
		{"[keys]\n\n  \"run.call\" = [\"ctlr+r\"]", `settings.toml:3:3: no key is named "ctlr+r"`},
		{"[keys]\n\"run.call\" = [\"entr\"]", `no key is named "entr". Did you mean enter?`},
		{"[keys]\n\"theme.pick\" = [\"q\"]", `settings.toml:2:1: q is the key of app.quit already`},
		{"[keys]\n\"theme.pick\" = [\"ctrl+c\"]", "ctrl+c ends a run and quits, and stays so"},
		{"[keys]\n\"nav.out\" = [\"x\"]", "nav.out needs a key that is no letter"},
		{"[keys]\n\"nav.out\" = []", "nav.out needs a key that is no letter"},
		{"[keys]\n\"type.start\" = [\"0\"]", "settings.toml:2:1: type.start: 0 is text while typing"},
		{"[keys]\n\"nav.next\" = [\"ctrl+i\"]", "ctrl+i is tab in most terminals"},
		{"[keys]\n\"nav.next\" = 7", "nav.next: keys are a list of texts"},
		{"[keys.editr]\n\"type.newline\" = [\"f6\"]", `no command is named "editr.type.newline"`},
		{"[keys.editor]\n\"theme.pick\" = [\"f6\"]", "theme.pick is no command of editor; it is one of browse"},
		{"[kyes]\n", "there is no table [kyes]"},
		{"theem = \"dusk\"", `unknown key "theem". Did you mean theme?`},
		{"mouse = \"of\"", `mouse is on or off, not "of"`},
		{"theme = \"dusk", "settings.toml:1:"},
	} {
		all, err := Keys(settingsIn(t, c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
		if !slices.EqualFunc(all, mustKeys(t), func(p, q Key) bool { return p.ID == q.ID && slices.Equal(p.Keys, q.Keys) }) {
			t.Errorf("%q changes keys", c.text)
		}
	}
}

// TestKeysChangeAtASave: a save counts at once, a fault leaves all as it was,
// and the footer tells the keys that count.
func TestKeysChangeAtASave(t *testing.T) {
	dir := settingsIn(t, "[keys]\n\"theme.pick\" = [\"ctrl+t\"]\n")
	brisk := quickClock{still(), 8 * time.Second} // what the footer says passes too
	d, _ := start(t, "", 120, 40, func(o *Options, _ *uitest.Options) { o.Settings, o.Clock = dir, brisk })
	d.WaitForText("ctrl+t theme", "? help")
	d.Press("T", "ctrl+t") // the former does nothing any more
	d.WaitForText("by the terminal's ground")
	d.Press("esc")
	write := func(text string) {
		t.Helper()
		fresh := filepath.Join(dir, "fresh") // whole at once: no time passes on this clock until it is read
		if err := os.WriteFile(fresh, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(fresh, prefs.Path(dir)); err != nil {
			t.Fatal(err)
		}
	}
	write("[keys]\n\"theme.pick\" = [\"f8\"]\n\"app.help\" = [\"f1\", \"f2\"]\n")
	d.WaitForText("f8 theme")
	write("[keys]\n\"theme.pik\" = [\"f9\"]\n")
	d.WaitForText(`settings.toml:2:1: no command is named "theme.pik"`, "nothing was changed")
	d.Press("f8")
	d.WaitForText("by the terminal's ground")
}

func TestRanking(t *testing.T) {
	item := func(title, id string) box.Item { return box.Item{Label: title, Value: command{id: id, title: title}} }
	items := []box.Item{item("Copy or save as …", "copy.as"), item("Next match", "find.next"), item("Theme", "theme.pick"),
		item("The rule of this finding", "rule.open"), item("Draw the screen anew", "app.redraw"), item("Open a package", "package.open")}
	disabled := item("Open it", "nav.in")
	disabled.Disabled = "nothing is here"
	items = append(items, disabled)
	for _, c := range []struct {
		query  string
		recent []string
		want   []string
	}{
		{"", []string{"rule.open"}, []string{"The rule of this finding", "Copy or save as …"}},
		{"theme", nil, []string{"Theme"}},
		{"the", nil, []string{"Theme", "The rule of this finding", "Draw the screen anew"}},
		{"the", []string{"rule.open"}, []string{"The rule of this finding", "Theme"}},
		{"open", nil, []string{"Open a package", "Open it"}},
		{"dsa", nil, []string{"Draw the screen anew"}},
		{"rule.open", nil, []string{"The rule of this finding"}},
	} {
		var got []string
		for _, it := range ranked(items, c.query, c.recent) {
			got = append(got, it.Label)
		}
		if len(got) < len(c.want) || !slices.Equal(got[:len(c.want)], c.want) {
			t.Errorf("%q after %v: %q, want %q first", c.query, c.recent, got, c.want)
		}
	}
}

// TestSheetHasEveryPlace: what the sheet lists is what the design names,
// but for what is not of this app.
func TestSheetHasEveryPlace(t *testing.T) {
	ids := map[string]bool{}
	for _, k := range mustKeys(t) {
		ids[k.ID] = true
		if k.Where == "" || k.Title == "" || k.Where == "In boxes" && k.Place != "menu" {
			t.Errorf("%s in %s has no words", k.ID, k.Place)
		}
	}
	for _, id := range designIDs() {
		if !ids[id] {
			t.Errorf("no command is %s", id)
		}
	}
}

// designIDs are the ids that the design's table of keys names for Explore, Open
// and Check, and the commands without a key.
func designIDs() []string {
	return strings.Fields(`run.cancel nav.out app.palette app.help app.redraw run.call nav.jump nav.problem row.menu nav.next nav.prev
		app.quit pane.first pane.second pane.third pane.wire pane.stderr pane.http pane.files pane.events pane.timeline pane.findings
		nav.up nav.down nav.left nav.right nav.top nav.bottom nav.page_up nav.page_down nav.in nav.toggle tab.prev tab.next
		finding.prev finding.next call.prev call.next find.open find.filter text.left text.right text.wrap content.next
		pane.zoom pane.layout copy.value copy.as run.options debug.here history.open package.open theme.pick mouse.toggle settings.open
		package.info stream.follow stream.time find.next find.prev args.add args.leave_out args.null args.empty args.default
		args.duplicate args.move_down args.move_up args.editor args.sample args.preset type.undo type.redo args.form_json result.jq
		result.fold result.unfold http.allow http.allow_session events.kinds rule.open type.accept type.newline type.start type.end
		type.cut_word type.delete type.up type.down type.suggest edit.accept edit.outdent find.mode menu.up menu.down menu.do
		layout.hide layout.show layout.reset probe.run rules.open log.open config.keys app.suspend`)
}

// TestTextsNameTheKeysAsTheyAre: what the panes say of a key follows the
// person's own keys, also those that are taken over while the app runs.
func TestTextsNameTheKeysAsTheyAre(t *testing.T) {
	a := quietApp(t, 120, 40)
	openNow(t, a, "sample:greeter")
	has := func(texts ...string) {
		t.Helper()
		screen := ansi.Strip(strings.Join(a.rows(), "\n"))
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				t.Errorf("no %q in\n%s", text, screen)
			}
		}
	}
	has("ctrl+r runs greet", "Arguments at hand: 2, then s")
	err := a.bind([]prefs.Binding{{Name: "args.sample", Keys: []string{"ctrl+t"}}, {Name: "run.call", Keys: []string{"ctrl+g"}}, {Name: "nav.problem", Keys: []string{"ctrl+t"}}})
	if err != nil {
		t.Fatal(err)
	}
	has("ctrl+g runs greet", "Arguments at hand: 2, then ctrl+t")
}

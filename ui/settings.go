package ui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"perch/engine/abi"
	"perch/engine/settings"
	"perch/engine/units"
	"perch/themes"
	"perch/ui/prefs"
	"perch/ui/sheet"
)

// openSettings opens the page of the settings: each value, and where it comes
// from.
func (a *App) openSettings() tea.Cmd {
	return a.openPage(sheet.New("Settings", "setting", "", a.settingRows()))
}

// refreshSettings shows what has changed, should the page be open.
func (a *App) refreshSettings() {
	if p, ok := a.page.(*sheet.View); ok && a.settingsOpen() {
		p.Set(a.settingRows())
	}
}

func (a *App) settingsOpen() bool {
	p, ok := a.page.(*sheet.View)
	return ok && p.Title().Name.Spans[0].Text == "Settings"
}

// settingRows are the rows of the page.
func (a *App) settingRows() []sheet.Row {
	s, what := a.settingsNow()
	rows := []sheet.Row{{Head: true, Label: "Limits of a run" + what}}
	rows = append(rows, limitRows(s)...)
	rows = append(rows, sheet.Row{Head: true, Label: "HTTP"})
	rows = append(rows, egressRows(s)...)
	rows = append(rows, sheet.Row{Head: true, Label: "Mounts"})
	rows = append(rows, mountRows(s)...)
	rows = append(rows, sheet.Row{Head: true, Label: "Judging"})
	rows = append(rows, judgingRows(s)...)
	rows = append(rows, sheet.Row{Head: true, Label: "The app"})
	rows = append(rows, a.appRows()...)
	if len(a.prefs.Keys) > 0 {
		rows = append(rows, sheet.Row{Head: true, Label: "Keys that are not as they come"})
		for _, b := range a.prefs.Keys {
			rows = append(rows, sheet.Row{Label: b.Name, Value: orNone(strings.Join(b.Keys, " "), "no key"), From: fmt.Sprintf("%s:%d", prefs.FileName, b.Line),
				About: "perch keys lists all. A save of the file counts at once.", Act: "config.keys", Says: "edit it"})
		}
	}
	return rows
}

// settingsNow are the settings of the package that is open, else those of the
// flags; what says which.
func (a *App) settingsNow() (s settings.Settings, what string) {
	if a.session != nil && a.session.bench != nil {
		return a.session.bench.Settings, ""
	}
	s, _, err := settings.Load("", a.o.Bench.Flags, nil)
	if err != nil {
		return settings.Settings{}, "  · " + err.Error()
	}
	return s, "  · no package is open, so no perch.toml counts"
}

// setBy says how a setting is changed.
func setBy(flag, key, example, about string) string {
	return fmt.Sprintf("%s Change it by --%s, or in the perch.toml beside the package: %s = %s.", about, flag, key, example)
}

func limitRows(s settings.Settings) []sheet.Row {
	rows := []sheet.Row{
		{Label: "timeout", Value: s.Timeout.V.String(), From: s.Timeout.From, About: setBy("timeout", "timeout", `"30s"`, "How long a call may run.")},
		{Label: "memory", Value: units.Size(int64(s.Memory.V)), From: s.Memory.From, About: setBy("memory", "memory", `"256MiB"`, "How far linear memory may grow.")},
		{Label: "engine", Value: s.Engine.V, From: s.Engine.From, About: setBy("engine", "engine", `"compiler"`, "What runs the module: the compiler, or the interpreter, which begins at once and is slow.")},
	}
	seed := sheet.Row{Label: "seed", Value: "none: ids, random bytes and the clock are real", From: settings.Local,
		About: setBy("seed", "seed", "7", "Fixes ids, random bytes and the clock, so that a run is the same each time.")}
	if s.Seed != nil {
		seed.Value, seed.From = fmt.Sprint(s.Seed.V), s.Seed.From
	}
	return append(rows, seed)
}

func egressRows(s settings.Settings) []sheet.Row {
	var rows []sheet.Row
	allow := setBy("allow", "allow", `["api.example.com"]`, "Hosts that the module may call; all others get host_not_allowed.")
	if len(s.Allow) == 0 {
		rows = append(rows, sheet.Row{Label: "allow", Value: "no host", From: settings.Local, About: allow})
	}
	for _, v := range s.Allow {
		rows = append(rows, sheet.Row{Label: "allow", Value: v.V, From: v.From, About: allow})
	}
	for _, v := range s.Routes {
		rows = append(rows, sheet.Row{Label: "route", Value: v.V.Host + " to " + v.V.Addr.String(), From: v.From,
			About: setBy("route", "route", `["api.example.com=127.0.0.1:8443"]`, "Sends a host's requests to an address of yours. Subako has no such thing.")})
	}
	if s.CA.Given() {
		rows = append(rows, sheet.Row{Label: "ca", Value: s.CA.V, From: s.CA.From, About: setBy("ca", "ca", `"ca.pem"`, "Certificates that are trusted for routed hosts alone.")})
	}
	for _, v := range s.Credentials {
		rows = append(rows, sheet.Row{Label: "credential", Value: v.V.Origin + ": " + v.V.Header + " of $" + v.V.Env, From: v.From,
			About: setBy("credential", "credential", `["https://api.example.com=authorization:env:TOKEN"]`, "A header that is set on requests to one origin. Its value is never shown.")})
	}
	for _, v := range s.Mocks {
		rows = append(rows, sheet.Row{Label: "mock", Value: v.V, From: v.From, About: setBy("mock", "mock", `["mocks.toml"]`, "Answers HTTP requests from a file, without network.")})
	}
	return rows
}

func mountRows(s settings.Settings) []sheet.Row {
	return []sheet.Row{
		{Label: abi.VolumeRoot, Value: orNone(s.Volume.V, "a new one each session"), From: from(s.Volume.From), About: setBy("volume", "volume", `"volume"`, "The folder that /volume is kept in.")},
		{Label: abi.VolumeData, Value: map[bool]string{true: "mounted", false: "not mounted"}[s.Data.V], From: from(s.Data.From), About: setBy("data", "data", "true", "Whether /volume/data is there.")},
		{Label: abi.SkillsDir, Value: orNone(s.Skills.V, "none"), From: from(s.Skills.From), About: setBy("skills", "skills", `"skills"`, "A folder of skills, one each subfolder.")},
		{Label: abi.PackageDir, Value: orNone(s.Assets.V, "as the package brings it"), From: from(s.Assets.From), About: setBy("assets", "assets", `"assets"`, "A folder to mount at /package.")},
	}
}

func judgingRows(s settings.Settings) []sheet.Row {
	onOff := map[bool]string{true: "on", false: "off"}
	rows := []sheet.Row{
		{Label: "strict", Value: onOff[s.Strict], From: settings.Local, About: setBy("strict", "strict", "true", "Whether a departure from MCP counts in the exit status.")},
		{Label: "force", Value: onOff[s.Force], From: settings.Local, About: setBy("force", "force", "true", "Whether a tool that is not listed may be called.")},
	}
	for _, x := range s.Accept {
		rule := string(x.Rule)
		if x.Tool != "" {
			rule += ":" + x.Tool
		}
		rows = append(rows, sheet.Row{Label: "accept", Value: rule + "  " + x.Reason, From: x.From, About: "A finding that is known and stays as it is. What Subako does it does not change."})
	}
	if s.File != "" {
		trusted := "no: what it grants does not count"
		if s.Trusted {
			trusted = "yes, by its path and content"
		}
		rows = append(rows, sheet.Row{Label: "perch.toml", Value: s.File, From: "trusted: " + trusted, About: "What the file grants counts when it is trusted: a package that comes from elsewhere can bring one."})
	}
	return rows
}

// appRows are the settings of the app itself.
func (a *App) appRows() []sheet.Row {
	mouse := "the terminal's: mark and copy as anywhere"
	if a.mouse {
		mouse = "perch's: click, wheel, drag"
	}
	theme := a.theme
	if theme == "auto" {
		theme = "auto: " + a.autoTheme()
	}
	file, state := prefs.Path(a.o.Settings), "in order"
	switch {
	case a.o.Settings == "":
		file, state = "none: this system names no folder for settings", ""
	case a.prefsErr != nil:
		state = a.prefsErr.Error()
	case missing(file):
		state = "not written yet"
	}
	rows := []sheet.Row{
		{Label: "theme", Value: theme, From: a.from(a.o.Theme != "" && themeName(a.o.Theme) == a.theme, "theme", a.prefs.Theme, a.theme == themeName(a.prefs.Theme.Text), a.memory.Theme != ""),
			About: "The colours. --theme and " + prefs.FileName + ` say it for the start: theme = "dusk".`, Act: "theme.pick", Says: "choose"},
		{Label: "mouse", Value: mouse, From: a.from(a.o.Mouse != "" && (a.o.Mouse != "off") == a.mouse, "mouse", a.prefs.Mouse, a.mouse == (a.prefs.Mouse.Text != "off"), a.memory.MouseOff),
			About: "Whose the mouse is. --mouse and " + prefs.FileName + ` say it for the start: mouse = "off".`, Act: "mouse.toggle", Says: "change"},
		{Label: "settings file", Value: file, From: state, About: "Theme, mouse and keys, read again at each save. It is yours alone and comes with no package.", Act: "config.keys", Says: "edit it"},
	}
	if a.prefsErr != nil {
		rows[2].Role = themes.Error
	}
	return append(rows, sheet.Row{Label: "messages", Value: fmt.Sprintf("%d so far", len(a.said)), About: "All that the footer said.", Act: "log.open", Says: "read them"})
}

// from says where a setting of the app comes from.
func (a *App) from(byFlag bool, flag string, file prefs.Value, byFile, chosen bool) string {
	switch {
	case byFlag:
		return "flag --" + flag
	case file.Given() && byFile:
		return fmt.Sprintf("%s:%d", prefs.FileName, file.Line)
	case chosen:
		return "chosen here"
	}
	return "default"
}

// logged is something that the footer said.
type logged struct {
	when time.Time
	text string
	bad  bool
}

// mostSaid is how many messages are kept.
const mostSaid = 1000

// keep keeps what the footer says for the page of messages.
func (a *App) keep(t toast) {
	if n := len(a.said); n > 0 && a.said[n-1].text == t.text {
		a.said[n-1].when = a.clock.Now()
		return
	}
	if len(a.said) >= mostSaid {
		a.said = append(a.said[:0], a.said[mostSaid/2:]...)
	}
	a.said = append(a.said, logged{a.clock.Now(), t.text, t.bad})
}

// openLog opens the page of all messages, at the newest.
func (a *App) openLog() tea.Cmd {
	var rows []sheet.Row
	for _, m := range a.said {
		r := sheet.Row{Label: m.when.Format("15:04:05"), Value: strings.ReplaceAll(m.text, "\n", " · "), About: m.text}
		if m.bad {
			r.Role = themes.Error
		}
		rows = append(rows, r)
	}
	p := sheet.New("Messages", "message", "Nothing was said yet.", rows)
	cmd := a.openPage(p)
	p.Last()
	return cmd
}

func orNone(text, none string) string {
	if text == "" {
		return none
	}
	return text
}

// from is where a value comes from, local where nobody gave it.
func from(where string) string { return orNone(where, settings.Local) }

// SettingLines are settings as sentences, each with where it comes from.
func SettingLines(s settings.Settings) []string {
	var out []string
	for _, rows := range [][]sheet.Row{limitRows(s), egressRows(s), mountRows(s), judgingRows(s)} {
		for _, r := range rows {
			out = append(out, fmt.Sprintf("%s: %s (%s)", r.Label, r.Value, r.From))
		}
	}
	return out
}

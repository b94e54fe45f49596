package ui

import (
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/pack"
	"perch/engine/settings"
	"perch/inspect/export"
	"perch/inspect/record"
	"perch/themes"
	"perch/ui/box"
	"perch/ui/cell"
	"perch/ui/clip"
	"perch/ui/words"
)

// form is a way in which something can be copied.
type form struct {
	letter, name, about string
	size                int    // of the text, 0: not known before it is made
	why                 string // it cannot be, "" when it can
	build               func() clip.Copy
}

// openCopyAs lists the ways in which the selected thing can be copied or saved.
func (a *App) openCopyAs() tea.Cmd {
	t, ok := a.taken()
	if !ok {
		return a.say(toast{text: "nothing to copy here", brief: true})
	}
	file := false
	b := &box.Box{Title: "Copy or save as", Sign: "Y", Width: 54, Foot: "letter or enter copies   tab changes   esc"}
	b.Text = []cell.Line{named("what", t.what), {}}
	var items []box.Item
	for _, f := range a.forms(t) {
		it := box.Item{Letter: f.letter, Label: pad(f.name, 9) + f.about, Value: f, Disabled: f.why}
		switch {
		case f.why != "":
			it.Label = f.name
		case f.size > 0:
			it.Right = words.Bytes(f.size)
		}
		items = append(items, it)
	}
	b.Items = func(string) []box.Item { return items }
	aim := func() {
		var l cell.Line
		l.Own(cell.Fg(themes.Muted), pad("to", 10))
		for i, name := range []string{"clipboard", "file"} {
			if file == (i == 1) {
				l.Own(cell.Fg(themes.Accent).With(themes.Bold), "["+name+"]")
			} else {
				l.Own(cell.Fg(themes.Muted), " "+name+" ")
			}
			l.Blank(1)
		}
		how := "made safe: what is hidden is shown as signs"
		if file {
			how = "the bytes unchanged, in a new file"
		}
		b.Under = []cell.Line{l, cell.Own(themes.Muted, how)}
	}
	aim()
	turn := func(*App) { file = !file; aim() }
	a.push(&overlay{box: b, keys: map[string]func(*App){"tab": turn, "shift+tab": turn},
		choose: func(a *App, it box.Item) tea.Cmd {
			f, _ := it.Value.(form)
			if file {
				return a.saveOut(f.build)
			}
			return a.copyOut(f.build)
		}})
	return nil
}

// named is a word and what it stands for.
func named(name, text string) cell.Line {
	var l cell.Line
	l.Own(cell.Fg(themes.Muted), pad(name, 10)).Text(cell.Fg(themes.Text), text)
	return l
}

func pad(s string, n int) string { return s + strings.Repeat(" ", max(n-len(s), 1)) }

// forms are the ways in which something can be copied, in their order, those
// among them that do not fit it.
func (a *App) forms(t taken) []form {
	v := t.parsed()
	noJSON := ""
	if v.IsZero() {
		noJSON = "it is no JSON"
	}
	value := form{letter: "v", name: "value", build: t.copy, size: len(t.value)}
	if t.text != "" {
		value.about = "a file gets the bytes"
	}
	pointer := form{letter: "p", name: "pointer", about: pointerWords(t.pointer), build: asText(func() string { return t.pointer }, "txt")}
	if !t.placed {
		pointer.why = "only for a value within JSON"
	}
	line := form{letter: "l", name: "line", about: "as it came, one line", size: len(t.line), build: func() clip.Copy { return plainCopy(t.line, "json") }}
	if len(t.line) == 0 {
		line.why = "it stands in no line"
	}
	all := []form{value, pointer, line,
		{letter: "j", name: "pretty", about: "indented JSON", why: noJSON, build: func() clip.Copy { return plainCopy(export.Pretty(v), "json") }},
		{letter: "c", name: "compact", about: "JSON on one line", why: noJSON, build: func() clip.Copy { return plainCopy(export.Compact(v), "json") }},
	}
	all = append(all, a.commandForms(t)...)
	all = append(all, form{letter: "h", name: "hex", about: "offset, bytes, text", build: asText(func() string { return export.Hex(t.value, 0) }, "txt")}, a.reportForm())
	if a.at == inExplore && a.page == nil && a.focus == paneFindings {
		all = append(all, a.findingsForm())
	}
	return all
}

func pointerWords(p string) string {
	if p == "" {
		return "the whole answer"
	}
	const most = 36
	if len(p) > most {
		return "…" + strings.ToValidUTF8(p[len(p)-most:], "")
	}
	return p
}

// asText is a text that is made when it is asked for.
func asText(f func() string, ext string) func() clip.Copy {
	return func() clip.Copy { return plainCopy([]byte(f()), ext) }
}

// commandForms are commands for a shell.
func (a *App) commandForms(t taken) []form {
	wire := form{letter: "w", name: "wire", about: "printf … |  for a WASI runtime"}
	command := form{letter: "e", name: "command", about: "perch call …"}
	curl := form{letter: "u", name: "curl", about: "the request of this exchange"}
	s := a.session
	var run *record.Run
	if s != nil && s.bench != nil {
		run = s.shown
	}
	switch {
	case run == nil:
		wire.why, command.why = "no run yet", "no run yet"
	case len(run.Of(record.KindRequest)) == 0:
		wire.why = "nothing was sent in this run"
	default:
		wire.build = asText(func() string { return export.WASI(export.Requests(run), a.runtime(s)) }, "sh")
	}
	call := t.call
	if call == nil && run != nil {
		if b := run.Begin(); b.Kind == event.Call {
			call = &made{b.Tool, b.Arguments}
		} else {
			command.why = "only for a call"
		}
	}
	if call != nil {
		command.why, command.build = "", asText(func() string { return export.Perch(s.name, call.tool, call.args, a.flags()...) }, "sh")
	}
	if t.http == nil {
		curl.why = "only for an HTTP exchange"
	} else {
		curl.build = asText(func() string { return export.Curl(*t.http, nil) }, "sh")
	}
	return []form{wire, command, curl}
}

// runtime is how the package would be run elsewhere: with the folders that are
// the person's own, for perch's are gone when it ends.
func (a *App) runtime(s *session) export.Runtime {
	p, c := s.bench.Package, s.bench.Session.Config()
	var r export.Runtime
	switch p.Form {
	case pack.Folder:
		r.Module = filepath.Join(p.Path, abi.ModuleFile)
	case pack.Wasm:
		r.Module = p.Path
	}
	assets := c.Assets
	if assets == "" && p.Form == pack.Folder {
		assets = p.AssetsDir
	}
	for _, d := range []export.Dir{{Host: c.Volume, Guest: abi.VolumeRoot}, {Host: assets, Guest: abi.PackageDir}, {Host: c.Skills, Guest: abi.SkillsDir}} {
		if d.Host != "" {
			r.Dirs = append(r.Dirs, d)
		}
	}
	if report := s.bench.Session.Report(); report != nil {
		for _, i := range report.Imports {
			r.HTTP = r.HTTP || i.Module == abi.ModuleHTTP
		}
	}
	return r
}

func (a *App) flags() []string { return Flags(a.o.Bench.Flags) }

// Flags are the options that perch was started with, as perch call takes them.
func Flags(f settings.Flags) []string {
	var out []string
	for _, one := range []struct {
		name string
		text *string
	}{{"timeout", f.Timeout}, {"memory", f.Memory}, {"engine", f.Engine}, {"seed", f.Seed}, {"ca", f.CA},
		{"volume", f.Volume}, {"skills", f.Skills}, {"assets", f.Assets}} {
		if one.text != nil {
			out = append(out, "--"+one.name+"="+*one.text)
		}
	}
	for _, list := range []struct {
		name string
		all  []string
	}{{"allow", f.Allow}, {"route", f.Route}, {"credential", f.Credential}, {"mock", f.Mock}} {
		for _, text := range list.all {
			out = append(out, "--"+list.name+"="+text)
		}
	}
	return append(out, switches(f)...)
}

func switches(f settings.Flags) (out []string) {
	for _, one := range []struct {
		name string
		on   *bool
	}{{"data", f.Data}, {"strict", f.Strict}, {"force", f.Force}} {
		if one.on != nil && *one.on {
			out = append(out, "--"+one.name)
		} else if one.on != nil {
			out = append(out, "--"+one.name+"=false")
		}
	}
	if f.Trust {
		out = append(out, "--trust")
	}
	return out
}

// findingsForm is all that was found in the run that is shown.
func (a *App) findingsForm() form {
	out := form{letter: "a", name: "findings", about: "all of this run, as text", why: "nothing found in this run"}
	s := a.session
	if s == nil || s.shown == nil {
		return out
	}
	all := a.foundIn(s.shown).Own
	if len(all) == 0 {
		return out
	}
	source := s.bench.Source
	out.why = ""
	out.build = asText(func() string { return export.Findings(all, source) }, "txt")
	return out
}

// reportForm is the report of the call that is shown.
func (a *App) reportForm() form {
	out := form{letter: "m", name: "report", about: "Markdown: call, answer, findings", why: "only for a call"}
	s := a.session
	if s == nil || s.bench == nil || s.shown == nil || s.shown.Begin().Kind != event.Call {
		return out
	}
	if a.live(s.shown) {
		out.why = "the call goes on"
		return out
	}
	c := a.knownCall(s.shown)
	about := s.bench.About()
	source := s.bench.Source
	out.why = ""
	out.build = asText(func() string {
		return export.Report(export.Call{Package: about, Name: s.name, Run: c.Run, Model: c.Model, Findings: c.Findings, Source: source})
	}, "md")
	return out
}

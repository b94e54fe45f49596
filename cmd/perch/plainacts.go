package main

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"

	"perch/engine/disk"
	"perch/engine/egress"
	"perch/engine/event"
	"perch/inspect/bench"
	"perch/inspect/compare"
	"perch/inspect/export"
	"perch/inspect/record"
	"perch/inspect/rules"
	"perch/ui"
)

// plainAct is something that can be done after a call, by a word.
type plainAct struct {
	words string // the word, and what it takes
	about string
	do    func(p *plain, ctx context.Context, rest string) error
}

// plainActs are the acts after a call, in the order in which help lists them.
func plainActs() []plainAct {
	told := func(f func(*plain, string)) func(*plain, context.Context, string) error {
		return func(p *plain, _ context.Context, rest string) error {
			f(p, rest)
			return nil
		}
	}
	run := func(f func(*plain, *record.Run)) func(*plain, context.Context, string) error {
		return told(func(p *plain, _ string) { f(p, p.last.Run) })
	}
	return []plainAct{
		{"again [N]", "runs the same call again, N times or until one fails", (*plain).again},
		{"wire", "lists the lines to and from the module", run((*plain).wireLines)},
		{"stderr", "lists what the module logged", run((*plain).stderrLines)},
		{"http", "lists the requests of the module", run(func(p *plain, r *record.Run) {
			p.events(r, "No HTTP in this call.", p.httpLine, record.KindHTTPAnswer)
		})},
		{"files", "lists what was done to files", run(func(p *plain, r *record.Run) {
			p.events(r, "No file was touched in this call.", fileLine, record.KindFile)
		})},
		{"result", "prints the result as JSON", told(func(p *plain, _ string) { p.result() })},
		{"findings", "lists what was found in the call and the package", told(func(p *plain, _ string) {
			p.findings(append(p.last.Findings[:len(p.last.Findings):len(p.last.Findings)], p.u.Findings...))
		})},
		{"rule ID", "explains a rule", told((*plain).rule)},
		{"history", "lists the calls of this session", told(func(p *plain, _ string) { p.history() })},
		{"show N", "makes call N the one that the streams are of", told((*plain).showCall)},
		{"compare [N]", "compares with call N, or with the one before", told((*plain).compare)},
		{"allow HOST", "allows a host for this session; again then runs with it", told((*plain).allow)},
		{"preset [save|remove] NAME", "saves the arguments, lists or removes what was saved", told((*plain).preset)},
		{"as FORM [FILE]", "prints the call as command, wire, json, report or findings, or writes it to a file", told((*plain).as)},
		{"package", "tells of the package and its tools", told(func(p *plain, _ string) { p.ofPackage("package") })},
		{"settings", "lists the settings and where they come from", told(func(p *plain, _ string) { p.ofPackage("settings") })},
		{"reload", "opens the package anew, as it lies on disk now", func(p *plain, ctx context.Context, _ string) error { return p.reload(ctx) }},
		{"build", "builds the package by the command in perch.toml, when that is trusted", func(p *plain, ctx context.Context, _ string) error { return p.build(ctx) }},
		{"open PATH", "opens another package", func(p *plain, ctx context.Context, rest string) error { return p.reopen(ctx, rest) }},
		{"edit", "changes the arguments", nil},
		{"tool", "chooses another tool", nil},
		{"quit", "ends perch", nil},
	}
}

func (x plainAct) word() string {
	word, _, _ := strings.Cut(x.words, " ")
	return word
}

// act does one act by its word.
func (p *plain) act(ctx context.Context, word, rest string) error {
	var words []string
	if word == "r" {
		word = "again"
	}
	for _, x := range plainActs() {
		if x.word() == word && x.do != nil {
			return x.do(p, ctx, rest)
		}
		words = append(words, x.word())
	}
	if word != "help" && word != "?" {
		p.say("There is no %s here.%s help lists what there is.", word, meant(word, words))
		return nil
	}
	for _, x := range plainActs() {
		p.say("%s: %s.", x.words, x.about)
	}
	return nil
}

// mostAgain is how many times a call is run again at most.
const mostAgain = 1000

func (p *plain) again(ctx context.Context, rest string) error {
	n := 1
	if rest != "" {
		var err error
		if n, err = strconv.Atoi(rest); err != nil || n < 1 || n > mostAgain {
			p.say("again takes a number from 1 to %d.", mostAgain)
			return nil
		}
	}
	for i := 1; i <= n; i++ {
		if n > 1 {
			p.say("run %d of %d.", i, n)
		}
		if err := p.call(ctx); err != nil {
			return err
		}
		if n > 1 && p.last.Result.Outcome != event.OK {
			p.say("It ended after %d of %d: this one is not ok.", i, n)
			return nil
		}
	}
	return nil
}

func (p *plain) result() {
	a := p.last.Result.Answer
	if a == nil {
		p.say("There was no answer.")
		return
	}
	p.say("%s", strings.TrimRight(string(export.Pretty(a.Result)), "\n"))
}

func (p *plain) rule(id string) {
	one, is := ruleNamed([]string{id})
	if !is {
		p.say("%v.", noRule([]string{id}))
		return
	}
	about, _ := rules.WordsOf(one.ID)
	p.say("%s", strings.TrimRight(p.safe.Rule(one, about), "\n"))
}

func (p *plain) history() {
	for i, c := range p.calls {
		p.say("%d: %s %s: %s.", i+1, c.Tool, bounded(strings.Join(strings.Fields(string(c.Run.Begin().Arguments)), " "), 60), outcomeLine(p.safe, c))
	}
}

// numbered is the call that a number names.
func (p *plain) numbered(rest string) (bench.Call, bool) {
	n, err := strconv.Atoi(rest)
	if err != nil || n < 1 || n > len(p.calls) {
		p.say("There are calls 1 to %d; history lists them.", len(p.calls))
		return bench.Call{}, false
	}
	return p.calls[n-1], true
}

func (p *plain) showCall(rest string) {
	c, ok := p.numbered(rest)
	if !ok {
		return
	}
	p.last, p.args = &c, c.Run.Begin().Arguments
	p.say("Call %s of %s is shown; again runs it.", rest, c.Tool)
}

func (p *plain) compare(rest string) {
	at := slices.IndexFunc(p.calls, func(c bench.Call) bool { return c.Run == p.last.Run })
	if rest == "" {
		if at < 1 {
			p.say("There is no call before this one.")
			return
		}
		rest = strconv.Itoa(at)
	}
	other, ok := p.numbered(rest)
	if !ok {
		return
	}
	of := func(c bench.Call) compare.Call { return compare.Call{Run: c.Run, Model: c.Model, Findings: c.Findings} }
	all := compare.Calls(of(other), of(*p.last))
	if compare.SameInAll(all) {
		p.say("Call %s and this one are the same by value.", rest)
	}
	for _, s := range all {
		if s.None || len(s.Rows) == 0 {
			continue
		}
		p.say("%s: %d differences.", s.Part, len(s.Rows)+s.More)
		for _, r := range s.Rows {
			p.say("  %s, %s: %s, now %s", r.Kind, r.Where, orWord(r.A, "nothing"), orWord(r.B, "nothing"))
		}
	}
}

func orWord(s, none string) string {
	if s == "" {
		return none
	}
	return s
}

// allow lets a host through for this session.
func (p *plain) allow(host string) {
	if host == "" {
		p.say("allow takes a host: allow api.example.com.")
		return
	}
	policy := p.b.Session.Config().Egress
	policy.Allow = append(slices.Clone(policy.Allow), egress.HostRule{Text: strings.ToLower(host), Source: "allowed by you, for this session"})
	p.b.Session.SetPolicy(policy)
	p.say("%s is allowed for this session. again runs the call with it.", host)
}

// preset lists, takes, saves and removes saved arguments.
func (p *plain) preset(rest string) {
	verb, name, _ := strings.Cut(rest, " ")
	name = strings.TrimSpace(name)
	dir := ui.StateDir()
	var path string
	var err error
	switch {
	case verb == "save" && name != "":
		if path, err = p.b.SavePreset(dir, p.tool.Name, name, p.args); err == nil {
			p.say("Saved %s in %s.", name, path)
		}
	case verb == "remove" && name != "":
		if path, err = p.b.RemovePreset(dir, p.tool.Name, name); err == nil {
			p.say("Removed %s from %s.", name, path)
		}
	default:
		f, failed := p.b.Presets(dir)
		if err = failed; err != nil {
			break
		}
		if one, ok := f.Get(p.tool.Name, rest); ok {
			p.args = one.Args
			p.say("Taken: %s.", rest)
			return
		}
		var names []string
		for _, one := range f.Presets(p.tool.Name) {
			names = append(names, one.Name)
		}
		if len(names) == 0 {
			p.say("Nothing is saved for %s. preset save NAME saves what is sent.", p.tool.Name)
			return
		}
		p.say("Saved: %s.%s", strings.Join(names, ", "), meant(rest, names))
	}
	if err != nil {
		p.say("%v.", err)
	}
}

// as prints the call in one of the forms that can be copied in the app.
func (p *plain) as(rest string) {
	form, file, _ := strings.Cut(rest, " ")
	c := p.last
	text := ""
	switch form {
	case "command":
		text = export.Perch(p.b.Name, c.Tool, c.Run.Begin().Arguments, ui.Flags(p.flags)...)
	case "wire":
		text = export.WASI(export.Requests(c.Run), export.Runtime{Module: p.b.Package.Path})
	case "json":
		if c.Result.Answer != nil {
			text = string(export.Pretty(c.Result.Answer.Result))
		}
	case "findings":
		text = export.Findings(c.Findings, p.b.Source)
	case "report":
		text = export.Report(export.Call{Package: p.b.About(), Name: p.b.Name, Run: c.Run, Model: c.Model, Findings: c.Findings, Source: p.b.Source})
	default:
		p.say("as takes command, wire, json, report or findings, and may take a file behind it.%s", meant(form, []string{"command", "wire", "json", "report", "findings"}))
		return
	}
	if file = strings.TrimSpace(file); file == "" {
		p.say("%s", strings.TrimRight(text, "\n"))
		return
	}
	if _, err := os.Lstat(file); err == nil {
		p.say("%s is there already, and was left as it is.", file)
		return
	}
	if err := disk.WriteFile(file, []byte(text)); err != nil {
		p.say("%v.", err)
		return
	}
	p.say("Wrote %d bytes to %s.", len(text), file)
}

// ofPackage tells of what is not of one call, and reports whether a word asks
// for that.
func (p *plain) ofPackage(answer string) bool {
	word, rest, _ := strings.Cut(answer, " ")
	switch word {
	case "rule":
		p.rule(strings.TrimSpace(rest))
	case "package":
		p.opened()
		for _, t := range p.u.Tools {
			p.say("%s: %s Takes %s.", t.Name, t.Description, orWord(signature(t), "nothing"))
		}
	case "settings":
		for _, line := range ui.SettingLines(p.b.Settings) {
			p.say("%s", line)
		}
	default:
		return false
	}
	return true
}

// reopen opens another package in place of this one.
func (p *plain) reopen(ctx context.Context, name string) error {
	if name == "" {
		p.say("open takes a path, or sample:NAME.")
		return nil
	}
	before := p.b
	b, err := p.app.open(ctx, name)
	if err != nil {
		p.say("%v. The package that was open stays so.", err)
		return nil
	}
	p.b, p.calls, p.last = b, nil, nil
	if err := before.Close(); err != nil {
		p.say("%v.", err)
	}
	return p.begin(ctx)
}

// bounded is a text as one line has room for it.
func bounded(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

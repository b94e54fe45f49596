package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wire"
	"perch/inspect/rules"
	"perch/inspect/toolsdiff"
	"perch/themes"
	"perch/ui/about"
	"perch/ui/cell"
	"perch/ui/rebuilt"
	"perch/ui/words"
)

// The tabs that the page of the package gets by a rebuild and by a build.
const (
	changesTab = "What changed"
	buildTab   = "Build"
)

// setTools shows the tools that an upload run listed. When the package was built
// again, each tells what became of it, and the selected one stays so.
func (a *App) setTools(s *session, now []wire.Tool) {
	r := &s.reload
	if !r.judging {
		a.tools.Set(now)
		r.before = now
		return
	}
	if t, ok := a.tools.Selected(); ok {
		r.tool = t.Name
	}
	if len(now) == 0 {
		a.tools.Renew(nil, nil)
		return
	}
	d := toolsdiff.Of(r.before, now)
	signs := map[int]string{}
	at := map[string][]string{}
	for _, t := range d.Tools {
		if t.Kind != toolsdiff.Gone {
			signs[t.Now.Index] = t.Kind.Sign()
			at[t.Name] = append(at[t.Name], t.Kind.Sign())
		}
	}
	r.diff, r.seen = &d, false
	a.tools.Renew(now, signs)
	a.tools.Select(r.tool)
	r.lost = a.args.Renew(r.before, now)
	r.before = now
}

// rebuilt says what became of a package that was built again and looked at, and
// makes the call that waits for it.
func (a *App) rebuilt(s *session) tea.Cmd {
	r := &s.reload
	if !r.judging {
		return nil
	}
	r.judging = false
	up := s.upload
	if up.Run != nil && a.at == inCheck {
		a.at = inExplore
	}
	a.showRebuilt(s)
	a.tellReload(s)
	if !up.Accepted() {
		r.queued = nil
		text := r.word + ", and refused: " + words.Plural(rules.Count(up.Findings, abi.Error), "error")
		if up.Run != nil && r.diff != nil && !r.diff.Same() {
			text += " · " + rebuilt.Counts(*r.diff)
		}
		return a.say(toast{text: text, bad: true})
	}
	if len(r.before) == 0 {
		return nil
	}
	tool, args, kept := r.afterwards(s)
	text := r.word + ": " + rebuilt.Counts(*r.diff)
	if r.diff.Same() {
		text = r.word + ", tools unchanged"
	}
	if r.lost > 0 {
		text += " · " + words.Plural(r.lost, "draft") + " with fields that are gone"
	} else if !r.diff.Same() {
		text += " · drafts are kept"
	}
	var call tea.Cmd
	switch {
	case tool == "":
		if !r.diff.Same() {
			text += " · i what changed"
		}
	case !kept:
		text += " · " + a.look.Text.Cut(a.look.Text.Line(tool), 32) + " is gone, so it is not run"
	default:
		text += " · runs " + a.look.Text.Cut(a.look.Text.Line(tool), 32)
		s.older = false
		call = a.callWith(tool, args, nil)
	}
	return tea.Batch(call, a.say(toast{text: text}))
}

// showRebuilt shows the upload run of a package that was built again where it is
// refused, or where no call is shown; and the call of before when it came right.
func (a *App) showRebuilt(s *session) {
	r, up := &s.reload, s.upload
	if up.Run == nil || s.older {
		return
	}
	call := s.shown != nil && s.shown.Begin().Kind == event.Call
	switch {
	case !up.Accepted():
		if call {
			r.showed = s.shown
		}
		a.showRun(up.Run)
	case !call && r.showed != nil && s.bench.Record.Run(r.showed.ID()) == r.showed:
		a.showRun(r.showed)
	case !call:
		a.showRun(up.Run)
	}
	if up.Accepted() {
		r.showed = nil
	}
	a.syncStreams()
}

// afterwards is the call that is made when a rebuilt package was looked at: the
// one that waits, else the last one, if that was asked for. kept says that its
// tool is still there.
func (r *reload) afterwards(s *session) (tool string, args []byte, kept bool) {
	switch q := r.queued; {
	case q != nil:
		tool, args, r.queued = q.tool, q.args, nil
	case r.rerun && r.last != "":
		tool, args = r.last, s.sent[r.last]
	}
	for _, t := range s.upload.Tools {
		kept = kept || t.Name == tool
	}
	return tool, args, kept
}

// tellReload says below the tools how the package on disk stands to the one that
// is open. It tells the time of day: how long ago it was would have to be drawn
// anew while nothing happens.
func (a *App) tellReload(s *session) {
	r := &s.reload
	var out []cell.Line
	add := func(role themes.Role, text string) {
		var l cell.Line
		out = append(out, *l.Blank(1).Own(cell.Fg(role), text))
	}
	switch {
	case r.next != nil:
		add(themes.Notice, "rebuilt: taken when")
		add(themes.Notice, "the run has ended")
	case r.fault != nil:
		add(themes.Error, "✗ not taken: i why")
	case r.judging:
		add(themes.Muted, r.word+" "+r.when.Format("15:04:05"))
		add(themes.Muted, "is looked at")
	case r.count > 0 && s.upload.Run != nil && r.diff != nil:
		add(themes.Muted, r.word+" "+r.when.Format("15:04:05"))
		if r.diff.Same() {
			add(themes.Muted, "tools unchanged")
		} else {
			add(themes.Changed, shortCounts(*r.diff))
		}
	case r.count > 0:
		add(themes.Muted, r.word+" "+r.when.Format("15:04:05"))
	}
	if r.rerun {
		add(themes.Notice, "then runs the call")
	}
	if s.building() {
		add(themes.Notice, "» building")
	}
	a.tools.Foot(out)
}

func shortCounts(d toolsdiff.Diff) string {
	var parts []string
	for _, x := range []struct {
		n    int
		word string
	}{{d.New, "new"}, {d.Changed, "changed"}, {d.Gone, "gone"}} {
		if x.n > 0 {
			parts = append(parts, words.Count(x.n)+" "+x.word)
		}
	}
	if text := strings.Join(parts, ", "); len(text) <= 20 {
		return text
	}
	return words.Count(d.New) + " +, " + words.Count(d.Changed) + " ~, " + words.Count(d.Gone) + " -"
}

// extraTabs are those of the page of the package.
func (a *App) extraTabs(s *session) []about.Extra {
	var out []about.Extra
	r := &s.reload
	if r.diff != nil || r.fault != nil {
		out = append(out, about.Extra{Name: changesTab, Version: func() int { return r.serial*2 + r.count }, Lines: func(k *cell.Look, w int) []cell.Line {
			about := rebuilt.Subject{When: r.when, Lost: r.lost}
			if r.diff != nil {
				about.Diff, about.Known = *r.diff, true
			}
			if r.fault != nil {
				about.Fault = r.fault.Error()
			}
			return rebuilt.Lines(k, about, w)
		}})
	}
	if r.build != nil {
		out = append(out, about.Extra{Name: buildTab, Version: func() int { return r.build.version() }, Lines: func(k *cell.Look, w int) []cell.Line {
			text, _ := r.build.out.Text()
			state, bad := r.build.state()
			return rebuilt.Output(k, r.build.command.String(), state, bad, text, w)
		}})
	}
	return out
}

func (a *App) whyNoChanges() string {
	switch s := a.session; {
	case s == nil || s.bench == nil:
		return "open a package first"
	case s.reload.diff == nil && s.reload.fault == nil:
		return "the package was not built again since it was opened"
	}
	return ""
}

func (a *App) openChanges() tea.Cmd { return a.openExtra(changesTab) }

func (a *App) openExtra(tab string) tea.Cmd {
	v := a.info(a.session)
	v.Show(tab)
	return a.openPage(v)
}

// firstLine is the first line of a text.
func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

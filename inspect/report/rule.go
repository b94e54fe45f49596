package report

import (
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/inspect/rules"
)

// Section is a part of what is said of a rule. It has either prose, which is
// wrapped by whoever shows it, or code, which stays as it is.
type Section struct {
	Title  string
	Text   string
	Code   []string
	Syntax string // of Code, as highlighters name it; empty for plain text
	Below  bool   // it belongs to the section before it
}

// Rule is what is said of a rule, in the order in which it is read.
func Rule(r abi.Rule, w rules.Words) []Section {
	all := []Section{
		{Title: "Rule", Text: w.Rule},
		{Title: "Found", Text: Does(r)},
		{Title: "Why", Text: w.Why},
		{Title: "Fix", Text: w.Fix},
	}
	for _, a := range w.Fixes {
		all = append(all, Section{Title: a.Language, Code: strings.Split(a.Text, "\n"), Syntax: a.Syntax(), Below: true})
	}
	return append(all,
		Section{Title: "Breaks it: " + w.Medium.String(), Code: strings.Split(w.Bad, "\n"), Syntax: w.Medium.Syntax()},
		Section{Title: "Keeps it", Code: strings.Split(w.Good, "\n"), Syntax: w.Medium.Syntax()},
		Section{Title: "Source", Text: w.Source})
}

// Does says what follows where a rule is found broken.
func Does(r abi.Rule) string {
	what := map[abi.Severity]string{abi.Error: "An error", abi.Warning: "A warning", abi.Notice: "A notice", abi.Info: "Shown only"}[r.Severity()]
	switch r.Effect() {
	case abi.Refuses:
		if r.Class != abi.ClassH {
			return what + ": refused by our limit; Subako's is not published."
		}
		return what + ": the package is refused."
	case abi.Breaks:
		return what + ": it breaks the call; in the upload run it refuses the package."
	}
	switch {
	case r.ID.Group() == "probe":
		return what + " of perch check --probe: not what Subako does at upload, so it decides nothing."
	case r.Class == abi.ClassM:
		return what + ": Subako does not look at it. With --strict it counts like an error in the exit status."
	case r.ID.Group() == "block":
		return what + ": the call goes on, and the model does without the block."
	case r.ID.Group() == "files" && r.Class == abi.ClassH:
		return what + ": the call goes on, and the module gets an errno."
	case r.ID.Group() == "http" && r.Class == abi.ClassH:
		return what + ": the call goes on, and the module is told in the answer or by a negative return."
	}
	return what + ": nothing is refused or broken by it."
}

// Effect is what a rule does in a word: refuses, breaks, shows.
func Effect(r abi.Rule) string {
	switch r.Effect() {
	case abi.Refuses:
		return "refuses"
	case abi.Breaks:
		return "breaks"
	}
	return "shows"
}

// Rule writes the page of a rule for a person.
func (s Style) Rule(r abi.Rule, w rules.Words) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", r.ID, s.severity(r.Severity(), s.Row(s.glyph(r.Severity())+" "+string(r.Severity()), Effect(r), w.Side.String())))
	const margin = "  "
	for _, p := range Rule(r, w) {
		indent := margin
		if p.Below {
			indent += margin
			fmt.Fprintf(&b, "%s%s\n", margin, p.Title)
		} else {
			fmt.Fprintf(&b, "\n%s\n", p.Title)
		}
		if p.Text != "" {
			s.wrappedAt(&b, indent, len(indent), s.ours(p.Text))
		}
		for _, line := range p.Code {
			b.WriteString(indent + s.codeLine(line) + "\n")
		}
	}
	return b.String()
}

// codeLine is a line of code as it is shown: tabs are four blanks wide.
func (s Style) codeLine(line string) string {
	return s.Safe.Line(s.ours(strings.ReplaceAll(line, "\t", "    ")))
}

// ours writes what our own texts have beside ASCII as ASCII where the locale is.
func (s Style) ours(text string) string {
	if !s.Safe.ASCII {
		return text
	}
	return strings.ReplaceAll(text, "…", "...")
}

// glyph is the sign of a severity.
func (s Style) glyph(v abi.Severity) string {
	switch v {
	case abi.Error:
		return s.sign("✗", "x")
	case abi.Warning:
		return s.sign("▲", "!")
	case abi.Notice:
		return s.sign("◇", "*")
	}
	return s.sign("·", ".")
}

// Rules lists rules for a person, by phase: two rows each, the id with what it
// does, and what it asks for.
func (s Style) Rules(all []abi.Rule) string {
	widest := 0
	for _, r := range all {
		widest = max(widest, len(r.ID))
	}
	var b strings.Builder
	for i, r := range all {
		if i == 0 || all[i-1].Phase != r.Phase {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(phaseInWords(r.Phase) + "\n")
		}
		w, _ := rules.WordsOf(r.ID)
		mark := fmt.Sprintf("%s %-7s", s.glyph(r.Severity()), r.Severity())
		fmt.Fprintf(&b, "  %-*s  %s  %-7s  %s\n", widest, r.ID, s.severity(r.Severity(), mark), Effect(r), w.Side)
		s.wrappedAt(&b, "      ", 6, s.ours(w.Rule))
	}
	return b.String()
}

// phaseInWords says when the rules of a phase are looked at.
func phaseInWords(phase string) string {
	switch phase {
	case "package":
		return "package: what is uploaded"
	case "module":
		return "module: the WebAssembly binary"
	case "wire":
		return "wire: each line on stdout"
	case "discover":
		return "discover: the answer to " + abi.MethodDiscover
	case "list":
		return "list: the answers to " + abi.MethodList
	case "call":
		return "call: the answer to " + abi.MethodCall
	case "life":
		return "life: from the start to the exit"
	case "files":
		return "files: the mounted folders"
	case "http":
		return "http: " + abi.ModuleHTTP
	case "probe":
		return "probe: what perch check --probe tries"
	}
	return phase
}

// RulesJSON is what is said of rules as one object.
func RulesJSON(all []abi.Rule) []byte {
	var l list
	for _, r := range all {
		w, _ := rules.WordsOf(r.ID)
		l.add(ruleJSON(r, w))
	}
	var o object
	o.open()
	o.raw("rules", l.close())
	return o.close()
}

func ruleJSON(r abi.Rule, w rules.Words) []byte {
	var o object
	o.open()
	o.text("id", string(r.ID))
	o.text("class", string(r.Class))
	o.text("phase", r.Phase)
	o.text("statement", r.Statement)
	o.text("why", w.Why)
	o.text("fix", fixText(w))
	o.text("source", w.Source)
	o.text("bad", w.Bad)
	o.text("good", w.Good)
	o.text("side", w.Side.String())
	o.text("severity", string(r.Severity()))
	o.text("effect", Effect(r))
	return o.close()
}

// fixText is the whole advice of a rule as one text: what holds for every
// language, then a line "C: …" for each, its further lines below.
func fixText(w rules.Words) string {
	var b strings.Builder
	b.WriteString(w.Fix)
	for _, a := range w.Fixes {
		sign := " "
		if strings.Contains(a.Text, "\n") {
			sign = "\n"
		}
		b.WriteString("\n" + a.Language + ":" + sign + a.Text)
	}
	return b.String()
}

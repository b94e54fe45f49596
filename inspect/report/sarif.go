package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/rules"
)

// The names of SARIF 2.1.0 that stand at the top of a log.
const (
	sarifVersion = "2.1.0"
	sarifSchema  = "https://json.schemastore.org/sarif-2.1.0.json"
)

// SARIF is the report of checks as one SARIF 2.1.0 log with one run.
type SARIF struct {
	Version string // of perch

	results   list
	artifacts artifacts
	prints    map[string]int // fingerprints, and how often there was each
	used      map[abi.RuleID]int
	rules     list
	problems  list // of packages that could not be checked, or not to the end
	unused    list // acceptances
}

// Bytes is the log of what was added.
func (s *SARIF) Bytes() []byte {
	var run object
	run.open()
	run.raw("tool", s.tool())
	run.raw("invocations", s.invocation())
	if len(s.artifacts.list.b) > 0 {
		run.raw("artifacts", s.artifacts.list.close())
	}
	run.raw("results", s.results.close())
	run.text("columnKind", "unicodeCodePoints")
	var o object
	o.open()
	o.text("$schema", sarifSchema)
	o.text("version", sarifVersion)
	o.raw("runs", one(run.close()))
	return o.close()
}

// one is a list of one element.
func one(v []byte) []byte {
	var l list
	l.add(v)
	return l.close()
}

// Add adds a package.
func (s *SARIF) Add(c Check) {
	switch {
	case c.Problem != "":
		s.problems.add(notification("error", c.problem()))
		return
	case c.Incomplete != "":
		s.problems.add(notification("error", c.Path+": "+c.Incomplete))
	}
	for _, f := range c.Findings {
		s.results.add(s.result(c, f))
	}
	for _, a := range c.Unused {
		s.unused.add(notification("note", c.Path+": accepted, but not found: "+acceptedRule(a)+inParens(a.From)))
	}
}

// notification is what is said of the check itself.
func notification(level, text string) []byte {
	var o object
	o.open()
	o.text("level", level)
	o.raw("message", message(text))
	return o.close()
}

// tool is perch with the rules that results name.
func (s *SARIF) tool() []byte {
	var driver object
	driver.open()
	driver.text("name", "perch")
	driver.text("version", s.Version)
	driver.text("semanticVersion", s.Version)
	if len(s.rules.b) > 0 {
		driver.raw("rules", s.rules.close())
	}
	var o object
	o.open()
	o.raw("driver", driver.close())
	return o.close()
}

// invocation says whether all packages could be checked to the end, and which
// could not.
func (s *SARIF) invocation() []byte {
	var o object
	o.open()
	o.raw("executionSuccessful", []byte(fmt.Sprint(len(s.problems.b) == 0)))
	if len(s.problems.b) > 0 {
		o.raw("toolExecutionNotifications", s.problems.close())
	}
	if len(s.unused.b) > 0 {
		o.raw("toolConfigurationNotifications", s.unused.close())
	}
	return one(o.close())
}

// rule is the place of a rule among those of the run.
func (s *SARIF) rule(id abi.RuleID) int {
	if at, ok := s.used[id]; ok {
		return at
	}
	if s.used == nil {
		s.used = make(map[abi.RuleID]int)
	}
	at := len(s.used)
	s.used[id] = at
	s.rules.add(descriptor(abi.RuleOf(id)))
	return at
}

// descriptor is what is said of a rule.
func descriptor(r abi.Rule) []byte {
	var o object
	o.open()
	o.text("id", string(r.ID))
	w, ok := rules.WordsOf(r.ID)
	o.raw("shortDescription", message(cmp.Or(w.Rule, r.Statement)))
	if ok {
		o.raw("fullDescription", message(w.Why))
		text, markdown := help(r, w)
		var h object
		h.open()
		h.text("text", text)
		h.text("markdown", markdown)
		o.raw("help", h.close())
	}
	var configuration object
	configuration.open()
	configuration.text("level", level(r.Severity()))
	o.raw("defaultConfiguration", configuration.close())
	var properties object
	properties.open()
	var tags list
	for _, t := range []string{r.ID.Group(), rules.Of(event.Breach{Rule: r.ID}).Side().String()} {
		var quoted object
		quoted.string(t)
		tags.add(quoted.b)
	}
	properties.raw("tags", tags.close())
	if ok {
		properties.text("source", w.Source)
	}
	o.raw("properties", properties.close())
	return o.close()
}

// help is what a rule's words say on how to keep it, as text and as Markdown.
// All of it is ours: nothing of a module stands in there.
func help(r abi.Rule, w rules.Words) (text, markdown string) {
	var t, m strings.Builder
	say := func(plain, marked string) {
		t.WriteString(plain + "\n")
		m.WriteString(marked + "\n\n")
	}
	say(w.Fix, w.Fix)
	code := func(name, text string) {
		if text != "" {
			say("\n"+name+":\n"+text, "**"+name+"**\n\n```\n"+text+"\n```")
		}
	}
	for _, a := range w.Fixes {
		code(a.Language, a.Text)
	}
	code("breaks it", w.Bad)
	code("keeps it", w.Good)
	say("\n"+w.Source+". More: perch rules "+string(r.ID), w.Source+". More: `perch rules "+string(r.ID)+"`")
	return strings.TrimSpace(t.String()), strings.TrimSpace(m.String())
}

// level is a severity as SARIF names it.
func level(s abi.Severity) string {
	switch s {
	case abi.Error, abi.Warning:
		return string(s)
	case abi.Notice:
		return "note"
	}
	return "none"
}

// message is a text of SARIF. Viewers make links of [text](address): what a
// module wrote must not.
func message(text string) []byte {
	var o object
	o.open()
	o.text("text", strings.ReplaceAll(text, "](", "] ("))
	return o.close()
}

func (s *SARIF) result(c Check, f rules.Finding) []byte {
	var o object
	o.open()
	o.text("ruleId", string(f.Rule))
	o.number("ruleIndex", int64(s.rule(f.Rule)))
	o.text("level", level(f.Severity))
	if f.Severity == abi.Info {
		o.text("kind", "informational")
	}
	o.raw("message", message(resultText(f)))
	if l := s.location(c, f.Where, f); l != nil {
		o.raw("locations", one(l))
	}
	if len(f.Stack) > 0 {
		o.raw("stacks", one(s.stack(c, f)))
	}
	if related := s.related(c, f); related != nil {
		o.raw("relatedLocations", related)
	}
	var prints object
	prints.open()
	prints.text("perch/v1", s.fingerprint(c, f))
	o.raw("partialFingerprints", prints.close())
	if f.Accepted != "" {
		var by object
		by.open()
		by.text("kind", "external")
		by.text("status", "accepted")
		by.text("justification", f.Accepted)
		o.raw("suppressions", one(by.close()))
	}
	o.raw("properties", resultProperties(c, f))
	return o.close()
}

// resultText is all that is said of a finding but where it is.
func resultText(f rules.Finding) string {
	parts := []string{f.Title, Rest(f), whose(f)}
	if f.Fix != "" {
		parts = append(parts, "Fix: "+f.Fix)
	}
	kept := parts[:0]
	for _, p := range parts {
		if p != "" {
			kept = append(kept, (Style{}).line(strings.ReplaceAll(p, "\n", " ")))
		}
	}
	return strings.Join(kept, "\n")
}

func resultProperties(c Check, f rules.Finding) []byte {
	var o object
	o.open()
	o.text("package", c.Path)
	o.text("side", f.Side().String())
	if f.Run != "" {
		o.text("run", string(f.Run))
	}
	if f.Tool != "" {
		o.text("tool", f.Tool)
	}
	if f.Where.Pointer != "" {
		o.text("pointer", f.Where.Pointer)
	}
	if f.Cause != "" {
		o.text("cause", f.Cause)
	}
	if f.Follows {
		o.raw("follows", []byte("true"))
	}
	return o.close()
}

// fingerprint is the same for the same finding after the module was built
// again: it holds no offsets.
func (s *SARIF) fingerprint(c Check, f rules.Finding) string {
	pointer := f.Where.Pointer
	if _, rest, ok := strings.Cut(pointer, "/result/tools/"); ok && f.Tool != "" {
		_, pointer, _ = strings.Cut(rest, "/") // the tool's name stands for its place
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{c.Path, string(f.Rule), string(f.Run), f.Tool, pointer, f.Where.Section, f.Where.Name}, "\x00")))
	text := hex.EncodeToString(sum[:16])
	if s.prints == nil {
		s.prints = make(map[string]int)
	}
	s.prints[text]++
	return fmt.Sprintf("%s:%d", text, s.prints[text])
}

// MostEmbedded is how much of a stream a SARIF log holds, in bytes.
const MostEmbedded = 64 << 10

// embedded is the content of an artifact that lies nowhere: the text, or the
// bytes where they are none.
func embedded(b []byte) []byte {
	b = b[:min(len(b), MostEmbedded)]
	for back := 0; back < utf8.UTFMax && len(b) > 0 && len(b) == MostEmbedded && !utf8.Valid(b[max(0, len(b)-utf8.UTFMax):]); back++ {
		b = b[:len(b)-1] // a character that was cut
	}
	var o object
	o.open()
	if utf8.Valid(b) {
		o.text("text", string(b))
	} else {
		o.text("binary", base64.StdEncoding.EncodeToString(b))
	}
	return o.close()
}

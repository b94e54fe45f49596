package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/inspect/rules"
	"perch/inspect/safe"
)

// JUnit is the report of checks as JUnit XML: a suite for each package, and in
// it a case for what Subako would do and one for each rule that was looked at.
// A case fails when the package's gate says so; a rule whose findings are
// accepted is skipped. Times are 0, so that equal checks give equal reports.
type JUnit struct {
	suites                  xmlWriter
	tests, failures, errors int
}

// Add adds a package.
func (j *JUnit) Add(c Check) {
	s := suiteOf(c)
	j.tests, j.failures, j.errors = j.tests+s.tests, j.failures+s.failures, j.errors+s.errors
	j.suites.deep = 1
	s.write(&j.suites)
}

// Bytes is the report of what was added.
func (j *JUnit) Bytes() []byte {
	var x xmlWriter
	x.WriteString(xml.Header)
	x.open("testsuites", "name", "perch check", "tests", fmt.Sprint(j.tests), "failures", fmt.Sprint(j.failures), "errors", fmt.Sprint(j.errors), "time", "0")
	x.Write(j.suites.Bytes())
	x.close("testsuites")
	return bytes.TrimSuffix(x.Bytes(), []byte("\n"))
}

// suite is what JUnit is told of a package.
type suite struct {
	check                            Check
	cases                            []testCase
	tests, failures, errors, skipped int
}

// testCase is what JUnit is told of a rule. The first of its texts that is not
// empty says how it went; none: it passed.
type testCase struct {
	name            string
	skipped         string
	problem         string // it could not be looked at
	failure, detail string // title, and all of it
	out             string
}

func suiteOf(c Check) suite {
	s := suite{check: c}
	if c.Problem != "" {
		s.add(testCase{name: verdictCase, problem: c.Problem})
		return s
	}
	verdict := testCase{name: verdictCase, out: Style{}.Verdicts(c)}
	if !c.Accepted {
		subako, _ := c.verdicts()
		verdict.failure, verdict.detail, verdict.out = "Subako "+subako, verdict.out, ""
	}
	s.add(verdict)
	if c.Incomplete != "" {
		s.add(testCase{name: "completeness", problem: c.Incomplete})
	}
	found := make(map[abi.RuleID][]rules.Finding)
	for _, f := range c.Findings {
		found[f.Rule] = append(found[f.Rule], f)
	}
	for _, r := range abi.Rules() {
		switch {
		case len(found[r.ID]) > 0:
			s.add(caseOf(r.ID, found[r.ID], c.Source, c.Gate))
		case rules.InCheck(r, c.Ran, c.Probed):
			s.add(testCase{name: string(r.ID)})
		case rules.InCheck(r, true, c.Probed):
			s.add(testCase{name: string(r.ID), skipped: "not looked at: the module was not run"})
		}
	}
	return s
}

// verdictCase is the case for what Subako would do, beside those of the rules.
const verdictCase = "verdict"

// caseOf is the case of a rule that was found not to be kept.
func caseOf(id abi.RuleID, all []rules.Finding, src Source, gate rules.Gate) testCase {
	t := testCase{name: string(id)}
	failing := gate.Failing(all)
	text := strings.TrimSuffix(Style{}.Findings(all, src), "\n")
	if len(failing) == 0 {
		t.out = text
		if open := rules.NotAccepted(all); len(open) == 0 {
			t.skipped = "accepted: " + all[0].Accepted
		}
		return t
	}
	t.failure, t.detail = failing[0].Title, text
	if n := len(failing) - 1; n > 0 {
		t.failure += fmt.Sprintf(" (and %d more)", n)
	}
	return t
}

func (s *suite) add(t testCase) {
	s.cases = append(s.cases, t)
	s.tests++
	switch {
	case t.problem != "":
		s.errors++
	case t.failure != "":
		s.failures++
	case t.skipped != "":
		s.skipped++
	}
}

func (s suite) write(x *xmlWriter) {
	c := s.check
	x.open("testsuite", "name", c.Path, "tests", fmt.Sprint(s.tests), "failures", fmt.Sprint(s.failures),
		"errors", fmt.Sprint(s.errors), "skipped", fmt.Sprint(s.skipped), "time", "0")
	if c.Problem == "" {
		x.open("properties")
		for _, p := range [][2]string{{"package", c.Package.Name}, {"abi", c.Package.ABI}, {"sha256", c.Package.SHA256}, {"toolchain", c.Package.Toolchain}} {
			x.empty("property", "name", p[0], "value", p[1])
		}
		x.close("properties")
	}
	for _, t := range s.cases {
		t.write(x, c.Path)
	}
	if len(c.Unused) > 0 {
		x.text("system-out", Style{}.unused(c.Unused))
	}
	if len(c.Stderr) > 0 {
		x.text("system-err", safe.Text(string(c.Stderr)))
	}
	x.close("testsuite")
}

func (t testCase) write(x *xmlWriter, class string) {
	attributes := []string{"classname", class, "name", t.name, "time", "0"}
	if t.skipped+t.problem+t.failure+t.out == "" {
		x.empty("testcase", attributes...)
		return
	}
	x.open("testcase", attributes...)
	switch {
	case t.problem != "":
		x.text("error", t.problem, "message", t.problem)
	case t.failure != "":
		x.text("failure", t.detail, "message", t.failure, "type", t.name)
	case t.skipped != "":
		x.text("skipped", t.skipped)
	}
	if t.out != "" {
		x.text("system-out", t.out)
	}
	x.close("testcase")
}

// xmlWriter writes elements, an element a line. Texts are made safe to show:
// XML cannot hold every character, and reports are read on terminals.
type xmlWriter struct {
	bytes.Buffer
	deep int
}

func (x *xmlWriter) tag(name string, attributes []string) {
	x.WriteString(strings.Repeat("  ", x.deep) + "<" + name)
	for i := 0; i+1 < len(attributes); i += 2 {
		x.WriteString(" " + attributes[i] + `="`)
		x.escape(attributes[i+1])
		x.WriteString(`"`)
	}
}

func (x *xmlWriter) open(name string, attributes ...string) {
	x.tag(name, attributes)
	x.WriteString(">\n")
	x.deep++
}

func (x *xmlWriter) close(name string) {
	x.deep--
	x.WriteString(strings.Repeat("  ", x.deep) + "</" + name + ">\n")
}

func (x *xmlWriter) empty(name string, attributes ...string) {
	x.tag(name, attributes)
	x.WriteString("/>\n")
}

func (x *xmlWriter) text(name, text string, attributes ...string) {
	x.tag(name, attributes)
	x.WriteString(">")
	x.escapeLines(text)
	x.WriteString("</" + name + ">\n")
}

// escapeLines is escape for text between tags, where line ends may stand.
func (x *xmlWriter) escapeLines(text string) {
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if i > 0 {
			x.WriteByte('\n')
		}
		x.escape(line)
	}
}

func (x *xmlWriter) escape(text string) {
	_ = xml.EscapeText(&x.Buffer, []byte(safe.Text(text))) // a buffer takes all
}

package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"perch/engine/abi"
	"perch/inspect/bench"
	"perch/inspect/safe"
	"perch/samples/mischief"
)

// mischiefName is the sample with the cases.
const mischiefName = "mischief"

// listCases prints the cases of mischief under the rules that they break, in the
// order of the ledger: those that hold all these words.
func (a *app) listCases(words []string) error {
	cases := casesWith(words)
	if len(cases) == 0 {
		return &exitError{exitUsage, fmt.Errorf("no case of %s%s holds %s: perch samples %s lists all",
			bench.SamplePrefix, mischiefName, strings.Join(words, " "), mischiefName)}
	}
	if a.json {
		return a.casesObject(cases)
	}
	mode := textStyle(a.out).Safe
	fmt.Fprintf(a.out, "%s", mode.Text(fmt.Sprintf(
		"Each breaks one rule, and shows what would have been written to get there.\n"+
			"Call one:                    perch call %[1]s NAME\n"+
			"Those with a colon are       perch check %[1]s:NAME\n"+
			"packages of their own:       perch call %[1]s:NAME %[2]s\n", bench.SamplePrefix+mischiefName, mischief.ActTool)))
	rule := "-"
	for _, c := range cases {
		if c.Rule != rule {
			rule = c.Rule
			fmt.Fprintf(a.out, "\n%s\n", ruleHeading(c))
		}
		for _, line := range caseLines(c) {
			fmt.Fprintln(a.out, mode.Line(line))
		}
	}
	return nil
}

// casesWith are the cases that can be opened and hold all these words, sorted
// by the rules of the ledger.
func casesWith(words []string) []mischief.Case {
	order := make(map[string]int)
	for i, r := range abi.Rules() {
		order[string(r.ID)] = i - len(abi.Rules())
	}
	var cases []mischief.Case
	for _, c := range mischief.Cases() {
		text := strings.ToLower(strings.Join([]string{shortName(c), c.Rule, c.Also, comesTo(c), c.Does, c.WouldWrite}, " "))
		if c.Kind != mischief.Archive && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, strings.ToLower(w)) }) {
			cases = append(cases, c)
		}
	}
	slices.SortStableFunc(cases, func(a, b mischief.Case) int { return order[a.Rule] - order[b.Rule] })
	return cases
}

func ruleHeading(c mischief.Case) string {
	if c.Rule == "" {
		return "breaks no rule, although it looks odd"
	}
	return c.Rule
}

// shortName is what the case is called behind sample:mischief.
func shortName(c mischief.Case) string {
	if c.Kind == mischief.Tool {
		return c.Name
	}
	return ":" + c.Name
}

// comesTo is what the case comes to, in two words.
func comesTo(c mischief.Case) string {
	what := map[mischief.Kind]string{mischief.Tool: "call", mischief.Call: "call", mischief.Upload: "upload", mischief.Probe: "probe"}[c.Kind]
	if c.Kind == mischief.Probe {
		return what + " fails"
	}
	return what + " " + strings.ReplaceAll(c.Outcome, "_", " ")
}

// caseLines say what a case does, and what would have been written to get there.
func caseLines(c mischief.Case) []string {
	const width, column, indent = 80, 39, "      "
	does := c.Does
	if c.Also != "" {
		does += " Also: " + c.Also
	}
	var lines []string
	for i, line := range safe.Wrap(does, width-column) {
		if i == 0 {
			lines = append(lines, fmt.Sprintf("  %-20s %-15s %s", shortName(c), comesTo(c), line))
		} else {
			lines = append(lines, strings.Repeat(" ", column)+line)
		}
	}
	for _, line := range safe.Wrap(c.WouldWrite, width-len(indent)) {
		lines = append(lines, indent+line)
	}
	return lines
}

// casesObject is the list of cases for programs.
func (a *app) casesObject(cases []mischief.Case) error {
	type entry struct {
		Name       string `json:"name"`
		Open       string `json:"open"`
		Tool       string `json:"tool,omitempty"`
		Rule       string `json:"rule,omitempty"`
		Also       string `json:"also,omitempty"`
		ComesTo    string `json:"comesTo"`
		Does       string `json:"does"`
		WouldWrite string `json:"wouldWrite"`
	}
	var list struct {
		Cases []entry `json:"cases"`
	}
	for _, c := range cases {
		open := bench.SamplePrefix + mischiefName
		if c.Kind != mischief.Tool {
			open += ":" + c.Name
		}
		list.Cases = append(list.Cases, entry{c.Name, open, c.Tool(), c.Rule, c.Also, comesTo(c), c.Does, c.WouldWrite})
	}
	text, err := json.Marshal(list)
	if err != nil {
		return fmt.Errorf("write the list of cases: %w", err)
	}
	a.object(text)
	return nil
}

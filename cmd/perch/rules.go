package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"perch/engine/abi"
	"perch/engine/near"
	"perch/inspect/report"
	"perch/inspect/rules"
)

func newRules(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "rules [ID | WORD...]",
		Short: "The rules that packages and calls are checked by: list them, or explain one",
		Long: "Lists the rules, with what follows where one is broken, and whose word it is.\n" +
			"With words, the rules that have all of them: perch rules wire, perch rules life/.\n" +
			"With an id, what is said of that rule: why it matters, how to keep it in several\n" +
			"languages, an example that breaks it and one that keeps it.",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeRules,
	}
	c.RunE = func(_ *cobra.Command, words []string) error { return a.rules(words) }
	return c
}

// completeRules are the ids of rules, for the shell.
func completeRules(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	var ids []string
	for _, r := range abi.Rules() {
		if strings.HasPrefix(string(r.ID), typed) {
			about, _ := rules.WordsOf(r.ID)
			ids = append(ids, string(r.ID)+"\t"+about.Rule)
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

func (a *app) rules(words []string) error {
	one, is := ruleNamed(words)
	list := []abi.Rule{one}
	if !is {
		list = rulesWith(words)
	}
	if len(list) == 0 {
		return noRule(words)
	}
	style := textStyle(a.out)
	switch {
	case a.json:
		a.object(report.RulesJSON(list))
	case is:
		about, _ := rules.WordsOf(one.ID)
		fmt.Fprint(a.out, style.Rule(one, about))
	default:
		fmt.Fprint(a.out, style.Rules(list))
		fmt.Fprintf(a.out, "\n%s. One in full: perch rules %s\n", amountOfRules(len(list)), list[0].ID)
	}
	return nil
}

func amountOfRules(n int) string {
	if n == 1 {
		return "1 rule"
	}
	return fmt.Sprintf("%d rules", n)
}

// ruleNamed is the rule whose id is all that was asked for.
func ruleNamed(words []string) (abi.Rule, bool) {
	if len(words) != 1 {
		return abi.Rule{}, false
	}
	all := abi.Rules()
	i := slices.IndexFunc(all, func(r abi.Rule) bool { return strings.EqualFold(string(r.ID), words[0]) })
	if i < 0 {
		return abi.Rule{}, false
	}
	return all[i], true
}

// rulesWith are the rules that have every word in their row of the list or in
// why they matter; those with a phase or group of that name, if it is one.
func rulesWith(words []string) []abi.Rule {
	return slices.DeleteFunc(abi.Rules(), func(r abi.Rule) bool {
		return slices.ContainsFunc(words, func(word string) bool { return !hasWord(r, strings.ToLower(word)) })
	})
}

func hasWord(r abi.Rule, word string) bool {
	if slices.ContainsFunc(abi.Rules(), func(r abi.Rule) bool { return r.Phase == word || r.ID.Group() == word }) {
		return r.Phase == word || r.ID.Group() == word
	}
	about, _ := rules.WordsOf(r.ID)
	row := strings.ToLower(strings.Join([]string{string(r.ID), r.Phase, string(r.Severity()), report.Effect(r),
		about.Side.String(), r.Statement, about.Rule}, "\n"))
	return strings.Contains(row, word)
}

// noRule tells that no rule has these words, and which id was meant.
func noRule(words []string) error {
	asked := strings.Join(words, " ")
	var ids []string
	for _, r := range abi.Rules() {
		ids = append(ids, string(r.ID))
	}
	if meant := near.Word(asked, ids); meant != "" {
		return usage("%q is no rule, and no rule has it in its words. Did you mean %s?", asked, meant)
	}
	return usage("%q is no rule, and no rule has it in its words. perch rules lists all of them", asked)
}

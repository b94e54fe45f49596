package main

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCasesOfMischief(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		has  []string
		not  []string
	}{
		{"all", nil, []string{"frame/json\n  log_line             call broken     Prints a log line", `fmt.Println("package ready", version)`,
			"schema/valid\n  :type_typo           upload ok", ":probe_end           probe fails", "breaks no rule"}, []string{"archive_parent"}},
		{"of a rule", []string{"life/stall"}, []string{"stall", "Reads the next line"}, []string{"log_line"}},
		{"of two words", []string{"upload", "trap"}, []string{":dead_start"}, []string{"divide"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, out, errs := perch(t, "", append([]string{"samples", "mischief"}, c.args...)...)
			if status != 0 || errs != "" {
				t.Fatalf("status %d, %s", status, errs)
			}
			for _, want := range c.has {
				if !strings.Contains(out, want) {
					t.Errorf("%q is not in\n%s", want, out)
				}
			}
			for _, not := range c.not {
				if strings.Contains(out, not) {
					t.Errorf("%q is in\n%s", not, out)
				}
			}
			for _, line := range strings.Split(out, "\n") {
				if n := utf8.RuneCountInString(line); n > 80 {
					t.Errorf("%d columns: %s", n, line)
				}
			}
		})
	}
}

func TestCasesForPrograms(t *testing.T) {
	status, out, _ := perch(t, "", "samples", "mischief", "id_twice", "--json")
	var got struct {
		Cases []struct{ Name, Open, Tool, Rule, ComesTo, Does, WouldWrite string }
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != 0 {
		t.Fatalf("status %d, %v: %s", status, err, out)
	}
	if len(got.Cases) != 1 || got.Cases[0].Open != "sample:mischief" || got.Cases[0].Rule != "rpc/id-twice" || got.Cases[0].WouldWrite == "" {
		t.Errorf("%+v", got)
	}
}

func TestNoSuchCase(t *testing.T) {
	for _, args := range [][]string{{"samples", "mischief", "nothing-like-it"}, {"samples", "greeter"}} {
		if status, _, errs := perch(t, "", args...); status != exitUsage || !strings.Contains(errs, "samples mischief") {
			t.Errorf("%v: status %d, %s", args, status, errs)
		}
	}
}

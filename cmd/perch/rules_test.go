package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"perch/engine/abi"
)

func TestRules(t *testing.T) {
	all := len(abi.Rules())
	for _, c := range []struct {
		name   string
		args   []string
		status int
		ids    int      // rules that are listed
		has    []string // parts of stdout
		err    []string // parts of stderr
	}{
		{name: "all", ids: all, has: []string{"package: what is uploaded\n", "\nprobe: ", "149 rules. One in full: perch rules package/manifest-missing\n"}},
		{name: "of a phase", args: []string{"wire"}, ids: phase("wire"), has: []string{"wire: each line on stdout\n", "frame/json"}},
		{name: "of a group", args: []string{"life/"}, ids: 11, has: []string{"life: from the start to the exit\n", "life/stall"}},
		{name: "of a severity and a word", args: []string{"warning", "image"}, ids: 2, has: []string{"block/image", "block/link-volume"}},
		{name: "in capitals", args: []string{"STDERR"}, ids: 1, has: []string{"life/stderr-tail"}},
		{name: "whose word it is", args: []string{"our reading", "breaks"}, ids: 3, has: []string{"frame/utf8", "frame/blank", "frame/bom"}},
		{name: "one", args: []string{"life/stall"}, has: []string{"life/stall  ✗ error · breaks · Subako\n", "\nWhy\n", "  Zig\n", "\nKeeps it\n"}},
		{name: "one in capitals", args: []string{"Life/Stall"}, has: []string{"life/stall  ✗ error"}},
		{name: "a slip", args: []string{"lief/stall"}, status: exitUsage, err: []string{`"lief/stall" is no rule`, "Did you mean life/stall?"}},
		{name: "another slip", args: []string{"frame/jsno"}, status: exitUsage, err: []string{"Did you mean frame/json?"}},
		{name: "nothing like it", args: []string{"zzz", "yyy"}, status: exitUsage, err: []string{`"zzz yyy" is no rule`, "perch rules lists all of them"}},
		{name: "a word too many", args: []string{"life/stall", "zzz"}, status: exitUsage, err: []string{"is no rule"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("LC_ALL", "C.UTF-8")
			status, out, errs := perch(t, "", append([]string{"rules"}, c.args...)...)
			if status != c.status {
				t.Errorf("status %d, want %d: %s", status, c.status, errs)
			}
			if c.ids > 0 {
				if n := len(listed(out)); n != c.ids {
					t.Errorf("%d rules are listed, want %d", n, c.ids)
				}
			}
			for _, part := range c.has {
				if !strings.Contains(out, part) {
					t.Errorf("stdout has no %q:\n%s", part, out)
				}
			}
			for _, part := range c.err {
				if !strings.Contains(errs, part) {
					t.Errorf("stderr has no %q: %s", part, errs)
				}
			}
			if c.status != 0 && out != "" {
				t.Errorf("stdout has %q", out)
			}
		})
	}
}

func phase(name string) int {
	n := 0
	for _, r := range abi.Rules() {
		if r.Phase == name {
			n++
		}
	}
	return n
}

// listed are the ids in the rows of a list.
func listed(out string) (ids []string) {
	for line := range strings.SplitSeq(out, "\n") {
		if strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "   ") {
			ids = append(ids, strings.Fields(line)[0])
		}
	}
	return ids
}

func TestRulesForPrograms(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []string // ids; nil: all
	}{
		{nil, nil},
		{[]string{"life/stall"}, []string{"life/stall"}},
		{[]string{"cache"}, []string{"cache/hints"}},
	} {
		status, out, errs := perch(t, "", append([]string{"rules", "--json"}, c.args...)...)
		var got struct {
			Rules []struct{ ID, Class, Phase, Statement, Why, Fix, Source, Bad, Good string }
		}
		if err := json.Unmarshal([]byte(out), &got); err != nil || status != 0 || errs != "" {
			t.Fatalf("status %d, %v: %s%s", status, err, out, errs)
		}
		var ids []string
		for _, r := range got.Rules {
			ids = append(ids, r.ID)
			if r.Class == "" || r.Phase == "" || r.Statement == "" || r.Why == "" || r.Fix == "" || r.Source == "" || r.Bad == "" || r.Good == "" {
				t.Errorf("%s lacks words", r.ID)
			}
		}
		if c.want == nil && len(ids) != len(abi.Rules()) || c.want != nil && !slices.Equal(ids, c.want) {
			t.Errorf("%q gives %v", c.args, ids)
		}
	}
	if status, out, _ := perch(t, "", "rules", "lief/stall", "--json"); status != exitUsage || out != "" {
		t.Errorf("an unknown rule ends with %d and %q", status, out)
	}
}

package main

import "testing"

func TestTakes(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"check"}, "perch: write perch check PACKAGE... (got 0 arguments)\n"},
		{[]string{"call", "sample:greeter"}, "perch: write perch call PACKAGE TOOL [--args JSON|@FILE|-] (got 1 argument)\n"},
		{[]string{"tools", "a", "b"}, "perch: write perch tools PACKAGE (got 2 arguments)\n"},
		{[]string{"chek", "sample:greeter"}, "perch: there is no command \"chek\". Did you mean check?\n"},
		{[]string{"a", "b"}, "perch: write perch [PACKAGE] (got 2 arguments)\n"},
	} {
		if status, out, errs := perch(t, "", c.args...); status != exitUsage || out != "" || errs != c.want {
			t.Errorf("%v: exit status %d, %q, %q, want %q", c.args, status, out, errs, c.want)
		}
	}
}

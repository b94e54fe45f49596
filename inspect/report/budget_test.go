package report_test

import (
	"strings"
	"testing"

	"perch/engine/jsonread"
	"perch/inspect/report"
	"perch/inspect/rules"
	"perch/inspect/safe"
)

func TestBudgetLines(t *testing.T) {
	for _, c := range []struct {
		budget      rules.Budget
		text, ascii string
	}{
		{rules.Budget{Name: "description", Used: 1024, Limit: 1024}, "description   1,024/1,024        ████████████████████  100 %", "description   1,024/1,024        ####################  100 %"},
		{rules.Budget{Name: "description", Used: 1023, Limit: 1024}, "description   1,023/1,024        ███████████████████░  99 %", "description   1,023/1,024        ###################-  99 %"},
		{rules.Budget{Name: "inputSchema", Used: 70_000, Limit: 65_536, Unit: rules.Bytes}, "inputSchema   68.4 KiB/64 KiB    ████████████████████  106 %, past the limit", "inputSchema   68.4 KiB/64 KiB    ####################  106 %, past the limit"},
		{rules.Budget{Name: "tools", Used: 0, Limit: 64, Unit: rules.Things}, "tools         0/64               ░░░░░░░░░░░░░░░░░░░░  0 %", "tools         0/64               --------------------  0 %"},
	} {
		if got := (report.Style{}).Budget(c.budget); got != c.text {
			t.Errorf("%q, want %q", got, c.text)
		}
		if got := (report.Style{Safe: safe.Mode{ASCII: true}}).Budget(c.budget); got != c.ascii {
			t.Errorf("%q, want %q", got, c.ascii)
		}
	}
}

func TestBudgetsInAReport(t *testing.T) {
	list := []rules.Budget{{Name: "pages", Used: 1, Limit: 16, Unit: rules.Things}, {Name: "name", Used: 5, Limit: 64, Tool: "a\x1b\"b"}}
	for in, want := range map[string]string{
		`{}`:          `{"budgets":[`,
		`{"tools":2}`: `{"tools":2,"budgets":[`,
	} {
		got := string(report.WithBudgets([]byte(in), list))
		doc, err := jsonread.Parse([]byte(got))
		if err != nil || !strings.HasPrefix(got, want) {
			t.Fatalf("%s: %v", got, err)
		}
		all := doc.Root().Get("budgets")
		if all.Len() != 2 || string(all.Index(0).Raw()) != `{"name":"pages","used":1,"limit":16,"share":0.0625}` || all.At("/1/tool").String() != "a\x1b\"b" || all.At("/1/unit").String() != "characters" {
			t.Errorf("%s", got)
		}
	}
}

package rules_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/record"
	"perch/inspect/rules"
)

// held holds what every finding keeps to, whatever a module wrote.
func held(t *testing.T, kind event.RunKind, stdout string) []rules.Finding {
	t.Helper()
	bodies := played(kind, stdout)
	all := rules.Run(recorded(t, bodies...), rules.Known{})
	rec := record.New(record.DefaultLimits())
	defer rec.Close()
	var c *rules.Checker
	for i, b := range bodies {
		e := event.Event{Run: 1, Seq: uint64(i), Body: b}
		rec.Append(e)
		if i == 0 {
			c = rules.NewChecker(rec.Run(1), rules.Known{})
		}
		c.Take(e)
		if i%3 == 0 {
			c.Found()
		}
	}
	if live := c.Found(); !reflect.DeepEqual(live, all) {
		t.Fatalf("%d findings while it goes on, %d of the record", len(live), len(all))
	}
	for _, f := range all {
		for _, s := range []string{f.Title, f.Detail, f.Fix} {
			if i := strings.IndexFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7f || r == 0x202e }); i >= 0 || !utf8.ValidString(s) || len(s) > 2_000 {
				t.Fatalf("%s says %q", f.Rule, s)
			}
		}
		w := f.Where
		if f.Title == "" || w.Offset < 0 || w.End < w.Offset || w.End > int64(len(stdout)) || len(w.Pointer) > 1<<10 || len(f.Also) > 64 {
			t.Fatalf("%s: %+v", f.Rule, f)
		}
	}
	return all
}

// TestAHostileModuleIsToldInFewWords: however much is wrong, findings are few.
func TestAHostileModuleIsToldInFewWords(t *testing.T) {
	many := func(piece string) string { return strings.TrimSuffix(strings.Repeat(piece, 300_000/len(piece)), ",") }
	numbered := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return strings.TrimSuffix(b.String(), ",")
	}
	caps := func(members string) string { return strings.Replace(discover, `"tools":{}`, `"tools":{},`+members, 1) }
	for _, c := range []struct {
		name, stdout string
		kind         event.RunKind
		most         int
	}{
		{"members beside JSON-RPC's", `{` + numbered(`"m%d":1,`, 20_000) + `,` + result(text)[1:], event.Call, 1},
		{"notifications", numbered(`{"jsonrpc":"2.0","method":"n%d","params":[],"x":1}`+"\n", 2_000), event.Call, 100},
		{"keys of _meta", result(text + `,"_meta":{` + numbered(`"-%d":1,`, 20_000) + `}`), event.Call, 1},
		{"numbers", result(text + `,"x":[` + many("1e999,") + `]`), event.Call, 1},
		{"surrogates", result(text + `,"x":["` + many(`\ud800`) + `",` + many(`"\udc00",`)[:30_000-2] + `"]`), event.Call, 1},
		{"white space", strings.Repeat(" ", 300_000) + result(text), event.Call, 1},
		{"capabilities", caps(numbered(`"c%d":1,`, 20_000)), event.Upload, 1},
		{"extensions", caps(`"extensions":{` + numbered(`"-%d":1,`, 20_000) + `}`), event.Upload, 3},
		{"versions", strings.Replace(discover, `["2026-07-28"]`, `["2026-07-28",`+many("7,")+`]`, 1), event.Upload, 1},
		{"icons", discover + page(1001, strings.Replace(greet, `"name"`, `"icons":[`+many("{},")+`],"name"`, 1), ""), event.Upload, 3},
		{"tools that are empty", discover + page(1001, many("{},"), ""), event.Upload, 60},
		{"tools with other names", discover + page(1001, numbered(`{"name":"t%[1]d","descriptio%[1]d":1,"inputSchem%[1]d":{}},`, 3_000), ""), event.Upload, 80},
		{"members of a tool", discover + page(1001, strings.Replace(greet, `"name"`, numbered(`"nam%d":1,`, 30_000)+`,"name"`, 1), ""), event.Upload, 25},
		{"deep", result(text + `,"_meta":` + strings.Repeat(`{"-":`, 30_000) + "1" + strings.Repeat("}", 30_000)), event.Call, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := held(t, c.kind, c.stdout)
			if len(all) == 0 || len(all) > c.most {
				t.Errorf("%d findings, at most %d are wanted", len(all), c.most)
				for _, f := range all {
					t.Log(f.Rule, f.Title)
				}
			}
		})
	}
}

func FuzzFindings(f *testing.F) {
	for _, s := range []string{
		result(text), discover + page(1001, greet, `,"nextCursor":""`), result(text + `,"_meta":{"a b":1,"x/y/z":[1e999]},"x":"\ud800"`),
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32022,"data":{"supported":[1]}},"y":1}` + "\n",
		`{"jsonrpc": "2.0", "method":"\u001b[2J","params":[]}` + "\n" + `{"jsonrpc":"2.0","method":"m","params":{"_meta":7}}` + "\n",
		discover + page(1001, `{"name":"\u202e","annotations":{"readOnlyHint":1},"icons":[{"src":"x"}],"_meta":{"dev.mcp/x":1},"desc":"d"},7,{"descripton":"x"}`, ""),
		strings.Replace(discover, `"tools":{}`, `"tools":{"listChanged":1},"extensions":{"x":1},"z":{}`, 1),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, stdout string) {
		if len(stdout) > abi.MaxStdout {
			t.Skip("more than stdout holds")
		}
		held(t, event.Call, stdout)
		held(t, event.Upload, stdout)
	})
}

package model_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/jsonread"
	"perch/engine/wire"
	"perch/inspect/model"
)

// listed are the tools of a page with these members, as the upload run reads
// them.
func listed(t *testing.T, tools ...string) []wire.Tool {
	t.Helper()
	q := wire.List("7", nil)
	q.Line = 1
	line := `{"jsonrpc":"2.0","id":7,"result":{"tools":[` + strings.Join(tools, ",") + `]}}`
	j := wire.NewJudge()
	j.Asked(q)
	l := wire.NewLister()
	for _, item := range j.Write([]byte(line + "\n")) {
		if item.Answer == nil {
			t.Fatalf("%s is no answer: %+v", line, item.Breaches)
		}
		l.Page(item.Answer)
	}
	return l.Tools()
}

// TestPackage: the model is given name, description and inputSchema, byte for
// byte, and nothing else.
func TestPackage(t *testing.T) {
	const schema = `{ "type":"object", "properties":{"n":{"type":"number","maximum":12345678901234567890.10}} }`
	tools := listed(t,
		`{"title":"Greet","name":"gr\u0065et","description":"Say \"hi\"\u001b.","inputSchema":`+schema+`,"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"icons":[]}`,
		`{"inputSchema":{"type":"object"},"name":"bare"}`)
	got := model.Package(tools)
	if len(got.Tools) != 2 {
		t.Fatalf("%d tools", len(got.Tools))
	}
	for i, want := range []string{
		`{"name":"gr\u0065et","description":"Say \"hi\"\u001b.","inputSchema":` + schema + `}`,
		`{"name":"bare","inputSchema":{"type":"object"}}`,
	} {
		if text := string(got.Tools[i].JSON()); text != want {
			t.Errorf("tool %d is given as %s, want %s", i+1, text, want)
		}
		if _, err := jsonread.Parse(got.Tools[i].JSON()); err != nil {
			t.Errorf("tool %d: %v", i+1, err)
		}
	}
	g := got.Tools[0]
	if want := []string{"title", "outputSchema", "annotations", "icons"}; !slices.Equal(g.LeftOut, want) || g.Name.String() != "greet" {
		t.Errorf("of %s is left out %q", g.Name, g.LeftOut)
	}
	if want := len(`"gr\u0065et"`) + len(`"Say \"hi\"\u001b."`) + len(schema); g.Bytes != want || g.Sent != len(tools[0].Raw) || got.Bytes != want+len(`"bare"{"type":"object"}`) {
		t.Errorf("%d bytes of %d, %d in all", g.Bytes, g.Sent, got.Bytes)
	}
	if none := model.Package(nil); len(none.Tools) != 0 || none.Bytes != 0 {
		t.Errorf("of no tools: %+v", none)
	}
}

// TestPackageOfAHostileModule: a thousand members are not named, and a tool
// that is no object has nothing to give.
func TestPackageOfAHostileModule(t *testing.T) {
	var members []string
	for i := range 1000 {
		members = append(members, fmt.Sprintf(`"m%d":0`, i))
	}
	tools := append(listed(t, `{`+strings.Join(members, ",")+`}`), wire.Tool{})
	got := model.Package(tools)
	if n := len(got.Tools[0].LeftOut); n > abi.MaxTools || string(got.Tools[0].JSON()) != "{}" || string(got.Tools[1].JSON()) != "{}" || got.Bytes != 0 {
		t.Errorf("%d names, %s, %d bytes", n, got.Tools[0].JSON(), got.Bytes)
	}
}

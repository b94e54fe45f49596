package pack_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"perch/engine/abi"
	"perch/engine/pack"
)

// judged opens a package with this manifest.
func judged(t *testing.T, text string) *pack.Package {
	t.Helper()
	return open(t, put(t, "file.zip", zipOf(t, file(abi.ManifestFile, text), file(abi.ModuleFile, module))))
}

func TestManifest(t *testing.T) {
	const json, abiRule, name, member = abi.PackageManifestJSON, abi.PackageManifestABI, abi.PackageManifestName, abi.PackageManifestMember
	for _, c := range []struct {
		text   string
		want   []abi.RuleID
		detail string // of the first
	}{
		{manifest, nil, ""},
		{" {\n\"description\": \"d\", \"name\": \"\\u0041\", \"abi\": 1 }\n", nil, ""},
		{`{"abi":1.0,"name":"n","description":"d"}`, nil, ""}, // by value
		{`{"abi":1e0,"name":"n","description":"d"}`, nil, ""},

		{``, []abi.RuleID{json}, "line 1, column 1: "},
		{"{\"abi\":1,\n \"name\":\"é\",}", []abi.RuleID{json}, "line 2, column 13: "},
		{`[1]`, []abi.RuleID{json}, "holds a list, not an object"},
		{`"x"`, []abi.RuleID{json}, "holds a string, not an object"},
		{manifest + manifest, []abi.RuleID{json}, "line 1, column 54: "},
		{"\ufeff" + manifest, []abi.RuleID{json}, "line 1, column 1: "},
		{`{'abi':1}`, []abi.RuleID{json}, "line 1, column 2: "},

		{`{"name":"n","description":"d"}`, []abi.RuleID{abiRule}, "abi is missing"},
		{`{"ABI":1,"name":"n","description":"d"}`, []abi.RuleID{abiRule, member}, `abi is missing; "ABI" is there, and case counts`},
		{`{"abi":"1","name":"n","description":"d"}`, []abi.RuleID{abiRule}, `abi is "1", a string, not the number 1`},
		{`{"abi":2,"name":"n","description":"d"}`, []abi.RuleID{abiRule}, "abi is 2; perch knows ABI 1"},
		{`{"abi":1.5,"name":"n","description":"d"}`, []abi.RuleID{abiRule}, "abi is 1.5"},
		{`{"abi":null,"name":"n","description":"d"}`, []abi.RuleID{abiRule}, "abi is null, not the number 1"},
		{`{"abi":true,"name":"n","description":"d"}`, []abi.RuleID{abiRule}, "abi is true, not the number 1"},
		{`{"abi":[1],"name":"n","description":"d"}`, []abi.RuleID{abiRule}, "abi is a list, not the number 1"},

		{`{"abi":1}`, []abi.RuleID{name, name}, "name is missing"},
		{`{"abi":1,"name":"","description":"d"}`, []abi.RuleID{name}, "name is empty"},
		{`{"abi":1,"name":" \t","description":"d"}`, []abi.RuleID{name}, "name is empty"},
		{`{"abi":1,"name":7,"description":"d"}`, []abi.RuleID{name}, "name is 7, not a string"},
		{`{"abi":1,"name":"n","description":null}`, []abi.RuleID{name}, "description is null, not a string"},
		{`{"abi":1,"name":"a\u0000b","description":"d"}`, []abi.RuleID{name}, "name holds a NUL character"},

		{`{"abi":1,"name":"n","description":"d","tools":[]}`, []abi.RuleID{member}, `beside abi, name and description stands "tools"`},
		{`{"abi":1,"name":"n","description":"d","v\u001b":1,"w":2}`, []abi.RuleID{member}, `"v\x1b", "w"`},
		{`{"abi":2,"name":"n","description":"d","abi":1}`, []abi.RuleID{member}, `more than once stands "abi"; the last one counts here`},
		{`{"abi":"1","name":"","x":1}`, []abi.RuleID{abiRule, name, name, member}, `abi is "1"`},
	} {
		t.Run(fmt.Sprintf("%.40q", c.text), func(t *testing.T) {
			p := judged(t, c.text)
			if got := rules(p); !slices.Equal(got, c.want) {
				t.Fatalf("%v: %+v", got, p.Breaches)
			}
			if (p.Manifest == nil) != slices.Contains(c.want, json) || p.Module == nil {
				t.Errorf("manifest %+v", p.Manifest)
			}
			if len(c.want) > 0 {
				wants(t, "detail", p.Breaches[0].Detail, c.detail)
			}
		})
	}
}

func TestManifestPlaces(t *testing.T) {
	for _, c := range []struct {
		text            string
		rule            abi.RuleID
		line            int
		offset, end     int64
		pointer, fixHas string
	}{
		{"{\n\"abi\": \"1\",\n\"name\":\"n\",\"description\":\"d\"}", abi.PackageManifestABI, 2, 9, 12, "/abi", `"abi": 1`},
		{"{\"abi\":1,\n\"name\":\"n\",}", abi.PackageManifestJSON, 2, 21, 22, "", "Take the comma out"},
		{"{\"abi\":1} // ABI 1", abi.PackageManifestJSON, 1, 10, 12, "", `{"abi": 1, "name": "file"`},
		{"{\"abi\":1, /* ABI 1 */}", abi.PackageManifestJSON, 1, 10, 12, "", "Take the comment out"},
		{"{\"abi\":1,\"name\":\"n\",\"description\":\"d\",\n\n\"tools\":[]}", abi.PackageManifestMember, 3, 48, 50, "/tools", "tools/list"},
	} {
		p := judged(t, c.text)
		b := breach(t, p, c.rule)
		if b.Where.File != abi.ManifestFile || b.Where.Line != c.line || b.Where.Offset != c.offset || b.Where.Pointer != c.pointer {
			t.Errorf("%s: %+v", c.text, b.Where)
		}
		if c.rule != abi.PackageManifestJSON && b.Where.End != c.end {
			t.Errorf("%s ends at %d", c.text, b.Where.End)
		}
		wants(t, "fix", b.Fix, c.fixHas)
	}
}

func TestNameOfThePackage(t *testing.T) {
	for text, want := range map[string]string{
		`{"abi":1,"name":"given","description":"d"}`:       "given",
		`{"abi":9,"name":"given"}`:                         "given",
		`{"abi":1,"name":"","description":"d"}`:            "file",
		`{"abi":1,"name":3,"description":"d"}`:             "file",
		`{"abi":1,"name":"a\u0000b","description":"d"}`:    "file",
		`{"abi":1,"name":"x","name":"y","description":""}`: "y",
		`not JSON`: "file",
	} {
		if p := judged(t, text); p.Name != want {
			t.Errorf("%s: %q", text, p.Name)
		}
	}
}

// A manifest may be as long as it likes: neither time nor words may grow with it
// beyond its length.
func TestHugeManifests(t *testing.T) {
	start := time.Now()
	same := `{"abi":1,"name":"n","description":"d"` + strings.Repeat(`,"x":1`, 150_000) + "}"
	b := breach(t, judged(t, same), abi.PackageManifestMember)
	wants(t, "detail", b.Detail, `"x"`, "and 149991 more")
	many := []byte(`{"abi":1,"name":"n","description":"d"`)
	for i := range 90_000 {
		many = fmt.Appendf(many, `,"%d":1`, i)
	}
	b = breach(t, judged(t, string(append(many, '}'))), abi.PackageManifestMember)
	if len(b.Detail) > 300 {
		t.Errorf("%d bytes of detail", len(b.Detail))
	}
	if took := time.Since(start); took > 2*time.Minute {
		t.Errorf("took %v", took)
	}
	p := judged(t, strings.Repeat(" ", abi.MaxManifest)+manifest)
	wants(t, "detail", breach(t, p, abi.PackageManifestJSON).Detail, "at most 1 MiB are read (local limit)")
	deep := judged(t, strings.Repeat("[", 500_000))
	if got := rules(deep); !slices.Equal(got, []abi.RuleID{abi.PackageManifestJSON}) {
		t.Errorf("deep: %v", got)
	}
}

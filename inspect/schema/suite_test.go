package schema_test

import (
	"archive/zip"
	"io"
	"path"
	"strings"
	"testing"

	"perch/engine/jsonread"
	"perch/inspect/schema"
)

// TestOfficialSuite holds the package to the tests of the JSON Schema
// organisation (testdata/suite.zip, whose README says where they are from).
// What could not be checked must be one of the things that are never checked.
func TestOfficialSuite(t *testing.T) {
	z, err := zip.OpenReader("testdata/suite.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	ran, open := 0, 0
	for _, f := range z.File {
		if path.Ext(f.Name) != ".json" {
			continue
		}
		draft := strings.Split(f.Name, "/")[1]
		t.Run(strings.TrimPrefix(f.Name, "tests/"), func(t *testing.T) {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			a, b := suiteFile(t, uri(t, draft), text)
			ran, open = ran+a, open+b
		})
	}
	t.Logf("%d tests, of which %d are about what is never checked", ran, open)
	if ran < 5_000 || open > ran/20 {
		t.Errorf("%d tests ran, %d of them were not checked", ran, open)
	}
}

func uri(t *testing.T, draft string) string {
	for d := schema.Draft4; d <= schema.Draft2020; d++ {
		if strings.ReplaceAll(strings.TrimPrefix(d.String(), "draft "), " ", "") == strings.TrimPrefix(draft, "draft") {
			return d.URI()
		}
	}
	t.Fatalf("no draft %s", draft)
	return ""
}

func suiteFile(t *testing.T, uri string, text []byte) (ran, open int) {
	for _, group := range parse(t, string(text)).Elements() {
		source := group.Get("schema")
		s := schema.Compile(source)
		if source.Kind() == jsonread.Object && source.Get("$schema").IsZero() {
			members := strings.TrimPrefix(string(source.Raw()), "{")
			comma := ","
			if source.Len() == 0 {
				comma = ""
			}
			s = schema.Compile(parse(t, `{"$schema":"`+uri+`"`+comma+members))
		}
		for _, test := range group.Get("tests").Elements() {
			ran++
			got := s.Validate(test.Get("data"))
			want := test.Get("valid").Kind() == jsonread.True
			name := group.Get("description").String() + ": " + test.Get("description").String()
			fits := len(got.Faults) == 0
			if fits != want {
				if fits && got.Unchecked != "" && elsewhere(source) {
					open++
					continue
				}
				t.Errorf("%s: %+v, want valid %v\n%s\n%s\n%v", name, got, want, source.Raw(), test.Get("data").Raw(), s.Issues())
			}
		}
	}
	return ran, open
}

// elsewhere reports whether a schema refers to other documents or to a
// dialect of its own.
func elsewhere(source jsonread.Value) bool {
	text := string(source.Raw())
	return strings.Contains(text, "localhost:1234") || strings.Contains(text, `"$ref":"http`) || strings.Contains(text, `"$ref": "http`)
}

func parse(t testing.TB, text string) jsonread.Value {
	t.Helper()
	doc, err := jsonread.Options{MaxDepth: -1}.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v in %.200s", err, text)
	}
	return doc.Root()
}

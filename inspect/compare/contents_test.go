package compare_test

import (
	"strings"
	"testing"

	"perch/inspect/compare"
	"perch/inspect/model"
)

// TestContentsOfWhatCameOrWent: a long list or object that came, went or took
// another's place is shown whole, line by line; a short one stands in its row.
func TestContentsOfWhatCameOrWent(t *testing.T) {
	long := `{"name":"` + strings.Repeat("x", 100) + `","n":[1,2]}`
	for _, c := range []struct{ a, b, want string }{
		{`{}`, `{"o":` + long + `}`, "+{|+  \"name\""},
		{`{"o":` + long + `}`, `{}`, "-{|-  \"name\""},
		{`{"o":` + long + `}`, `{"o":7}`, "-{|-  \"name\""},
		{`{}`, `{"o":{"n":1}}`, ""},
		{`{}`, `{"o":"` + strings.Repeat("x", 300) + `"}`, ""},
	} {
		block := func(text string) []model.Block { return []model.Block{{Type: model.Text, Text: text}} }
		x, y := compare.Call{Run: run(t)}, compare.Call{Run: run(t)}
		x.Model, y.Model = block(c.a), block(c.b)
		rows := section(t, compare.Calls(x, y), compare.Model).Rows
		if len(rows) != 1 || rows[0].HasText() != (c.want != "") {
			t.Errorf("%.40s, %.40s: %d rows", c.a, c.b, len(rows))
			continue
		}
		if c.want == "" {
			continue
		}
		text := rows[0].Text()
		var got []string
		for i := range text.Len() {
			l := text.Row(i)
			got = append(got, map[compare.Kind]string{compare.Added: "+", compare.Removed: "-"}[l.Kind]+l.Text)
		}
		if s := strings.Join(got, "|"); !strings.HasPrefix(s, c.want) {
			t.Errorf("%.40s, %.40s: %s", c.a, c.b, s)
		}
	}
}

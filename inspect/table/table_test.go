package table_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"perch/engine/jsonread"
	"perch/inspect/safe"
	"perch/inspect/table"
)

func value(t testing.TB, text string) jsonread.Value {
	t.Helper()
	doc, err := jsonread.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%.80s: %v", text, err)
	}
	return doc.Root()
}

func of(t testing.TB, text string) *table.Table {
	t.Helper()
	tab, ok := table.New(value(t, text))
	if !ok {
		t.Fatalf("%.80s is no table", text)
	}
	return tab
}

func texts(tab *table.Table, column int) []string {
	var out []string
	for i := range tab.Len() {
		c := tab.Row(i)[column]
		text := c.Text
		if c.State == table.Missing {
			text = "-"
		}
		out = append(out, text)
	}
	return out
}

func TestColumnsAndCells(t *testing.T) {
	tab := of(t, `[{"b": 1.10, "a": "x"}, {"a": null, "c": []}, {"b": 9007199254740993, "a": "", "c": {"deep": "`+strings.Repeat("x", 50)+`"}}]`)
	var titles []string
	for _, c := range tab.Columns() {
		titles = append(titles, fmt.Sprintf("%s:%d:%v:%d:%d", c.Title, c.Width, c.Right, c.Missing, c.Nulls))
	}
	if want := []string{"b:16:true:1:0", "a:4:false:0:1", "c:12:false:1:0"}; !slices.Equal(titles, want) {
		t.Errorf("columns %v, want %v", titles, want)
	}
	for column, want := range [][]string{{"1.10", "-", "9007199254740993"}, {"x", "null", ""}, {"-", "[]", "{ 1 member }"}} {
		if got := texts(tab, column); !slices.Equal(got, want) {
			t.Errorf("column %d: %q, want %q", column, got, want)
		}
	}
	states := []table.State{tab.Row(0)[1].State, tab.Row(1)[1].State, tab.Row(1)[0].State, tab.Row(0)[0].State, tab.Row(1)[2].State}
	if want := []table.State{table.Text, table.Null, table.Missing, table.Number, table.Nested}; !slices.Equal(states, want) {
		t.Errorf("states %v, want %v", states, want)
	}
	if p := tab.Row(2)[0].Value.Pointer(); p != "/2/b" {
		t.Errorf("the cell is at %s", p)
	}
}

func TestElementsThatAreNoObjects(t *testing.T) {
	tab := of(t, `[{"a":1}, 7, [1,2], {"a":1,"a":2}]`)
	if cols := tab.Columns(); len(cols) != 2 || !cols[1].Whole || cols[1].Missing != 2 || cols[0].Missing != 2 {
		t.Fatalf("columns %+v", cols)
	}
	if got := texts(tab, 1); !slices.Equal(got, []string{"-", "7", "[1,2]", "-"}) {
		t.Errorf("values %q", got)
	}
	if got := texts(tab, 0); !slices.Equal(got, []string{"1", "-", "-", "2"}) {
		t.Errorf("the last of a doubled name counts: %q", got)
	}
	for _, text := range []string{`[]`, `[1]`, `{"a":[{}]}`, `3`} {
		if _, ok := table.New(value(t, text)); ok {
			t.Errorf("%s is a table", text)
		}
	}
}

func TestSort(t *testing.T) {
	tab := of(t, `[{"v":"b"},{"v":10},{},{"v":9007199254740993},{"v":null},{"v":9007199254740992},{"v":true},{"v":"a"},{"v":[1,2]},{"v":1e1},{"v":{}}]`)
	up := []string{"null", "true", "10", "1e1", "9007199254740992", "9007199254740993", "a", "b", "[1,2]", "{}", "-"}
	if tab.Sort(0, false); !slices.Equal(texts(tab, 0), up) {
		t.Errorf("up: %q", texts(tab, 0))
	}
	if tab.Index(0) != 4 || tab.Value(0).Pointer() != "/4" {
		t.Errorf("the first row is element %d", tab.Index(0))
	}
	down := []string{"{}", "[1,2]", "b", "a", "9007199254740993", "9007199254740992", "10", "1e1", "true", "null", "-"}
	if tab.Sort(0, true); !slices.Equal(texts(tab, 0), down) {
		t.Errorf("down: %q", texts(tab, 0))
	}
	if tab.Unsort(); tab.Row(0)[0].Text != "b" {
		t.Errorf("unsorted: %q", texts(tab, 0))
	}
}

func TestFind(t *testing.T) {
	for text, want := range map[string]string{
		`{"content":[1],"structuredContent":{"rows":[{"a":1}]}}`: "/structuredContent/rows",
		`[{"a":1}]`: "", `{"a":{"b":[[{"c":1}]]},"d":[{}]}`: "/d",
	} {
		v := table.Find(value(t, text))
		if v.IsZero() || v.Pointer() != want {
			t.Errorf("%s: the table is at %q", text, v.Pointer())
		}
	}
	for _, text := range []string{`{"a":[1,2]}`, "null", "[" + strings.Repeat("[],", 50_000) + "[{}]]"} {
		if v := table.Find(value(t, text)); !v.IsZero() {
			t.Errorf("%.40s has a table at %q", text, v.Pointer())
		}
	}
}

func TestHostileTables(t *testing.T) {
	var wide strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&wide, `"k%d":%d,`, i, i)
	}
	tab := of(t, "[{"+wide.String()+`"last":1}]`)
	if len(tab.Columns()) != table.MaxColumns || tab.Hidden() != 50_001-table.MaxColumns {
		t.Errorf("%d columns, %d hidden", len(tab.Columns()), tab.Hidden())
	}
	tab = of(t, `[{"\u001b[31m\u202e`+strings.Repeat("x", 1000)+`":"\u001b]0;t\u0007`+strings.Repeat("界", 100_000)+`"},{"`+strings.Repeat("9", 10)+`":1}]`)
	for i := range tab.Len() {
		for k, c := range tab.Row(i) {
			col := tab.Columns()[k]
			if w := safe.Width(c.Text); w > col.Width || col.Width > table.MaxWidth || safe.Line(c.Text) != c.Text {
				t.Errorf("cell %q takes %d cells of %d", c.Text, w, col.Width)
			}
			if safe.Width(col.Title) > table.MaxWidth || strings.ContainsAny(col.Title, "\x1b\u202e") {
				t.Errorf("title %q", col.Title)
			}
		}
	}
	tab = of(t, "["+strings.Repeat("{},", 300_000)+`{"a":1}]`)
	tab.Sort(0, true)
	if tab.Index(0) != 300_000 || tab.Row(0)[0].Text != "1" {
		t.Errorf("the row with a value is not the first")
	}
}

func FuzzTable(f *testing.F) {
	f.Add(`[{"a":1},{"b":[]},3,{"a":null,"a":2}]`)
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := jsonread.Parse([]byte(text))
		if err != nil {
			return
		}
		tab, ok := table.New(table.Find(doc.Root()))
		if !ok {
			return
		}
		for k := range tab.Columns() {
			tab.Sort(k, k%2 == 0)
			for i := range tab.Len() {
				if c := tab.Row(i)[k]; safe.Width(c.Text) > tab.Columns()[k].Width {
					t.Fatalf("%q is wider than its column", c.Text)
				}
			}
		}
	})
}

func BenchmarkMebibyte(b *testing.B) {
	var s strings.Builder
	for i := 0; s.Len() < 1<<20; i++ {
		fmt.Fprintf(&s, `{"id":%d,"label":"row %d","tags":["a","b"],"ok":true},`, i, i)
	}
	v := value(b, "["+s.String()+"{}]")
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			table.New(v)
		}
	})
	tab, _ := table.New(v)
	b.Run("sort", func(b *testing.B) {
		for b.Loop() {
			tab.Sort(1, true)
		}
	})
	b.Run("frame", func(b *testing.B) {
		for n := 0; b.Loop(); n += 60 {
			for i := range 60 {
				tab.Row((n + i) % tab.Len())
			}
		}
	})
}

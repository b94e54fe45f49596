package jsonread_test

import (
	"testing"

	"perch/engine/jsonread"
)

// TestNames: members are found by exact names, in one pass too, and slips of case
// are told apart from them.
func TestNames(t *testing.T) {
	doc, err := jsonread.Parse([]byte(`{"id":1,"ID":2,"\u0069d":3,"toKen":4,"k":5}`))
	if err != nil {
		t.Fatal(err)
	}
	got := doc.Root().GetAll("id", "none", "k")
	if string(got[0].Raw()) != "3" || !got[1].IsZero() || string(got[2].Raw()) != "5" {
		t.Errorf("GetAll finds %s, %s, %s", got[0].Raw(), got[1].Raw(), got[2].Raw())
	}
	folds := ""
	for name := range doc.Root().Members() {
		for _, text := range []string{"id", "token", "k"} {
			if name.Fold(text) {
				folds += string(name.Raw())
			}
		}
	}
	if folds != `"ID""toKen"` {
		t.Errorf("by case alone differ %s", folds)
	}
	if (jsonread.Value{}).Fold("a") || doc.Root().Fold("a") || doc.Root().Is("a") {
		t.Error("what is no string folds to one")
	}
}

func TestBlanks(t *testing.T) {
	for _, c := range []struct {
		text     string
		n, first int
	}{
		{`{"a b":[1,2]}`, 0, 0}, {`{"a": 1}`, 1, 5}, {"[1,\t2 ,3]\r", 3, 3}, {" [ ] ", 3, 0}, {`"a b"`, 0, 0},
	} {
		doc, err := jsonread.Parse([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if n, first := doc.Blanks(); n != c.n || first != c.first {
			t.Errorf("%q has %d blanks, the first at %d; want %d at %d", c.text, n, first, c.n, c.first)
		}
	}
}

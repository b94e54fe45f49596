package syntax_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
	"github.com/charmbracelet/x/ansi"

	"perch/inspect/hexview"
	"perch/inspect/jsonview"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/list"
	"perch/ui/syntax"
)

func theme(t *testing.T, name string) themes.Theme {
	t.Helper()
	th, err := themes.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return th
}

// The colours of our scanner and those of a Chroma lexer are the same.
func TestOnePalette(t *testing.T) {
	for _, name := range themes.Names() {
		th := theme(t, name)
		style, err := syntax.Style(th)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for class := jsonview.Plain; class <= jsonview.Wrong; class++ {
			want := th.Tints[syntax.JSON(class)].Color
			got := style.Get(syntax.Chroma(class)).Colour
			if want.Kind != themes.RGB {
				continue
			}
			if got.Red() != want.R || got.Green() != want.G || got.Blue() != want.B {
				t.Errorf("%s: class %d is %v in Chroma's style, %+v in the palette", name, class, got, want)
			}
		}
	}
}

func TestRoles(t *testing.T) {
	for tt, want := range map[chroma.TokenType]themes.Role{
		chroma.NameFunction: themes.Key, chroma.KeywordType: themes.Keyword, chroma.LiteralStringEscape: themes.String,
		chroma.LiteralNumberHex: themes.Number, chroma.CommentSingle: themes.Comment, chroma.Operator: themes.Punct,
		chroma.Name: themes.Text, chroma.GenericDeleted: themes.DiffDel,
	} {
		if got := syntax.Role(tt); got != want {
			t.Errorf("%v is %v, want %v", tt, got, want)
		}
	}
}

func draw(t *testing.T, src list.Source, w, h int, c cell.Config) string {
	t.Helper()
	k := cell.New(theme(t, "dusk"), c)
	var b strings.Builder
	for _, r := range list.New(src).View(k, w, h, true) {
		if ansi.StringWidth(r) != w {
			t.Fatalf("%d cells: %q", ansi.StringWidth(r), r)
		}
		b.WriteString(strings.TrimRight(ansi.Strip(r), " ") + "\n")
	}
	return b.String()
}

func TestJSONRows(t *testing.T) {
	d := jsonview.New([]byte(`{"result":{"tools":[{"name":"greet"},{"name":"shout","x":1,"y":2}]}}`))
	d.Fit(11)
	want := `❯{
   "result": {
   ▾ "tools": [
     ▾ {
         "name": "greet"
       },
     ▸ { "name": "shout", 2 more members }
     ]
   }
 }
`
	if got := draw(t, syntax.JSONRows{Doc: d}, 60, 10, cell.Config{}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestHexRows(t *testing.T) {
	v := hexview.New(bytes.NewReader([]byte("rendering\xe9\n")), 89)
	v.Mark([]hexview.Range{{From: 0, To: 1}})
	rows := syntax.HexRows{View: v}
	want := `❯00059  72 65 6e 64 65 72 69 6e   renderin
        ^^
 00061  67 e9 0a                  g·␊
`
	if got := draw(t, rows, 55, 3, cell.Config{}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	rows.ASCII = true
	if got := draw(t, rows, 55, 3, cell.Config{ASCII: true}); !strings.HasSuffix(got, "g..\n") {
		t.Errorf("in ASCII:\n%s", got)
	}
	k := cell.New(theme(t, "dusk"), cell.Config{})
	if got := strings.TrimRight(ansi.Strip(k.Row(rows.Head(), 54)), " "); got != "offset  0  1  2  3  4  5  6  7   text" {
		t.Errorf("the head is %q", got)
	}
}

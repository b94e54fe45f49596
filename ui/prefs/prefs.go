// Package prefs reads what a person chose for the app: settings.toml in the
// folder for settings, which is the person's own and comes with no package.
//
//	theme = "dusk"         # as --theme takes it
//	mouse = "off"          # the terminal's at first
//
//	[keys]                 # all keys of a command; [] is none
//	"run.call" = ["ctrl+r", "f5"]
//
//	[keys.editor]          # in one place alone
//	"type.newline" = ["enter"]
//
// The package knows how the file is written. Which commands, places and themes
// there are is not its business.
package prefs

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"perch/engine/abi"
	"perch/engine/disk"
	"perch/engine/near"
)

// FileName is the name of the file in the folder for settings.
const FileName = "settings.toml"

// keysTable is the table of keys.
const keysTable = "keys"

// Value is a text of the file.
type Value struct {
	Text string
	Line int // from 1; 0: not given
}

// Given reports whether the file has it.
func (v Value) Given() bool { return v.Line > 0 }

// Binding is a line of the table of keys.
type Binding struct {
	Name      string   // as it stands below [keys]: run.call, or editor.type.newline
	Keys      []string // may be none
	Line, Col int
}

// Prefs is what a file says. The zero Prefs says nothing.
type Prefs struct {
	Theme, Mouse Value
	Keys         []Binding
}

// Fault is what is wrong with a file. Lines and columns count from 1; 0 is the
// whole file.
type Fault struct {
	Line, Col int
	What      string
}

// Error implements error. What the file says is quoted in it.
func (f *Fault) Error() string {
	if f.Line == 0 {
		return FileName + ": " + f.What
	}
	return fmt.Sprintf("%s:%d:%d: %s", FileName, f.Line, f.Col, f.What)
}

// Path is where the file lies in a folder; "" without one.
func Path(dir string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, FileName)
}

// Read reads the file of a folder, which need not be there; "" is no folder.
// The error is a *Fault, or that of reading.
func Read(dir string) (Prefs, error) {
	if dir == "" {
		return Prefs{}, nil
	}
	src, err := disk.ReadFile(Path(dir), abi.MaxSettings)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Prefs{}, nil
	case err != nil:
		return Prefs{}, fmt.Errorf("read the settings: %w", err)
	}
	return Parse(src)
}

// Parse reads the text of a file. The error is a *Fault: the first there is.
func Parse(src []byte) (Prefs, error) {
	r := &reader{seen: map[string]int{}}
	r.p.Reset(src)
	for r.p.NextExpression() {
		if err := r.expression(r.p.Expression()); err != nil {
			return Prefs{}, err
		}
	}
	if err := r.p.Error(); err != nil {
		out := &Fault{What: "not TOML: " + err.Error()}
		var pe *unstable.ParserError
		if errors.As(err, &pe) {
			at := r.p.Shape(r.p.Range(pe.Highlight)).Start
			out.What, out.Line, out.Col = "not TOML: "+pe.Message, at.Line, at.Column
		}
		return Prefs{}, out
	}
	return r.out, nil
}

// reader takes a file apart.
type reader struct {
	p     unstable.Parser
	out   Prefs
	table []string
	seen  map[string]int // lines of keys
}

func (r *reader) expression(e *unstable.Node) error {
	name := nameOf(e)
	at := r.at(e)
	switch e.Kind {
	case unstable.Table:
		r.table = name
		if name[0] != keysTable || len(name) > 2 {
			at.What = fmt.Sprintf("there is no table [%s]. The one table is [%s], or [%s.PLACE]", brief(strings.Join(name, ".")), keysTable, keysTable)
			return at
		}
		return nil
	case unstable.KeyValue:
	default:
		at.What = "no setting is a list of tables"
		return at
	}
	name = append(append([]string(nil), r.table...), name...)
	full := strings.Join(name, ".")
	if line, twice := r.seen[full]; twice {
		at.What = fmt.Sprintf("%s is given twice, first in line %d", brief(full), line)
		return at
	}
	r.seen[full] = at.Line
	if name[0] == keysTable {
		return r.binding(strings.Join(name[1:], "."), e.Value(), at)
	}
	return r.setting(full, e.Value(), at)
}

// setting takes a line above the tables.
func (r *reader) setting(name string, value *unstable.Node, at *Fault) error {
	to := map[string]*Value{"theme": &r.out.Theme, "mouse": &r.out.Mouse}[name]
	switch {
	case to == nil:
		at.What = fmt.Sprintf("unknown key %q. Known are theme, mouse and [%s]", brief(name), keysTable)
		if meant := near.Word(name, []string{"theme", "mouse", keysTable}); meant != "" {
			at.What = fmt.Sprintf("unknown key %q. Did you mean %s?", brief(name), meant)
		}
		return at
	case value.Kind != unstable.String:
		at.What = name + " is a text in quotes"
		return at
	}
	*to = Value{string(value.Data), at.Line}
	if name == "mouse" && to.Text != "on" && to.Text != "off" {
		at.What = fmt.Sprintf("mouse is on or off, not %q", brief(to.Text))
		return at
	}
	return nil
}

// binding takes a line of the table of keys: a text, or a list of them.
func (r *reader) binding(name string, value *unstable.Node, at *Fault) error {
	b := Binding{Name: name, Line: at.Line, Col: at.Col}
	wrong := name == ""
	switch value.Kind {
	case unstable.String:
		b.Keys = []string{string(value.Data)}
	case unstable.Array:
		for it := value.Children(); it.Next(); {
			switch one := it.Node(); one.Kind {
			case unstable.Comment:
			case unstable.String:
				b.Keys = append(b.Keys, string(one.Data))
			default:
				wrong = true
			}
		}
	default:
		wrong = true
	}
	if wrong {
		at.What = fmt.Sprintf("%s: keys are a list of texts, such as [\"ctrl+r\", \"f5\"]", brief(name))
		return at
	}
	r.out.Keys = append(r.out.Keys, b)
	return nil
}

func (r *reader) at(e *unstable.Node) *Fault {
	place := e.Raw
	if it := e.Key(); it.Next() {
		place = it.Node().Raw
	}
	start := r.p.Shape(place).Start
	return &Fault{Line: start.Line, Col: start.Column}
}

func nameOf(e *unstable.Node) []string {
	var parts []string
	for it := e.Key(); it.Next(); {
		parts = append(parts, string(it.Node().Data))
	}
	return parts
}

// brief is a name of the file as an error has room for it.
func brief(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:39]) + "…"
	}
	return s
}

package settings

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"perch/engine/abi"
	"perch/engine/disk"
	"perch/engine/near"
)

// The tables of the file.
const (
	acceptTable = "accept"
	buildTable  = "build"
)

// takeFile reads the settings file. Faults in it are kept; the error is that of
// reading it, or of the list of trusted files.
func (b *builder) takeFile(path string, trust Trust) error {
	data, err := disk.ReadFile(path, abi.MaxSettings)
	if err != nil {
		return fmt.Errorf("read the settings: %w", err)
	}
	full, err := trustPath(path)
	if err != nil {
		return fmt.Errorf("read the settings: %w", err)
	}
	sum := sha256.Sum256(data)
	b.s.File, b.s.SHA256 = full, hex.EncodeToString(sum[:])
	b.trusted = b.s.Trust
	if !b.trusted && trust != nil {
		if b.trusted, err = trust.Trusted(b.s.File, b.s.SHA256); err != nil {
			return err
		}
	}
	b.s.Trusted = b.trusted
	f := &file{b: b, data: data, path: path, dir: filepath.Dir(full)}
	f.read()
	return nil
}

// trustPath is the path under which a file is trusted: absolute, its folder
// without links. A link in the place of the file itself is not followed: it
// would borrow the trust of another file.
func trustPath(path string) (string, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(full))
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, filepath.Base(full)), nil
}

// file is a settings file that is being read.
type file struct {
	b    *builder
	data []byte
	path string // as it was given
	dir  string // absolute
	p    unstable.Parser
	// table is the table that key-values stand in, nil at the root; skip is set
	// in a table that was refused whole.
	table  []string
	skip   bool
	builds buildLines
}

// read checks that the file is TOML and then takes it expression by expression,
// each with its place.
func (f *file) read() {
	var all map[string]any
	if err := toml.Unmarshal(f.data, &all); err != nil {
		f.refuseTOML(err)
		return
	}
	f.p.Reset(f.data)
	for f.p.NextExpression() {
		switch e := f.p.Expression(); e.Kind {
		case unstable.Table:
			f.openTable(e)
		case unstable.ArrayTable:
			f.skip = true
			name, at := keyOf(e)
			f.fault(at, "[["+strings.Join(name, ".")+"]] is a list of tables, and no setting is one", "")
		case unstable.KeyValue:
			if !f.skip {
				f.keyValue(f.table, e)
			}
		}
	}
	if err := f.p.Error(); err != nil {
		f.refuseTOML(err)
	}
	f.endBuild()
}

// refuseTOML words the fault of a file that is no TOML.
func (f *file) refuseTOML(err error) {
	place, what := f.path, err.Error()
	var d *toml.DecodeError
	if errors.As(err, &d) {
		line, column := d.Position()
		place = f.place(f.offset(line, column))
	}
	what = strings.TrimPrefix(what, "toml: ")
	f.b.refuse(place, &badForm{"this is not TOML: " + printable(what), ""})
}

func (f *file) openTable(e *unstable.Node) {
	name, at := keyOf(e)
	f.table, f.skip = name, false
	if len(name) == 1 && (name[0] == acceptTable || name[0] == buildTable) {
		return
	}
	f.skip = true
	if s, ok := settingNamed(name[0]); ok {
		f.fault(at, s.name+" is "+s.kind.String()+", not a table", "")
		return
	}
	f.unknown(at, name[0])
}

// keyValue takes one setting, or one line of the accept table. table is what
// stands before its key.
func (f *file) keyValue(table []string, e *unstable.Node) {
	name, at := keyOf(e)
	name = append(append([]string(nil), table...), name...)
	value := e.Value()
	switch {
	case (name[0] == acceptTable || name[0] == buildTable) && len(name) == 1 && value.Kind == unstable.InlineTable:
		for it := value.Children(); it.Next(); {
			f.keyValue(name, it.Node())
		}
	case name[0] == acceptTable:
		f.accept(name, at, value)
	case name[0] == buildTable:
		f.build(name, at, value)
	case len(name) > 1:
		s, ok := settingNamed(name[0])
		if !ok {
			f.unknown(at, name[0])
			return
		}
		f.fault(at, s.name+" is "+s.kind.String()+", not a table", "")
	default:
		s, ok := settingNamed(name[0])
		if !ok {
			f.unknown(at, name[0])
			return
		}
		f.setting(s, at, value)
	}
}

// accept takes a line of the accept table: a rule's id, with :TOOL behind it
// when findings about that tool alone are meant, and why they are accepted.
func (f *file) accept(name []string, at uint32, value *unstable.Node) {
	if len(name) != 2 {
		f.fault(at, "accept is a table of rule ids, each with a reason", `Write "package/manifest-name" = "why" below [accept]`)
		return
	}
	id, tool, ofTool := strings.Cut(name[1], ":")
	known := false
	var ids []string
	for _, r := range abi.Rules() {
		known = known || string(r.ID) == id
		ids = append(ids, string(r.ID))
	}
	switch {
	case !known:
		do := "perch rules lists all"
		if meant := near.Word(id, ids); meant != "" {
			do = "Did you mean " + meant + "?"
		}
		f.fault(at, "there is no rule "+quote(id), do)
	case ofTool && tool == "":
		f.fault(at, "no tool stands behind the : of "+quote(name[1]), "Write "+id+":TOOL, or "+id+" for all tools")
	case value.Kind != unstable.String || strings.TrimSpace(string(value.Data)) == "":
		f.fault(f.at(value, at), "the reason for accepting "+printable(name[1])+" is no text", "Say why in a few words")
	default:
		line, _ := position(f.data, at)
		f.b.s.Accept = append(f.b.s.Accept, Accept{Rule: abi.RuleID(id), Tool: tool, Reason: string(value.Data), From: f.from(line)})
	}
}

// setting takes the value of a known key.
func (f *file) setting(s setting, key uint32, value *unstable.Node) {
	if s.kind == texts && value.Kind == unstable.Array {
		for it := value.Children(); it.Next(); {
			one := it.Node()
			if one.Kind == unstable.Comment {
				continue
			}
			if one.Kind != unstable.String {
				f.fault(f.at(one, key), s.name+" holds "+kindName(one.Kind)+", not texts alone", "")
				continue
			}
			f.take(s, f.at(one, key), string(one.Data))
		}
		return
	}
	at := f.at(value, key)
	switch {
	case value.Kind == unstable.String && s.kind != onOff && s.kind != count,
		value.Kind == unstable.String && s.name == "seed", // TOML's numbers end at 2^63-1
		value.Kind == unstable.Bool && s.kind == onOff:
		f.take(s, at, string(value.Data))
	case value.Kind == unstable.Integer && (s.kind == count || s.kind == quantity):
		f.take(s, at, decimal(string(value.Data)))
	default:
		f.fault(at, s.name+" is "+s.kind.String()+", not "+kindName(value.Kind), "")
	}
}

func (f *file) take(s setting, at uint32, text string) {
	line, _ := position(f.data, at)
	f.b.take(s, text, origin{
		from:  f.from(line),
		place: f.place(at),
		dir:   f.dir,
		file:  true,
	})
}

// from is a line of the file as people are told where a value comes from.
func (f *file) from(line int) string { return fmt.Sprintf("%s:%d", filepath.Base(f.path), line) }

// unknown refuses a key that is no setting.
func (f *file) unknown(at uint32, key string) {
	names := []string{acceptTable, buildTable}
	for _, s := range known() {
		names = append(names, s.name)
	}
	what := "unknown key " + quote(key)
	switch meant := near.Word(key, names); {
	case key == "trust":
		f.fault(at, what, "A file cannot trust itself: --trust is given on the command line")
	case meant != "":
		f.fault(at, what, "Did you mean "+meant+"?")
	default:
		f.fault(at, what, "Known are "+strings.Join(names[2:], ", ")+", ["+acceptTable+"] and ["+buildTable+"]")
	}
}

func (f *file) fault(at uint32, what, do string) {
	f.b.refuse(f.place(at), &badForm{printable(what), do})
}

// place is an offset as file:line:column, both from 1, columns in characters.
func (f *file) place(at uint32) string {
	line, column := position(f.data, at)
	return fmt.Sprintf("%s:%d:%d", f.path, line, column)
}

func position(data []byte, at uint32) (line, column int) {
	before := data[:min(int(at), len(data))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1
}

// offset is the place of a line and a column in bytes, both from 1.
func (f *file) offset(line, column int) uint32 {
	at := 0
	for ; line > 1; line-- {
		next := bytes.IndexByte(f.data[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	return uint32(min(at+max(column-1, 0), len(f.data)))
}

// at is where a value begins. The parser keeps no place for some: those whose
// bytes are the file's own are found by them, others stand by their key.
func (f *file) at(value *unstable.Node, key uint32) uint32 {
	switch {
	case value.Raw.Length > 0:
		return value.Raw.Offset
	case value.Kind == unstable.Bool || value.Kind == unstable.Integer || value.Kind == unstable.Float:
		return f.p.Range(value.Data).Offset
	}
	return key
}

// keyOf is the dotted key of an expression, and where it begins.
func keyOf(e *unstable.Node) (name []string, at uint32) {
	for it := e.Key(); it.Next(); {
		if len(name) == 0 {
			at = it.Node().Raw.Offset
		}
		name = append(name, string(it.Node().Data))
	}
	return name, at
}

func kindName(k unstable.Kind) string {
	switch k {
	case unstable.String:
		return "a text"
	case unstable.Bool:
		return "true or false"
	case unstable.Integer:
		return "a whole number"
	case unstable.Float:
		return "a number with a fraction"
	case unstable.Array:
		return "a list"
	case unstable.InlineTable:
		return "a table"
	}
	return "a date or time"
}

// decimal writes TOML's hexadecimal, octal, binary and spaced numbers plainly.
func decimal(text string) string {
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		return strconv.FormatInt(n, 10)
	}
	return text
}

// printable escapes what a terminal would act on.
func printable(text string) string {
	var out strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) && r != utf8.RuneError {
			out.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRune(r)
		out.WriteString(quoted[1 : len(quoted)-1])
	}
	return out.String()
}

package pack

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"perch/engine/abi"
	"perch/engine/disk"
	"perch/engine/event"
	"perch/engine/jsonread"
)

// Manifest is subako-package.json as it was read.
type Manifest struct {
	Raw []byte // the file's bytes
	// ABI is the JSON text of abi, as it stands there; "" when absent.
	ABI string
	// Name and Description are the decoded texts; "" when absent or no string,
	// which the Has fields tell apart.
	Name, Description       string
	HasName, HasDescription bool // there, as a string
}

// usableName reports whether the name can be argv[0]: a C string ends at NUL.
func (m *Manifest) usableName() bool {
	return m.HasName && m.Name != "" && !strings.ContainsRune(m.Name, 0)
}

// judgeManifest reads the manifest and judges the rules package/manifest-*.
//
// abi is read by value: 1.0 is the number 1, as JSON has no integers of its
// own. Of doubled members the last one counts, and a finding says so.
func (p *Package) judgeManifest(raw []byte) {
	if len(raw) > abi.MaxManifest {
		p.manifestBreach(abi.PackageManifestJSON, raw, 0, 0, "",
			fmt.Sprintf("has %d bytes; at most %s are read (local limit)", len(raw), disk.Size(abi.MaxManifest)), manifestFix(p.Name))
		return
	}
	p.ManifestRaw = raw
	doc, fault := jsonread.Parse(raw)
	if fault != nil {
		line, column := position(raw, fault.Offset)
		p.manifestBreach(abi.PackageManifestJSON, raw, fault.Offset, fault.End, fault.Pointer,
			fmt.Sprintf("line %d, column %d: %s", line, column, fault.Text), p.jsonFix(fault))
		return
	}
	root := doc.Root()
	if root.Kind() != jsonread.Object {
		p.manifestBreach(abi.PackageManifestJSON, raw, root.Start(), root.End(), "",
			"holds "+root.Kind().String()+", not an object", manifestFix(p.Name))
		return
	}
	m := &Manifest{Raw: raw, ABI: string(root.Get("abi").Raw())}
	m.Name, m.HasName = root.Get("name").Text()
	m.Description, m.HasDescription = root.Get("description").Text()
	p.Manifest = m
	p.judgeABI(raw, root)
	p.judgeText(raw, root, "name")
	p.judgeText(raw, root, "description")
	p.judgeMembers(raw, root)
}

func (p *Package) judgeABI(raw []byte, root jsonread.Value) {
	v := root.Get("abi")
	if n, ok := v.Int(); ok && n == abi.Version {
		return
	}
	what := "abi is " + shown(v) + ", not the number 1"
	switch v.Kind() {
	case jsonread.Absent:
		what = "abi is missing"
		if near := otherCase(root, "abi"); near != "" {
			what += "; " + quoteName(near) + " is there, and case counts"
		}
	case jsonread.String:
		what = "abi is " + shown(v) + ", a string, not the number 1"
	case jsonread.Number:
		what = "abi is " + shown(v) + "; perch knows ABI 1"
	}
	at := v
	if at.IsZero() {
		at = root
	}
	p.manifestBreach(abi.PackageManifestABI, raw, at.Start(), at.End(), v.Pointer(), what, `Write "abi": 1`)
}

// judgeText judges name and description, which should be non-empty strings.
func (p *Package) judgeText(raw []byte, root jsonread.Value, member string) {
	v := root.Get(member)
	what := ""
	switch text, ok := v.Text(); {
	case v.IsZero():
		what = member + " is missing"
		if near := otherCase(root, member); near != "" {
			what += "; " + quoteName(near) + " is there, and case counts"
		}
	case !ok:
		what = member + " is " + shown(v) + ", not a string"
	case strings.TrimFunc(text, unicode.IsSpace) == "":
		what = member + " is empty"
	case member == "name" && strings.ContainsRune(text, 0):
		what = "name holds a NUL character, at which argv[0] would end"
	default:
		return
	}
	at := v
	if at.IsZero() {
		at = root
	}
	p.manifestBreach(abi.PackageManifestName, raw, at.Start(), at.End(), v.Pointer(), what, fmt.Sprintf(`Write "%s": "…"`, member))
}

// judgeMembers points out what is not known and what stands there twice, in one
// finding: a manifest may have any number of members.
func (p *Package) judgeMembers(raw []byte, root jsonread.Value) {
	var unknown, twice listed
	var first jsonread.Value
	fix := ""
	seen := map[string]bool{}
	for name, value := range root.Members() {
		text := name.String()
		known := text == "abi" || text == "name" || text == "description"
		if known && !seen[text] {
			seen[text] = true
			continue
		}
		if first.IsZero() {
			first = value
		}
		switch {
		case seen[text]:
			twice.add(text)
			continue
		case text == "tools":
			fix = "Leave tools out: Subako learns them from tools/list. Before ABI 1 spoke MCP they stood here"
		}
		seen[text] = true
		unknown.add(text)
	}
	var detail []string
	if unknown.count > 0 {
		detail = append(detail, "beside abi, name and description stands "+unknown.String())
	}
	if twice.count > 0 {
		detail = append(detail, "more than once stands "+twice.String()+"; the last one counts here")
	}
	if len(detail) > 0 {
		p.manifestBreach(abi.PackageManifestMember, raw, first.Start(), first.End(), first.Pointer(), strings.Join(detail, "; "), fix)
	}
}

// listed names the first few of many.
type listed struct {
	names []string
	count int
}

func (l *listed) add(name string) {
	if l.count++; len(l.names) < 8 {
		l.names = append(l.names, quoteName(name))
	}
}

func (l *listed) String() string {
	text := strings.Join(l.names, ", ")
	if more := l.count - len(l.names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func (p *Package) manifestBreach(rule abi.RuleID, raw []byte, start, end int, pointer, detail, fix string) {
	line, _ := position(raw, start)
	p.breach(event.Breach{
		Rule: rule,
		Where: event.Where{Stream: event.File, File: abi.ManifestFile, Line: line,
			Offset: int64(start), End: int64(max(start, end)), Pointer: pointer},
		Detail: detail,
		Fix:    fix,
	})
}

// position is the line and the column, in characters, of an offset; both count
// from 1.
func position(raw []byte, offset int) (line, column int) {
	before := raw[:min(offset, len(raw))]
	line = bytes.Count(before, []byte("\n")) + 1
	start := bytes.LastIndexByte(before, '\n') + 1
	return line, utf8.RuneCount(before[start:]) + 1
}

// shown is a value's text, cut short and safe to show.
func shown(v jsonread.Value) string {
	switch v.Kind() {
	case jsonread.Array, jsonread.Object, jsonread.Null:
		return v.Kind().String()
	case jsonread.String:
		return quoteName(v.String())
	}
	const most = 40
	raw := string(v.Raw())
	if len(raw) > most {
		return raw[:most] + "…"
	}
	return raw
}

// otherCase finds a member that differs from name only in case.
func otherCase(root jsonread.Value, name string) string {
	for n := range root.Members() {
		if text := n.String(); strings.EqualFold(text, name) {
			return text
		}
	}
	return ""
}

func manifestExample(name string) string {
	quoted := jsonread.AppendQuote(nil, strings.ToValidUTF8(name, "�"))
	return fmt.Sprintf(`{"abi": %d, "name": %s, "description": "…"}`, abi.Version, quoted)
}

// jsonFix says how to mend a manifest that is no JSON.
func (p *Package) jsonFix(fault *jsonread.Error) string {
	switch fault.Kind {
	case jsonread.TrailingComma:
		return "Take the comma out"
	case jsonread.Comment:
		return "Take the comment out"
	case jsonread.BOM:
		return "Save it as UTF-8 without a byte order mark"
	}
	return manifestFix(p.Name)
}

func manifestFix(name string) string {
	return "Write " + abi.ManifestFile + ": " + manifestExample(name)
}

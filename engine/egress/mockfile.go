package egress

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"perch/engine/abi"
	"perch/engine/jsonread"
	"perch/engine/near"
)

// ParseMocks reads a mock file (its format stands in the package's doc). name
// is used in errors, which read name:line:column: text, and in Mock.Source.
func ParseMocks(src []byte, name string) ([]Mock, error) {
	var any map[string]any
	if err := toml.Unmarshal(src, &any); err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, column := at.Position()
			return nil, fmt.Errorf("%s:%d:%d: %s", name, line, column, strings.TrimPrefix(at.Error(), "toml: "))
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f := mockFile{name: name, table: "outside"}
	f.parser.Reset(src)
	for f.parser.NextExpression() {
		if err := f.expression(f.parser.Expression()); err != nil {
			return nil, err
		}
	}
	if err := f.parser.Error(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := f.finish(); err != nil {
		return nil, err
	}
	return f.mocks, nil
}

// mockFile walks the expressions of a mock file, so that each error has its
// line and column.
type mockFile struct {
	name   string
	parser unstable.Parser
	mocks  []Mock
	table  string // the table that is open: outside, mock, headers

	start unstable.Position // of the mock that is open
	set   map[string]unstable.Position
}

func (f *mockFile) errorAt(at unstable.Position, format string, args ...any) error {
	return fmt.Errorf("%s:%d:%d: %s", f.name, at.Line, at.Column, fmt.Sprintf(format, args...))
}

// key gives the parts of a key and where it begins.
func (f *mockFile) key(n *unstable.Node) ([]string, unstable.Position) {
	var parts []string
	var at unstable.Position
	it := n.Key()
	for it.Next() {
		if len(parts) == 0 {
			at = f.parser.Shape(it.Node().Raw).Start
		}
		parts = append(parts, string(it.Node().Data))
	}
	return parts, at
}

func (f *mockFile) expression(n *unstable.Node) error {
	key, at := f.key(n)
	path := strings.Join(key, ".")
	switch {
	case n.Kind == unstable.ArrayTable && path == "mock":
		if err := f.finish(); err != nil {
			return err
		}
		f.mocks = append(f.mocks, Mock{Source: fmt.Sprintf("%s:%d", f.name, at.Line)})
		f.table, f.start, f.set = "mock", at, map[string]unstable.Position{}
		return nil
	case n.Kind == unstable.Table && path == "mock.headers" && len(f.mocks) > 0:
		f.table = "headers"
		f.set["headers"] = at
		return nil
	case n.Kind != unstable.KeyValue:
		return f.errorAt(at, "a mock file has [[mock]] tables alone, and [%s] is none", path)
	case f.table == "outside":
		return f.errorAt(at, "%s stands before the first [[mock]]", path)
	case f.table == "headers":
		return f.header(path, at, n.Value())
	}
	if key[0] == "headers" && len(key) > 1 {
		f.set["headers"] = at
		return f.header(strings.Join(key[1:], "."), at, n.Value())
	}
	return f.field(path, at, n.Value())
}

func mockFields() []string {
	return []string{"method", "url", "times", "delay_ms", "status", "headers", "text", "json", "base64", "error", "message"}
}

func (f *mockFile) field(key string, at unstable.Position, v *unstable.Node) error {
	m := &f.mocks[len(f.mocks)-1]
	if !slices.Contains(mockFields(), key) {
		if meant := near.Word(key, mockFields()); meant != "" {
			return f.errorAt(at, "unknown key %q. Did you mean %s?", key, meant)
		}
		return f.errorAt(at, "unknown key %q. The keys of a mock are %s", key, list(mockFields()))
	}
	f.set[key] = at
	switch key {
	case "times", "delay_ms", "status":
		low, high := int64(1), int64(1_000_000)
		if key == "status" {
			low, high = 200, 599
		}
		n, err := strconv.ParseInt(string(v.Data), 10, 64)
		if v.Kind != unstable.Integer || err != nil || n < low || n > high {
			return f.errorAt(at, "%s is a whole number from %d to %d", key, low, high)
		}
		switch key {
		case "times":
			m.Times = int(n)
		case "delay_ms":
			m.Delay = time.Duration(n) * time.Millisecond
		case "status":
			m.Status = int(n)
		}
		return nil
	case "headers":
		return f.headers(at, v)
	}
	if v.Kind != unstable.String {
		return f.errorAt(at, "%s is a string", key)
	}
	return f.text(m, key, at, string(v.Data))
}

func (f *mockFile) text(m *Mock, key string, at unstable.Position, s string) error {
	switch key {
	case "method":
		if !slices.Contains(abi.HTTPMethods(), s) {
			return f.errorAt(at, "method is one of %s", list(abi.HTTPMethods()))
		}
		m.Method = s
	case "url":
		m.URL = s
	case "error":
		m.Kind = abi.ErrorKind(s)
	case "message":
		m.Message = s
	case "text":
		m.Body = []byte(s)
	case "json":
		if _, err := jsonread.Parse([]byte(s)); err != nil {
			return f.errorAt(at, "json is a string with JSON in it, and this one %s (byte %d of it)", err.Text, err.Offset)
		}
		m.Body = []byte(s)
	case "base64":
		b, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			return f.errorAt(at, "base64 is not base64: %s", err)
		}
		m.Body = b
	}
	return nil
}

func (f *mockFile) headers(at unstable.Position, v *unstable.Node) error {
	if v.Kind != unstable.InlineTable {
		return f.errorAt(at, "headers is a table of strings")
	}
	it := v.Children()
	for it.Next() {
		key, at := f.key(it.Node())
		if err := f.header(strings.Join(key, "."), at, it.Node().Value()); err != nil {
			return err
		}
	}
	return nil
}

// header takes a string, or a list of strings for repeated lines.
func (f *mockFile) header(name string, at unstable.Position, v *unstable.Node) error {
	m := &f.mocks[len(f.mocks)-1]
	switch v.Kind {
	case unstable.String:
		m.Headers = append(m.Headers, Header{strings.ToLower(name), string(v.Data)})
		return nil
	case unstable.Array:
		it := v.Children()
		for it.Next() {
			if it.Node().Kind != unstable.String {
				return f.errorAt(at, "header %s is a string or a list of strings", name)
			}
			m.Headers = append(m.Headers, Header{strings.ToLower(name), string(it.Node().Data)})
		}
		return nil
	}
	return f.errorAt(at, "header %s is a string or a list of strings", name)
}

// finish checks the mock that is open as a whole.
func (f *mockFile) finish() error {
	if len(f.mocks) == 0 {
		return nil
	}
	m := &f.mocks[len(f.mocks)-1]
	has := func(key string) bool { _, ok := f.set[key]; return ok }
	if !has("url") {
		return f.errorAt(f.start, "this mock has no url")
	}
	if has("message") && !has("error") {
		return f.errorAt(f.set["message"], "a message belongs to an error, and there is none")
	}
	if has("error") {
		for _, key := range []string{"status", "headers", "text", "json", "base64"} {
			if has(key) {
				return f.errorAt(f.set[key], "%s beside error: a mock gives either an answer or an error", key)
			}
		}
		if m.Message == "" {
			m.Message = "a mock answers " + string(m.Kind)
		}
	} else if m.Status == 0 {
		m.Status = 200
	}
	bodies := 0
	for key, kind := range map[string]string{"text": typeText, "json": typeJSON, "base64": ""} {
		if !has(key) {
			continue
		}
		if bodies++; bodies > 1 {
			return f.errorAt(f.start, "this mock has more than one of text, json and base64")
		}
		if kind != "" && !slices.ContainsFunc(m.Headers, func(h Header) bool { return h.Name == "content-type" }) {
			m.Headers = append(m.Headers, Header{"content-type", kind})
		}
	}
	if err := m.normal(); err != nil {
		at := f.start
		if p, ok := f.set["error"]; ok && m.Status == 0 && !slices.Contains(abi.ErrorKinds(), m.Kind) {
			at = p
		}
		return f.errorAt(at, "%s", err)
	}
	return nil
}

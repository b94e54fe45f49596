package egress

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"perch/engine/jsonread"
)

// MockText is a mock as a table of a mock file, which ParseMocks reads back as
// the same mock.
func MockText(m Mock) string {
	var b strings.Builder
	b.WriteString("[[mock]]\n")
	line := func(key, value string) { fmt.Fprintf(&b, "%s = %s\n", key, value) }
	if m.Method != "" {
		line("method", tomlString(m.Method))
	}
	line("url", tomlString(m.URL))
	if m.Times > 0 {
		line("times", strconv.Itoa(m.Times))
	}
	if ms := m.Delay.Milliseconds(); ms > 0 {
		line("delay_ms", strconv.FormatInt(ms, 10))
	}
	if m.Status == 0 {
		line("error", tomlString(string(m.Kind)))
		line("message", tomlString(m.Message))
		return b.String()
	}
	line("status", strconv.Itoa(m.Status))
	key, implied := bodyKey(m)
	if text := headerTable(m.Headers, implied); text != "" {
		line("headers", text)
	}
	switch key {
	case "":
	case "base64":
		line(key, tomlString(base64.StdEncoding.EncodeToString(m.Body)))
	default:
		line(key, tomlText(string(m.Body)))
	}
	return b.String()
}

// bodyKey is how the body of a mock is written, "" when there is none, and the
// content type that this way of writing implies.
func bodyKey(m Mock) (key, implied string) {
	types := headerValues(m.Headers, "content-type")
	switch {
	case len(m.Body) == 0:
		return "", ""
	case len(types) == 0 || !utf8.Valid(m.Body):
		return "base64", ""
	}
	if len(types) == 1 && types[0] == typeText {
		return "text", typeText
	}
	if _, err := jsonread.Parse(m.Body); err == nil {
		if len(types) == 1 && types[0] == typeJSON {
			return "json", typeJSON
		}
		return "json", ""
	}
	return "text", ""
}

func headerValues(all []Header, name string) (values []string) {
	for _, h := range all {
		if h.Name == name {
			values = append(values, h.Value)
		}
	}
	return values
}

// headerTable is headers as an inline table, those of one name in a list.
func headerTable(all []Header, implied string) string {
	var names []string
	for _, h := range all {
		if !slices.Contains(names, h.Name) && (h.Name != "content-type" || implied == "") {
			names = append(names, h.Name)
		}
	}
	var parts []string
	for _, name := range names {
		var values []string
		for _, v := range headerValues(all, name) {
			values = append(values, tomlString(v))
		}
		text := values[0]
		if len(values) > 1 {
			text = "[" + strings.Join(values, ", ") + "]"
		}
		parts = append(parts, tomlString(name)+" = "+text)
	}
	if parts == nil {
		return ""
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

// tomlString is a basic string of TOML.
func tomlString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// tomlText is a text over several lines as it is, where TOML can hold it so.
func tomlText(s string) string {
	plain := strings.Contains(s, "\n") && !strings.Contains(s, "'''") && !strings.HasSuffix(s, "'")
	for _, r := range s {
		plain = plain && (r >= 0x20 && r != 0x7f || r == '\n' || r == '\t')
	}
	if !plain {
		return tomlString(s)
	}
	return "'''\n" + s + "'''"
}

// PutMock adds a mock to the text of a mock file, in place of one for the same
// method and URL; all else of the text stays as it is. An error says what is
// wrong with the text or the mock; nothing is put then.
func PutMock(src []byte, name string, m Mock) ([]byte, error) {
	all, err := ParseMocks(src, name)
	if err != nil {
		return nil, err
	}
	block := MockText(m)
	read, err := ParseMocks([]byte(block), name)
	if err != nil {
		return nil, err
	}
	text := string(src)
	if i := slices.IndexFunc(all, func(x Mock) bool { return x.Method == read[0].Method && x.URL == read[0].URL }); i >= 0 {
		from, to := blockOf(text, all, i)
		text = text[:from] + block + text[to:]
	} else {
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		if text != "" {
			text += "\n"
		}
		text += block
	}
	if _, err := ParseMocks([]byte(text), name); err != nil {
		return nil, err
	}
	return []byte(text), nil
}

// blockOf is where the table of a mock begins and ends; comments above the next
// one are that one's.
func blockOf(text string, all []Mock, i int) (from, to int) {
	lines := strings.SplitAfter(text, "\n")
	first, last := lineOf(all[i])-1, len(lines)
	if i+1 < len(all) {
		last = lineOf(all[i+1]) - 1
	}
	for last > first+1 {
		l := strings.TrimSpace(lines[last-1])
		if l != "" && !strings.HasPrefix(l, "#") {
			break
		}
		last--
	}
	for n, l := range lines {
		if n < first {
			from += len(l)
		}
		if n < last {
			to += len(l)
		}
	}
	return from, to
}

// lineOf is the line of a mock in its file, from 1.
func lineOf(m Mock) int {
	n, err := strconv.Atoi(m.Source[strings.LastIndexByte(m.Source, ':')+1:])
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// Checked is the mock as a policy takes it: its URL in the form that is
// compared. An error says what is wrong with it.
func (m Mock) Checked() (Mock, error) {
	if m.Status != 0 && (m.Status < 200 || m.Status > 599) {
		return m, fmt.Errorf("status is a whole number from 200 to 599")
	}
	if m.URL == "" {
		return m, fmt.Errorf("a mock has a URL")
	}
	err := m.normal()
	return m, err
}

// DropMock takes the mock for a method and URL out of the text of a mock file;
// all else of the text stays as it is.
func DropMock(src []byte, name, method, url string) ([]byte, error) {
	all, err := ParseMocks(src, name)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(x Mock) bool { return x.Method == method && x.URL == url })
	if i < 0 {
		return nil, fmt.Errorf("%s has no mock of %s", name, url)
	}
	from, to := blockOf(string(src), all, i)
	return append(append([]byte(nil), src[:from]...), src[to:]...), nil
}

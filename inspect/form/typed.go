package form

import (
	"strings"

	"perch/engine/jsonread"
)

// typed is the text that a person types to have this value in a field: for a
// text its characters, else its JSON. A string in a field for something else is
// its characters where they are no JSON.
func typed(k Kind, v jsonread.Value) string {
	if v.Kind() != jsonread.String {
		return string(v.Raw())
	}
	text := v.String()
	if k == String {
		return text
	}
	if string(encode(k, nil, text)) == string(v.Raw()) {
		return text
	}
	return string(v.Raw())
}

// encode is the JSON that a text stands for, typed into a field of a kind. s is
// what else is known of the field; it may be nil. The result is never empty.
func encode(k Kind, s *shape, text string) []byte {
	switch k {
	case String:
		return jsonread.AppendQuote(nil, text)
	case Choice:
		if raw := choiceOf(s, text); raw != nil {
			return raw
		}
		if s != nil && len(s.types) == 1 && s.types[0] == "string" {
			return jsonread.AppendQuote(nil, text)
		}
	}
	trimmed := strings.Trim(text, " \t\r\n")
	if _, err := jsonread.Parse([]byte(trimmed)); err == nil {
		return []byte(trimmed)
	}
	return jsonread.AppendQuote(nil, text)
}

// choiceOf is the option that a text stands for: as JSON, or as the characters
// of a string.
func choiceOf(s *shape, text string) []byte {
	if s == nil {
		return nil
	}
	for i, o := range s.options {
		if o.Raw == text || s.values[i].Is(text) {
			return []byte(o.Raw)
		}
	}
	return nil
}

// empty is the empty value of a kind, nil where there is none.
func empty(k Kind) []byte {
	switch k {
	case String:
		return []byte(`""`)
	case Object, Raw:
		return []byte("{}")
	case List:
		return []byte("[]")
	}
	return nil
}

// suggestion is the JSON number that was meant by a text that is none, "" when
// it cannot be told.
func suggestion(text string) string {
	t := strings.TrimSpace(text)
	neg := strings.HasPrefix(t, "-")
	t = strings.TrimPrefix(strings.TrimPrefix(t, "-"), "+")
	t = strings.NewReplacer("_", "", " ", "", "'", "").Replace(t)
	if strings.Count(t, ",") == 1 && !strings.Contains(t, ".") {
		t = strings.Replace(t, ",", ".", 1)
	}
	if t == "" || len(t) > 64 {
		return ""
	}
	if t[0] == '.' {
		t = "0" + t
	}
	for len(t) > 1 && t[0] == '0' && t[1] >= '0' && t[1] <= '9' {
		t = t[1:]
	}
	t = strings.TrimSuffix(t, ".")
	if neg {
		t = "-" + t
	}
	if v := parsed(t); v.Kind() != jsonread.Number {
		return ""
	}
	return t
}

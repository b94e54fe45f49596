package form

import (
	"net/netip"
	"net/url"
	"strings"
	"time"

	"perch/engine/jsonread"
	"perch/engine/quote"
)

// formatDoubt says why a value is not as a format has it, "" when it is or when
// the format is not known. Formats are notes in JSON Schema: nobody need check
// them.
func formatDoubt(format string, v jsonread.Value) string {
	switch {
	case format == "":
		return ""
	case v.Kind() == jsonread.Number:
		return rangeDoubt(format, v)
	case v.Kind() != jsonread.String:
		return ""
	}
	s := v.String()
	switch format {
	case "date":
		return timeDoubt(s, "2006-01-02", "a date", "2026-01-31")
	case "date-time":
		return timeDoubt(strings.ToUpper(s), time.RFC3339Nano, "a date with time and zone", "2026-01-31T09:30:00Z")
	case "time":
		return timeDoubt("2026-01-31T"+strings.ToUpper(s), time.RFC3339Nano, "a time with zone", "09:30:00Z")
	case "email", "idn-email":
		return emailDoubt(s)
	case "uuid":
		return uuidDoubt(s)
	case "uri", "iri", "url":
		return uriDoubt(s)
	case "ipv4", "ipv6":
		a, err := netip.ParseAddr(s)
		if err != nil || a.Is4() != (format == "ipv4") || a.Zone() != "" {
			return "not an address as " + format + " has it"
		}
	}
	return ""
}

func timeDoubt(s, layout, what, example string) string {
	if _, err := time.Parse(layout, s); err != nil {
		return "not " + what + " such as " + example
	}
	return ""
}

func emailDoubt(s string) string {
	at := strings.LastIndexByte(s, '@')
	switch {
	case at < 0:
		return "not an email: it has no @"
	case at == 0:
		return "not an email: nothing before @"
	case at == len(s)-1:
		return "not an email: nothing after @"
	case strings.ContainsAny(s, " \t\r\n"):
		return "not an email: it has white space"
	}
	return ""
}

func uuidDoubt(s string) string {
	groups := strings.Split(s, "-")
	want := []int{8, 4, 4, 4, 12}
	if len(groups) != len(want) {
		return "not a UUID: 8-4-4-4-12 hex digits"
	}
	for i, g := range groups {
		if len(g) != want[i] || strings.Trim(strings.ToLower(g), "0123456789abcdef") != "" {
			return "not a UUID: 8-4-4-4-12 hex digits"
		}
	}
	return ""
}

func uriDoubt(s string) string {
	u, err := url.Parse(s)
	switch {
	case err != nil, strings.ContainsAny(s, " \t\r\n"):
		return "not a URI"
	case u.Scheme == "":
		return "not a URI: it begins with no scheme, such as https:"
	}
	return ""
}

// rangeDoubt holds a number against the range of an integer format.
func rangeDoubt(format string, v jsonread.Value) string {
	low, high := formatRange(format)
	if low == "" || !v.IsInteger() {
		return ""
	}
	if jsonread.CompareNumbers(v, parsed(low)) < 0 || jsonread.CompareNumbers(v, parsed(high)) > 0 {
		return quote.Number(v) + " is outside of " + format + ", " + low + " to " + high
	}
	return ""
}

// formatRange is the range of an integer format, "" for any other.
func formatRange(format string) (low, high string) {
	switch format {
	case "int8":
		return "-128", "127"
	case "int16":
		return "-32768", "32767"
	case "int32":
		return "-2147483648", "2147483647"
	case "int64":
		return "-9223372036854775808", "9223372036854775807"
	case "uint8":
		return "0", "255"
	case "uint16":
		return "0", "65535"
	case "uint32":
		return "0", "4294967295"
	case "uint64":
		return "0", "18446744073709551615"
	}
	return "", ""
}

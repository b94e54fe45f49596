package findings

import (
	"bytes"
	"sort"

	"perch/engine/event"
	"perch/inspect/hexview"
	"perch/inspect/record"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/excerpt"
)

// InRequest is the place in an HTTP request's JSON that a finding points at;
// false when it points at none.
func InRequest(f rules.Finding, raw []byte) (hexview.Range, bool) {
	w := f.Where
	if f.Rule.Group() != "http" || w.Stream != "" || w.Pointer == "" && w.Offset == 0 || w.Offset < 0 || w.Offset >= int64(len(raw)) {
		return hexview.Range{}, false
	}
	n := max(w.End-w.Offset, tokenLen(raw[w.Offset:]))
	return hexview.Range{From: w.Offset, To: min(w.Offset+n, int64(len(raw)))}, true
}

// tokenLen is the length of the string, number or word that JSON begins with;
// of anything else it is a byte.
func tokenLen(raw []byte) int64 {
	const most = 1 << 10
	raw = raw[:min(len(raw), most)]
	if len(raw) > 0 && raw[0] == '"' {
		for i := 1; i < len(raw); i++ {
			switch raw[i] {
			case '\\':
				i++
			case '"':
				return int64(i + 1)
			}
		}
		return int64(len(raw))
	}
	n := bytes.IndexAny(raw, " \t\r\n,:]}[{\"")
	if n < 0 {
		n = len(raw)
	}
	return int64(max(n, 1))
}

// inRequest are the bytes of the HTTP request that a finding points into.
func inRequest(f rules.Finding, run *record.Run) (Bytes, bool) {
	raw, ok := requestOf(run, f.Event)
	if !ok {
		return Bytes{}, false
	}
	r, ok := InRequest(f, raw)
	if !ok {
		return Bytes{}, false
	}
	return Bytes{Source: excerpt.Bytes(raw), Name: "the request", Role: themes.HTTP, Marks: []hexview.Range{r}}, true
}

// requestOf is the JSON of the last HTTP request up to an event.
func requestOf(run *record.Run, seq uint64) ([]byte, bool) {
	all := run.Of(record.KindHTTPRequest)
	i := sort.Search(len(all), func(i int) bool { return uint64(all[i]) > seq })
	if i == 0 {
		return nil, false
	}
	e, ok := run.Event(uint64(all[i-1]))
	if !ok {
		return nil, false
	}
	r, ok := e.Body.(event.HTTPRequest)
	return r.Raw, ok && len(r.Raw) > 0
}

package sample

import (
	"bytes"
	"slices"

	"perch/engine/jsonread"
	"perch/inspect/schema"
)

// maxRepairs is how often members are added that a condition asks for.
const maxRepairs = 8

// fitting is an instance that fits: this one, or with the members added that a
// schema misses in it, such as those of a condition; nil when that is not
// enough.
func (s *sampler) fitting(judge *schema.Schema, p parts, b []byte) []byte {
	for range maxRepairs {
		doc, err := jsonread.Parse(b)
		if err != nil || len(b) > maxBytes {
			return nil
		}
		faults := judge.Validate(doc.Root()).Faults
		if len(faults) == 0 {
			return b
		}
		more := s.completed(p, b, faults)
		if more == nil {
			return nil
		}
		b = more
	}
	return nil
}

// completed is an object with the members that faults say are missing; nil
// where no fault is of that kind.
func (s *sampler) completed(p parts, b []byte, faults []schema.Fault) []byte {
	var more []byte
	for _, f := range faults {
		if !f.Missing || f.Pointer != "" || b[0] != '{' {
			continue
		}
		list := slices.Concat(p.list, p.all("then"), p.all("else"))
		value, ok := s.sample(s.member(s.of(list...), f.Member), 1)
		if !ok {
			return nil
		}
		if more == nil {
			more = bytes.Clone(b)
		}
		more = withMember(more, f.Member, value)
	}
	return more
}

// withMember is an object with another member at its end.
func withMember(b []byte, name string, value []byte) []byte {
	b = b[:len(b)-1]
	if len(b) > 1 {
		b = append(b, ',')
	}
	return append(append(append(jsonread.AppendQuote(b, name), ':'), value...), '}')
}

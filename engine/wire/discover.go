package wire

import (
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
)

// CheckDiscover judges the result of server/discover: supportedVersions holds
// ABI 1's revision and capabilities has a tools object (ABI page, When a
// package is uploaded).
func CheckDiscover(a *Answer) []event.Breach {
	var list []event.Breach
	if b, ok := versions(a); !ok {
		list = append(list, b)
	}
	if b, ok := toolsCapability(a); !ok {
		list = append(list, b)
	}
	return list
}

// breach is one about a value of an answer; where the value is absent it points
// at the object that lacks it.
func (a *Answer) breach(rule abi.RuleID, v, in jsonread.Value, detail, fix string) event.Breach {
	if v.IsZero() {
		v = in
	}
	return event.Breach{Rule: rule, Where: a.Where(v), Detail: detail, Fix: fix}
}

func versions(a *Answer) (event.Breach, bool) {
	v := a.Result.Get("supportedVersions")
	fix := fmt.Sprintf(`Answer "supportedVersions":[%q].`, abi.ProtocolVersion)
	broken := func(detail string) (event.Breach, bool) {
		return a.breach(abi.DiscoverVersions, v, a.Result, detail, fix), false
	}
	switch v.Kind() {
	case jsonread.Array:
	case jsonread.Absent:
		if old := a.Result.Get("protocolVersion"); !old.IsZero() {
			fix += " protocolVersion is from the initialize of older revisions."
		}
		return broken("the answer has no supportedVersions")
	default:
		return broken(fmt.Sprintf("supportedVersions is %s, not a list", brief(v)))
	}
	var held []string
	for _, e := range v.Elements() {
		if e.Is(abi.ProtocolVersion) {
			return event.Breach{}, true
		}
		if len(held) < 8 {
			held = append(held, brief(e))
		}
	}
	if len(held) == 0 {
		return broken("supportedVersions is empty")
	}
	return broken(fmt.Sprintf("supportedVersions holds %s, not %q", strings.Join(held, ", "), abi.ProtocolVersion))
}

func toolsCapability(a *Answer) (event.Breach, bool) {
	const fix = `Answer "capabilities":{"tools":{}}.`
	in := a.Result.Get("capabilities")
	v := in.Get("tools")
	switch {
	case in.IsZero():
		return a.breach(abi.DiscoverTools, in, a.Result, "the answer has no capabilities, so it offers no tools", fix), false
	case in.Kind() != jsonread.Object:
		return a.breach(abi.DiscoverTools, in, a.Result, fmt.Sprintf("capabilities is %s, not an object", brief(in)), fix), false
	case v.IsZero():
		return a.breach(abi.DiscoverTools, v, in, "capabilities has no tools: the package offers none", fix), false
	case v.Kind() != jsonread.Object:
		return a.breach(abi.DiscoverTools, v, in, fmt.Sprintf("capabilities.tools is %s, not an object", brief(v)), fix), false
	}
	return event.Breach{}, true
}

package rules

import (
	"fmt"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
)

// ruleOf says which rule an error answer of subako_http is about.
func ruleOf(k abi.ErrorKind) (abi.RuleID, bool) {
	switch k {
	case abi.ErrInvalidRequest:
		return abi.HTTPInvalidRequest, true
	case abi.ErrHostNotAllowed:
		return abi.HTTPHostNotAllowed, true
	case abi.ErrForbiddenDestination:
		return abi.HTTPForbiddenDestination, true
	case abi.ErrCredentialHeader:
		return abi.HTTPCredentialHeader, true
	case abi.ErrCredentialUnavailable:
		return abi.HTTPCredentialUnavailable, true
	case abi.ErrTooManyRedirects:
		return abi.HTTPRedirects, true
	case abi.ErrTimeout:
		return abi.HTTPTimeout, true
	case abi.ErrTooLarge:
		return abi.HTTPTooLarge, true
	case abi.ErrNotText:
		return abi.HTTPNotText, true
	case abi.ErrWriteBudget:
		return abi.HTTPWriteBudget, true
	case abi.ErrBadPath:
		return abi.HTTPBadPath, true
	case abi.ErrConnection:
		return abi.HTTPConnection, true
	case abi.ErrAbi:
		return abi.HTTPMisuse, true
	}
	return "", false
}

func (c *Checker) httpRequest(e event.Event, b event.HTTPRequest) {
	if c.run.Begin().Kind == event.Upload {
		c.add(e, event.Breach{Rule: abi.ListSandbox, Detail: fmt.Sprintf("called subako_http for %s in the upload run, which has no network", b.URL),
			Fix: "Call out when a tool is called, not when tools are listed."}, "http "+b.URL)
	}
	if int64(len(b.Raw)) > abi.MaxRequest {
		c.add(e, event.Breach{Rule: abi.HTTPRequestSize, Detail: fmt.Sprintf("request %d is %d B, %d are allowed", b.ID, len(b.Raw), abi.MaxRequest),
			Fix: "Send a large body as a file: {\"type\":\"file\",\"path\":\"/volume/tmp/…\"}."}, "")
	}
	if len(b.Dropped) > 0 {
		names := make([]string, len(b.Dropped))
		for i, h := range b.Dropped {
			names[i] = h.Name
		}
		c.add(e, event.Breach{Rule: abi.HTTPHeaderDropped, Detail: fmt.Sprintf("request %d: %s dropped, Subako sets connection headers itself", b.ID, strings.Join(names, ", "))},
			strings.Join(names, ","))
	}
}

func (c *Checker) httpAnswer(e event.Event, b event.HTTPAnswer) {
	rule, bad := ruleOf(b.Kind)
	if !bad {
		return
	}
	if b.Kind == abi.ErrInvalidRequest && c.count[abi.HTTPRequestSize] > 0 && strings.Contains(b.Message, "8 MiB") {
		return // the size is the finding
	}
	detail := fmt.Sprintf("request %d got %s: %s", b.ID, b.Kind, b.Message)
	if b.Mock != "" {
		detail += " (from the mock " + b.Mock + ")"
	}
	c.add(e, event.Breach{Rule: rule, Detail: detail, Fix: httpFix(b.Kind)}, "")
}

func httpFix(k abi.ErrorKind) string {
	switch k {
	case abi.ErrHostNotAllowed:
		return "Allow the host with --allow HOST, or in perch.toml, as the agent's owner would at Subako."
	case abi.ErrForbiddenDestination:
		return "Use https and a public address. For a server on this machine: --route HOST=127.0.0.1:PORT."
	case abi.ErrCredentialHeader:
		return "Leave this header out: the credential sets it."
	case abi.ErrCredentialUnavailable:
		return "Set the variable that the credential names before perch starts."
	case abi.ErrTooLarge, abi.ErrNotText:
		return `Save the body to a file: "output":{"type":"file","path":"/volume/tmp/…"}.`
	case abi.ErrBadPath:
		return "Use the absolute name of a file below /volume/tmp or /volume/data."
	}
	return ""
}

func (c *Checker) httpRead(e event.Event, b event.HTTPRead) {
	if b.Unread > 0 {
		c.add(e, event.Breach{Rule: abi.HTTPUnread, Detail: fmt.Sprintf("answer %d was replaced before it was read", b.Unread),
			Fix: "Call read_response after each request."}, "")
	}
	if b.Return >= 0 {
		return
	}
	why := map[int32]string{abi.HTTPRange: "a range outside the module's memory", abi.HTTPNone: "no answer held", abi.HTTPLength: "a length that does not match"}[b.Return]
	c.add(e, event.Breach{Rule: abi.HTTPMisuse, Detail: fmt.Sprintf("%s(ptr 0x%x, len %d) returned %d: %s", b.Func, b.Ptr, int32(b.Len), b.Return, why),
		Fix: "Pass the length that request returned to read_response, once, with a buffer of that size."}, fmt.Sprint(b.Func, b.Return))
}

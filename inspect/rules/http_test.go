package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/rules"
)

// TestRequestsInALoop: one fault is one finding, whichever requests it stands
// in, and it is said which.
func TestRequestsInALoop(t *testing.T) {
	denied := event.Breach{Rule: abi.HTTPHostNotAllowed, Where: event.Where{Func: -1, Name: "subako_http.request"},
		Detail: "host_not_allowed: a.example is not in this function's network allowlist", Fix: "Allow a.example."}
	var loop []event.Body
	for id := 1; id <= 300; id++ {
		b := denied
		if id == 7 {
			b.Detail = strings.Replace(b.Detail, "a.example", "b.example", 1)
		}
		loop = append(loop, event.HTTPRequest{ID: id}, b)
	}
	found := rules.Run(recorded(t, append([]event.Body{begin(event.Call)}, loop...)...), rules.Known{})
	if len(found) != 2 {
		t.Fatalf("%d findings", len(found))
	}
	if want := denied.Detail + ". The same in request 2, request 3, request 4, request 5, request 6, request 8, request 9, request 10 and 290 more"; found[0].Detail != want {
		t.Errorf("found %q", found[0].Detail)
	}
	if !strings.Contains(found[1].Detail, "b.example") || len(found[0].Also) != 0 {
		t.Errorf("found %+v", found)
	}

	loop = nil
	for i := range 30 {
		loop = append(loop, event.HTTPRead{Func: "read_response", Ptr: uint32(i), Return: -2},
			event.Breach{Rule: abi.HTTPMisuse, Where: event.Where{Func: -1, Name: "subako_http.read_response"}, Cause: "read_response returned -2",
				Detail: fmt.Sprintf("read_response(ptr 0x%x, len 0) returned -2: no answer is held", i)})
	}
	found = rules.Run(recorded(t, append([]event.Body{begin(event.Call)}, loop...)...), rules.Known{})
	if len(found) != 1 || !strings.HasSuffix(found[0].Detail, "The same in misuse 2, misuse 3, misuse 4, misuse 5, misuse 6, misuse 7, misuse 8, misuse 9 and 21 more") {
		t.Errorf("found %+v", found)
	}
}

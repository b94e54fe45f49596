package wire_test

import (
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wire"
)

func TestErrorsThatAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		line  string
		rule  abi.RuleID // that is broken, empty: the line is an answer
		error string
	}{
		"an error":              {quote("7") + `"error":{"code":-32601,"message":"no"}}`, "", `{"code":-32601,"message":"no"}`},
		"a result":              {quote("7") + `"result":{}}`, "", ""},
		"wants a handshake":     {quote("7") + `"error":{"code":-32602,"message":"not initialized"}}`, "", `{"code":-32602,"message":"not initialized"}`},
		"an error that is text": {quote("7") + `"error":"no"}`, abi.ErrorAnswered, ""},
		"both":                  {quote("7") + `"result":{},"error":{}}`, abi.RPCOneOf, ""},
		"another id":            {quote("8") + `"error":{"code":-32601,"message":"no"}}`, abi.RPCIDUnasked, ""},
		"no id":                 {`{"jsonrpc":"2.0","error":{"code":-32601,"message":"no"}}`, abi.RPCIDEcho, ""},
	} {
		t.Run(name, func(t *testing.T) {
			j := wire.NewJudge()
			j.TakeErrors()
			j.Asked(wire.Request{ID: "7", Method: abi.MethodList, Line: 3})
			n := 0
			for _, item := range j.Write([]byte(c.line + "\n")) {
				n++
				switch {
				case c.rule != "":
					if item.Answer != nil || len(item.Breaches) != 1 || item.Breaches[0].Rule != c.rule {
						t.Errorf("answer %v, breaches %+v; want %s", item.Answer, item.Breaches, c.rule)
					}
				case item.Answer == nil || len(item.Breaches) > 0:
					t.Errorf("answer %v, breaches %+v", item.Answer, item.Breaches)
				default:
					if got := string(item.Answer.Error.Raw()); got != c.error || item.Answer.Result.IsZero() != (c.error != "") {
						t.Errorf("error %s, result %s", got, item.Answer.Result)
					}
					if item.Message.Answers != 3 || item.Message.Kind == event.NotMessage {
						t.Errorf("message %+v", item.Message)
					}
				}
			}
			if n != 1 {
				t.Errorf("%d items", n)
			}
		})
	}
}

package model_test

import (
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wire"
	"perch/inspect/model"
	"perch/inspect/record"
	"perch/inspect/rules"
)

// BenchmarkWhole is all that is done with an answer of a megabyte without
// pictures: judged, recorded, checked, and read as the model does.
func BenchmarkWhole(b *testing.B) {
	for name, block := range map[string]string{
		"small": `{"type":"text","text":"a"}`,
		"large": `{"type":"text","text":"` + strings.Repeat("abcdefg ", 8<<10) + `"}`,
		"one":   `{"type":"text","text":"` + strings.Repeat("abcdefg ", 120<<10) + `"}`,
		"JSON":  `{"type":"text","text":"` + strings.Repeat(`{\"id\":1042,\"name\":\"Ada\"},`, 2<<10) + `"}`,
	} {
		result := `{"resultType":"complete","content":[` + strings.Repeat(block+",", max(0, (abi.MaxStdout-1000)/(len(block)+1)-1)) + block + `]}`
		out := []byte(`{"jsonrpc":"2.0","id":"call-9","result":` + result + "}\n")
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(out)))
			b.ReportAllocs()
			for b.Loop() {
				whole(b, out)
			}
		})
	}
}

func whole(b *testing.B, out []byte) {
	q := wire.Call(`"call-9"`, "act", []byte("{}"))
	q.Line = 1
	bodies := []event.Body{event.Begin{Kind: event.Call}, event.Request{Line: 1, Bytes: q.Bytes, ID: q.ID, Method: q.Method}, event.Output{Stream: event.Stdout, Bytes: out}}
	j := wire.NewJudge()
	j.Asked(q)
	var answer *wire.Answer
	for _, item := range j.Write(out) {
		bodies = append(bodies, *item.Message)
		if answer = item.Answer; answer != nil {
			for _, f := range wire.CheckCall(answer) {
				bodies = append(bodies, f)
			}
		}
	}
	rec := record.New(record.DefaultLimits())
	defer rec.Close()
	var checker *rules.Checker
	for i, body := range append(bodies, event.End{Outcome: event.OK}) {
		e := event.Event{Run: 1, Seq: uint64(i), Body: body}
		rec.Append(e)
		if checker == nil {
			checker = rules.NewChecker(rec.Run(1), rules.Known{})
		}
		checker.Take(e)
	}
	if found := checker.Findings(); len(found) > 0 {
		b.Fatalf("found %+v", found)
	}
	if got := model.BlocksOf(rec.Run(1), answer); len(got) == 0 || got[0].Type != model.Text {
		b.Fatalf("the model reads %d blocks", len(got))
	}
}

package rules_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wire"
	"perch/inspect/record"
	"perch/inspect/rules"
)

// megabytes are answers of nearly 1 MiB, of the kinds that modules write, and
// some that nobody would.
func megabytes() map[string]string {
	filled := func(begin, piece, end string) string {
		n := (abi.MaxStdout - 200 - len(begin) - len(end)) / max(len(piece), 1)
		return result(begin + strings.TrimSuffix(strings.Repeat(piece, n), ",") + end)
	}
	return map[string]string{
		"small":   result(text),
		"text":    filled(`"content":[{"type":"text","text":"`, "Tea leaves, ", `"}]`),
		"escapes": filled(`"content":[{"type":"text","text":"`, `tea\n\u00e9`, `"}]`),
		"blocks":  filled(`"content":[`, `{"type":"text","text":"A line of some length for the model to read."},`, `]`),
		"rows":    filled(text+`,"structuredContent":[`, `{"id":41,"name":"Ada","share":0.25,"ok":true,"note":null},`, `]`),
		"floats":  filled(text+`,"structuredContent":[`, `0.12345678901234567,`, `]`),
		"spaced":  filled(text+`,"structuredContent":[`, `{"id": 41, "name": "Ada"}, `, `1]`),
		"numbers": filled(text+`,"structuredContent":[`, `1,`, `]`),
		"members": filled(text+`,"structuredContent":{`, `"a":1,`, `}`),
		"inexact": filled(text+`,"structuredContent":[`, `1e400,`, `]`),
		"extra":   strings.Replace(filled(text+`,"x":{`, `"a":1,`, `}`), `"result":{`, `"result":{"content":[]},"y":{`, 1),
		"nesting": filled(text+`,"structuredContent":[`, `[[],{}],`, `]`),
		"root":    strings.Replace(filled(text, "", ""), `"result":`, strings.Repeat(`"a":1,`, (abi.MaxStdout-500)/6)+`"result":`, 1),
		"result":  filled(text+`,`, `"a":1,`, ``),
		"meta":    filled(text+`,"_meta":{`, `"a/b":1,`, `}`),
		"ones":    filled(`"content":[`, `1,`, `]`),
		"bare":    filled(`"content":[`, `{},`, `]`),
		"commas":  filled(`"content":[{"type":"text","text":"`, `,`, `"}]`),
		"deep":    result(text + `,"structuredContent":` + strings.Repeat("[", 500_000) + strings.Repeat("]", 500_000)),
	}
}

// BenchmarkMessage measures how long an answer takes to be judged: by the
// engine and by the checks that look at its events as they come, which is what
// people wait for, and again by checks of the record. 20 ms is what an answer
// without pictures may take, either way. The times are medians, and best is what
// the longer way takes when nothing else runs.
func BenchmarkMessage(b *testing.B) {
	for name, line := range megabytes() {
		b.Run(name, func(b *testing.B) {
			var judged, checked, again []time.Duration
			for b.Loop() {
				start := time.Now()
				bodies := played(event.Call, line)
				judged = append(judged, time.Since(start))
				b.StopTimer()
				rec := record.New(record.DefaultLimits())
				for i, body := range bodies {
					rec.Append(event.Event{Run: 1, Seq: uint64(i), Body: body})
				}
				c := rules.NewChecker(rec.Run(1), rules.Known{})
				b.StartTimer()
				start = time.Now()
				for i, body := range bodies {
					c.Take(event.Event{Run: 1, Seq: uint64(i), Body: body})
				}
				c.Found()
				checked = append(checked, time.Since(start))
				start = time.Now()
				rules.Run(rec.Run(1), rules.Known{})
				again = append(again, time.Since(start))
				b.StopTimer()
				if err := rec.Close(); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
			const allowed = float64(20 * time.Millisecond)
			best := slices.Min(judged) + max(slices.Min(checked), slices.Min(again))
			j, c, a := median(judged), median(checked), median(again)
			b.SetBytes(int64(len(line)))
			b.ReportMetric(j/1e6, "judge-ms")
			b.ReportMetric(c/1e6, "check-ms")
			b.ReportMetric(a/1e6, "again-ms")
			b.ReportMetric(float64(best)/allowed, "best-of-20ms")
			b.ReportMetric((j+c)/allowed, "of-20ms")
			b.ReportMetric((j+a)/allowed, "again-of-20ms")
		})
	}
}

// median is in nanoseconds. On a busy machine it says more than the mean.
func median(all []time.Duration) float64 {
	slices.Sort(all)
	return float64(all[len(all)/2])
}

// BenchmarkUpload measures the checks on an upload run of 64 tools.
func BenchmarkUpload(b *testing.B) {
	var tools []string
	for i := range abi.MaxTools {
		tools = append(tools, strings.Replace(greet, "greet", "t"+strings.Repeat("x", i), 1))
	}
	bodies := played(event.Upload, discover+page(1001, strings.Join(tools, ","), ""))
	rec := record.New(record.DefaultLimits())
	defer rec.Close()
	for i, body := range bodies {
		rec.Append(event.Event{Run: 1, Seq: uint64(i), Body: body})
	}
	b.ResetTimer()
	for b.Loop() {
		if found := rules.Run(rec.Run(1), rules.Known{}); len(found) > 0 {
			b.Fatal(found)
		}
	}
}

// BenchmarkEvidence measures a module that goes on writing lines.
func BenchmarkEvidence(b *testing.B) {
	lines := strings.Repeat("hello there\n", abi.MaxStdout/len("hello there\n"))
	for b.Loop() {
		j := wire.NewJudge()
		j.Asked(wire.Call(`"c"`, "a", []byte("{}")))
		for range j.Write([]byte(lines)) {
		}
		j.Cause()
	}
}

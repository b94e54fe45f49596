package rules_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wasi"
	"perch/inspect/record"
	"perch/inspect/rules"
)

func TestTheTitleIsTheFirstSentence(t *testing.T) {
	for detail, want := range map[string]string{
		"line 2 on stdout is a log line. Logs belong on stderr":           "line 2 on stdout is a log line",
		"one line\nand another":                                           "one line",
		"answers with error -32602, \"bad. Args\". An error is no answer": `answers with error -32602, "bad. Args"`,
		`says "a \" quote. B" and goes on. More`:                          `says "a \" quote. B" and goes on`,
		"module.wasm has 1.5 MiB":                                         "module.wasm has 1.5 MiB",
		`"D.L" it is; D . L are not allowed. Rename it`:                   `"D.L" it is; D . L are not allowed`,
		"ends.": "ends",
		"":      abi.RuleOf(abi.FrameJSON).Statement,
	} {
		f := rules.Of(event.Breach{Rule: abi.FrameJSON, Detail: detail})
		if f.Title != want {
			t.Errorf("%q has the title %q, want %q", detail, f.Title, want)
		}
	}
}

func TestSeverityAndEffect(t *testing.T) {
	for _, c := range []struct {
		rule     abi.RuleID
		severity abi.Severity
		refuses  bool
	}{
		{abi.FrameJSON, abi.Error, false}, {abi.ToolName, abi.Error, true}, {abi.ModuleMemoryLimit, abi.Error, true},
		{abi.FilesBudget, abi.Warning, false}, {abi.HTTPTooLarge, abi.Warning, false}, {abi.BlockImage, abi.Warning, false},
		{abi.CallContent, abi.Warning, false}, {abi.FrameCR, abi.Notice, false}, {abi.FilesEscape, abi.Info, false},
		{abi.PackageManifestName, abi.Notice, false}, {abi.PackageManifestMissing, abi.Error, true},
	} {
		f := rules.Of(event.Breach{Rule: c.rule})
		if f.Severity != c.severity || f.Refuses() != c.refuses {
			t.Errorf("%s is %s, refuses %v", c.rule, f.Severity, f.Refuses())
		}
	}
	bare := rules.Package([]event.Breach{{Rule: abi.PackageManifestMissing}, {Rule: abi.ModuleStartMissing}}, true)
	if bare[0].Rule != abi.ModuleStartMissing || bare[1].Severity != abi.Notice || bare[1].Refuses() {
		t.Errorf("of a module alone: %+v", bare)
	}
}

// TestOrder: errors first, causes before what follows, then by place.
func TestOrder(t *testing.T) {
	at := func(rule abi.RuleID, run event.RunKind, stream event.Stream, offset int64, follows bool) rules.Finding {
		f := rules.Of(event.Breach{Rule: rule, Where: event.Where{Stream: stream, Offset: offset}, Follow: follows})
		f.Run = run
		return f
	}
	want := []rules.Finding{
		at(abi.ModuleStartMissing, "", event.File, 20, false),
		at(abi.FrameJSON, event.Upload, event.Stdout, 9, false),
		at(abi.FrameJSON, event.Call, event.Stdout, 3, false),
		at(abi.FrameUTF8, event.Call, event.Stdout, 30, false),
		at(abi.LifeStall, event.Call, event.Stdin, 0, false),
		at(abi.CallContent, event.Call, event.Stdout, 0, false),
		at(abi.FrameCR, event.Call, event.Stdout, 0, false),
		at(abi.LifeStderrTail, event.Call, event.Stderr, 0, false),
		at(abi.LifeEarlyExit, event.Call, event.Stdin, 0, true),
	}
	got := slices.Clone(want)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
	if rules.Sort(got); !reflect.DeepEqual(got, want) {
		for i := range got {
			t.Errorf("%d: %s, want %s", i, got[i].Rule, want[i].Rule)
		}
	}
	if w := rules.Worst(got); w != abi.Error || rules.Worst(nil) != "" || rules.Count(got, abi.Error) != 6 {
		t.Errorf("the worst is %s, %d errors", w, rules.Count(got, abi.Error))
	}
}

func TestABetterNameStandsInThePlaceOfTheFirst(t *testing.T) {
	first := event.Breach{Rule: abi.FrameJSON, Detail: "line 1"}
	for _, c := range []struct {
		name   string
		later  []event.Body
		titles []string
	}{
		{"another rule", []event.Body{event.Breach{Rule: abi.FramePretty, Instead: abi.FrameJSON, Detail: "an answer over 5 lines"}}, []string{"an answer over 5 lines"}},
		{"the same rule, with more to say", []event.Body{event.Breach{Rule: abi.FrameJSON, Instead: abi.FrameJSON, Detail: "line 1, and line 2 is good"}}, []string{"line 1, and line 2 is good"}},
		{"of a rule that was not broken", []event.Body{event.Breach{Rule: abi.LifeBuffered, Instead: abi.LifeStall, Detail: "late"}}, []string{"late", "line 1"}},
		{"what follows is left alone", []event.Body{
			event.Breach{Rule: abi.LifeExitCode, Detail: "exit 1", Follow: true},
			event.Breach{Rule: abi.LifeOldContract, Instead: abi.LifeExitCode, Detail: "old"}}, []string{"line 1", "old", "exit 1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := rules.Run(recorded(t, append([]event.Body{begin(event.Call), first}, c.later...)...), rules.Known{})
			var titles []string
			for _, f := range found {
				titles = append(titles, f.Title)
			}
			slices.Sort(titles)
			slices.Sort(c.titles)
			if !slices.Equal(titles, c.titles) {
				t.Errorf("found %q, want %q", titles, c.titles)
			}
		})
	}
}

func TestLinksOfTheAnswer(t *testing.T) {
	where := event.Where{Stream: event.Stdout, Line: 1, Offset: 80, End: 103, Pointer: "/result/content/0/uri"}
	found := rules.Run(recorded(t, begin(event.Call),
		event.Breach{Rule: abi.BlockLinkVolume, Where: event.Where{Stream: event.Stdout, Offset: 20}, Detail: "block 3 links \"volume:///../x\": it has the segment .."},
		event.Link{Block: 0, URI: "volume:///tmp/a.png", Path: "/volume/tmp/a.png", Problem: "/volume/tmp/a.png is not there after the exit", Where: where},
		event.Link{Block: 1, URI: "volume:///tmp/b.png", Path: "/volume/tmp/b.png", Type: "image/png"},
		event.Link{Block: 2, URI: "volume:///../x", Problem: "it has the segment .."}), rules.Known{})
	if len(found) != 2 {
		t.Fatalf("found %+v", found)
	}
	if f := found[1]; f.Where != where || f.Title != `block 1 links "volume:///tmp/a.png": /volume/tmp/a.png is not there after the exit` || f.Severity != abi.Warning {
		t.Errorf("found %+v", f)
	}
}

func TestTheTailOfStderr(t *testing.T) {
	text := strings.Repeat("0123456789abcde\n", 500) // 8,000 bytes
	out := event.Output{Stream: event.Stderr, Bytes: []byte(text)}
	for _, c := range []struct {
		name    string
		kind    event.RunKind
		outcome event.Outcome
		out     []event.Body
		offset  int64 // -1: nothing is told
		line    int
		title   string
	}{
		{"a broken call", event.Call, event.Broken, []event.Body{out}, 8000 - abi.StderrTail, 245, "the model is told the last 4096 B of stderr, of 8000 B: what came before is cut"},
		{"little of it", event.Call, event.Broken, []event.Body{event.Output{Stream: event.Stderr, Bytes: []byte("x")}}, 0, 1, "the model is told the last 1 B of stderr"},
		{"none of it", event.Call, event.Broken, nil, -1, 0, ""},
		{"a good call", event.Call, event.OK, []event.Body{out}, -1, 0, ""},
		{"an upload", event.Upload, event.Refused, []event.Body{out}, -1, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := rules.Run(recorded(t, slices.Concat([]event.Body{begin(c.kind)}, c.out, []event.Body{event.End{Outcome: c.outcome}})...), rules.Known{})
			if c.offset < 0 {
				if len(found) > 0 {
					t.Fatalf("found %+v", found)
				}
				return
			}
			if len(found) != 1 || found[0].Rule != abi.LifeStderrTail {
				t.Fatalf("found %+v", found)
			}
			if w := found[0].Where; w.Offset != c.offset || w.Line != c.line || found[0].Title != c.title {
				t.Errorf("%q at line %d, byte %d", found[0].Title, w.Line, w.Offset)
			}
		})
	}
}

// TestPieceByPieceIsTheSameAsWhole: findings are a function of the record, no
// matter how often they were asked for on the way, or how the events came.
func TestPieceByPieceIsTheSameAsWhole(t *testing.T) {
	bodies := []event.Body{begin(event.Call), named(3)}
	for i := range 200 {
		switch i % 5 {
		case 0:
			bodies = append(bodies, refused("/etc/x", wasi.EPERM, "stayed inside: .. leads out of /volume/tmp"), open(3, strings.Repeat("../", 1+i), wasi.EPERM))
		case 1:
			bodies = append(bodies, open(4, "x", 0))
		case 2:
			bodies = append(bodies, event.Breach{Rule: abi.HTTPMisuse, Detail: "read_response without a request"})
		case 3:
			bodies = append(bodies, event.Output{Stream: event.Stderr, Bytes: []byte("log\n")})
		case 4:
			bodies = append(bodies, event.Link{Block: i, URI: "u", Path: "/volume/tmp/p", Problem: "gone"})
		}
	}
	bodies = append(bodies, event.Breach{Rule: abi.FrameJSON, Detail: "x"}, event.Breach{Rule: abi.FramePretty, Instead: abi.FrameJSON, Detail: "y"}, event.End{Outcome: event.Broken})
	whole := rules.Run(recorded(t, bodies...), rules.Known{})

	rec := record.New(record.DefaultLimits())
	defer rec.Close()
	var asked, taken *rules.Checker
	for i, b := range bodies {
		e := event.Event{Run: 1, Seq: uint64(i), Body: b}
		rec.Append(e)
		if i == 0 {
			asked, taken = rules.NewChecker(rec.Run(1), rules.Known{}), rules.NewChecker(rec.Run(1), rules.Known{})
		}
		taken.Take(e)
		if i%7 == 0 {
			asked.Findings()
		}
	}
	for name, c := range map[string]*rules.Checker{"asked now and then": asked, "given each event": taken} {
		if got := c.Findings(); !reflect.DeepEqual(got, whole) {
			t.Errorf("%s: %d findings, %d of the whole", name, len(got), len(whole))
		}
		if again := c.Findings(); !reflect.DeepEqual(again, whole) {
			t.Errorf("%s: asked again, the findings differ", name)
		}
	}
}

// BenchmarkCheck measures how many events a second a run is checked at: calls
// of WASI, which are most of them.
func BenchmarkCheck(b *testing.B) {
	rec := record.New(record.DefaultLimits())
	defer rec.Close()
	rec.Append(event.Event{Run: 1, Body: begin(event.Call)})
	const calls = 100_000
	for i := range calls {
		rec.Append(event.Event{Run: 1, Body: event.WASI{Func: "fd_write", Args: []uint64{2, uint64(i), 1, 8}, Count: 1}})
	}
	b.ReportAllocs()
	for b.Loop() {
		rules.Run(rec.Run(1), rules.Known{})
	}
	b.ReportMetric(float64(b.N)*calls/b.Elapsed().Seconds(), "events/s")
}

// TestAProbeIsJudgedByWhoMadeIt: what breaks a run of Subako's may be what a
// probe asks for.
func TestAProbeIsJudgedByWhoMadeIt(t *testing.T) {
	answered := event.Breach{Rule: abi.ErrorAnswered, Detail: "answers with error -32602"}
	if found := rules.Run(recorded(t, begin(event.Probe), answered, event.End{Outcome: event.Broken}), rules.Known{}); len(found) > 0 {
		t.Errorf("of a probe it found %+v", found)
	}
	if found := rules.Run(recorded(t, begin(event.Call), answered, event.End{Outcome: event.Broken}), rules.Known{}); len(found) != 1 {
		t.Errorf("of a call it found %+v", found)
	}
}

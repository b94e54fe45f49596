package bench

import (
	"context"

	"perch/engine"
	"perch/engine/event"
	"perch/inspect/model"
	"perch/inspect/record"
	"perch/inspect/report"
	"perch/inspect/rules"
)

// Call is what came of a call.
type Call struct {
	Tool     string
	Result   engine.Result
	Run      *record.Run
	Model    []model.Block
	Findings []rules.Finding // of the call run alone
	Mocked   int             // exchanges that a mock answered in place of a server
}

// Call calls a tool. Arguments are the JSON text of an object. An error means
// that nothing was run.
func (b *Bench) Call(ctx context.Context, tool string, arguments []byte) (Call, error) {
	sink := b.watch()
	defer sink.done()
	if b.Files != nil {
		b.Files.Begin(b.Session.VolumeDir())
	}
	result, err := b.Session.Call(ctx, tool, arguments, sink)
	if b.Files != nil {
		b.Files.End(result.Run, b.Session.VolumeDir())
	}
	if err != nil {
		return Call{}, err
	}
	run := b.Record.Run(result.Run)
	c := Call{tool, result, run, model.BlocksOf(run, result.Answer), sink.Findings(), sink.Mocked()}
	b.acceptCall(c.Findings, tool)
	return c, result.Tape.Close()
}

// Known is what checks of the package's runs stand on: the tools that the last
// upload run listed.
func (b *Bench) Known() rules.Known {
	b.mu.Lock()
	defer b.mu.Unlock()
	return rules.Known{Tools: b.tools, Schemas: &b.schemas}
}

// CallReport is a call for programs; the upload run's findings stand behind
// those of the call.
func (b *Bench) CallReport(c Call, u Upload) report.Call {
	r := report.Call{Package: b.About(), Tool: c.Tool, Outcome: c.Result.Outcome, Model: c.Model, Exit: c.Result.Exit,
		Findings: append(c.Findings[:len(c.Findings):len(c.Findings)], u.Findings...), StderrTail: c.Result.Stderr, Usage: c.Result.Usage, Mocked: c.Mocked}
	if c.Result.Answer != nil {
		r.Result = c.Result.Answer.Result.Raw()
	}
	return r
}

// NotRun is the report of a call of a package whose module cannot be run.
func (b *Bench) NotRun(tool string, u Upload) report.Call {
	return report.Call{Package: b.About(), Tool: tool, Outcome: event.Refused, Findings: u.Findings, NotRun: true}
}

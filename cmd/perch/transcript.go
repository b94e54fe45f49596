package main

import (
	"bytes"
	"context"
	"fmt"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/inspect/bench"
	"perch/inspect/model"
	"perch/inspect/record"
	"perch/inspect/report"
	"perch/inspect/rules"
	"perch/inspect/safe"
	"perch/samples"
)

// transcriptLine is the width of a line of wire in a transcript, in cells.
const transcriptLine = 160

// transcriptAll is what perch alone prints where there is no terminal.
func (a *app) transcriptAll(ctx context.Context) error {
	fmt.Fprintln(a.err, "perch: no terminal, so this is a transcript. For data: perch check --json")
	a.listSamples()
	fmt.Fprintln(a.out)
	return a.transcript(ctx, bench.SamplePrefix+samples.List()[0].Name)
}

// transcript prints the check, the tools, and for a sample one call of each
// tool with its wire. It never waits for a key.
func (a *app) transcript(ctx context.Context, name string) error {
	b, err := a.open(ctx, name)
	if err != nil {
		return err
	}
	defer b.Close()
	u, err := a.upload(ctx, b)
	if err != nil {
		return err
	}
	a.transcriptTools(b, u)
	worst := uploadStatus(u, b.Settings.Strict)
	if b.Sample() && u.Run != nil {
		sets := b.Arguments()
		for _, t := range u.Tools {
			args := []byte("{}")
			if len(sets[t.Name]) > 0 {
				args = sets[t.Name][0].Value
			}
			s, err := a.transcriptCall(ctx, b, t.Name, args)
			if err != nil {
				return err
			}
			worst = max(worst, s)
		}
	}
	return ended(worst)
}

func (a *app) transcriptTools(b *bench.Bench, u bench.Upload) {
	out := textStyle(a.out)
	subako, mcp := rules.PackageVerdicts(u.Accepted(), u.Findings)
	fmt.Fprintln(a.out, out.Row(append(heading(b), "Subako: "+subako.Text, "MCP: "+mcp.Text)...))
	for _, f := range u.Findings {
		fmt.Fprintf(a.out, "  %s[%s] %s\n", f.Severity, f.Rule, out.Safe.Line(f.Title))
	}
	if len(u.Tools) == 0 {
		return
	}
	fmt.Fprintln(a.out, "tools")
	for _, t := range u.Tools {
		fmt.Fprintf(a.out, "  %-16s %s  %s\n", out.Safe.Line(t.Name), cut(out, []byte(t.Description)), out.Safe.Line(signature(t)))
	}
}

func (a *app) transcriptCall(ctx context.Context, b *bench.Bench, tool string, args []byte) (int, error) {
	c, err := b.Call(ctx, tool, args)
	if err != nil {
		return 0, failure(ctx, err)
	}
	out := textStyle(a.out)
	fmt.Fprintf(a.out, "call %s %s  %s\n", out.Safe.Line(tool), cut(out, c.Run.Begin().Arguments), outcomeLine(out, c))
	a.wire(c.Run)
	for _, block := range c.Model {
		fmt.Fprintf(a.out, "%-6s %s\n", modelWord(block), cut(out, []byte(block.Text)))
	}
	for _, f := range c.Findings {
		if f.Severity != abi.Info {
			fmt.Fprintf(a.out, "  %s[%s] %s\n", f.Severity, f.Rule, out.Safe.Line(f.Title))
		}
	}
	return callStatus(c, b.Settings.Strict), nil
}

func modelWord(b model.Block) string {
	if b.Type == model.Text {
		return "model"
	}
	return string(b.Type)
}

// wire prints the lines of a run in their order.
func (a *app) wire(r *record.Run) {
	out := textStyle(a.out)
	for _, seq := range r.Of(record.KindRequest, record.KindMessage) {
		e, _ := r.Event(uint64(seq))
		switch b := e.Body.(type) {
		case event.Request:
			fmt.Fprintf(a.out, "-> %s\n", cut(out, bytes.TrimSuffix(b.Bytes, []byte("\n"))))
		case event.Message:
			n := min(b.Len, abi.MaxShownLine)
			fmt.Fprintf(a.out, "<- %s\n", cut(out, r.Stream(event.Stdout).Bytes(b.Offset, n)))
		}
	}
}

func cut(s report.Style, b []byte) string {
	text := s.Safe.Line(string(b))
	if safe.Width(text) > transcriptLine {
		return s.Safe.Cut(text, transcriptLine)
	}
	return text
}

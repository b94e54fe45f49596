package probe

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"perch/engine"
	"perch/engine/abi"
	"perch/engine/jsonread"
	"perch/engine/quote"
	"perch/engine/wire"
	"perch/inspect/schema/sample"
)

// The probes that call tools. Each tool has a control first: a call with small
// arguments that its schema allows. Where that is not answered, the tool's
// other probes would say nothing.

// control is a tool and what a right call of it comes to.
type control struct {
	tool   string
	schema jsonread.Value
	args   []byte
	works  bool   // it was answered with a result
	result []byte // that result, of the tools that are held against it
	writes bool   // the call changed its volume
	slow   bool   // it took all its time
}

// controlOf is nil for a tool that cannot be called with sense.
func controlOf(t wire.Tool) *control {
	if t.Name == "" || t.InputSchema.Kind() != jsonread.Object {
		return nil
	}
	args := sample.Minimal(t.InputSchema)
	if args == nil || args[0] != '{' {
		return nil
	}
	return &control{tool: t.Name, schema: t.InputSchema, args: args}
}

func (c *control) name() string { return abi.MethodCall + " of " + quote.Text(c.tool) }

func (c *control) ask() ask { return call(c.tool, c.args) }

// gives reports whether an answer has the control's result, by value.
func (c *control) gives(a *answer) bool {
	raw := a.result.Raw()
	if bytes.Equal(raw, c.result) {
		return true
	}
	doc, err := whole.Parse(c.result)
	return err == nil && doc.Root().Equal(a.result)
}

// seed fixes random bytes and clock where two runs are compared.
const seed = "perch"

// later is how far the clock is moved on, to see whether an answer tells the
// time: every part of date and time is another one.
const later = 400*24*time.Hour + 3*time.Hour + 7*time.Minute + 11*time.Second + 13*time.Millisecond + 17*time.Microsecond

// seeded is a script of these requests with random bytes and clock fixed.
func (p *prober) seeded(asks ...ask) engine.Script {
	s := p.script(asks...)
	s.Seed = seed
	return s
}

// controls are the calls that the others stand on. One that is broken is a
// finding: the least arguments that a schema allows are right. One that takes
// all its time is none: how long a tool may take is the call's limit to say.
func (p *prober) controls() []trial {
	var list []trial
	for i, c := range p.tools {
		name := fmt.Sprintf("%s with %s, which its schema allows,", c.name(), brief(c.args))
		list = append(list, trial{subject{abi.ProbeArguments, c.tool}, c.name(), nil, func(ctx context.Context) (*fault, error) {
			s := p.seeded(c.ask())
			s.Name = c.name()
			h, err := p.run(ctx, s)
			if err != nil || ctx.Err() != nil {
				return nil, err
			}
			a := h.answers[1]
			if a != nil && a.error.IsZero() {
				c.works, c.writes = true, h.writes
				if i < maxStateless { // a result can be as large as stdout
					c.result = bytes.Clone(a.result.Raw())
				}
			}
			f := h.wantResult(name, 1)
			if c.slow = f != nil && f.slow; f == nil || c.slow {
				return nil, nil
			}
			f.fix = "Answer each call with a result. What the model should read of a failure is a result with isError."
			return f, nil
		}})
	}
	return list
}

// brief are arguments in a sentence.
func brief(args []byte) string {
	const longest = 60
	if len(args) > longest {
		return fmt.Sprintf("arguments of %s", quote.Plural(len(args), "byte"))
	}
	return visible(args)
}

func (p *prober) unknownTool() []trial {
	var list []trial
	for _, tool := range []string{p.unlisted(), ""} {
		name := abi.MethodCall + " of " + quote.Text(tool) + ", which is not listed,"
		list = append(list, p.simple(subject{rule: abi.ProbeTool}, name, nil,
			func() engine.Script { return p.script(call(tool, []byte("{}"))) },
			func(h heard) *fault { return h.wantRefusal(name, 1) }))
	}
	return list
}

// unlisted is a name that no tool has.
func (p *prober) unlisted() string {
	name := "no-such-tool"
	for slices.ContainsFunc(p.about.Tools, func(t wire.Tool) bool { return t.Name == name }) {
		name += "-"
	}
	return name
}

func (p *prober) arguments() []trial {
	var list []trial
	for _, c := range p.tools {
		for _, v := range sample.Wrong(c.schema, abi.MaxProbes) {
			name := c.name() + " " + v.What
			list = append(list, p.simple(subject{abi.ProbeArguments, c.tool}, name, func() bool { return c.works },
				func() engine.Script { return p.script(call(c.tool, v.JSON)) },
				func(h heard) *fault { return h.wantToolError(name, 1) }))
		}
	}
	return list
}

// maxStateless is how many tools are tried for what they keep in mind.
const maxStateless = 8

func (p *prober) stateless() []trial {
	var list []trial
	for i, c := range p.tools[:min(len(p.tools), maxStateless)] {
		var other *control
		if len(p.tools) > 1 {
			other = p.tools[(i+1)%len(p.tools)]
		}
		s := subject{abi.ProbeStateless, c.tool}
		list = append(list,
			trial{s, c.name() + " behind " + abi.MethodDiscover, func() bool { return !c.slow }, func(ctx context.Context) (*fault, error) {
				return p.behindDiscover(ctx, c)
			}},
			trial{s, c.name() + " again", func() bool { return c.works && !c.writes }, func(ctx context.Context) (*fault, error) {
				return p.again(ctx, c, other)
			}})
	}
	return list
}

// behindDiscover holds a call behind server/discover and tools/list against one
// that comes first.
func (p *prober) behindDiscover(ctx context.Context, c *control) (*fault, error) {
	h, err := p.run(ctx, p.seeded(ask{method: abi.MethodDiscover}, ask{method: abi.MethodList}, c.ask()))
	a := h.answers[3]
	if err != nil || a == nil || !a.error.IsZero() {
		return nil, err
	}
	switch {
	case !c.works:
		return h.differs(c, 3, a, "is answered only when "+abi.MethodDiscover+" came before it",
			"Subako calls a tool in a new instance, which saw no request before."), nil
	case c.writes || h.writes || c.gives(a):
		return nil, nil
	}
	steady, err := p.steady(ctx, c)
	if err != nil || !steady {
		return nil, err
	}
	return h.differs(c, 3, a, "is answered otherwise when "+abi.MethodDiscover+" and "+abi.MethodList+" came before it",
		"Without them the result is "+excerpt(c.result)+"."), nil
}

// again holds the second call of a process, and one behind a call of another
// tool, against the first.
func (p *prober) again(ctx context.Context, c, other *control) (*fault, error) {
	asks := []ask{c.ask(), c.ask()}
	if other != nil && other.works && !other.writes {
		asks = append(asks, other.ask(), c.ask())
	}
	h, err := p.run(ctx, p.seeded(asks...))
	if err != nil || h.writes {
		return nil, err
	}
	for _, line := range []int{2, 4} {
		if line > len(asks) {
			break
		}
		when := "is answered otherwise the second time"
		if line == 4 {
			when = "is answered otherwise behind a call of " + quote.Text(other.tool)
		}
		a := h.answers[line]
		switch {
		case a != nil && c.gives(a):
			continue
		case a == nil && h.fault != nil && h.answers[line-1] != nil:
			return h.broke(c.name()+", the second call of a process,", line), nil
		case a == nil || !a.error.IsZero():
			return nil, nil
		}
		steady, err := p.steady(ctx, c)
		if err != nil || !steady {
			return nil, err
		}
		return h.differs(c, line, a, when, "The first time the result is "+excerpt(c.result)+"."), nil
	}
	return nil, nil
}

// steady reports whether a call gives the same with other random bytes and at
// another time: only then two answers can be compared.
func (p *prober) steady(ctx context.Context, c *control) (bool, error) {
	s := p.seeded(c.ask())
	s.Seed, s.Shift = seed+" otherwise", later
	h, err := p.run(ctx, s)
	if err != nil {
		return false, err
	}
	a := h.answers[1]
	return a != nil && c.gives(a), nil
}

func (h heard) differs(c *control, line int, a *answer, came, more string) *fault {
	return &fault{name: c.name(), came: came, more: more, where: a.at(a.result), run: h.run, seq: a.seq,
		sent: h.request(line).Bytes, got: a.raw}
}

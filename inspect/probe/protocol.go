package probe

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"perch/engine"
	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
	"perch/engine/quote"
	"perch/inspect/rules"
)

// The probes of the protocol: what any request of any method comes to.

// target is a request that Subako sends and that the module answers well.
type target struct {
	method string
	when   func() bool
	ask    func() ask
	name   func() string
}

// targets are one request of each method: discover, and where the module
// answers them, the list and a call of the first tool whose control works.
func (p *prober) targets() []target {
	fixed := func(method string) target {
		return target{method, nil, func() ask { return ask{method: method} }, func() string { return method }}
	}
	list := []target{fixed(abi.MethodDiscover)}
	if p.upload.answers[2] != nil {
		list = append(list, fixed(abi.MethodList))
	}
	if len(p.tools) > 0 {
		list = append(list, target{abi.MethodCall, func() bool { return p.callable() != nil },
			func() ask { return p.callable().ask() }, func() string { return p.callable().name() }})
	}
	return list
}

// callable is the first tool whose control works; nil when none does.
func (p *prober) callable() *control {
	for _, c := range p.tools {
		if c.works {
			return c
		}
	}
	return nil
}

// each makes a probe of each target, which verdict judges by the first line.
func (p *prober) each(s subject, how string, change func(*ask), verdict func(h heard, name string) *fault) []trial {
	var list []trial
	for _, t := range p.targets() {
		list = append(list, p.simple(s, t.method+" "+how, t.when, func() engine.Script {
			a := t.ask()
			change(&a)
			return p.script(a)
		}, func(h heard) *fault { return verdict(h, t.name()+" "+how) }))
	}
	return list
}

func (p *prober) meta() []trial {
	s := subject{rule: abi.ProbeMeta}
	verdict := func(h heard, name string) *fault { return h.wantError(name, 1, abi.CodeInvalidParams) }
	return slices.Concat(
		p.each(s, "without _meta", func(a *ask) { a.meta = noMeta }, verdict),
		p.each(s, "without protocolVersion in _meta", func(a *ask) { a.meta = without(abi.MetaProtocolVersion) }, verdict),
		p.each(s, "without clientCapabilities in _meta", func(a *ask) { a.meta = without(abi.MetaClientCapabilities) }, verdict),
	)
}

// noRevision is a revision of MCP that there is none of.
const noRevision = "1999-12-31"

func (p *prober) version() []trial {
	change := func(a *ask) { a.meta = with(abi.MetaProtocolVersion, quoted(noRevision)) }
	return p.each(subject{rule: abi.ProbeVersion}, "in revision "+noRevision, change, func(h heard, name string) *fault {
		if f := h.wantError(name, 1, abi.CodeUnsupportedVersion); f != nil {
			return f
		}
		a := h.answers[1]
		data := a.error.Get("data")
		f := fault{name: name, where: a.at(a.error), run: h.run, seq: a.seq, sent: h.request(1).Bytes, got: a.raw}
		begin := fmt.Sprintf("is answered with error %d", abi.CodeUnsupportedVersion)
		switch {
		case !texts(data.Get("supported")):
			f.came = begin + " without data.supported, a list of the revisions that are spoken"
		case !data.Get("requested").Is(noRevision):
			f.came = begin + " without data.requested, the revision that was asked for"
		default:
			return nil
		}
		return &f
	})
}

// texts reports whether a value is a list of strings that is not empty.
func texts(v jsonread.Value) bool {
	for _, x := range v.Elements() {
		if x.Kind() != jsonread.String {
			return false
		}
	}
	return v.Kind() == jsonread.Array && v.Len() > 0
}

func (p *prober) method() []trial {
	var list []trial
	for _, method := range []string{"perch/unknown", "prompts/list"} {
		name := "the method " + method
		list = append(list, p.simple(subject{rule: abi.ProbeMethod}, name, func() bool { return !p.offers(method) },
			func() engine.Script { return p.script(ask{method: method}) },
			func(h heard) *fault { return h.wantError(name, 1, abi.CodeMethodNotFound) }))
	}
	return list
}

// offers reports whether the module says that it has the capability of a method.
func (p *prober) offers(method string) bool {
	capability, _, _ := strings.Cut(method, "/")
	return !p.upload.answers[1].result.Get("capabilities").Get(capability).IsZero()
}

func (p *prober) oddIDs() []trial {
	var list []trial
	for _, id := range []string{"0", "-1", "9007199254740991", `""`, `"a\"b"`, `"\ud834\udd1e"`, `"𝄞 é"`} {
		name := abi.MethodDiscover + " with the id " + id
		list = append(list, p.simple(subject{rule: abi.ProbeID}, name, nil,
			func() engine.Script { return p.script(ask{method: abi.MethodDiscover, id: id}) },
			func(h heard) *fault { return h.wantResult(name, 1) }))
	}
	return list
}

func (p *prober) notification() []trial {
	var list []trial
	for _, n := range []struct {
		method string
		params []member
	}{
		{"notifications/cancelled", []member{{"requestId", quoted("perch")}, {"reason", quoted("a probe")}}},
		{"notifications/perch", []member{{"_meta", object(subakoMeta())}}},
		{abi.MethodList, []member{{"_meta", object(subakoMeta())}}},
	} {
		name := n.method + " without an id"
		script := func() engine.Script {
			return engine.Script{Steps: []engine.Step{notify(n.method, n.params), p.step(ask{method: abi.MethodDiscover})}}
		}
		list = append(list, p.simple(subject{rule: abi.ProbeNotification}, name, nil, script, func(h heard) *fault {
			return h.wantSilence(name)
		}))
	}
	return list
}

// wantSilence wants a notification to be passed over, and the request behind it
// to be answered. The request is sent when the module reads on.
func (h heard) wantSilence(name string) *fault {
	out := h.firstLine()
	switch {
	case len(h.requests) > 1:
		return h.wantResult("the request behind "+name, 2)
	case out != nil:
		return &fault{name: name + ", a notification,", came: "is answered", run: h.run, seq: h.seq, sent: h.request(1).Bytes, got: out,
			where: event.Where{Stream: event.Stdout, Line: 1, End: int64(len(out))}}
	case h.fault != nil:
		return h.broke(name+", a notification,", 1)
	}
	return &fault{name: name + ", a notification,", came: "ends the module", where: h.whereSent(1), run: h.run, sent: h.request(1).Bytes}
}

func (p *prober) clientInfo() []trial {
	return p.each(subject{rule: abi.ProbeClientInfo}, "without clientInfo in _meta",
		func(a *ask) { a.meta = without(abi.MetaClientInfo) },
		func(h heard, name string) *fault { return h.wantResult(name, 1) })
}

// longPad is what makes a line long: members of _meta that nobody knows are
// passed over (MCP 2026-07-28, _meta).
const (
	padKey  = "perch/padding"
	longPad = 200 << 10
)

func (p *prober) longLine() []trial {
	pad := quoted(strings.Repeat("perch ", longPad/len("perch ")))
	return p.each(subject{rule: abi.ProbeLongLine}, fmt.Sprintf("in a line of over %d KiB", len(pad)>>10),
		func(a *ask) { a.meta = with(padKey, pad) },
		func(h heard, name string) *fault { return h.wantResult(name, 1) })
}

// wide is a client's name whose characters take two to four bytes.
const wide = "pérch ✓ 𝄞"

func (p *prober) chunked() []trial {
	info := object([]member{{"name", quoted(wide)}, {"version", quoted(abi.ClientVersion)}})
	s := subject{rule: abi.ProbeChunkedStdin}
	var list []trial
	for _, c := range []struct {
		how    string
		pieces func(line []byte) []int
	}{
		{"byte by byte", func([]byte) []int { return []int{1} }},
		{"seven bytes at a time", func([]byte) []int { return []int{7} }},
		{"cut inside of characters", insideCharacters},
		{"with its line end apart", func(line []byte) []int { return []int{len(line) - 1, 1} }},
	} {
		for _, t := range p.targets() {
			how := " that arrives " + c.how
			list = append(list, p.simple(s, t.method+how, t.when, func() engine.Script {
				a := t.ask()
				a.meta = with(abi.MetaClientInfo, info)
				x := p.script(a, ask{method: abi.MethodDiscover})
				for i := range x.Steps {
					x.Steps[i].Pieces = c.pieces(x.Steps[i].Bytes)
				}
				return x
			}, func(h heard) *fault { return h.wantResult(t.name()+how, 1, 2) }))
		}
	}
	return list
}

// insideCharacters are pieces that end behind the first byte of each character
// that has several.
func insideCharacters(line []byte) []int {
	var pieces []int
	from := 0
	for i := 0; i < len(line); {
		_, n := utf8.DecodeRune(line[i:])
		if n > 1 {
			pieces = append(pieces, i+1-from)
			from = i + 1
		}
		i += n
	}
	return append(pieces, max(1, len(line)-from))
}

func (p *prober) eof() []trial {
	var list []trial
	for _, t := range p.targets() {
		const how = " followed at once by the end of input"
		list = append(list, p.simple(subject{rule: abi.ProbeEOF}, t.method+how, t.when, func() engine.Script {
			x := p.script(t.ask())
			x.Steps[0].Close = true
			return x
		}, func(h heard) *fault { return h.wantResult(t.name()+how, 1) }))
	}
	return list
}

// handshake confirms that a module which the upload run found to wait for
// initialize answers it. It is no rule of its own: what is found stands beside
// the finding of the upload run.
func (p *prober) handshake() trial {
	name := "the handshake of older revisions"
	return trial{subject{rule: abi.RPCHandshake}, name, nil, func(ctx context.Context) (*fault, error) {
		s := engine.Script{Name: name, Steps: []engine.Step{p.step(ask{method: abi.MethodInitialize, meta: noMeta, params: []member{
			{"protocolVersion", quoted(abi.HandshakeVersion)},
			{"capabilities", []byte("{}")},
			{"clientInfo", object([]member{{"name", quoted(abi.ClientName)}, {"version", quoted(abi.ClientVersion)}})},
		}})}}
		h, err := p.run(ctx, s)
		a := h.answers[1]
		if err != nil || a == nil || !a.error.IsZero() {
			return nil, err
		}
		speaks := a.result.Get("protocolVersion")
		detail := abi.MethodInitialize + " is answered with a result: the module speaks an older MCP revision"
		if text, ok := speaks.Text(); ok {
			detail += ", " + quote.Text(text)
		}
		f := fault{run: h.run, sent: h.request(1).Bytes, got: a.raw}
		x := rules.Of(event.Breach{Rule: abi.RPCHandshake, Where: a.at(speaks), Follow: true, Cause: p.upload.fault.Cause,
			Detail: detail + "\n" + f.exchange() + "\n" + Mark})
		x.Severity, x.Run, x.RunID, x.Event = abi.Info, event.Probe, h.run.ID(), a.seq
		p.more = append(p.more, x)
		return nil, nil
	}}
}

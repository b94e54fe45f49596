package probe

import (
	"perch/engine"
	"perch/engine/abi"
	"perch/engine/jsonread"
)

// member is a member of an object: its name, and its value as JSON text.
type member struct {
	name  string
	value []byte
}

func quoted(text string) []byte { return jsonread.AppendQuote(nil, text) }

// object writes members in their order, compactly.
func object(list []member) []byte {
	b := []byte{'{'}
	for i, m := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(jsonread.AppendQuote(b, m.name), ':'), m.value...)
	}
	return append(b, '}')
}

// ask is a request that is to be sent. The zero values are what Subako sends.
type ask struct {
	method string
	id     string   // JSON text; empty: a new one
	params []member // before _meta
	meta   func([]member) []member
	bare   bool // no params at all
}

// of is a call of a tool.
func call(tool string, arguments []byte) ask {
	return ask{method: abi.MethodCall, params: []member{{"name", quoted(tool)}, {"arguments", arguments}}}
}

// subakoMeta is the _meta of Subako's requests.
func subakoMeta() []member {
	return []member{
		{abi.MetaProtocolVersion, quoted(abi.ProtocolVersion)},
		{abi.MetaClientInfo, object([]member{{"name", quoted(abi.ClientName)}, {"version", quoted(abi.ClientVersion)}})},
		{abi.MetaClientCapabilities, []byte("{}")},
	}
}

// without leaves a key of _meta out.
func without(key string) func([]member) []member {
	return func(list []member) []member {
		var kept []member
		for _, m := range list {
			if m.name != key {
				kept = append(kept, m)
			}
		}
		return kept
	}
}

// with puts another value for a key of _meta, in its place; a key that is not
// there comes first.
func with(key string, value []byte) func([]member) []member {
	return func(list []member) []member {
		for i, m := range list {
			if m.name == key {
				list[i].value = value
				return list
			}
		}
		return append([]member{{key, value}}, list...)
	}
}

// noMeta leaves the whole of _meta out.
func noMeta([]member) []member { return nil }

// step writes a request as the ABI page's are written.
func (p *prober) step(a ask) engine.Step {
	if a.id == "" {
		a.id = p.id(a.method)
	}
	list := []member{{"jsonrpc", quoted("2.0")}, {"id", []byte(a.id)}, {"method", quoted(a.method)}}
	meta := subakoMeta()
	if a.meta != nil {
		meta = a.meta(meta)
	}
	params := a.params[:len(a.params):len(a.params)]
	if meta != nil {
		params = append(params, member{"_meta", object(meta)})
	}
	if !a.bare {
		list = append(list, member{"params", object(params)})
	}
	return engine.Step{Bytes: append(object(list), '\n'), ID: a.id, Method: a.method}
}

// id is a new id, of the kind that Subako's requests of this method have.
func (p *prober) id(method string) string {
	switch method {
	case abi.MethodDiscover:
		return p.ids.Discover()
	case abi.MethodList:
		return p.ids.List()
	}
	return p.ids.Call()
}

// notify writes a notification.
func notify(method string, params []member) engine.Step {
	list := []member{{"jsonrpc", quoted("2.0")}, {"method", quoted(method)}, {"params", object(params)}}
	return engine.Step{Bytes: append(object(list), '\n'), Method: method}
}

// script is a script of these requests, on a volume of its own where one of them
// is a call.
func (p *prober) script(asks ...ask) engine.Script {
	var s engine.Script
	for _, a := range asks {
		s.Steps = append(s.Steps, p.step(a))
		s.Volume = s.Volume || a.method == abi.MethodCall
	}
	return s
}

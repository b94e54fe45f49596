package engine

import (
	"perch/engine/abi"
	"perch/engine/egress"
	"perch/engine/wasi"
	"perch/engine/wasm"
)

// Provided says what Subako provides under a name (ABI page, The module): the
// function's type, whether the module is known, and whether the name is.
func Provided(module, name string) (t wasm.FuncType, moduleKnown, nameKnown bool) {
	switch module {
	case abi.ModuleWASI:
		if f := wasi.Lookup(name); f != nil {
			return wasiType(*f), true, true
		}
	case abi.ModuleHTTP:
		for _, f := range egress.Functions() {
			if f.Name == name {
				return funcType(f.Params, f.Results), true, true
			}
		}
	default:
		return t, false, false
	}
	return t, true, false
}

// ProvidedNames lists the functions of a module that Subako provides.
func ProvidedNames(module string) []string {
	var names []string
	switch module {
	case abi.ModuleWASI:
		for _, f := range wasi.Functions() {
			names = append(names, f.Name)
		}
	case abi.ModuleHTTP:
		for _, f := range egress.Functions() {
			names = append(names, f.Name)
		}
	}
	return names
}

func wasiType(f wasi.Func) wasm.FuncType {
	params := make([]byte, len(f.Params))
	for i, p := range f.Params {
		params[i] = p.Type
	}
	var results []byte
	if f.Errno {
		results = []byte{wasi.I32}
	}
	return funcType(params, results)
}

func funcType(params, results []byte) wasm.FuncType {
	var t wasm.FuncType
	for _, p := range params {
		t.Params = append(t.Params, wasm.ValType(p))
	}
	for _, r := range results {
		t.Results = append(t.Results, wasm.ValType(r))
	}
	return t
}

package wasm

import "testing"

// TestNewestClangOfTheDebugInformation: an object without an ident names its
// compiler in its debug information alone.
func TestNewestClangOfTheDebugInformation(t *testing.T) {
	custom := func(name, text string) []byte {
		body := append([]byte{byte(len(name))}, name+text...)
		return append([]byte{0, byte(len(body))}, body...)
	}
	producers := "\x01\x0cprocessed-by\x01\x05clang\x0614.0.6"
	for text, want := range map[string]string{
		"Debian clang version 19.1.7 (3)\x00x": "clang 19.1.7", "clang version 19.1.7\x00\x1b[2J": "clang 19.1.7",
		"clang version 9.0.1\x00": "clang 14.0.6", "clang version \x1b": "clang 14.0.6", "": "clang 14.0.6",
	} {
		b := append([]byte("\x00asm\x01\x00\x00\x00"), custom("producers", producers)...)
		b = append(b, custom(".debug_str", text)...)
		if got := Check(b, CheckOptions{Provided: func(string, string) (FuncType, bool, bool) { return FuncType{}, false, false },
			Names: func(string) []string { return nil }}).Toolchain.String(); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

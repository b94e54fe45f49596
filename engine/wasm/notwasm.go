package wasm

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf8"

	"perch/engine/abi"
	"perch/engine/event"
)

// notWasm notes what b is when it is no core module. It reports false for one,
// however damaged behind its header.
func (c *checker) notWasm(b []byte) bool {
	breach := event.Breach{Rule: abi.ModuleNotWasm, Where: c.where(Span{0, min(len(b), headerLength)})}
	switch {
	case len(b) == 0:
		breach.Detail = "The file is empty."
		breach.Fix = "The build wrote nothing: look at its output and its -o path."
	case !bytes.HasPrefix(b, []byte(magic)):
		breach.Detail, breach.Fix = whatInstead(b)
	case len(b) < headerLength:
		breach.Detail = fmt.Sprintf("The file ends after %d bytes, within the header of a module.", len(b))
		breach.Fix = "The copy or the build was cut short: build it again."
	default:
		version := binary.LittleEndian.Uint16(b[4:])
		layer := binary.LittleEndian.Uint16(b[6:])
		switch {
		case version == 1 && layer == 0:
			return false
		case layer == 1:
			breach.Rule = abi.ModuleComponent
			breach.Detail = fmt.Sprintf("This is a component (version 0x%x, layer 1), not a core module: WASI 0.2, wasip2.", version)
			breach.Fix = componentFix(b)
		default:
			breach.Rule = abi.ModuleMalformed
			breach.Detail = fmt.Sprintf("The header says version %d, layer %d; a core module is version 1, layer 0.", version, layer)
			breach.Fix = "Build it with a tool that writes WebAssembly 1 or 2."
		}
	}
	c.add(breach)
	return true
}

// componentFix looks for the toolchain's traces in a component's bytes.
func componentFix(b []byte) string {
	const general = "Build for wasm32-wasip1 and do not wrap the module as a component."
	switch {
	case bytes.Contains(b, []byte("cargo-component")):
		return general + " Rust: cargo build --release --target wasm32-wasip1, not cargo component."
	case bytes.Contains(b, []byte("rustc")):
		return general + " Rust: cargo build --release --target wasm32-wasip1."
	case bytes.Contains(b, []byte("TinyGo")), bytes.Contains(b, []byte("tinygo")):
		return general + " TinyGo: tinygo build -target=wasip1."
	case bytes.Contains(b, []byte("jco")), bytes.Contains(b, []byte("StarlingMonkey")):
		return general + " JavaScript: componentize-js makes components only; Javy makes a module."
	case bytes.Contains(b, []byte("componentize-py")):
		return general + " Python: componentize-py makes components only."
	case bytes.Contains(b, []byte("System.Private.CoreLib")), bytes.Contains(b, []byte("mono_wasm_")):
		return general + " .NET: .NET 9 makes components; .NET 8 with the workload wasi-experimental makes a module."
	}
	return general + " Rust: --target wasm32-wasip1. TinyGo: -target=wasip1. C: --target=wasm32-wasip1."
}

// signature is how a kind of file begins.
type signature struct {
	at     int
	prefix string
	what   string
	fix    string
}

func signatures() []signature {
	const (
		pack   = "Unpack it: module.wasm is the module itself."
		native = "This runs on a machine, not on an engine: build for wasm32-wasip1."
	)
	return []signature{
		{0, "\x1f\x8b", "gzip data", "Unpack it (gunzip): module.wasm is the module itself."},
		{0, "\x28\xb5\x2f\xfd", "zstd data", pack},
		{0, "\xfd7zXZ\x00", "xz data", pack},
		{0, "BZh", "bzip2 data", pack},
		{0, "PK\x03\x04", "a zip archive", pack},
		{0, "PK\x05\x06", "an empty zip archive", pack},
		{257, "ustar", "a tar archive", pack},
		{0, "\x7fELF", "an ELF program for Linux", native},
		{0, "MZ", "a Windows program", native},
		{0, "\xfe\xed\xfa\xce", "a Mach-O program for macOS", native},
		{0, "\xfe\xed\xfa\xcf", "a Mach-O program for macOS", native},
		{0, "\xce\xfa\xed\xfe", "a Mach-O program for macOS", native},
		{0, "\xcf\xfa\xed\xfe", "a Mach-O program for macOS", native},
		{0, "\xca\xfe\xba\xbe", "a Java class or a Mach-O program", native},
		{0, "BC\xc0\xde", "LLVM bitcode", "Link it: drop -emit-llvm, or with -flto give it to clang to link."},
		{0, "!<arch>\n", "an archive of object files (.a)", "Link it into a program: wasm-ld, or the compiler without ar."},
		{0, "#!", "a script", "This is perhaps the build script or a launcher: take the .wasm that it makes."},
		{0, "\x89PNG", "a PNG image", "Take the .wasm that the build makes."},
		{0, "%PDF", "a PDF document", "Take the .wasm that the build makes."},
	}
}

// whatInstead says what a file is that is no WebAssembly, and what to do.
func whatInstead(b []byte) (detail, fix string) {
	for _, s := range signatures() {
		if len(b) >= s.at+len(s.prefix) && string(b[s.at:s.at+len(s.prefix)]) == s.prefix {
			return "The file is " + s.what + ", not a WebAssembly binary.", s.fix
		}
	}
	if what, fix := textInstead(b); what != "" {
		return "The file is " + what + ", not a WebAssembly binary.", fix
	}
	if len(b) > 3 && bytes.HasPrefix([]byte("\x00asm"), b[:3]) {
		return fmt.Sprintf("The file begins with %s, a WebAssembly binary with 00 61 73 6d.", hexBytes(b[:4])), "The copy is damaged: build it again."
	}
	return fmt.Sprintf("The file begins with %s; a WebAssembly binary begins with 00 61 73 6d.", hexBytes(b[:min(len(b), 4)])),
		"Look what the build wrote to this path."
}

// textInstead knows kinds of text by their beginning.
func textInstead(b []byte) (what, fix string) {
	const sniff = 4096
	head := b[:min(len(b), sniff)]
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	for len(head) > 0 && len(head) < len(b) && !utf8.Valid(head) && len(head) > sniff-utf8.UTFMax {
		head = head[:len(head)-1] // cut within a character
	}
	if !utf8.Valid(head) || bytes.ContainsFunc(head, isControl) {
		return "", ""
	}
	text := skipSpaceAndComments(head)
	lower := bytes.ToLower(text[:min(len(text), 64)])
	switch {
	case bytes.HasPrefix(text, []byte("(module")), bytes.HasPrefix(text, []byte("(component")):
		return "WebAssembly in its text form", "Assemble it first: wat2wasm, or wasm-tools parse."
	case bytes.HasPrefix(lower, []byte("<!doctype")), bytes.HasPrefix(lower, []byte("<html")):
		return "an HTML page", "A download got a web page in place of the file: look at the address it came from."
	case bytes.HasPrefix(lower, []byte("<?xml")), bytes.HasPrefix(lower, []byte("<svg")):
		return "XML", "Take the .wasm that the build makes."
	case bytes.HasPrefix(text, []byte("version https://git-lfs")):
		return "a Git LFS pointer", "Fetch the file itself: git lfs pull."
	case len(text) > 0 && (text[0] == '{' || text[0] == '['):
		return "JSON", "This is perhaps the manifest: module.wasm is the module."
	case len(text) == 0:
		return "white space", "The build wrote no module: look at its output."
	}
	return "text", "Take the .wasm that the build makes."
}

// isControl reports whether a character does not stand in text files.
func isControl(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\n\f\r\x1b", r) }

// skipSpaceAndComments skips what may stand before (module: white space and
// ;; comments.
func skipSpaceAndComments(b []byte) []byte {
	for {
		b = bytes.TrimLeft(b, " \t\r\n")
		if !bytes.HasPrefix(b, []byte(";;")) {
			return b
		}
		end := bytes.IndexByte(b, '\n')
		if end < 0 {
			return nil
		}
		b = b[end+1:]
	}
}

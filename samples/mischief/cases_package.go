package mischief

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"time"
)

func inFile(file string, offset int64) Where { return Where{Stream: file, Offset: offset} }

// packageCases break the package around a module that is in order.
func packageCases() []Case {
	const file = "subako-package.json"
	without := func(name string) func(map[string][]byte) {
		return func(files map[string][]byte) { delete(files, name) }
	}
	manifest := func(text string) func(map[string][]byte) {
		return func(files map[string][]byte) { files[file] = []byte(text) }
	}
	return as(Upload, Refused, []Case{
		{Name: "no_manifest", Rule: "package/manifest-missing", Does: "Has no subako-package.json.",
			WouldWrite: `tar cf package.tar module.wasm`, files: without(file)},
		{Name: "manifest_comma", Rule: "package/manifest-json", Does: "Has a comma too many in its manifest.", Where: inFile(file, 32),
			WouldWrite: `{"abi": 1, "name": "mischief", }`, files: manifest(`{"abi": 1, "name": "mischief",  }`)},
		{Name: "manifest_list", Rule: "package/manifest-json", Does: "Has a list for a manifest.", Where: inFile(file, 0),
			WouldWrite: `[{"abi": 1, …}]`, files: manifest(`[{"abi": 1, "name": "mischief", "description": "A list."}]`)},
		{Name: "abi_missing", Rule: "package/manifest-abi", Does: "Does not say its ABI.", Where: inFile(file, 0),
			WouldWrite: `{"name": "mischief", "version": 1, …}`, files: manifest(`{"name": "mischief", "description": "No abi."}`)},
		{Name: "abi_text", Rule: "package/manifest-abi", Does: "Says its ABI as text.", Where: inFile(file, 8),
			WouldWrite: `{"abi": "1", …}`, files: manifest(`{"abi": "1", "name": "mischief", "description": "Text."}`)},
		{Name: "abi_2", Rule: "package/manifest-abi", Does: "Is made for ABI 2.", Where: inFile(file, 8),
			WouldWrite: `{"abi": 2, …}`, files: manifest(`{"abi": 2, "name": "mischief", "description": "Two."}`)},
		{Name: "no_module", Rule: "package/module-missing", Does: "Has no module.wasm.",
			WouldWrite: `tar cf package.tar subako-package.json`, files: without("module.wasm")},
	})
}

// moduleCases are modules that are refused for what they are, not for a
// feature.
func moduleCases() []Case {
	raw := func(text string) func() []byte { return func() []byte { return []byte(text) } }
	made := func(w *writer) func() []byte { return w.bytes }
	const file = "module.wasm"
	cases := []Case{
		{Name: "empty_file", Rule: "module/not-wasm", Does: "Is an empty file.", Where: inFile("module.wasm", 0),
			WouldWrite: `touch module.wasm`, module: raw("")},
		{Name: "text_format", Rule: "module/not-wasm", Does: "Is WebAssembly's text format.", Where: inFile("module.wasm", 0),
			WouldWrite: `cp module.wat module.wasm`, module: raw("(module (memory (export \"memory\") 1) (func (export \"_start\")))\n")},
		{Name: "gzip_file", Rule: "module/not-wasm", Does: "Is a compressed module.", Where: inFile("module.wasm", 0),
			WouldWrite: `gzip -c module.wasm > package/module.wasm`, module: gzipped},
		{Name: "shell_script", Rule: "module/not-wasm", Does: "Is a shell script.", Where: inFile("module.wasm", 0),
			WouldWrite: `cp run.sh module.wasm`, module: raw("#!/bin/sh\nexec node server.js\n")},
		{Name: "native_program", Rule: "module/not-wasm", Does: "Is a program for Linux.", Where: inFile("module.wasm", 0),
			WouldWrite: `go build -o module.wasm .`, module: raw("\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x3e\x00")},
		{Name: "component", Rule: "module/component", Does: "Is a component.", Where: inFile("module.wasm", 0),
			WouldWrite: `cargo build --target wasm32-wasip2`, module: raw("\x00asm\x0d\x00\x01\x00")},
		{Name: "truncated", Rule: "module/malformed", Does: "Ends in the middle of its code.", Where: inFile("module.wasm", -1),
			WouldWrite: `curl --max-filesize … -o module.wasm`, module: func() []byte { return []byte(guest[:len(guest)/2]) }},
		{Name: "type_error", Rule: "module/malformed", Does: "Adds two numbers that are not there.", Where: inFile("module.wasm", 47),
			WouldWrite: `(func (export "_start") i32.add drop)`, module: made(correct().code(0x6a, 0x1a))},
		{Name: "library", Rule: "module/start-missing", Does: "Exports _initialize and no _start.", Where: inFile("module.wasm", 23),
			WouldWrite: `go build -buildmode=c-shared`,
			module:     made(correct().set(secExport, join(name("memory"), []byte{kindMemory, 0}), join(name("_initialize"), []byte{kindFunc, 0})))},
		{Name: "start_parameter", Rule: "module/start-type", Does: "Has a _start that takes a number.", Where: inFile("module.wasm", 36),
			WouldWrite: `export function _start(argc: i32): void {}`, module: made(correct().set(secType, []byte{0x60, 1, typeI32, 0}))},
		{Name: "start_memory", Rule: "module/start-type", Does: "Exports a memory as _start.", Where: inFile("module.wasm", 35),
			WouldWrite: `(export "_start" (memory 0))`,
			module:     made(correct().set(secExport, join(name("memory"), []byte{kindMemory, 0}), join(name("_start"), []byte{kindMemory, 0})))},
		{Name: "memory_hidden", Rule: "module/memory-missing", Does: "Does not export its memory.", Where: inFile("module.wasm", 23),
			WouldWrite: `(memory 1) ;; without an export`, module: made(correct().set(secExport, join(name("_start"), []byte{kindFunc, 0})))},
		{Name: "memory_name", Rule: "module/memory-missing", Does: "Exports its memory as mem.", Where: inFile("module.wasm", 23),
			WouldWrite: `(memory (export "mem") 1)`,
			module:     made(correct().set(secExport, join(name("mem"), []byte{kindMemory, 0}), join(name("_start"), []byte{kindFunc, 0})))},
		{Name: "memory_function", Rule: "module/memory-missing", Does: "Exports a function as memory.", Where: inFile("module.wasm", 26),
			WouldWrite: `(func (export "memory"))`,
			module:     made(correct().set(secExport, join(name("memory"), []byte{kindFunc, 0}), join(name("_start"), []byte{kindFunc, 0})))},
		{Name: "memory_huge", Rule: "module/memory-limit", Does: "Begins with 4 GiB of memory.", Where: inFile("module.wasm", 21),
			WouldWrite: `-Wl,--initial-memory=4294967296`, module: made(correct().set(secMemory, join([]byte{0}, uleb(65536))))},
		{Name: "table_huge", Rule: "module/table-limit", Does: "Begins with a table of 100,000,000 entries.", Where: inFile("module.wasm", 21),
			WouldWrite: `(table 100000000 funcref)`, module: made(correct().add(secTable, join([]byte{typeFuncref, 0}, uleb(100_000_000))))},
	}
	return as(Upload, Refused, append(cases, importCases()...))
}

// importCases import what Subako does not provide.
func importCases() []Case {
	function := func(module, field string, params ...byte) func() []byte {
		w := correct().add(secType, join([]byte{0x60}, uleb(len(params)), params, []byte{1, typeI32}))
		return w.imports(module, field, kindFunc, 1).bytes
	}
	other := func(module, field string, desc ...byte) func() []byte {
		return correct().imports(module, field, desc...).bytes
	}
	const wasi = "wasi_snapshot_preview1"
	return []Case{
		{Name: "import_env", Rule: "module/import-module", Does: "Imports a function that the linker left open.", Where: inFile("module.wasm", 21),
			WouldWrite: `-Wl,--allow-undefined`, module: function("env", "my_c_func")},
		{Name: "import_emscripten", Rule: "module/import-module", Does: "Imports Emscripten's runtime.", Where: inFile("module.wasm", 22),
			WouldWrite: `emcc -o module.wasm main.c`, module: function("env", "emscripten_notify_memory_growth", typeI32)},
		{Name: "import_gojs", Rule: "module/import-module", Does: "Imports Go's runtime for the browser.", Where: inFile("module.wasm", 22),
			WouldWrite: `GOOS=js GOARCH=wasm go build`, module: function("gojs", "runtime.wasmExit", typeI32)},
		{Name: "import_unstable", Rule: "module/import-module", Does: "Imports WASI from before preview 1.", Where: inFile("module.wasm", 22),
			WouldWrite: `rustup default nightly-2019-07-01`, module: function("wasi_unstable", "proc_exit", typeI32)},
		{Name: "import_bindgen", Rule: "module/import-module", Does: "Imports wasm-bindgen's placeholder.", Where: inFile("module.wasm", 23),
			WouldWrite: `cargo build --target wasm32-unknown-unknown`, module: function("__wbindgen_placeholder__", "__wbindgen_throw", typeI32, typeI32)},
		{Name: "import_unknown", Rule: "module/import-function", Does: "Imports a function that WASI preview 1 does not have.", Where: inFile("module.wasm", 24),
			WouldWrite: `sock_open(AF_INET, SOCK_STREAM, &fd);`, module: function(wasi, "sock_open", typeI32, typeI32, typeI32)},
		{Name: "import_http_get", Rule: "module/import-function", Does: "Imports subako_http.get.", Where: inFile("module.wasm", 23),
			WouldWrite: `__attribute__((import_module("subako_http"), import_name("get")))`, module: function("subako_http", "get", typeI32, typeI32)},
		{Name: "import_type", Rule: "module/import-type", Does: "Imports fd_write with one parameter.", Where: inFile("module.wasm", 22),
			WouldWrite: `int fd_write(int fd);`, module: function(wasi, "fd_write", typeI32)},
		{Name: "import_http_type", Rule: "module/import-type", Does: "Imports subako_http.request with a 64-bit pointer.", Where: inFile("module.wasm", 23),
			WouldWrite: `int32_t subako_http_request(uint64_t ptr, int32_t len);`, module: function("subako_http", "request", typeI64, typeI32)},
		{Name: "import_memory", Rule: "module/import-kind", Does: "Imports its memory.", Where: inFile("module.wasm", 17),
			WouldWrite: `-Wl,--import-memory`, module: func() []byte {
				return correct().set(secMemory).imports("env", "memory", kindMemory, 0, 1).bytes()
			}},
		{Name: "import_table", Rule: "module/import-kind", Does: "Imports a table.", Where: inFile("module.wasm", 17),
			WouldWrite: `-Wl,--import-table`, module: other(wasi, "table", kindTable, typeFuncref, 0, 1)},
		{Name: "import_global", Rule: "module/import-kind", Does: "Imports a global.", Where: inFile("module.wasm", 17),
			WouldWrite: `-fPIC -Wl,-pie`, module: other("env", "__stack_pointer", kindGlobal, typeI32, 0)},
	}
}

func gzipped() []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(guest)) // a bytes.Buffer takes everything
	w.Close()
	return b.Bytes()
}

// archiveCases are archives with an entry that no package has. The entry is
// the last one.
func archiveCases() []Case {
	archive := func(bad tar.Header) func() []byte {
		return func() []byte { return tarWith(bad) }
	}
	return as(Archive, Refused, []Case{
		{Name: "archive_parent", Rule: "package/archive", Does: "Holds a file outside of the package.",
			WouldWrite: `tar cPf package.tar ../../etc/cron.d/x`, archive: archive(tar.Header{Name: "../../etc/cron.d/x", Size: 1})},
		{Name: "archive_absolute", Rule: "package/archive", Does: "Holds an absolute path.",
			WouldWrite: `tar cPf package.tar /etc/cron.d/x`, archive: archive(tar.Header{Name: "/etc/cron.d/x", Size: 1})},
		{Name: "archive_symlink", Rule: "package/archive", Does: "Holds a symbolic link.",
			WouldWrite: `ln -s /etc assets/etc && tar cf package.tar .`, archive: archive(tar.Header{Name: "assets/etc", Linkname: "/etc", Typeflag: tar.TypeSymlink})},
		{Name: "archive_hardlink", Rule: "package/archive", Does: "Holds a hard link.",
			WouldWrite: `ln module.wasm assets/module.wasm && tar cf package.tar .`, archive: archive(tar.Header{Name: "assets/m.wasm", Linkname: "module.wasm", Typeflag: tar.TypeLink})},
		{Name: "archive_device", Rule: "package/archive", Does: "Holds a device.",
			WouldWrite: `tar cf package.tar /dev/zero`, archive: archive(tar.Header{Name: "assets/zero", Typeflag: tar.TypeChar})},
		{Name: "archive_fifo", Rule: "package/archive", Does: "Holds a pipe.",
			WouldWrite: `mkfifo assets/pipe && tar cf package.tar .`, archive: archive(tar.Header{Name: "assets/pipe", Typeflag: tar.TypeFifo})},
		{Name: "archive_twice", Rule: "package/archive", Does: "Holds one path twice.",
			WouldWrite: `tar rf package.tar module.wasm`, archive: archive(tar.Header{Name: "./module.wasm", Size: 1})},
	})
}

// tarWith is a package as a tar, and one entry more.
func tarWith(bad tar.Header) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	files := packageFiles(correct().bytes())
	for _, name := range []string{"subako-package.json", "module.wasm"} {
		writeEntry(w, tar.Header{Name: name, Size: int64(len(files[name]))}, files[name])
	}
	writeEntry(w, bad, bytes.Repeat([]byte("x"), int(bad.Size)))
	w.Close()
	return b.Bytes()
}

// writeEntry writes to a bytes.Buffer, which takes everything; headers are
// those of the table above.
func writeEntry(w *tar.Writer, h tar.Header, data []byte) {
	h.Mode, h.ModTime = 0o644, time.Unix(0, 0)
	if err := w.WriteHeader(&h); err != nil {
		panic("mischief: archive entry: " + err.Error())
	}
	w.Write(data)
}

// Package wasm reads a WebAssembly binary: its sections, types, imports,
// exports and instructions, each with its byte offsets. On top of the reader
// stand Check, which names everything in a module that an upload refuses, and
// Instrument, which rewrites a checked module so that it can be stopped,
// counted and traced.
//
// The bytes are hostile. Nothing here panics on any input, runs longer than a
// small multiple of its length, or takes memory that a count in it promises.
//
// The package must not know how a module is run: no engine, WASI table, event
// store or terminal. What the host provides is handed in by the caller.
package wasm

#!/bin/bash
# Makes the guests of this folder again, with Debian's clang 19, lld 19 and rustc
# 1.63 with lld 14. clang's own driver is not asked to link: it would run any
# wasm-opt that it finds. OUT is where they go, this folder unless set.
set -euo pipefail
cd "$(dirname "$0")"
out=${OUT:-.}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

clang() {
	local name=$1 source=$2
	shift 2
	clang-19 --target=wasm32-wasi -O1 -g -nostdlib -ffile-prefix-map="$PWD=/src" "$@" -c "$source" -o "$tmp/$name.o"
	wasm-ld-19 --no-demangle --gc-sections "$tmp/$name.o" -o "$out/$name.wasm"
}
clang c-dwarf4 guest.c -gdwarf-4
clang c-dwarf5 guest.c -gdwarf-5
clang cc guest.cc -fno-exceptions

if [ -x /usr/bin/rustc ]; then
	rust() {
		local name=$1
		shift
		/usr/bin/rustc --edition 2021 --target wasm32-wasi --crate-name guest --crate-type cdylib -C linker=wasm-ld-14 \
			-C opt-level=1 -C debuginfo=2 -C panic=abort -C link-self-contained=no --remap-path-prefix "$PWD=/src" "$@" guest.rs -o "$out/$name.wasm"
	}
	rust rust-legacy
	rust rust-v0 -C symbol-mangling-version=v0
fi
chmod 644 "$out"/*.wasm

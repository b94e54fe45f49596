package pack

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// detect finds the form of an archive by its first bytes; the name decides only
// where they leave it open.
func detect(path string, data []byte) (Form, error) {
	switch {
	case has(data, "PK\x03\x04"), has(data, "PK\x05\x06"):
		return Zip, nil
	case has(data, "\x1f\x8b"):
		if named(path, ".tar.gz", ".tgz") || gzipHoldsTar(data) {
			return TarGz, nil
		}
		return "", &Error{Path: path, What: "is gzip data, and what it holds is no tar archive", Do: doForms}
	case startsTar(data), named(path, ".tar") && allZero(data[:min(len(data), 512)]) && len(data) >= 512:
		return Tar, nil
	}
	return "", &Error{Path: path, What: "is neither an archive nor named .wasm: " + looksLike(data), Do: doForms}
}

const doForms = "A package is a folder, a .wasm, a .tar, a .tar.gz or a .zip"

func readArchive(form Form, data []byte) (*tree, *fault) {
	switch form {
	case Zip:
		return readZip(data)
	case TarGz:
		return readTarGz(data)
	}
	return readTar(bytes.NewReader(data))
}

func has(data []byte, prefix string) bool { return bytes.HasPrefix(data, []byte(prefix)) }

func named(path string, suffixes ...string) bool {
	lower := strings.ToLower(path)
	for _, s := range suffixes {
		if strings.HasSuffix(lower, s) {
			return true
		}
	}
	return false
}

// startsTar reports whether data begins with a tar header: the tar reader
// checks its sum. A header that only the rest of the file breaks is one.
func startsTar(data []byte) bool {
	if len(data) < 512 || allZero(data[:512]) {
		return false
	}
	_, err := tar.NewReader(bytes.NewReader(data[:512])).Next()
	return err == nil || !errors.Is(err, tar.ErrHeader) || string(data[257:262]) == "ustar"
}

func gzipHoldsTar(data []byte) bool {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return false
	}
	head := make([]byte, 512)
	n, _ := io.ReadFull(z, head)
	return startsTar(head[:n])
}

func allZero(b []byte) bool { return len(bytes.Trim(b, "\x00")) == 0 }

// looksLike says what a file is that is no package.
func looksLike(data []byte) string {
	for _, known := range []struct{ magic, what string }{
		{"\x00asm", "it begins as a WebAssembly binary; name it .wasm"},
		{"\xfd7zXZ\x00", "it is xz data"},
		{"\x28\xb5\x2f\xfd", "it is zstd data"},
		{"BZh", "it is bzip2 data"},
		{"7z\xbc\xaf\x27\x1c", "it is a 7z archive"},
		{"Rar!", "it is a rar archive"},
		{"!<arch>\n", "it is an ar archive (a library of object files)"},
		{"\x7fELF", "it is an ELF program, built for this machine and not for WASI"},
		{"MZ", "it is a Windows program, not built for WASI"},
		{"#!", "it is a script"},
		{"(module", "it is WebAssembly text; assemble it first"},
		{"{", "it looks like JSON"},
	} {
		if has(data, known.magic) {
			return known.what
		}
	}
	switch {
	case len(data) == 0:
		return "it is empty"
	case utf8.Valid(data) && !bytes.ContainsRune(data, 0):
		return "it is text"
	}
	return "its first bytes are not known"
}

package pack

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"perch/engine/abi"
	"perch/engine/disk"
)

// Layout of a zip file (APPNOTE.TXT 4.3): signatures, lengths of the fixed
// parts, and places in them.
const (
	zipEndSig, zipEndLen         = 0x06054b50, 22
	zipCentralSig, zipCentralLen = 0x02014b50, 46
	zipLocalSig, zipLocalLen     = 0x04034b50, 30
	zip64                        = 0xffffffff // the value stands elsewhere
	zipEncrypted                 = 1          // flag
)

// readZip reads a zip file whole. Sizes are counted, not believed, and each
// entry must bear the same name in both places where a zip names it: readers
// differ on which counts.
func readZip(data []byte) (*tree, *fault) {
	central, f := zipCentral(data)
	if f != nil {
		return nil, f
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // names are judged here
		return nil, &fault{what: "the archive " + zipFault(err), do: doPack}
	}
	t := newTree()
	for _, file := range z.File {
		local, ok := "", false
		if central != nil {
			local, central, ok = zipLocalName(data, central)
		}
		if ok && local != file.Name {
			return nil, &fault{entry: file.Name, no: t.count + 1, do: doPack,
				what: "is named " + quoteName(local) + " where its data begins"}
		}
		if f := readZipEntry(t, file); f != nil {
			return nil, f
		}
	}
	return t, nil
}

func readZipEntry(t *tree, file *zip.File) *fault {
	mode := file.Mode()
	f := &fault{entry: file.Name, no: t.count + 1, do: doRegular}
	switch {
	case mode&fs.ModeSymlink != 0:
		f.what = "is a symbolic link"
		return f
	case !mode.IsRegular() && !mode.IsDir():
		f.what = "is " + disk.Kind(mode)
		return f
	case file.Flags&zipEncrypted != 0:
		f.what, f.do = "is encrypted", "Pack it without a password"
		return f
	case file.Method != zip.Store && file.Method != zip.Deflate:
		f.what, f.do = fmt.Sprintf("is compressed by method %d", file.Method), "Pack it with deflate"
		return f
	}
	path, bad := t.next(file.Name, mode.IsDir())
	if bad != nil {
		return bad
	}
	if mode.IsDir() {
		if file.UncompressedSize64 != 0 {
			f.what, f.do = "is a folder that holds bytes", doPack
			return f
		}
		return nil
	}
	body, what, do := zipBody(file, t.room())
	if what != "" {
		f.what, f.do = what, do
		return f
	}
	t.bytes += int64(len(body))
	t.files[path] = body
	return nil
}

// zipBody unpacks a file. The reader ends it at the size that it says, so that
// this size alone can be held against the room.
func zipBody(file *zip.File, room int64) (body []byte, what, do string) {
	if file.UncompressedSize64 > uint64(room) {
		return nil, tooLarge(), ""
	}
	r, err := file.Open()
	if err != nil {
		return nil, zipFault(err), doPack
	}
	defer r.Close()
	var b bytes.Buffer
	b.Grow(int(min(file.UncompressedSize64, 1<<20)))
	_, err = b.ReadFrom(io.LimitReader(r, room+1))
	switch {
	case errors.Is(err, zip.ErrFormat) || errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Sprintf("does not unpack to the %d bytes that it says", file.UncompressedSize64), doPack
	case err != nil:
		return nil, zipFault(err), doPack
	}
	return b.Bytes(), "", ""
}

func zipFault(err error) string {
	switch {
	case errors.Is(err, zip.ErrChecksum):
		return "does not match its checksum: it was damaged"
	case errors.Is(err, zip.ErrFormat), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "is damaged or was cut short"
	}
	return "cannot be unpacked: " + err.Error()
}

// zipCentral finds the central directory by the end record, which must end the
// file with its comment. It is nil for the 64-bit form, which a file within the
// size limit has no need of.
func zipCentral(data []byte) ([]byte, *fault) {
	for i := len(data) - zipEndLen; i >= 0 && i >= len(data)-zipEndLen-0xffff; i-- {
		if binary.LittleEndian.Uint32(data[i:]) != zipEndSig {
			continue
		}
		end := i + zipEndLen + int(binary.LittleEndian.Uint16(data[i+20:]))
		switch {
		case end < len(data):
			return nil, &fault{what: fmt.Sprintf("the archive goes on after its end, at byte %d", end), do: doPack}
		case end > len(data):
			return nil, &fault{what: "the archive's comment was cut short", do: doPack}
		}
		start := int64(binary.LittleEndian.Uint32(data[i+16:]))
		count := int(binary.LittleEndian.Uint16(data[i+10:]))
		if count == 0xffff || start == zip64 {
			return nil, nil
		}
		if count > abi.MaxPackageFiles {
			return nil, &fault{what: fmt.Sprintf("the archive has %d entries; a package may have %d (local limit)", count, abi.MaxPackageFiles)}
		}
		if size := int64(binary.LittleEndian.Uint32(data[i+12:])); start+size != int64(i) {
			return nil, &fault{what: "the archive holds bytes that its directory does not count, or was cut short", do: doPack}
		}
		return data[start:i], nil
	}
	return nil, &fault{what: "the archive has no end record: it was cut short", do: doPack}
}

// zipLocalName returns the name that the entry at the front of the central
// directory bears where its data begins, and the directory behind that entry.
func zipLocalName(data, central []byte) (name string, rest []byte, ok bool) {
	if len(central) < zipCentralLen || binary.LittleEndian.Uint32(central) != zipCentralSig {
		return "", nil, false
	}
	size := zipCentralLen
	for _, at := range []int{28, 30, 32} { // name, extra, comment
		size += int(binary.LittleEndian.Uint16(central[at:]))
	}
	if size > len(central) {
		return "", nil, false
	}
	rest = central[size:]
	at := int64(binary.LittleEndian.Uint32(central[42:]))
	if at+zipLocalLen > int64(len(data)) || binary.LittleEndian.Uint32(data[at:]) != zipLocalSig {
		return "", rest, false
	}
	from := at + zipLocalLen
	to := from + int64(binary.LittleEndian.Uint16(data[at+26:]))
	if to > int64(len(data)) {
		return "", rest, false
	}
	return string(data[from:to]), rest, true
}

package wasi

import (
	"io/fs"
)

// kind is a file type of WASI.
type kind uint8

// The file types.
const (
	kindUnknown kind = 0
	kindBlock   kind = 1
	kindChar    kind = 2
	kindDir     kind = 3
	kindFile    kind = 4
	kindSocket  kind = 6
	kindLink    kind = 7
)

// String names a kind for a note.
func (k kind) String() string {
	switch k {
	case kindBlock:
		return "a block device"
	case kindChar:
		return "a character device"
	case kindDir:
		return "a folder"
	case kindFile:
		return "a file"
	case kindSocket:
		return "a socket"
	case kindLink:
		return "a link"
	}
	return "a FIFO or another special file"
}

// stat is what is known of a file. Times are in nanoseconds since 1970.
type stat struct {
	dev, ino, nlink, size uint64
	kind                  kind
	atim, mtim, ctim      int64
}

// id is the inode that the guest sees: device and inode of the host mixed, as
// the guest's device is always 1 (as wasmtime). Two mounts may lie on two file
// systems with the same inodes.
func (s *stat) id() uint64 {
	x := s.ino + s.dev*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func kindOfMode(m fs.FileMode) kind {
	switch m.Type() {
	case 0:
		return kindFile
	case fs.ModeDir:
		return kindDir
	case fs.ModeSymlink:
		return kindLink
	case fs.ModeDevice:
		return kindBlock
	case fs.ModeDevice | fs.ModeCharDevice:
		return kindChar
	case fs.ModeSocket:
		return kindSocket
	}
	return kindUnknown
}

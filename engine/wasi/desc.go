package wasi

import (
	"os"

	"perch/engine/abi"
)

// descriptor is what a file descriptor stands for: *stdio, *dir or *file.
type descriptor interface{ close() error }

// stdio is descriptor 0, 1 or 2 as the guest found it; write is nil for stdin.
type stdio struct {
	fd    uint32
	write func([]byte)
}

func (*stdio) close() error { return nil }

// dir is an open folder.
type dir struct {
	*folder
	mount    *mount
	guest    string // its name in the guest
	preopen  bool
	borrowed bool // the folder is the mount's
	list     *listing
}

func (d *dir) close() error {
	if d.borrowed {
		return nil
	}
	return d.folder.close()
}

// file is an open regular file. Reads and writes carry their offset, so the
// position is ours.
type file struct {
	f           *os.File
	mount       *mount
	guest       string
	pos         int64
	end         int64 // the highest known end: a write up to it opens no gap
	read, write bool
	flags       uint16 // fdflags
}

func (f *file) close() error { return f.f.Close() }

// mount is a preopened folder, open as long as the process.
type mount struct {
	guest    string
	readOnly bool
	*folder
}

// get returns what fd stands for, or nil.
func (p *Process) get(fd uint32) descriptor {
	if uint64(fd) < uint64(len(p.fds)) {
		return p.fds[fd]
	}
	return nil
}

func (p *Process) getFile(fd uint32) (*file, Errno) {
	if f, ok := p.get(fd).(*file); ok {
		return f, Success
	}
	return nil, EBADF
}

func (p *Process) getDir(fd uint32) (*dir, Errno) {
	if d, ok := p.get(fd).(*dir); ok {
		return d, Success
	}
	return nil, EBADF
}

// full reports whether no further descriptor may be opened.
func (p *Process) full() bool {
	open := 0
	for _, d := range p.fds {
		if d != nil {
			open++
		}
	}
	return open >= abi.MaxOpenFiles
}

// add gives d a number: the highest one that was freed, else the next, as
// wasmtime does.
func (p *Process) add(d descriptor) uint32 {
	for i := len(p.fds) - 1; i >= 0; i-- {
		if p.fds[i] == nil {
			p.fds[i] = d
			return uint32(i)
		}
	}
	p.fds = append(p.fds, d)
	return uint32(len(p.fds) - 1)
}

// free closes descriptor fd, which is open.
func (p *Process) free(fd uint32) error {
	d := p.fds[fd]
	p.fds[fd] = nil
	if d, ok := d.(*dir); ok {
		p.dropListing(d)
	}
	return d.close()
}

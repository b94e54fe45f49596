package wasi

import (
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"slices"
)

// listing is what a folder held when the guest began to list it. Cookie n
// stands for entry n, so that a name is told once, whatever the guest removes
// meanwhile; "." and ".." come first.
type listing struct {
	entries []dirEntry
}

type dirEntry struct {
	name string
	kind kind
}

const (
	direntSize = 24
	// maxListed is how many entries of listings are held at once; past it the
	// listings of other descriptors are taken anew when they go on.
	maxListed = 1 << 20
	// listPiece is how many entries are read at once, between two looks at
	// Stop.
	listPiece = 1024
)

func (c *call) fdReaddir() Errno {
	d, e := c.p.getDir(c.u32(0))
	if e != Success {
		return e
	}
	if c.args[3] == 0 || d.list == nil {
		if err := c.p.takeListing(d); err != nil {
			return errnoOf(err)
		}
	}
	self, err := d.stat()
	if err != nil {
		return errnoOf(err)
	}
	buf := c.mem.Read(c.u32(1), c.u32(2))
	used := 0
	entries := d.list.entries
	for i := c.args[3]; i < uint64(len(entries)) && used < len(buf); i++ {
		if i%listPiece == listPiece-1 {
			c.p.checkStop()
		}
		ino := self.id()
		if i > 1 {
			st, err := d.entry(entries[i].name)
			if err != nil {
				continue // removed since
			}
			ino = st.id()
		}
		used += putDirent(buf[used:], i+1, ino, entries[i])
	}
	c.mem.Wrote(c.u32(1), uint32(used))
	c.out32(4, uint32(used))
	return Success
}

// entry looks at one entry of the folder.
func (d *dir) entry(name string) (stat, error) {
	s, err := d.walk("")
	if err != nil {
		return stat{}, err
	}
	defer s.release()
	return s.lstat(name)
}

// putDirent writes as much of an entry as fits: a cut entry fills the buffer,
// by which the guest knows.
func putDirent(buf []byte, next, ino uint64, e dirEntry) int {
	var head [direntSize]byte
	binary.LittleEndian.PutUint64(head[0:], next)
	binary.LittleEndian.PutUint64(head[8:], ino)
	binary.LittleEndian.PutUint32(head[16:], uint32(len(e.name)))
	head[20] = byte(e.kind)
	n := copy(buf, head[:])
	return n + copy(buf[n:], e.name)
}

// takeListing reads the folder, sorted by name.
func (p *Process) takeListing(d *dir) error {
	p.dropListing(d)
	f, err := d.entries()
	if err != nil {
		return err
	}
	defer f.Close()
	var found []dirEntry
	for {
		p.checkStop()
		part, err := f.ReadDir(listPiece)
		for _, e := range part {
			found = append(found, dirEntry{e.Name(), kindOfMode(e.Type())})
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	slices.SortFunc(found, func(a, b dirEntry) int { return cmp.Compare(a.name, b.name) })
	d.list = &listing{append([]dirEntry{{".", kindDir}, {"..", kindDir}}, found...)}
	p.listed += len(d.list.entries)
	if p.listed > maxListed {
		for _, other := range p.fds {
			if other, ok := other.(*dir); ok && other != d {
				p.dropListing(other)
			}
		}
	}
	return nil
}

func (p *Process) dropListing(d *dir) {
	if d.list != nil {
		p.listed -= len(d.list.entries)
		d.list = nil
	}
}

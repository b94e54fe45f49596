package compare

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"perch/engine/event"
	"perch/engine/quote"
	"perch/engine/units"
	"perch/inspect/record"
)

// Bounds of the files of a run, by what was written to them.
const (
	maxFiles    = 20_000
	maxContent  = MaxText  // bytes of one file
	maxContents = 64 << 20 // of all
)

// file is what a run made of a file, by the writes that the record keeps.
type file struct {
	size    int64
	content []byte
	known   bool   // content is all of it: the file was empty at some point
	writes  uint64 // a sum of what was written, and where
	became  string // new, changed, removed, gone again
	last    uint64 // its last event
}

// volume is the files that a run changed.
type volume struct {
	seed  maphash.Seed
	files map[string]*file
	left  int  // bytes of content that may still be kept
	more  bool // there were more files than are kept
}

func changed(r *record.Run, seed maphash.Seed) *volume {
	v := &volume{seed: seed, files: map[string]*file{}, left: maxContents}
	for _, seq := range r.Of(record.KindFile) {
		e, ok := r.Event(uint64(seq))
		if f, is := e.Body.(event.FileEffect); ok && is {
			v.apply(e.Seq, f)
		}
	}
	return v
}

func (v *volume) of(path string, seq uint64) *file {
	f := v.files[path]
	if f == nil {
		if f = (&file{size: -1}); len(v.files) >= maxFiles {
			v.more = true
			return f
		}
		v.files[path] = f
	}
	f.last = seq
	return f
}

func (v *volume) apply(seq uint64, e event.FileEffect) {
	switch e.Op {
	case event.FileCreate, event.FileMkdir:
		f := v.of(e.Path, seq)
		f.become("new")
		f.size, f.known = 0, e.Op == event.FileCreate
		v.drop(f)
	case event.FileSymlink:
		f := v.of(e.Path, seq)
		f.become("new")
		f.writes = v.sum(f.writes, 0, []byte(e.NewPath))
	case event.FileWrite:
		v.write(v.of(e.Path, seq), e)
	case event.FileTruncate:
		f := v.of(e.Path, seq)
		f.become("changed")
		v.resize(f, e.Bytes)
		f.writes = v.sum(f.writes, e.Bytes, nil)
	case event.FileRemove, event.FileRmdir:
		f := v.of(e.Path, seq)
		v.drop(f)
		f.known, f.size = false, -1
		f.become("removed")
	case event.FileRename:
		from, to := v.of(e.Path, seq), v.of(e.NewPath, seq)
		v.drop(to)
		to.size, to.content, to.known, to.writes = from.size, from.content, from.known, from.writes
		to.become("new")
		from.content, from.known, from.size = nil, false, -1
		from.become("removed")
	case event.FileLink:
		from, to := v.of(e.Path, seq), v.of(e.NewPath, seq)
		to.size, to.content, to.known, to.writes = from.size, slices.Clip(from.content), from.known, from.writes
		to.become("new")
	}
}

// become tells what a file comes to after what it was before.
func (f *file) become(what string) {
	switch {
	case what == "removed" && f.became == "new":
		f.became = "gone again"
	case what == "new" && f.became == "removed", what == "changed" && f.became == "new":
		f.became = map[string]string{"removed": "changed", "new": "new"}[f.became]
	default:
		f.became = what
	}
}

func (v *volume) drop(f *file) {
	v.left += cap(f.content)
	f.content = nil
}

func (v *volume) write(f *file, e event.FileEffect) {
	f.become("changed")
	end := e.Offset + e.Bytes
	f.size = max(f.size, end)
	f.writes = v.sum(f.writes, e.Offset, e.Data)
	if !f.known {
		return
	}
	if int64(len(e.Data)) < e.Bytes || !v.grow(f, end) {
		f.known = false
		v.drop(f)
		return
	}
	copy(f.content[e.Offset:], e.Data)
}

// grow makes a file's content at least so long; false past a limit.
func (v *volume) grow(f *file, size int64) bool {
	if size <= int64(len(f.content)) {
		return true
	}
	if size > maxContent {
		return false
	}
	was := cap(f.content)
	f.content = append(f.content, make([]byte, int(size)-len(f.content))...)
	v.left -= cap(f.content) - was
	return v.left >= 0
}

func (v *volume) resize(f *file, size int64) {
	f.size = size
	switch {
	case size == 0:
		v.drop(f)
		f.known = true
	case !f.known:
	case size <= int64(len(f.content)):
		f.content = f.content[:size]
	case !v.grow(f, size):
		f.known = false
		v.drop(f)
	}
}

func (v *volume) sum(was uint64, at int64, data []byte) uint64 {
	var h maphash.Hash
	h.SetSeed(v.seed)
	writeSum(&h, was)
	writeSum(&h, uint64(at))
	h.Write(data)
	return h.Sum64()
}

// files compares what two calls did to files, by content where all of it is in
// the record, else by what was written.
func files(x, y *call) Section {
	s := Section{Part: Files}
	seed := maphash.MakeSeed()
	a, b := changed(x.Run, seed), changed(y.Run, seed)
	var paths []string
	for p, f := range a.files {
		if f.became != "" || b.files[p] != nil && b.files[p].became != "" {
			paths = append(paths, p)
		}
	}
	for p, f := range b.files {
		if a.files[p] == nil && f.became != "" {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	s.None = len(paths) == 0
	if a.more || b.more {
		s.Note = fmt.Sprintf("the first %s files are compared", quote.Count(maxFiles))
	}
	for _, p := range paths {
		s.file(p, a.files[p], b.files[p])
	}
	return s
}

func (s *Section) file(path string, a, b *file) {
	r := Row{Where: quote.Pointer(path)}
	if a != nil && a.became != "" {
		r.A, r.EventA, r.HasA = a.text(), a.last, true
	}
	if b != nil && b.became != "" {
		r.B, r.EventB, r.HasB = b.text(), b.last, true
	}
	switch {
	case !r.HasA:
		r.Kind = Added
	case !r.HasB:
		r.Kind = Removed
	case a.equal(b):
		return
	default:
		r.Kind = Changed
	}
	if a.readable() && b.readable() {
		r.text = func() *Text { return Lines(contentOf(a), contentOf(b)) }
	}
	s.add(r)
}

func (f *file) text() string {
	if f.size < 0 {
		return f.became
	}
	return f.became + ", " + units.Size(f.size)
}

func (f *file) equal(o *file) bool {
	if f.became != o.became || f.size != o.size || f.known != o.known {
		return false
	}
	if f.known {
		return string(f.content) == string(o.content)
	}
	return f.writes == o.writes
}

// readable reports whether a file is not there, or its content is known and a
// text.
func (f *file) readable() bool {
	return f == nil || f.became == "" || f.size < 0 || f.known && strings.IndexByte(string(f.content[:min(len(f.content), 8_000)]), 0) < 0
}

func contentOf(f *file) string {
	if f == nil {
		return ""
	}
	return string(f.content)
}

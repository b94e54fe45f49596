package pack

import (
	"archive/tar"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"

	"perch/engine/abi"
	"perch/engine/disk"
)

// errTooMuch ends the reading of a tar stream that is longer than any package
// within the limits can be.
var errTooMuch = errors.New("too much")

// stream is a tar stream: it counts its bytes and ends them at a limit. It is
// no io.Seeker, so that skipping reads and counts.
type stream struct {
	r io.Reader
	n int64
}

func (s *stream) Read(b []byte) (int, error) {
	if s.n >= abi.MaxArchiveBytes {
		return 0, errTooMuch
	}
	if rest := abi.MaxArchiveBytes - s.n; int64(len(b)) > rest {
		b = b[:rest]
	}
	n, err := s.r.Read(b)
	s.n += int64(n)
	return n, err
}

// readTarGz reads a gzipped tar.
func readTarGz(data []byte) (*tree, *fault) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, &fault{what: archiveFault(err, 0, 0), do: doPack}
	}
	return readTar(z)
}

// readTar reads a tar stream to its end: past its last entry only zeros may
// follow.
func readTar(r io.Reader) (*tree, *fault) {
	s := &stream{r: r}
	tr := tar.NewReader(s)
	t := newTree()
	for {
		head, err := tr.Next()
		if err == io.EOF {
			return t, tarEnd(s, t)
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) { // names are judged here
			return nil, &fault{what: archiveFault(err, t.count, s.n), do: doPack}
		}
		if f := readTarEntry(t, tr, head, s); f != nil {
			return nil, f
		}
	}
}

func readTarEntry(t *tree, tr *tar.Reader, head *tar.Header, s *stream) *fault {
	if head.Typeflag == tar.TypeXGlobalHeader {
		return globalHeader(t, head)
	}
	dir := head.Typeflag == tar.TypeDir
	// What it is comes before its name: a link's first fault is to be a link.
	if what := tarKind(head); what != "" {
		return &fault{entry: head.Name, no: t.count + 1, what: what, do: doRegular}
	}
	path, f := t.next(head.Name, dir)
	if f != nil || dir {
		return f
	}
	f = &fault{entry: head.Name, no: t.count}
	if head.Size > t.room() {
		f.what = tooLarge()
		return f
	}
	var b bytes.Buffer
	b.Grow(int(min(head.Size, 1<<20))) // no more on the header's word alone
	if _, err := io.Copy(&b, tr); err != nil {
		f.what, f.do = readingFault(err, s.n), doPack
		return f
	}
	t.bytes += int64(b.Len())
	t.files[path] = b.Bytes()
	return nil
}

// globalHeader accepts a header that only tells about the archive, as git
// archive writes one; readers differ on those that change what follows.
func globalHeader(t *tree, head *tar.Header) *fault {
	for key := range head.PAXRecords {
		if key == "path" || key == "linkpath" || key == "size" || strings.HasPrefix(key, "GNU.sparse.") {
			return &fault{entry: head.Name, no: t.count + 1,
				what: fmt.Sprintf("is a global header that sets %s for all entries after it", quoteName(key)), do: "Pack it without global headers"}
		}
	}
	return nil
}

// tarKind says what an entry is when it is neither a regular file nor a folder.
func tarKind(head *tar.Header) string {
	switch head.Typeflag {
	case tar.TypeReg, tar.TypeDir:
		for key := range head.PAXRecords {
			if strings.HasPrefix(key, "GNU.sparse.") {
				return "is a sparse file, packed without its holes"
			}
		}
		return ""
	case tar.TypeSymlink:
		return "is a symbolic link to " + quoteName(head.Linkname)
	case tar.TypeLink:
		return "is a hard link to " + quoteName(head.Linkname)
	case tar.TypeChar, tar.TypeBlock:
		return "is a device"
	case tar.TypeFifo:
		return "is a named pipe"
	case tar.TypeGNUSparse:
		return "is a sparse file, packed without its holes"
	}
	return fmt.Sprintf("is of the unknown type %q", rune(head.Typeflag))
}

// tarEnd reads what follows the last entry.
func tarEnd(s *stream, t *tree) *fault {
	b, zeros := make([]byte, 32<<10), make([]byte, 32<<10)
	for {
		n, err := s.Read(b)
		if !bytes.Equal(b[:n], zeros[:n]) {
			first := bytes.IndexFunc(b[:n], func(r rune) bool { return r != 0 })
			return &fault{what: fmt.Sprintf("the archive goes on after its end, at byte %d of the tar stream", s.n-int64(n)+int64(first)), do: doPack}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return &fault{what: archiveFault(err, t.count, s.n), do: doPack}
		}
	}
}

// archiveFault is a fault of the archive itself, after count entries.
func archiveFault(err error, count int, n int64) string {
	if count == 0 {
		return "the archive " + readingFault(err, n)
	}
	return fmt.Sprintf("after entry %d, the archive %s", count, readingFault(err, n))
}

// readingFault words what the tar and gzip readers answer; n counts the bytes
// of the tar stream so far.
func readingFault(err error, n int64) string {
	switch {
	case errors.Is(err, errTooMuch):
		return "goes on past " + disk.Size(abi.MaxArchiveBytes) + " unpacked (local limit)"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "ends early: it was cut short"
	case errors.Is(err, gzip.ErrHeader):
		return "goes on with bytes that are no gzip data"
	case errors.Is(err, gzip.ErrChecksum):
		return "does not match its checksum: it was damaged"
	case errors.Is(err, tar.ErrHeader):
		return fmt.Sprintf("has no tar header where one must be, before byte %d of the tar stream", n)
	}
	var damaged flate.CorruptInputError
	if errors.As(err, &damaged) {
		return fmt.Sprintf("has damaged data at byte %d of the gzip file", int64(damaged))
	}
	return "cannot be unpacked: " + err.Error()
}

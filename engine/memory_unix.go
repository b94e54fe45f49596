//go:build unix

package engine

import "golang.org/x/sys/unix"

// reserve returns this many zero bytes that take no memory until they are
// touched; nil when the system gives none.
func reserve(size uint64) []byte {
	b, err := unix.Mmap(-1, 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	return b
}

// unreserve gives back what reserve returned. Nothing may look at it any more.
func unreserve(b []byte) { _ = unix.Munmap(b) }

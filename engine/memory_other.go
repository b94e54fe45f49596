//go:build !unix

package engine

// reserve is for systems with mmap; here memory is an ordinary buffer.
func reserve(uint64) []byte { return nil }

func unreserve([]byte) {}

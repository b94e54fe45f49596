package wire

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	mrand "math/rand/v2"
	"strconv"
)

// IDs makes the ids of a session's requests. They differ every time, in type
// as in value (ABI page, The protocol: ids are opaque, a string or a number):
// a module that holds on to one, or to one type, is found out. They are never
// -1, 0, 1 or "1". An IDs is for one goroutine.
type IDs struct {
	random *mrand.Rand
	used   map[uint32]bool
	lists  int
	calls  int
}

// NewIDs returns a source of ids. The same seed gives the same ids; an empty
// one gives new ones.
func NewIDs(seed string) *IDs {
	key := sha256.Sum256([]byte("ids of requests\x00" + seed))
	if seed == "" {
		_, _ = rand.Read(key[:]) // never fails (crypto/rand)
	}
	return &IDs{random: mrand.New(mrand.NewChaCha8(key)), used: make(map[uint32]bool)}
}

// Discover is an id for server/discover: a string. It begins an upload run, so
// the first page of tools has a number again.
func (s *IDs) Discover() string {
	s.lists = 0
	return fmt.Sprintf(`"d-%06x"`, s.draw(1<<24))
}

// List is an id for a page of tools: a number for the first one, then a string
// and a number in turn.
func (s *IDs) List() string {
	s.lists++
	if s.lists%2 == 1 {
		return s.number()
	}
	return fmt.Sprintf(`"tools-list-%06x"`, s.draw(1<<24))
}

// Call is an id for tools/call: a string, and a number every second time.
func (s *IDs) Call() string {
	s.calls++
	if s.calls%2 == 0 {
		return s.number()
	}
	return fmt.Sprintf(`"call-%08x"`, s.draw(1<<32))
}

// number is between 1,000 and 2^31-1: no language reads it as anything else.
func (s *IDs) number() string {
	const lowest, beyond = 1_000, 1 << 31
	return strconv.Itoa(lowest + int(s.draw(beyond-lowest)))
}

// draw is a number below limit that was not drawn before.
func (s *IDs) draw(limit uint64) uint32 {
	for {
		n := uint32(s.random.Uint64N(limit))
		if !s.used[n] {
			s.used[n] = true
			return n
		}
	}
}

package schema

import (
	"container/list"
	"crypto/sha256"
	"sync"

	"perch/engine/jsonread"
)

// Limits of a cache.
const (
	cachedSchemas = 512
	cachedBytes   = 8 << 20 // of schema text
)

// Cache keeps compiled schemas by the hash of their text; what was not used for
// longest goes. The zero Cache is ready, and may be used by several goroutines.
// A nil one compiles each time.
type Cache struct {
	mu    sync.Mutex
	items map[[sha256.Size]byte]*list.Element
	used  list.List // of kept, the last used in front
	bytes int
}

type kept struct {
	hash   [sha256.Size]byte
	bytes  int
	schema *Schema
}

// Compile is the package's Compile, remembered.
func (c *Cache) Compile(v jsonread.Value) *Schema {
	if c == nil {
		return Compile(v)
	}
	hash := sha256.Sum256(v.Raw())
	c.mu.Lock()
	if e := c.items[hash]; e != nil {
		c.used.MoveToFront(e)
		c.mu.Unlock()
		return e.Value.(kept).schema
	}
	c.mu.Unlock()
	s := Compile(v) // twice at once is no harm
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.items == nil {
		c.items = make(map[[sha256.Size]byte]*list.Element)
	}
	if c.items[hash] == nil {
		c.items[hash] = c.used.PushFront(kept{hash, len(v.Raw()), s})
		c.bytes += len(v.Raw())
	}
	for c.used.Len() > 1 && (c.used.Len() > cachedSchemas || c.bytes > cachedBytes) {
		old := c.used.Remove(c.used.Back()).(kept)
		delete(c.items, old.hash)
		c.bytes -= old.bytes
	}
	return s
}

//go:build unix && !portable

package disk

import "syscall"

// nonblock keeps an open from waiting if the name leads to a named pipe after
// it was looked at. Reading a regular file does not change by it.
const nonblock = syscall.O_NONBLOCK | syscall.O_NOCTTY

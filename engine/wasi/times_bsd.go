//go:build (darwin || freebsd) && !portable

package wasi

import (
	"time"

	"golang.org/x/sys/unix"
)

// futimens sets the times of an open file, to the microsecond.
func futimens(fd int, atim, mtim time.Time) error {
	tv := []unix.Timeval{
		unix.NsecToTimeval(atim.UnixNano()),
		unix.NsecToTimeval(mtim.UnixNano()),
	}
	return retry(func() error { return unix.Futimes(fd, tv) })
}

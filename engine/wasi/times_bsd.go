//go:build (darwin || freebsd) && !portable

package wasi

import "golang.org/x/sys/unix"

// futimens sets the times of an open file, to the microsecond.
func futimens(fd int, ts []unix.Timespec) error {
	tv := []unix.Timeval{unix.NsecToTimeval(ts[0].Nano()), unix.NsecToTimeval(ts[1].Nano())}
	return retry(func() error { return unix.Futimes(fd, tv) })
}

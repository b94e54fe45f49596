//go:build linux && !portable

package wasi

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// futimens sets the times of an open file. The library's wrapper wants a path;
// the system call takes none when it shall act on the descriptor.
func futimens(fd int, atim, mtim time.Time) error {
	ts, err := timespecs(atim, mtim)
	if err != nil {
		return err
	}
	return retry(func() error {
		_, _, e := unix.Syscall6(unix.SYS_UTIMENSAT, uintptr(fd), 0, uintptr(unsafe.Pointer(&ts[0])), 0, 0, 0)
		if e != 0 {
			return e
		}
		return nil
	})
}

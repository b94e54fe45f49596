//go:build unix

package wasi

import "syscall"

// sysErrno maps an error number of the system. One that WASI does not have, or
// that no file operation gives, is not known: EIO.
func sysErrno(e syscall.Errno) (Errno, bool) {
	switch e {
	case syscall.E2BIG:
		return E2BIG, true
	case syscall.EACCES:
		return EACCES, true
	case syscall.EAGAIN:
		return EAGAIN, true
	case syscall.EBADF:
		return EBADF, true
	case syscall.EBUSY:
		return EBUSY, true
	case syscall.EDQUOT:
		return EDQUOT, true
	case syscall.EEXIST:
		return EEXIST, true
	case syscall.EFBIG:
		return EFBIG, true
	case syscall.EINTR:
		return EINTR, true
	case syscall.EINVAL:
		return EINVAL, true
	case syscall.EIO:
		return EIO, true
	case syscall.EISDIR:
		return EISDIR, true
	case syscall.ELOOP:
		return ELOOP, true
	case syscall.EMFILE:
		return EMFILE, true
	case syscall.EMLINK:
		return EMLINK, true
	case syscall.ENAMETOOLONG:
		return ENAMETOOLONG, true
	case syscall.ENFILE:
		return ENFILE, true
	case syscall.EILSEQ:
		return EILSEQ, true
	}
	return sysErrnoRest(e)
}

func sysErrnoRest(e syscall.Errno) (Errno, bool) {
	switch e {
	case syscall.ENODEV:
		return ENODEV, true
	case syscall.ENOENT:
		return ENOENT, true
	case syscall.ENOMEM:
		return ENOMEM, true
	case syscall.ENOSPC:
		return ENOSPC, true
	case syscall.ENOTDIR:
		return ENOTDIR, true
	case syscall.ENOTEMPTY:
		return ENOTEMPTY, true
	case syscall.ENOTSUP, syscall.ENOSYS:
		return ENOTSUP, true
	case syscall.ENXIO:
		return ENXIO, true
	case syscall.EOVERFLOW:
		return EOVERFLOW, true
	case syscall.EPERM:
		return EPERM, true
	case syscall.EPIPE:
		return EPIPE, true
	case syscall.EROFS:
		return EROFS, true
	case syscall.ESPIPE:
		return ESPIPE, true
	case syscall.ETXTBSY:
		return ETXTBSY, true
	case syscall.EXDEV:
		return EXDEV, true
	}
	return 0, false
}

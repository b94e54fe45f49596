package wasi

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// sysErrno maps an error number of Windows, and the few numbers of Unix that
// package syscall makes up there.
func sysErrno(e syscall.Errno) (Errno, bool) {
	switch e {
	case syscall.ENOENT, windows.ERROR_INVALID_NAME:
		return ENOENT, true
	case windows.ERROR_ACCESS_DENIED, windows.ERROR_SHARING_VIOLATION, syscall.EACCES:
		return EACCES, true
	case windows.ERROR_PRIVILEGE_NOT_HELD, syscall.EPERM:
		return EPERM, true
	case windows.ERROR_INVALID_HANDLE, syscall.EBADF:
		return EBADF, true
	case windows.ERROR_NOT_ENOUGH_MEMORY, windows.ERROR_OUTOFMEMORY, syscall.ENOMEM:
		return ENOMEM, true
	case windows.ERROR_DIR_NOT_EMPTY, syscall.ENOTEMPTY:
		return ENOTEMPTY, true
	case windows.ERROR_BUSY, windows.ERROR_NOT_READY, syscall.EBUSY:
		return EBUSY, true
	case windows.ERROR_NOT_SUPPORTED, syscall.ENOTSUP, syscall.ENOSYS:
		return ENOTSUP, true
	case windows.ERROR_FILE_EXISTS, windows.ERROR_ALREADY_EXISTS, syscall.EEXIST:
		return EEXIST, true
	case windows.ERROR_BUFFER_OVERFLOW, windows.ERROR_FILENAME_EXCED_RANGE, syscall.ENAMETOOLONG:
		return ENAMETOOLONG, true
	case windows.ERROR_NOT_A_REPARSE_POINT, windows.ERROR_NEGATIVE_SEEK, windows.ERROR_INVALID_PARAMETER, syscall.EINVAL:
		return EINVAL, true
	case windows.ERROR_DIRECTORY, syscall.ENOTDIR:
		return ENOTDIR, true
	case windows.ERROR_STOPPED_ON_SYMLINK, syscall.ELOOP:
		return ELOOP, true
	case windows.ERROR_DIRECTORY_NOT_SUPPORTED, syscall.EISDIR:
		return EISDIR, true
	case windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL, syscall.ENOSPC:
		return ENOSPC, true
	case windows.ERROR_NOT_SAME_DEVICE, syscall.EXDEV:
		return EXDEV, true
	case windows.ERROR_TOO_MANY_OPEN_FILES, syscall.EMFILE:
		return EMFILE, true
	case windows.ERROR_WRITE_PROTECT, syscall.EROFS:
		return EROFS, true
	case windows.ERROR_FILE_TOO_LARGE, syscall.EFBIG:
		return EFBIG, true
	}
	return 0, false
}

package wasi

import (
	"errors"
	"io/fs"
	"strconv"
	"syscall"
)

// Errno is a WASI preview 1 error number. It is an error; 0 is success.
type Errno uint16

// The error numbers that this package answers.
const (
	Success        Errno = 0
	E2BIG          Errno = 1
	EACCES         Errno = 2
	EAGAIN         Errno = 6
	EBADF          Errno = 8
	EBUSY          Errno = 10
	EDQUOT         Errno = 19
	EEXIST         Errno = 20
	EFBIG          Errno = 22
	EILSEQ         Errno = 25
	EINTR          Errno = 27
	EINVAL         Errno = 28
	EIO            Errno = 29
	EISDIR         Errno = 31
	ELOOP          Errno = 32
	EMFILE         Errno = 33
	EMLINK         Errno = 34
	ENAMETOOLONG   Errno = 37
	ENFILE         Errno = 41
	ENODEV         Errno = 43
	ENOENT         Errno = 44
	ENOMEM         Errno = 48
	ENOSPC         Errno = 51
	ENOTDIR        Errno = 54
	ENOTEMPTY      Errno = 55
	ENOTSOCK       Errno = 57
	ENOTSUP        Errno = 58
	ENXIO          Errno = 60
	EOVERFLOW      Errno = 61
	EPERM          Errno = 63
	EPIPE          Errno = 64
	EROFS          Errno = 69
	ESPIPE         Errno = 70
	ETXTBSY        Errno = 74
	EXDEV          Errno = 75
	ENOTCAPABLE    Errno = 76
	errnoNameCount       = 77
)

// errnoNames are the names of witx, upper-case, with the E that C puts before.
var errnoNames = [errnoNameCount]string{
	"success", "E2BIG", "EACCES", "EADDRINUSE", "EADDRNOTAVAIL", "EAFNOSUPPORT", "EAGAIN",
	"EALREADY", "EBADF", "EBADMSG", "EBUSY", "ECANCELED", "ECHILD", "ECONNABORTED",
	"ECONNREFUSED", "ECONNRESET", "EDEADLK", "EDESTADDRREQ", "EDOM", "EDQUOT", "EEXIST",
	"EFAULT", "EFBIG", "EHOSTUNREACH", "EIDRM", "EILSEQ", "EINPROGRESS", "EINTR", "EINVAL",
	"EIO", "EISCONN", "EISDIR", "ELOOP", "EMFILE", "EMLINK", "EMSGSIZE", "EMULTIHOP",
	"ENAMETOOLONG", "ENETDOWN", "ENETRESET", "ENETUNREACH", "ENFILE", "ENOBUFS", "ENODEV",
	"ENOENT", "ENOEXEC", "ENOLCK", "ENOLINK", "ENOMEM", "ENOMSG", "ENOPROTOOPT", "ENOSPC",
	"ENOSYS", "ENOTCONN", "ENOTDIR", "ENOTEMPTY", "ENOTRECOVERABLE", "ENOTSOCK", "ENOTSUP",
	"ENOTTY", "ENXIO", "EOVERFLOW", "EOWNERDEAD", "EPERM", "EPIPE", "EPROTO",
	"EPROTONOSUPPORT", "EPROTOTYPE", "ERANGE", "EROFS", "ESPIPE", "ESRCH", "ESTALE",
	"ETIMEDOUT", "ETXTBSY", "EXDEV", "ENOTCAPABLE",
}

// String returns the name as C spells it, "EPERM"; "success" for 0.
func (e Errno) String() string {
	if int(e) < len(errnoNames) {
		return errnoNames[e]
	}
	return "errno " + strconv.Itoa(int(e))
}

// Error implements error.
func (e Errno) Error() string { return e.String() }

// refusal is our own no to an attempt, with the reason in words.
type refusal struct {
	errno Errno
	why   string
}

func (r *refusal) Error() string { return r.why }

// escape refuses a path that leads out of its mount: EPERM, as wasmtime does
// (our reading).
func escape(why string) error { return &refusal{EPERM, notedEscape + why} }

// errnoOf makes an errno of what the operating system or os.Root said. Errors
// of the system come first: ENOTEMPTY also counts as fs.ErrExist.
func errnoOf(err error) Errno {
	if err == nil {
		return Success
	}
	var own Errno
	if errors.As(err, &own) {
		return own
	}
	var no *refusal
	switch {
	case errors.As(err, &no):
		return no.errno
	case isEscape(err):
		return EPERM
	}
	var sys syscall.Errno
	if errors.As(err, &sys) {
		if e, ok := sysErrno(sys); ok {
			return e
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ENOENT
	case errors.Is(err, fs.ErrExist):
		return EEXIST
	case errors.Is(err, fs.ErrPermission):
		return EACCES
	case errors.Is(err, fs.ErrInvalid):
		return EINVAL
	case errors.Is(err, fs.ErrClosed):
		return EBADF
	}
	return EIO
}

// isEscape reports whether os.Root refused a path. Its error is not exported,
// so its text tells; a test holds that text. Only the innermost error counts:
// the others hold names that the guest chose.
func isEscape(err error) bool {
	for err != nil {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error() == "path escapes from parent"
		}
		err = inner
	}
	return false
}

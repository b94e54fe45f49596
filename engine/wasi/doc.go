// Package wasi is wasi_snapshot_preview1 as a guest of ABI 1 sees it: all 46
// functions over a set of mounted folders, with a write budget, an injected
// clock and injected random bytes. One table (Functions) drives linking,
// tracing and display.
//
// Where the ABI page is silent the functions behave as wasmtime's preview 1
// does; that is our reading. Among what follows from it: fd_read and fd_write
// use the first non-empty buffer alone, a pointer outside the memory or
// misaligned traps, fd_allocate answers ENOTSUP, sockets do not exist,
// descriptors 0 to 2 have an unknown file type.
//
// Our own choices: listings (fd_readdir) are a snapshot, sorted by name, taken
// when the guest begins at cookie 0; fd_sync and fd_datasync answer at once,
// because the files live as long as the machine does; a write past the end of
// a file is charged with the gap that it opens.
//
// Each path is resolved through os.Root, so that neither "..", nor a link, nor
// a folder that is moved while it is open leads out of the mount. On Unix the
// last component of a path is then acted on by the *at system calls, without
// following links, relative to the folder that was reached.
//
// On other systems, and on Unix under the build tag "portable", os.Root does
// all of the work. There
//   - a link that takes the place of a file between the look at it and the
//     opening of it is followed (inside the mount), and a FIFO that does so
//     holds the run until someone opens its other end,
//   - the times of a link itself cannot be set (ENOTSUP),
//   - time of access, link count and inode are not known: the time of
//     modification, 1, and a hash of the path stand for them,
//   - rename and link answer EXDEV across mounts, and between two descriptors
//     of which one's folder was moved since it was opened,
//   - the times of a file that was renamed or removed by others cannot be set
//     through its descriptor (ENOTSUP),
//   - a folder takes the place of an empty one in two steps.
//
// The package knows nothing of runs, MCP, HTTP or the terminal. It trusts its
// Config and nothing that comes from the guest.
package wasi

//go:build !unix || portable

package disk

// nonblock is nothing here: a name that is swapped for a named pipe between the
// look at it and its opening makes the open wait.
const nonblock = 0

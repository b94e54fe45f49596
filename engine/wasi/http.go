package wasi

import "io"

// Output is a file that subako_http writes an answer's body to. Each Write is
// charged to the budget, whole or not at all: EDQUOT.
type Output interface {
	io.WriteCloser
	// Path is the file's clean absolute name in the guest.
	Path() string
}

package settings

import "strings"

// Error is a setting that cannot be taken.
type Error struct {
	Where string // "--timeout", or file:line:column
	What  string
	Do    string // may be empty
}

// Error implements error. It is safe to show: what a file or a flag says is
// quoted in it, and never what could be a secret.
func (e *Error) Error() string {
	text := e.Where + ": " + e.What
	if e.Do != "" {
		text += ". " + e.Do
	}
	return text
}

// Errors are all settings that cannot be taken, flags first.
type Errors []*Error

// Error implements error: a line each.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives the errors one by one.
func (e Errors) Unwrap() []error {
	errs := make([]error, len(e))
	for i, one := range e {
		errs[i] = one
	}
	return errs
}

// badForm is a text that is not what its setting takes.
type badForm struct{ what, do string }

func (b *badForm) Error() string { return b.what + ". " + b.do }

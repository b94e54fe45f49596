package jsonread

import "fmt"

// ErrorKind says why a text is no JSON.
type ErrorKind byte

// The kinds of errors.
const (
	Empty              ErrorKind = iota + 1 // nothing but white space
	BOM                                     // a byte order mark
	UTF8                                    // a byte that is not UTF-8
	Depth                                   // nested deeper than the limit
	Constant                                // NaN, Infinity, undefined, None, True, nil
	TrailingData                            // something behind the value
	Unexpected                              // a character that cannot stand here
	UnterminatedString                      // the text ends inside a string
	BadEscape                               // a backslash that begins no JSON escape
	ControlChar                             // a raw control character in a string
	BadNumber                               // 01, 1., .5, +1, 0x1f
	SingleQuote                             // 'text'
	Comment                                 // a // or /* comment
	TrailingComma                           // a comma before ] or }
	BareName                                // a member name without quotes
	MissingComma                            // two values side by side
	EOF                                     // the text ends inside a value
)

// Error is the first place where a text stops being JSON.
type Error struct {
	Offset  int // of the offending byte, from 0; the text's length when it ends too early
	End     int // behind the offending token
	Kind    ErrorKind
	Text    string // what is wrong, without place: "NaN is not JSON"
	Pointer string // JSON pointer of the value that was being read
}

// Error implements error.
func (e *Error) Error() string {
	if e.Pointer == "" {
		return fmt.Sprintf("%s (byte %d)", e.Text, e.Offset)
	}
	return fmt.Sprintf("%s (byte %d, %s)", e.Text, e.Offset, e.Pointer)
}

// Early reports whether the text ends too early: what stands there could be the
// beginning of a JSON text.
func (e *Error) Early() bool { return e.Kind == EOF || e.Kind == UnterminatedString }

package wasi

import (
	"strings"

	"perch/engine/event"
)

// Refusal says whose no an attempt on a file met.
type Refusal byte

// The refusals.
const (
	OtherRefusal    Refusal = iota // of the file system: there is no such file, …
	EscapeRefusal                  // the path leads out of its mount
	ReadOnlyRefusal                // the mount is read-only
	BytesRefusal                   // the write budget is used up
	FilesRefusal                   // so many files, folders and links were created
)

// What the notes on our own refusals begin or end with. No text of the guest
// stands there.
const (
	notedEscape   = "stayed inside: "
	notedReadOnly = " is read-only"
	notedFiles    = "; no call may create more"
)

// RefusalOf tells the refusals apart by errno and note, as a record keeps them.
func RefusalOf(e event.FileEffect) Refusal {
	switch no := Errno(e.Errno); {
	case e.Op != event.FileRefused:
	case no == EDQUOT && strings.HasSuffix(e.Note, notedFiles):
		return FilesRefusal
	case no == EDQUOT && e.Note != "": // else the host's own disk is full for this user
		return BytesRefusal
	case no == EPERM && strings.HasPrefix(e.Note, notedEscape):
		return EscapeRefusal
	case no == EPERM && strings.HasSuffix(e.Note, notedReadOnly):
		return ReadOnlyRefusal
	}
	return OtherRefusal
}

// Package safe makes text of unknown origin fit to be shown on a terminal, and
// measures and cuts text by the cell. Everything that a module, an archive, a
// file name or a server gave us passes through it before it is shown.
//
// What would not show, or would do something to a terminal, is shown as a sign
// for itself: control characters as ␛ ␍ ␊ ␉, bytes that are not UTF-8 as ⟨E9⟩,
// bidirectional, zero-width, tag and private characters as ⟨U+202E⟩. Joiners
// stay where an emoji or a script needs them.
//
// The package knows cells, and nothing of colours, terminals or panes.
package safe

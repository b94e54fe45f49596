// Package form is the form of a tool's arguments, without a terminal: a tree of
// fields over a JSON Schema and over the text that will be sent.
//
// The text is the master. What is set in a field changes its one place in the
// text and no other byte; a text that is written elsewhere is taken as it is,
// with unknown members, doubled names and spellings of numbers, as long as it is
// a JSON object. A field that was not touched is not sent, and the object around
// it neither: nothing is put in because it could be.
//
// A schema is hostile. References are followed one level for each act of a
// person, so that recursion never ends the program; what cannot be followed is a
// field for raw JSON. A wrong value is told at its place and never keeps anything
// from being sent: Subako checks no arguments against a schema.
//
// What is typed into a field for text is sent as it is. Typed anywhere else,
// JSON is sent as that JSON (7, true, "7", [1]); what is no JSON, such as - or
// 1,5, is sent as a string and told as wrong, so that what is seen is what is
// sent. A number that was emptied is left out, since no number is empty; a text
// that was emptied is "".
//
// A Form is for one goroutine. The package knows nothing of keys, of colours or
// of where drafts are kept.
package form

// Limits of a form. They are ours: schemas and texts may ask for anything.
const (
	maxParts    = 128       // schemas that apply to one value
	maxRows     = 20_000    // rows in all
	maxChildren = 1_000     // rows of one list or object
	maxUnfolded = 1_000     // rows up to which groups are open by themselves
	maxDepth    = 64        // of what is walked without being opened
	maxSteps    = 500       // acts that can be undone
	maxPast     = 32 << 20  // bytes of text that are kept for it
	maxDrafts   = 2_000     // values that are kept though they are not sent
	maxShown    = 4 << 10   // bytes of a value's text in a row
	maxDraft    = 256 << 10 // bytes of one of them
)

// Package stream is the panes that show what a run did: Wire, Stderr, HTTP,
// Files and Events, each a list and the detail of its selected row. They read
// the record of one run, take what came once a frame, and draw what is in
// sight and nothing else.
//
// The package knows runs, rows and commands by their id. It knows no keys, no
// layout, and nothing of the engine that makes the events. Everything that a
// module wrote is shown through the cell package, which makes it safe.
package stream

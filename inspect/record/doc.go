// Package record is the only store of what happened: an append-only record of
// the events and bytes of each run. One writer, the run's goroutine; readers
// take what is there and never keep the writer waiting for long.
//
// Events are kept encoded, in memory up to a limit and then in a private
// temporary file, so that a flood of them neither fills memory nor is lost.
// The package knows the engine's events and nothing of rules, terminals or
// commands.
package record

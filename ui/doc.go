// Package ui is the app for the terminal: one model in which packages are
// opened, their tools are called, and everything that goes in and out is shown.
//
// How it hangs together:
//
//	commands*.go  the one table of commands: keys, titles, when, what
//	router.go     from a key to a command: with a caret letters are text
//	session.go    a package at work: opened, compiled, uploaded, called
//	frame.go      a frame: header, body, footer; drawn when something changed
//	explore.go, openview.go, checkview.go  the three views
//	streams.go    the streams below them
//	overlays.go   what lies over them
//	run.go        the program around the model, and its end
//
// Panes are packages of their own below this one and do not know each other.
// The app is nudged at most once a frame when a record changed, and reads what
// is in sight; an event of a run is never a message. Update and View do no work
// that grows with the amount of data.
package ui

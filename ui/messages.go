package ui

import (
	"perch/inspect/bench"
	"perch/inspect/rules"
	"perch/ui/clip"
	"perch/ui/gallery"
	"perch/ui/palettes"
	"perch/ui/picture"
	"perch/ui/result"
)

// What the app's own goroutines tell it. None of these carries events of a run.
type (
	samplesMsg struct{ samples []gallery.Sample }
	recentMsg  struct{ gone map[string]bool }
	listedMsg  struct{ listing gallery.Listing }

	openedMsg struct {
		session int
		bench   *bench.Bench
		stamp   [32]byte // of its files when they were read
		err     error
	}
	readyMsg    struct{ session int }
	uploadedMsg struct {
		session int
		upload  bench.Upload
		call    result.Call
		err     error
	}
	calledMsg struct {
		session int
		tool    string
		call    result.Call
		outcome string
		mocked  int // exchanges that a mock answered
		err     error
	}

	stableMsg struct {
		session int
		of      *hold // the package may be another one by now
		found   []rules.Finding
		err     error
	}
	probedMsg struct {
		session int
		found   []rules.Finding
		done    int
		err     error
	}

	nudgeMsg   struct{ session int } // something came in the record
	catchUpMsg struct{ session int } // the streams have more to take
	tickMsg    struct{ session int } // time passed while something runs

	themesMsg struct { // of the folder of palettes
		set   palettes.Set
		ended bool // it is no longer followed
		err   error
	}

	expiredMsg  struct{ serial int } // a toast had its time
	disarmMsg   struct{ input int }  // ctrl+c no longer quits
	wokenMsg    struct{}             // a picture is to be decoded
	pictureMsg  struct{ done picture.Done }
	filteredMsg struct{ result result.Filtered }
	copiedMsg   struct { // of a copy
		text   string
		result clip.Result
	}
	interruptMsg struct{} // SIGINT from outside
	quitMsg      struct{} // SIGTERM, SIGHUP
	errorMsg     struct{ err error }
)

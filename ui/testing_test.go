package ui

import (
	"os"
	"strings"
	"testing"
	"time"

	"perch/engine/clock"
	"perch/inspect/bench"
	"perch/ui/uitest"
)

// quick is a clock on which what a module waits for passes at once, and which
// is the same in each run of a test.
func quick() clock.Clock {
	c := clock.NewManual(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	c.Step = 200 * time.Microsecond
	return quickClock{c, 2 * time.Second}
}

// quickClock lets waits that are shorter than least pass at once.
type quickClock struct {
	*clock.Manual
	least time.Duration
}

// After implements clock.Clock: short waits pass at once, and the time limits of
// runs and of requests when their time has come.
func (q quickClock) After(d time.Duration) (<-chan struct{}, func()) {
	passed, release := q.Manual.After(d)
	if d < q.least {
		q.Advance(d)
	}
	return passed, release
}

// still is the app's own clock in tests: it stands until it is moved.
func still() *clock.Manual { return clock.NewManual(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)) }

// start runs the app on a package in a terminal of w times h cells.
func start(t *testing.T, name string, w, h int, change ...func(*Options, *uitest.Options)) (*uitest.Driver, *App) {
	t.Helper()
	seed := "7"
	o := Options{Package: name, Clock: still(), Out: t.TempDir(), System: "linux", Getenv: func(name string) string {
		return map[string]string{"LANG": "en_US.UTF-8"}[name]
	}}
	o.Bench = bench.Options{Clock: quick(), CacheDir: cacheDir()}
	o.Bench.Flags.Seed = &seed
	term := uitest.Options{Width: w, Height: h}
	for _, f := range change {
		f(&o, &term)
	}
	a := New(t.Context(), o)
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Errorf("close the app: %v", err)
		}
	})
	return uitest.Start(t, a, term), a
}

// accepted waits until the package was uploaded and accepted: the header says so
// when its tools can be called.
func accepted(d *uitest.Driver) uitest.Screen {
	return d.WaitFor("the verdict of the upload", func(s uitest.Screen) bool {
		head := s.Line(0)
		return strings.Contains(head, "accepted") || strings.Contains(head, "✓")
	})
}

// cacheDir keeps compiled modules between the tests of this package.
func cacheDir() string {
	dir := os.Getenv("PERCH_TEST_CACHE")
	if dir == "" {
		return testCache
	}
	return dir
}

var testCache string

// runChild runs the app on the terminal of this process; nil where there are
// no pseudo terminals to test that with.
var runChild func(fault string) int

func TestMain(m *testing.M) {
	if fault := os.Getenv("PERCH_TEST_CHILD"); fault != "" && runChild != nil {
		os.Exit(runChild(fault))
	}
	dir, err := os.MkdirTemp("", "perch-ui-*")
	if err != nil {
		panic(err)
	}
	testCache = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

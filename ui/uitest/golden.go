package uitest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// update is `go test -update`: golden files are written instead of compared.
var update = flag.Bool("update", false, "write golden files instead of comparing with them")

// Updating reports whether golden files are being written.
func Updating() bool { return *update }

// Golden waits until the screen's text is that of testdata/NAME.golden. With
// -update it waits until the screen rests, and writes the file.
func (d *Driver) Golden(name string) {
	d.t.Helper()
	d.golden(name, Screen.Text)
}

// GoldenStyled is Golden with the styles of the cells beside the text.
func (d *Driver) GoldenStyled(name string) {
	d.t.Helper()
	d.golden(name, func(s Screen) string { return s.Text() + "\n" + s.Styles() })
}

func (d *Driver) golden(name string, of func(Screen) string) {
	d.t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		d.rest()
		write(d.t, path, of(d.Screen()))
		return
	}
	want := read(d.t, path)
	var got string
	if !d.waitOr(quiet, func() bool {
		got = of(d.Screen())
		return got == want
	}) {
		d.t.Errorf("%s\n%s", path, difference(got, want))
	}
}

// rest waits until the program has worked off what it was sent and a few
// frames of the renderer have passed without anything new.
func (d *Driver) rest() {
	for range 20 {
		before := len(d.Output())
		d.Sync()
		d.pause()
		if len(d.Output()) == before {
			return
		}
	}
}

// pause waits for a few frames of the renderer, or for news.
func (d *Driver) pause() {
	select {
	case <-time.After(100 * time.Millisecond):
	case <-d.done:
	}
}

// Golden compares a text with testdata/NAME.golden, or writes it with -update.
func Golden(t testing.TB, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		write(t, path, got)
		return
	}
	if want := read(t, path); got != want {
		t.Errorf("%s\n%s", path, difference(got, want))
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("no golden file: %v (go test -update writes it)", err)
	}
	return strings.ReplaceAll(string(b), "\r\n", "\n")
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// difference shows the lines that differ.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	var b strings.Builder
	for i := range max(len(g), len(w)) {
		var a, c string
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			c = w[i]
		}
		if a == c {
			b.WriteString("  " + a + "\n")
			continue
		}
		b.WriteString("- " + c + "\n+ " + a + "\n")
	}
	return b.String()
}

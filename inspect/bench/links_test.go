package bench_test

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perch/engine/abi"
	"perch/engine/settings"
	"perch/inspect/model"
	"perch/samples/mischief"
)

// TestLinksAreBounded: one large file that an answer links again and again is
// read until the limit, and the next link says so.
func TestLinksAreBounded(t *testing.T) {
	volume := t.TempDir()
	if err := os.Mkdir(filepath.Join(volume, "tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 4, 3))); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(volume, "tmp", "a.png")
	put(t, name, b.Bytes())
	if err := os.Truncate(name, abi.MaxLinkBytes/2+1); err != nil { // a picture may have more behind its end
		t.Fatal(err)
	}
	const link = `{"type":"resource_link","uri":"volume:///tmp/a.png","name":"a"}`
	c := actOn(t, openWith(t, packed(t, mischief.Build("tool act 'Acts.' result '{\"resultType\":\"complete\",\"content\":["+link+","+link+"]}'")), settings.Flags{Volume: &volume}))
	if len(c.Model) != 2 || c.Model[0].Type != model.Image || c.Model[0].W != 4 || c.Model[1].Type != model.Link ||
		!strings.Contains(c.Model[1].About, "the files that this answer links are over 64 MiB (our limit)") {
		for _, b := range c.Model {
			t.Errorf("%s %s (%s)", b.Type, b.Text, b.About)
		}
	}
	holds(t, find(t, c.Findings, abi.BlockLinkVolume), "block 2 links", "over 64 MiB (our limit)")
}

// TestLinksToFolders: a link to a mount, or to what holds the mounts, names a
// folder; one to a mount that this call has not lies in no volume.
func TestLinksToFolders(t *testing.T) {
	for uri, says := range map[string]string{
		"volume:///tmp":    "/volume/tmp: it is not a regular file",
		"volume:///data/x": "/volume/data/x lies in no volume of this call",
	} {
		c := act(t, "call out '{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"resultType\":\"complete\",\"content\":[{\"type\":\"resource_link\",\"uri\":\""+uri+"\",\"name\":\"a\"}]}}\\n'")
		holds(t, find(t, c.Findings, abi.BlockLinkVolume), says)
	}
}

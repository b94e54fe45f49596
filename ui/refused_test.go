package ui

import (
	"strings"
	"testing"
)

// TestRefusedSaysWhy: a package that is refused shows what was found in it at
// once, also where its wire is without fault and where there is no room beside
// the tools.
func TestRefusedSaysWhy(t *testing.T) {
	for _, c := range []struct {
		open  string
		w, h  int
		want  []string
		focus int
	}{
		{"sample:mischief:manifest_comma", 120, 40, []string{"[0 Findings ✗1]", "package/manifest-json", "Take the comma out"}, paneTools},
		{"sample:mischief:upper_case", 120, 40, []string{"[0 Findings ✗1]", "tool/name", "draw_line"}, paneTools},
		{"sample:mischief:banner", 80, 24, []string{"[0 Found ✗1]", "frame/json", "MCP server running on stdio"}, paneFindings},
		{"sample:greeter", 120, 40, []string{"[4 Wire 4]"}, paneTools},
	} {
		t.Run(strings.TrimPrefix(c.open, "sample:"), func(t *testing.T) {
			t.Parallel()
			d, a := start(t, c.open, c.w, c.h)
			d.WaitForText(c.want...)
			d.Press("q")
			if _, err := d.WaitForEnd(); err != nil {
				t.Error(err)
			}
			if a.focus != c.focus {
				t.Errorf("the focus is on pane %d", a.focus)
			}
		})
	}
}

package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestToolsModel: perch tools --model prints what the model is given, and no
// member beside it.
func TestToolsModel(t *testing.T) {
	status, out, errs := perch(t, "", "tools", "sample:greeter", "--model")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if status != exitOK || len(lines) != 7 || lines[0] != "greet" || lines[3] != "" || lines[4] != "shout" || !strings.HasPrefix(lines[2], `{"type":"object",`) {
		t.Errorf("status %d, %q", status, out)
	}
	if strings.Contains(out, "outputSchema") || strings.Contains(out, `"message"`) {
		t.Errorf("what is for people stands in %q", out)
	}
	if !strings.Contains(errs, "the model is given 2 tools, ") || !strings.Contains(errs, "for people, not for the model: ") || !strings.Contains(errs, "outputSchema") {
		t.Errorf("stderr %q", errs)
	}

	status, out, _ = perch(t, "", "tools", "sample:greeter", "--model", "--json")
	var got struct {
		Tools []map[string]json.RawMessage
		Bytes int
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != exitOK {
		t.Fatalf("status %d, %v: %s", status, err, out)
	}
	sum := 0
	for _, tool := range got.Tools {
		if len(tool) != 3 {
			t.Errorf("a tool has %d members", len(tool))
		}
		for _, name := range []string{"name", "description", "inputSchema"} {
			sum += len(tool[name])
		}
	}
	if len(got.Tools) != 2 || got.Bytes != sum {
		t.Errorf("%d tools, %d bytes of %d", len(got.Tools), got.Bytes, sum)
	}

	if status, _, errs = perch(t, "", "tools", "sample:mischief:no_tools", "--model"); status != exitRefused || !strings.Contains(errs, "error[list/count]") {
		t.Errorf("of a refused package: status %d, %q", status, errs)
	}
}

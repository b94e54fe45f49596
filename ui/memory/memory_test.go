package memory_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"perch/ui/memory"
)

func TestWhatIsRemembered(t *testing.T) {
	s := memory.NewStore(filepath.Join(t.TempDir(), "deep", "down"))
	m, err := s.Load()
	if err != nil || len(m.Recent) != 0 {
		t.Fatalf("nothing was kept, and yet %+v, %v", m, err)
	}
	when := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	m = m.With(memory.Recent{Path: "/a", Name: "a", Outcome: "✓ ok call", When: when, Drafts: map[string]string{"t": "{}", "big": strings.Repeat("x", 1<<20)}})
	m = m.With(memory.Recent{Path: "/b", Name: "b", When: when})
	m = m.With(memory.Recent{Path: "/a", Name: "a2", When: when})
	m.Theme, m.MouseOff = "paper", true
	if err := s.Save(m); err != nil {
		t.Fatal(err)
	}
	got, err := s.Load()
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Recent) != 2 || got.Recent[0].Name != "a2" || got.Recent[0].Outcome != "✓ ok call" || got.Theme != "paper" || !got.MouseOff {
		t.Errorf("kept: %+v", got)
	}
	if d := got.Recent[0].Drafts; len(d) != 1 || d["t"] != "{}" {
		t.Errorf("drafts: %v", d)
	}
	if r, ok := got.Find("/b"); !ok || !r.When.Equal(when) {
		t.Errorf("found %+v, %v", r, ok)
	}
}

func TestItDoesNotGrowWithoutEnd(t *testing.T) {
	var m memory.Memory
	for i := range 500 {
		m = m.With(memory.Recent{Path: fmt.Sprintf("/%d", i)})
	}
	if len(m.Recent) != 40 || m.Recent[0].Path != "/499" {
		t.Errorf("%d are kept, the first %s", len(m.Recent), m.Recent[0].Path)
	}
}

func TestADamagedFileIsToldAndReplaced(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "memory.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := memory.NewStore(dir)
	if _, err := s.Load(); err == nil {
		t.Error("a damaged file is read without a word")
	}
	if err := s.Save(memory.Memory{Theme: "dusk"}); err != nil {
		t.Fatal(err)
	}
	if m, err := s.Load(); err != nil || m.Theme != "dusk" {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestNoFolderKeepsNothing(t *testing.T) {
	s := memory.NewStore("")
	if err := s.Save(memory.Memory{Theme: "dusk"}); err != nil {
		t.Error(err)
	}
	if m, err := s.Load(); err != nil || m.Theme != "" {
		t.Errorf("%+v, %v", m, err)
	}
}

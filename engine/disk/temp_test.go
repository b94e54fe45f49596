package disk_test

import (
	"os"
	"runtime"
	"testing"

	"perch/engine/disk"
)

func TestTempDirIsPrivate(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	temp, err := disk.TempDir("test")
	if err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(temp.Dir); runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v", info.Mode())
	}
	if err := temp.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(temp.Dir); err == nil {
		t.Error("it is still there")
	}
}

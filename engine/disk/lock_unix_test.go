//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package disk_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"perch/engine/disk"
)

// ownerEnv makes this test the process that owns a folder and is killed.
const ownerEnv = "PERCH_TEST_OWNER"

// TestTempDirOfTheKilled: what a killed process left is removed by a later
// one, what a living one has is not.
func TestTempDirOfTheKilled(t *testing.T) {
	if os.Getenv(ownerEnv) != "" {
		temp, err := disk.TempDir("test")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = os.Stdout.WriteString(temp.Dir + "\n")
		select {}
	}
	t.Setenv("TMPDIR", t.TempDir())
	c := exec.Command(os.Args[0], "-test.run", "^TestTempDirOfTheKilled$")
	c.Env = append(os.Environ(), ownerEnv+"=1")
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, _, err := bufio.NewReader(out).ReadLine()
	dir := string(line)
	if err != nil || filepath.Dir(dir) != os.TempDir() {
		t.Fatalf("the owner says %q: %v", dir, err)
	}
	old := time.Now().Add(-2 * time.Hour)
	left := func() bool {
		t.Helper()
		if err := os.Chtimes(dir, old, old); err != nil {
			t.Fatal(err)
		}
		temp, err := disk.TempDir("test")
		if err != nil {
			t.Fatal(err)
		}
		if err := temp.Remove(); err != nil {
			t.Error(err)
		}
		_, err = os.Stat(dir)
		return err == nil
	}
	if !left() {
		t.Error("the folder of a living process was removed")
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // says that it was killed
	if left() {
		t.Error("the folder of a killed process is still there")
	}
}

//go:build unix

package build

import (
	"os/exec"
	"syscall"
)

// alone gives a command a process group of its own, so that a cancel reaches
// what it has started too.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

package wasi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"

	"perch/engine/wasi"
)

// program is what a program's JSON file says of it.
type program struct {
	Args     []string          `json:"args"`
	Env      map[string]string `json:"env"`
	Root     string            `json:"root"`
	Dirs     []string          `json:"dirs"`
	Stdin    string            `json:"stdin"`
	Stdout   *string           `json:"stdout"`
	Stderr   *string           `json:"stderr"`
	ExitCode uint32            `json:"exit_code"`
}

// TestSuite runs the preview 1 programs of WebAssembly/wasi-testsuite, branch
// prod/testsuite-base, from the checkout named by WASI_TESTSUITE.
func TestSuite(t *testing.T) {
	checkout := os.Getenv("WASI_TESTSUITE")
	if checkout == "" {
		t.Skip("WASI_TESTSUITE names no checkout of wasi-testsuite")
	}
	files, err := filepath.Glob(filepath.Join(checkout, "tests", "*", "testsuite", "wasm32-wasip1", "*.wasm"))
	if err != nil || len(files) < 72 {
		t.Fatalf("%d programs below %s, %v; want 72", len(files), checkout, err)
	}
	for name, config := range engines() {
		t.Run(name, func(t *testing.T) {
			r := newRuntime(t, config)
			for _, file := range files {
				program := strings.TrimSuffix(filepath.Base(file), ".wasm")
				if wasi.Portable && slices.Contains(beyondPortable(), program) {
					continue
				}
				t.Run(program, func(t *testing.T) { runProgram(t, r, file) })
			}
		})
	}
}

// beyondPortable are the programs that want what os.Root alone cannot do: times
// of access, inodes of hard links, times of links. See the package doc.
func beyondPortable() []string {
	return []string{"fd_filestat_set", "path_link", "symlink_filestat"}
}

func engines() map[string]wazero.RuntimeConfig {
	return map[string]wazero.RuntimeConfig{
		"compiler":    wazero.NewRuntimeConfigCompiler(),
		"interpreter": wazero.NewRuntimeConfigInterpreter(),
	}
}

func newRuntime(t testing.TB, config wazero.RuntimeConfig) wazero.Runtime {
	t.Helper()
	r := wazero.NewRuntimeWithConfig(t.Context(), config)
	t.Cleanup(func() { r.Close(context.Background()) })
	if _, err := wasi.Build(r).Instantiate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r
}

func runProgram(t *testing.T, r wazero.Runtime, file string) {
	var want program
	if b, err := os.ReadFile(strings.TrimSuffix(file, ".wasm") + ".json"); err == nil {
		if err := json.Unmarshal(b, &want); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr bytes.Buffer
	config := wasi.Config{
		Args:   append([]string{filepath.Base(file)}, want.Args...),
		Stdin:  &reader{r: strings.NewReader(want.Stdin)},
		Stdout: func(b []byte) { stdout.Write(b) },
		Stderr: func(b []byte) { stderr.Write(b) },
	}
	for k, v := range want.Env {
		config.Env = append(config.Env, k+"="+v)
	}
	if want.Root != "" {
		config.Mounts = append(config.Mounts, wasi.Mount{Guest: "/", Dir: copyDir(t, filepath.Join(filepath.Dir(file), want.Root))})
	}
	for _, d := range want.Dirs {
		config.Mounts = append(config.Mounts, wasi.Mount{Guest: "/" + d, Dir: copyDir(t, filepath.Join(filepath.Dir(file), d))})
	}
	code, err := runStart(t, r, file, config)
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.Bytes())
	}
	if code != want.ExitCode {
		t.Errorf("exit code %d, want %d\n%s", code, want.ExitCode, stderr.Bytes())
	}
	if want.Stdout != nil && *want.Stdout != stdout.String() {
		t.Errorf("stdout %q, want %q", stdout.Bytes(), *want.Stdout)
	}
	if want.Stderr != nil && *want.Stderr != stderr.String() {
		t.Errorf("stderr %q, want %q", stderr.Bytes(), *want.Stderr)
	}
}

// runStart runs a command and returns its exit code.
func runStart(t *testing.T, r wazero.Runtime, file string, config wasi.Config) (uint32, error) {
	code, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	p, err := wasi.New(config)
	if err != nil {
		return 0, err
	}
	defer p.Close()
	m, err := r.CompileModule(t.Context(), code)
	if err != nil {
		return 0, err
	}
	defer m.Close(t.Context())
	ctx := wasi.NewContext(t.Context(), p)
	mod, err := r.InstantiateModule(ctx, m, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return 0, err
	}
	defer mod.Close(ctx)
	_, err = mod.ExportedFunction("_start").Call(ctx)
	var exit *wasi.ExitError
	if errors.As(err, &exit) {
		return exit.Code, nil
	}
	return 0, err
}

// copyDir copies a folder, so that a program finds it as it was committed.
func copyDir(t *testing.T, from string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "root")
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		t.Fatal(err)
	}
	return to
}

// reader is a stdin over a reader.
type reader struct{ r *strings.Reader }

func (s *reader) Read(p []byte) (int, wasi.Errno) {
	n, err := s.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, wasi.EIO
	}
	return n, wasi.Success
}

func (s *reader) Ready() (uint64, bool) { return uint64(s.r.Len()), s.r.Len() == 0 }
func (s *reader) PollOnly()             {}

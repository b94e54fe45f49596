package bench_test

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	wazerowasi "github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"perch/engine/event"
	"perch/engine/wire"
	"perch/inspect/bench"
	"perch/samples"
)

// calls are the samples whose warm call is measured: a small C module and a
// module of ordinary Go.
func calls() map[string]string {
	return map[string]string{"greeter": "greet", "charts": "bar"}
}

func arguments(b *testing.B, sample, tool string) []byte {
	files, err := samples.Files(sample)
	if err != nil {
		b.Fatal(err)
	}
	sets, err := samples.ParseArguments(files["arguments.json"])
	if err != nil {
		b.Fatal(err)
	}
	return sets[tool][0].Value
}

// BenchmarkWarmCall compares a call with recording on to the same call on bare
// wazero with its own WASI: the ratio of the two is what recording costs.
func BenchmarkWarmCall(b *testing.B) {
	for sample, tool := range calls() {
		args := arguments(b, sample, tool)
		b.Run(sample+"/perch", func(b *testing.B) { warmCall(b, sample, tool, args) })
		b.Run(sample+"/wazero", func(b *testing.B) { bareCall(b, sample, tool, args) })
	}
}

func warmCall(b *testing.B, sample, tool string, args []byte) {
	p, err := bench.Open(b.Context(), bench.SamplePrefix+sample, bench.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	if _, err := p.Session.Ready(b.Context()); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		r, err := p.Session.Call(b.Context(), tool, args, p.Record)
		if err != nil || r.Outcome != event.OK {
			b.Fatalf("%s, %v", r.Outcome, err)
		}
		if err := r.Tape.Close(); err != nil {
			b.Fatal(err)
		}
		if err := p.Record.Remove(r.Run); err != nil {
			b.Fatal(err)
		}
	}
}

func bareCall(b *testing.B, sample, tool string, args []byte) {
	files, err := samples.Files(sample)
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	rt := wazero.NewRuntime(ctx)
	defer rt.Close(ctx)
	wazerowasi.MustInstantiate(ctx, rt)
	refuse := api.GoModuleFunc(func(_ context.Context, _ api.Module, s []uint64) { s[0] = api.EncodeI32(-1) })
	i32 := []api.ValueType{api.ValueTypeI32}
	host := rt.NewHostModuleBuilder("subako_http")
	for _, name := range []string{"request", "read_response"} {
		host = host.NewFunctionBuilder().WithGoModuleFunction(refuse, []api.ValueType{api.ValueTypeI32, api.ValueTypeI32}, i32).Export(name)
	}
	if _, err := host.Instantiate(ctx); err != nil {
		b.Fatal(err)
	}
	compiled, err := rt.CompileModule(ctx, files["module.wasm"])
	if err != nil {
		b.Fatal(err)
	}
	tmp := b.TempDir()
	line := wire.Call(`"call-1"`, tool, args).Bytes
	for b.Loop() {
		var out bytes.Buffer
		config := wazero.NewModuleConfig().WithName("").WithArgs(sample).WithStdin(bytes.NewReader(line)).WithStdout(&out).
			WithStderr(io.Discard).WithSysWalltime().WithSysNanotime().
			WithFSConfig(wazero.NewFSConfig().WithDirMount(tmp, "/volume/tmp"))
		mod, err := rt.InstantiateModule(ctx, compiled, config)
		if mod != nil {
			mod.Close(ctx)
		}
		if exitCode(err) != 0 || !bytes.Contains(out.Bytes(), []byte(`"result"`)) {
			b.Fatalf("%v: %s", err, out.Bytes())
		}
	}
}

func exitCode(err error) uint32 {
	if e, ok := err.(interface{ ExitCode() uint32 }); ok {
		return e.ExitCode()
	}
	if err != nil {
		return 1
	}
	return 0
}

// BenchmarkCompile measures how long a module takes to be ready: cold, and
// from the cache on disk.
func BenchmarkCompile(b *testing.B) {
	for sample := range calls() {
		b.Run(sample+"/cold", func(b *testing.B) {
			for b.Loop() {
				ready(b, sample, "")
			}
		})
		b.Run(sample+"/cached", func(b *testing.B) {
			dir := b.TempDir()
			ready(b, sample, dir)
			for b.Loop() {
				ready(b, sample, dir)
			}
		})
	}
}

func ready(b *testing.B, sample, cache string) {
	p, err := bench.Open(b.Context(), bench.SamplePrefix+sample, bench.Options{CacheDir: cache})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	if _, err := p.Session.Ready(b.Context()); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkUpload is the whole check of a package that is compiled already.
func BenchmarkUpload(b *testing.B) {
	for sample := range calls() {
		b.Run(sample, func(b *testing.B) {
			p, err := bench.Open(b.Context(), bench.SamplePrefix+sample, bench.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer p.Close()
			for b.Loop() {
				u, err := p.Upload(b.Context())
				if err != nil || !u.Accepted() {
					b.Fatalf("%s, %v", u.Outcome, err)
				}
			}
		})
	}
}

// Package bench is a package on the workbench: opened with its settings,
// checked, run and recorded. The commands and the app work with packages
// through it, so both say the same. It knows nothing of terminals.
package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"perch/engine"
	"perch/engine/abi"
	"perch/engine/clock"
	"perch/engine/event"
	"perch/engine/near"
	"perch/engine/pack"
	"perch/engine/settings"
	"perch/engine/wire"
	"perch/inspect/record"
	"perch/inspect/report"
	"perch/inspect/rules"
	"perch/inspect/schema"
	"perch/inspect/volume"
	"perch/samples"
)

// SamplePrefix begins the name of an embedded sample: sample:greeter.
const SamplePrefix = "sample:"

// Options of Open.
type Options struct {
	Flags settings.Flags
	Trust settings.Trust // nil: nothing is remembered
	// CacheDir is where compiled modules are kept; empty: nowhere.
	CacheDir string
	Clock    clock.Clock // nil: the machine's
	// KeepFiles keeps what the volume held before and after each call.
	KeepFiles bool
}

// Bench is an opened package and all that belongs to it.
type Bench struct {
	Name     string // as it was given
	Package  *pack.Package
	Settings settings.Settings
	// LeftOut are the settings of the file beside the package that do not
	// count, because nobody said yes to that file.
	LeftOut []settings.Notice
	Session *engine.Session
	Record  *record.Record
	Probes  *record.Record // of runs that Subako does not make; run numbers are those of no other run

	// Files is the volume before and after calls, where it was asked for.
	Files *volume.History // nil: it was not

	engine  *engine.Engine
	schemas schema.Cache

	mu       sync.Mutex
	tools    []wire.Tool // of the last upload run
	watching []*watched  // runs that go on
	// handedOver says that the records belong to the bench that took over.
	handedOver bool
}

// Open opens a package by its path, or a sample by its name. An error is about
// the files or the settings, and usage: what is wrong with the package itself
// is for Upload to say. The caller closes the bench.
func Open(ctx context.Context, name string, o Options) (*Bench, error) {
	b := &Bench{Name: name, Record: record.New(record.DefaultLimits()), Probes: record.New(probeLimits())}
	if o.KeepFiles {
		b.Files = &volume.History{}
	}
	if err := b.open(ctx, o); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

func (b *Bench) open(ctx context.Context, o Options) error {
	var err error
	if sample, is := strings.CutPrefix(b.Name, SamplePrefix); is {
		o.Flags.Trust = true // a sample is ours, and so are its settings
		b.Package, err = openSample(sample)
	} else {
		b.Package, err = pack.Open(b.Name, pack.Options{})
	}
	if err != nil {
		return err
	}
	b.Settings, b.LeftOut, err = settings.Load(b.Package.SettingsPath, o.Flags, o.Trust)
	if err != nil {
		return err
	}
	config, err := engineConfig(b.Settings)
	if err != nil {
		return err
	}
	if ctx.Err() != nil { // reading a large archive takes a while
		return context.Cause(ctx)
	}
	if b.Sample() {
		// Where a sample is unpacked to means nothing to anybody.
		for i := range config.Egress.Mocks {
			config.Egress.Mocks[i].Source = filepath.Base(config.Egress.Mocks[i].Source)
		}
	}
	b.engine = engine.New(engine.Options{Kind: engine.Kind(b.Settings.Engine.V), CacheDir: o.CacheDir, Clock: o.Clock})
	b.Session, err = b.engine.NewSession(b.Package, config)
	return err
}

func openSample(name string) (*pack.Package, error) {
	files, err := samples.Files(name)
	if err != nil {
		return nil, UnknownSample(name)
	}
	return pack.FromFiles(SamplePrefix+name, files)
}

// UnknownSample says that there is no such sample, and which one was meant: all
// variants would be over a hundred names.
func UnknownSample(name string) *SampleError {
	var names, variants []string
	for _, s := range samples.List() {
		names = append(names, s.Name)
	}
	for _, v := range samples.Variants() {
		variants = append(variants, "mischief:"+v)
	}
	if meant := near.Word(name, append(names[:len(names):len(names)], variants...)); meant != "" {
		return &SampleError{Name: name, Do: "Did you mean " + SamplePrefix + meant + "?", Meant: SamplePrefix + meant}
	}
	return &SampleError{Name: name, Do: fmt.Sprintf("There are %s, and variants of mischief, such as %s", strings.Join(names, ", "), variants[0])}
}

// SampleError is a sample that there is not.
type SampleError struct {
	Name  string // as it was asked for
	Do    string
	Meant string // sample:NAME that was most likely meant, may be empty
}

// Error implements error.
func (e *SampleError) Error() string { return e.What() + ". " + e.Do }

// What is what happened, without what to do.
func (e *SampleError) What() string { return fmt.Sprintf("there is no sample %q", e.Name) }

// Close ends all that belongs to the package. No run may be alive.
func (b *Bench) Close() error {
	var errs []error
	if b.Session != nil {
		errs = append(errs, b.Session.Close())
	}
	if b.engine != nil {
		errs = append(errs, b.engine.Close(context.Background()))
	}
	if b.Package != nil {
		errs = append(errs, b.Package.Close())
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.handedOver {
		errs = append(errs, b.Record.Close(), b.Probes.Close())
	}
	return errors.Join(errs...)
}

// Sample reports whether the package is one of ours.
func (b *Bench) Sample() bool { return strings.HasPrefix(b.Name, SamplePrefix) }

// Arguments are the named sets of arguments that come with a sample, by tool;
// nil for other packages, whose files grant and preset nothing by themselves.
func (b *Bench) Arguments() map[string][]samples.Arguments {
	name, is := strings.CutPrefix(b.Name, SamplePrefix)
	if !is {
		return nil
	}
	files, err := samples.Files(name)
	if err != nil {
		return nil
	}
	sets, _ := samples.ParseArguments(files["arguments.json"])
	return sets
}

// About is what reports say of the package.
func (b *Bench) About() report.Package {
	r := report.Package{Name: b.Package.Name, SHA256: b.Package.SHA256, Bytes: len(b.Package.Module)}
	if b.Package.Manifest != nil {
		r.ABI = b.Package.Manifest.ABI
	}
	if check := b.Session.Report(); check != nil {
		r.Toolchain, r.Language = check.Toolchain.String(), check.Toolchain.Language
	}
	return r
}

// Upload is what the upload check of a package found.
type Upload struct {
	Outcome  event.Outcome // ok: accepted; refused; cancelled
	Run      *record.Run   // nil when nothing could be run
	Tools    []wire.Tool   // as far as they were listed
	Findings []rules.Finding
	Probed   bool // what was found by probes is among them
	// Unused are the acceptances of the settings that no finding needed, of the
	// rules that were looked at.
	Unused []rules.Acceptance
}

// Accepted reports whether Subako would accept the package.
func (u Upload) Accepted() bool { return u.Outcome == event.OK }

// Upload checks the package, and makes its upload run if the module can be run.
func (b *Bench) Upload(ctx context.Context) (Upload, error) {
	u := Upload{Outcome: event.Refused}
	sink := b.watch()
	defer sink.done()
	result, err := b.Session.Upload(ctx, sink)
	switch {
	case errors.Is(err, engine.ErrRefused):
	case err != nil && ctx.Err() != nil:
		u.Outcome = event.Cancelled
		return u, nil
	case err != nil:
		return u, err
	default:
		u.Outcome, u.Tools, u.Run = result.Outcome, result.Tools, b.Record.Run(result.Run)
		b.mu.Lock()
		b.tools = u.Tools
		b.mu.Unlock()
		if err := result.Tape.Close(); err != nil {
			return u, err
		}
	}
	u.Findings = b.Findings()
	if u.Run != nil {
		u.Findings = rules.Sort(append(u.Findings, sink.Findings()...))
	}
	for _, f := range u.Findings {
		if f.Refuses() && u.Outcome == event.OK {
			u.Outcome = event.Refused
		}
	}
	b.accept(&u)
	return u, nil
}

// Findings are those of the package and its module, before any run.
func (b *Bench) Findings() []rules.Finding {
	return rules.Package(b.Session.Breaches(), b.Package.Form == pack.Wasm)
}

// Report is the upload check for programs.
func (b *Bench) Report(u Upload) report.Check {
	c := report.Check{Path: b.Name, Package: b.About(), Accepted: u.Accepted(), Ran: u.Run != nil, Probed: u.Probed,
		Findings: u.Findings, Unused: u.Unused, Source: b.Source}
	for _, t := range u.Tools {
		c.Tools = append(c.Tools, t.Raw)
	}
	if u.Run != nil {
		out, err := u.Run.Stream(event.Stdout), u.Run.Stream(event.Stderr)
		c.Stdout = out.Bytes(0, int(min(out.Len(), report.MostEmbedded)))
		c.Stderr = err.Tail(abi.StderrTail)
	}
	return c
}

// Source finds the bytes that a finding points at: the line, or of a long one
// the part around the place.
func (b *Bench) Source(f rules.Finding) (line []byte, at int64, ok bool) {
	if raw := b.Package.ManifestRaw; raw != nil && f.Where.Stream == event.File && f.Where.File == abi.ManifestFile {
		from := bytes.LastIndexByte(raw[:min(f.Where.Offset, int64(len(raw)))], '\n') + 1
		line, _, _ := bytes.Cut(raw[from:], []byte("\n"))
		return line, int64(from), true
	}
	run := b.Run(f.RunID)
	if run == nil || f.Where.Stream != event.Stdout && f.Where.Stream != event.Stdin || f.Where.Line == 0 {
		return nil, 0, false
	}
	s := run.Stream(f.Where.Stream)
	l, found := s.Line(int64(f.Where.Line))
	if !found {
		return nil, 0, false
	}
	from := max(l.Offset, f.Where.Offset-abi.MaxShownLine)
	n := min(l.Offset+l.Len-from, 2*abi.MaxShownLine)
	return s.Bytes(from, int(n)), from, true
}

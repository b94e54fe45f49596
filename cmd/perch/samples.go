package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"perch/engine/abi"
	"perch/engine/disk"
	"perch/engine/quote"
	"perch/engine/units"
	"perch/inspect/bench"
	"perch/inspect/export"
	"perch/samples"
)

func newSamples(a *app) *cobra.Command {
	var extract []string
	c := &cobra.Command{
		Use:   "samples [copy NAME [DIR] | mischief [WORD]...]",
		Short: "The packages inside perch: list them, or copy one to a folder",
		Long: "Lists the packages inside perch. samples copy NAME writes one with its source to the folder DIR,\n" +
			"or to ./NAME: a package to begin with. --extract NAME DIR does the same.\n" +
			"samples mischief lists what it does wrong, rule by rule: with words, the cases that hold them.",
	}
	c.Flags().StringArrayVar(&extract, "extract", nil, "write the sample of this name, with its source, to DIR")
	c.RunE = func(_ *cobra.Command, args []string) error {
		if len(extract) == 0 {
			if len(args) > 0 && args[0] == "copy" {
				return a.copySample(args[1:])
			}
			if len(args) > 0 && strings.TrimPrefix(args[0], bench.SamplePrefix) == mischiefName {
				return a.listCases(args[1:])
			}
			if len(args) > 0 {
				return &exitError{exitUsage, fmt.Errorf("samples takes copy or %s, not %q: perch samples copy NAME DIR, perch samples %s WORD", mischiefName, args[0], mischiefName)}
			}
			if a.json {
				return a.samplesObject()
			}
			a.listSamples()
			return nil
		}
		if len(args) != 1 || len(extract) != 1 {
			return &exitError{exitUsage, fmt.Errorf("--extract takes one name and one folder: perch samples --extract NAME DIR")}
		}
		return a.extract(strings.TrimPrefix(extract[0], bench.SamplePrefix), args[0])
	}
	return c
}

func (a *app) listSamples() {
	for _, s := range samples.List() {
		fmt.Fprintf(a.out, "%-18s %-5s %9s  %s\n", bench.SamplePrefix+s.Name, s.Language, units.Size(int64(moduleSize(s.Name))), s.Description)
	}
}

func moduleSize(sample string) int {
	files, err := samples.Files(sample)
	if err != nil {
		return 0
	}
	return len(files[abi.ModuleFile])
}

// samplesObject is the list of samples for programs.
func (a *app) samplesObject() error {
	type entry struct {
		Name        string `json:"name"`
		Language    string `json:"language"`
		Bytes       int    `json:"bytes"`
		Description string `json:"description"`
	}
	var list struct {
		Samples []entry `json:"samples"`
	}
	for _, s := range samples.List() {
		list.Samples = append(list.Samples, entry{bench.SamplePrefix + s.Name, s.Language, moduleSize(s.Name), s.Description})
	}
	text, err := json.Marshal(list)
	if err != nil {
		return fmt.Errorf("write the list of samples: %w", err)
	}
	a.object(text)
	return nil
}

// copySample is samples copy NAME [DIR].
func (a *app) copySample(args []string) error {
	if len(args) < 1 || len(args) > 2 {
		return &exitError{exitUsage, fmt.Errorf("write perch samples copy NAME [DIR] (got %s)", quote.Plural(len(args), "argument"))}
	}
	name := strings.TrimPrefix(args[0], bench.SamplePrefix)
	dir := strings.ReplaceAll(name, ":", "-")
	if len(args) == 2 {
		dir = args[1]
	}
	return a.extract(name, dir)
}

// extract writes a sample to a new or empty folder: nothing is overwritten.
func (a *app) extract(name, dir string) error {
	files, err := samples.Files(name)
	if err != nil {
		return &exitError{exitUsage, bench.UnknownSample(name)}
	}
	if left, err := os.ReadDir(dir); err == nil && len(left) > 0 {
		return &exitError{exitUsage, fmt.Errorf("%s is not empty: name a folder that is new or empty", dir)}
	}
	_, missing := os.Lstat(dir)
	if err := disk.WriteTree(dir, files); err != nil {
		if missing != nil {
			err = errors.Join(err, os.RemoveAll(dir)) // a part of it would only be in the way
		} else {
			err = errors.Join(err, disk.RemoveAllIn(dir))
		}
		return &exitError{exitUsage, fmt.Errorf("write the sample: %w", err)}
	}
	fmt.Fprintf(a.err, "%s: %d files in %s. Try: perch %s\n", bench.SamplePrefix+name, len(files), dir, export.Word(dir))
	return nil
}

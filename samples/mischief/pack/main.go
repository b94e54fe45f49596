// Command pack adds the script of all tools to the scripted module: what the
// build script of mischief ends with.
package main

import (
	"fmt"
	"os"

	"perch/samples/mischief"
)

func main() {
	if err := pack(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func pack(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("two files are wanted, the module to read and the one to write; %d are named", len(args))
	}
	module, err := os.ReadFile(args[0])
	if err != nil {
		return fmt.Errorf("reading the module: %w", err)
	}
	if err := os.WriteFile(args[1], mischief.WithScript(module, mischief.Script()), 0o644); err != nil {
		return fmt.Errorf("writing the module: %w", err)
	}
	return nil
}

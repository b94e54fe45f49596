package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"perch/engine/near"
	"perch/engine/quote"
)

// takes is how many arguments a command takes, and what it says to others.
func takes(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if least <= len(args) && len(args) <= most {
			return nil
		}
		if !c.HasParent() {
			if meant := near.Word(args[0], commands(c)); meant != "" {
				return fmt.Errorf("there is no command %q. Did you mean %s?", args[0], meant)
			}
		}
		use := c.Use
		if c.HasParent() {
			use = c.Parent().Name() + " " + use
		}
		return fmt.Errorf("write %s (got %s)", use, quote.Plural(len(args), "argument"))
	}
}

// misspelt is the error of one word that is no package and nearly a command.
func misspelt(c *cobra.Command, args []string) error {
	if len(args) != 1 || strings.ContainsAny(args[0], `/\.:`) {
		return nil
	}
	meant := near.Word(args[0], commands(c))
	if _, err := os.Lstat(args[0]); meant == "" || err == nil {
		return nil
	}
	return &exitError{exitUsage, fmt.Errorf("%q is no command, and no file or folder here. Did you mean perch %s?", args[0], meant)}
}

// flagError words what the flags of a command line cannot be taken for.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	name := unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		return fmt.Errorf("there is no flag -%s. %s --help lists the flags", name, c.CommandPath())
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if meant := near.Word(name, names); meant != "" {
		return fmt.Errorf("there is no flag --%s. Did you mean --%s?", name, meant)
	}
	return fmt.Errorf("there is no flag --%s. %s --help lists the flags", name, c.CommandPath())
}

func commands(c *cobra.Command) []string {
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	return names
}

package main

import (
	"fmt"

	"github.com/spf13/cobra"

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

func commands(c *cobra.Command) []string {
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	return names
}

// Package main is a function of the contract before ABI 1: the tool's name in
// argv, bare JSON on stdin and stdout.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: greeter TOOL < input.json")
		os.Exit(1) // FAULT
	}
	var in struct{ Name string }
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		fmt.Printf("{\"error\":%q}\n", err)
		os.Exit(1)
	}
	fmt.Printf("{\"message\":%q}\n", "Hello, "+in.Name+"!")
}

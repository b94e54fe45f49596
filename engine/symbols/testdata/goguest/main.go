//go:build wasip1

// A guest of the Go toolchain: each case ends in a call of the host, or in an
// exit, whose stack the tests look at. A comment of the form "at: NAME" marks a
// line.
package main

import (
	"os"
	"strings"
)

//go:wasmimport probe capture
func capture(id int32)

func main() {
	cases := map[string]func(){
		"plain":    func() { plain("Ada") }, // at: plain main
		"switched": switched,
		"crash":    crash,
		"map":      mapKey,
		"spin":     spin,
		"deep":     func() { deep(3000) },
	}
	cases[os.Args[1]]() // at: main
}

//go:noinline
func plain(name string) {
	if strings.HasPrefix(name, "B") {
		return
	}
	for i := range 3 {
		if i == 1 {
			inlined(i) // at: plain calls
		}
	}
}

func inlined(i int) {
	inner(int32(i)) // at: inlined calls
}

func inner(id int32) {
	capture(id) // at: inner captures
}

//go:noinline
func switched() {
	wait := make(chan int)
	go func() {
		capture(1) // at: goroutine captures
		wait <- 2
	}()
	twice(wait) // at: switched calls
}

//go:noinline
func twice(wait chan int) {
	receive(wait) // at: twice calls
}

//go:noinline
func receive(wait chan int) {
	id := <-wait
	inner(int32(id)) // at: receive calls
}

//go:noinline
func crash() {
	wait := make(chan int)
	go func() { wait <- 1 }()
	<-wait
	var none *[4]int
	none[index(wait)]++ // at: crash
}

//go:noinline
func index(chan int) int { return 2 }

type key struct{ s string }

func (k *key) String() string {
	capture(3) // at: method captures
	return k.s
}

type stringer interface{ String() string }

//go:noinline
func mapKey() {
	m := map[key]stringer{{"a"}: &key{"b"}}
	for _, v := range m {
		_ = v.String() // at: interface call
	}
}

//go:noinline
func spin() {
	n := 1
	for n != 0 { // at: spin head
		n = n*1664525 + 1013904223 // at: spin body
		n |= 1
	}
	println(n)
}

//go:noinline
func deep(n int) int {
	if n == 0 {
		capture(4)
		return 0
	}
	return deep(n-1) + 1 // at: deep calls
}

package ui

import (
	"perch/ui/arguments"
	"perch/ui/memory"
	"perch/ui/stream"
)

// unfollowed are the streams in which following was turned off.
func (a *App) unfollowed() []int {
	var out []int
	for _, p := range a.streams {
		if p.Stays() {
			out = append(out, p.Digit())
		}
	}
	return out
}

// argsNow is how the arguments of the tools are looked at.
func (a *App) argsNow() map[string]memory.Args {
	out := map[string]memory.Args{}
	for tool, k := range a.args.Kept() {
		out[tool] = memory.Args{Tab: k.Tab, Folds: k.Folds}
	}
	return out
}

// putWays brings back how streams and arguments of this package were looked at.
func (a *App) putWays(v memory.View) {
	stays := map[int]bool{}
	for _, digit := range v.Unfollowed {
		stays[digit] = true
	}
	for _, p := range a.streams {
		p.SetTimes(stream.Times(max(v.Times, 0)))
		p.SetStays(stays[p.Digit()])
	}
	kept := map[string]arguments.Kept{}
	for tool, k := range v.Args {
		kept[tool] = arguments.Kept{Tab: k.Tab, Folds: k.Folds}
	}
	a.args.PutKept(kept)
}

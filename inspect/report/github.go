package report

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/symbols"
	"perch/inspect/rules"
	"perch/inspect/safe"
)

// GitHub is the report of a check as commands of GitHub's workflows: a line for
// each finding, which becomes an annotation, and what both sides say. No text
// of the module begins a line, so none can be a command of its own.
func GitHub(c Check) []byte {
	var b bytes.Buffer
	if c.Problem != "" {
		annotation(&b, "error", place{}, c.Path, c.Problem)
		return b.Bytes()
	}
	for _, g := range groupsOf(c.Findings) {
		for i, f := range g.findings {
			if f.Accepted != "" || f.Severity == abi.Info {
				continue
			}
			var then []rules.Finding
			if i == 0 {
				then = g.then
			}
			annotation(&b, string(f.Severity), c.placeOf(f), fmt.Sprintf("%s in %s", f.Rule, c.Path), annotationText(f, then))
		}
	}
	if c.Incomplete != "" {
		annotation(&b, "error", place{}, c.Path, c.Incomplete)
	}
	for _, a := range c.Unused {
		annotation(&b, "notice", place{}, c.Path, "accepted, but not found: "+acceptedRule(a)+inParens(a.From))
	}
	level := "notice"
	if c.Failed() {
		level = "error"
	}
	subako, mcp := c.verdicts()
	annotation(&b, level, place{}, c.Path, "Subako "+subako+"\n"+nameOfMCP+": "+mcp)
	return b.Bytes()
}

// annotationText is a finding for a page that shows where it is by itself.
func annotationText(f rules.Finding, then []rules.Finding) string {
	parts := []string{f.Title, Place(f), Rest(f)}
	for i, t := range then {
		if i == mostThen {
			parts = append(parts, fmt.Sprintf("then: %d more that follow", len(then)-i))
			break
		}
		parts = append(parts, "then: "+t.Title)
	}
	parts = append(parts, whose(f))
	if f.Fix != "" {
		parts = append(parts, "fix: "+f.Fix)
	}
	s := Style{}
	var lines []string
	for _, p := range parts {
		for line := range strings.SplitSeq(p, "\n") {
			if line != "" {
				lines = append(lines, s.line(line))
			}
		}
	}
	return strings.Join(lines, "\n")
}

func annotation(b *bytes.Buffer, level string, at place, title, text string) {
	var properties []string
	if at.file != "" {
		properties = append(properties, "file="+escapeProperty(at.file))
	}
	if at.line > 0 {
		properties = append(properties, fmt.Sprintf("line=%d", at.line))
	}
	properties = append(properties, "title="+escapeProperty(title))
	fmt.Fprintf(b, "::%s %s::%s\n", level, strings.Join(properties, ","), escapeData(strings.TrimSpace(safe.Text(text))))
}

// escapeData escapes the text of a workflow command.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// escapeProperty escapes a property of a workflow command.
func escapeProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(safe.Line(s))
}

// place is a line of a file of the repository.
type place struct {
	file string // empty: none
	line int    // 0: the whole file
}

// placeOf is where people look for a finding: the line of their own source
// where a stack or a name tells, else the part of the package.
func (c Check) placeOf(f rules.Finding) place {
	if p, ok := c.source(f.Stack); ok {
		return p
	}
	if c.Files.Path == "" {
		return place{}
	}
	p := place{file: c.Files.Path}
	if c.Files.Form != Folder {
		return p
	}
	p.file = path.Join(c.Files.Path, abi.ModuleFile)
	if f.Where.Stream == event.File && f.Where.File == abi.ManifestFile {
		p = place{path.Join(c.Files.Path, abi.ManifestFile), f.Where.Line}
	}
	return p
}

// source is the innermost frame whose file is one of the repository.
func (c Check) source(stack []event.Frame) (place, bool) {
	if c.Files.Find == nil {
		return place{}, false
	}
	for _, f := range stack {
		if f.File == "" || symbols.Library(f) {
			continue
		}
		if name, ok := c.Files.Find(f.File); ok {
			return place{name, f.Line}, true
		}
	}
	return place{}, false
}

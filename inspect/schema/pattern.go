package schema

import (
	"regexp"
	"regexp/syntax"

	"perch/engine/abi"
	"perch/engine/jsonread"
	"perch/engine/quote"
)

// pattern is a regular expression of a schema. JSON Schema's are those of
// ECMA-262; they are put into Go's words, which match in linear time.
type pattern struct {
	text      string
	program   *regexp.Regexp
	size      int    // of the program, in instructions
	unchecked string // why it is not matched
}

// pattern reads a regular expression; it is vague where it cannot be run.
func (c *compiler) pattern(n *node, v jsonread.Value) *pattern {
	p := &pattern{text: v.String()}
	var broken string
	p.program, p.size, p.unchecked, broken = compilePattern(p.text, maxProgram-min(c.program, maxProgram))
	c.program += p.size
	switch {
	case broken != "":
		p.unchecked = "it is no regular expression"
		c.bad(n, v, "is "+quote.Text(p.text)+", which is no regular expression: "+broken, "Mend it: it is read as JavaScript reads one, with the flag u.")
	case p.unchecked != "":
		c.issue(abi.SchemaPattern, v, "is "+quote.Text(p.text)+" and is not checked: "+p.unchecked, "Values are taken as they are; check them in the tool.")
	}
	return p
}

// compilePattern makes a program of at most max instructions. unchecked says
// why there is none, broken that no engine takes the text.
func compilePattern(text string, max int) (program *regexp.Regexp, size int, unchecked, broken string) {
	t := translate(text)
	if t.broken != "" {
		return nil, 0, "", t.broken
	}
	tree, err := syntax.Parse(t.out.String(), syntax.Perl)
	if err != nil {
		unchecked, broken = blame(err)
		return nil, 0, unchecked, broken
	}
	if t.beyond != "" { // the rest was read for its faults alone
		return nil, 0, t.beyond, ""
	}
	if size = programSize(tree); size > max {
		return nil, 0, "it is too large to be run here", ""
	}
	program, err = regexp.Compile(t.out.String())
	if err != nil {
		unchecked, broken = blame(err)
		return nil, 0, unchecked, broken
	}
	return program, size, "", ""
}

// blame tells what Go's engine alone does not take from what none takes.
func blame(err error) (unchecked, broken string) {
	e, ok := err.(*syntax.Error)
	if !ok {
		return "it cannot be run here", ""
	}
	switch e.Code {
	case syntax.ErrInvalidRepeatSize:
		if backwards(e.Expr) {
			return "", "the repetition " + quote.Text(e.Expr) + " ends before it begins"
		}
		return "a repetition of more than 1,000 times is not supported here", ""
	case syntax.ErrNestingDepth, syntax.ErrLarge:
		return "it is too large to be run here", ""
	case syntax.ErrInvalidEscape:
		return "the escape " + quote.Text(e.Expr) + " is not known here", ""
	case syntax.ErrInvalidCharRange:
		if len(e.Expr) > 1 && e.Expr[0] == '\\' {
			return "the property " + quote.Text(e.Expr) + " is not known here", ""
		}
		return "", "the range " + quote.Text(e.Expr) + " ends before it begins"
	case syntax.ErrMissingBracket:
		return "", "a [ is not closed"
	case syntax.ErrMissingParen, syntax.ErrUnexpectedParen:
		return "", "a ( or ) has no partner"
	case syntax.ErrMissingRepeatArgument:
		return "", quote.Text(e.Expr) + " has nothing before it to repeat"
	case syntax.ErrInvalidRepeatOp:
		if len(e.Expr) > 1 && e.Expr[len(e.Expr)-1] == '+' {
			return "a possessive repetition is not supported here", ""
		}
		return "", quote.Text(e.Expr) + " repeats a repetition"
	case syntax.ErrTrailingBackslash:
		return "", `it ends in a \`
	case syntax.ErrInvalidNamedCapture:
		return "", "the group " + quote.Text(e.Expr) + " has no name, or one that is taken"
	case syntax.ErrInvalidPerlOp:
		return "the group " + quote.Text(e.Expr) + " is not known here", ""
	}
	return "it cannot be run here", ""
}

// backwards reports whether a repetition such as {3,2} ends before it begins.
func backwards(repeat string) bool {
	var low, high int
	comma := false
	for _, r := range repeat {
		switch {
		case r == ',':
			comma = true
		case r >= '0' && r <= '9' && !comma:
			low = min(low*10+int(r-'0'), 1<<20)
		case r >= '0' && r <= '9':
			high = min(high*10+int(r-'0'), 1<<20)
		}
	}
	return comma && high > 0 && high < low
}

// programSize is about how many instructions an expression makes; one with
// repetitions in repetitions can make very many. Go's parser bounds its depth.
func programSize(e *syntax.Regexp) int {
	const most = 1 << 20
	size := 1
	switch e.Op {
	case syntax.OpLiteral:
		size = len(e.Rune)
	case syntax.OpCharClass:
		size = 1 + len(e.Rune)/8
	}
	for _, sub := range e.Sub {
		size = min(size+programSize(sub), most)
	}
	if e.Op == syntax.OpRepeat {
		times := e.Max
		if times < 0 {
			times = e.Min + 1
		}
		size = min(size*(times+1), most)
	}
	return size
}

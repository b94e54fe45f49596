package query

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/itchyny/gojq"

	"perch/engine/near"
	"perch/engine/quote"
)

// Error is why a filter cannot be read, and where.
type Error struct {
	Offset int    // of the offending byte in the filter; its length when it ends too early
	End    int    // behind what is wrong
	Text   string // what is wrong, without the place
	Early  bool   // the filter ends too early: more may make it whole
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("%s (byte %d)", e.Text, e.Offset) }

// parseError says where a filter stops being one.
func parseError(text string, err error) *Error {
	var at *gojq.ParseError
	if !errors.As(err, &at) {
		return &Error{End: len(text), Text: "the filter cannot be read: " + err.Error()}
	}
	end := min(max(at.Offset, 0), len(text))
	start := max(end-len(at.Token), 0)
	if at.Token == "" || !strings.HasPrefix(text[start:], at.Token) {
		start = end
	}
	e := &Error{Offset: start, End: end}
	o := openers(text[:start])
	word := err.Error()
	switch {
	case strings.HasPrefix(word, "unterminated string"):
		e.Offset, e.End, e.Early = len(text), len(text), true
		whole := openers(text)
		e.Text = whole.missing()
	case strings.HasPrefix(word, "unexpected EOF") || strings.TrimSpace(text[start:]) == "":
		e.Offset, e.End, e.Early = len(text), len(text), true
		e.Text = o.missing()
	case strings.HasPrefix(word, "invalid escape"):
		e.Text = fmt.Sprintf("%s is no escape of a string", quote.Text(at.Token))
	case strings.HasPrefix(word, "invalid token"):
		e.Text = fmt.Sprintf("%s is neither a number nor a name", quote.Text(at.Token))
	case o.closes(at.Token):
		e.Text = fmt.Sprintf("%s closes nothing", quote.Text(at.Token))
	default:
		token := at.Token
		if token == "" {
			_, n := utf8.DecodeRuneInString(text[start:])
			token = text[start : start+n]
		}
		e.Text = fmt.Sprintf("%s is not expected here", quote.Text(token))
	}
	return e
}

// open is what a filter has opened and not closed.
type open struct {
	stack  []string // what would close it
	texts  []int    // where the strings begin that do not end
	inside bool     // the filter ends in the last of them
	last   byte     // the last byte that is no white space
}

// openers reads the brackets, strings and words of a filter that want an end.
func openers(text string) open {
	var o open
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '#':
			for i < len(text) && text[i] != '\n' {
				i++
			}
			continue
		case c == '"':
			o.texts = append(o.texts, i)
			i = o.text(text, i)
			continue
		case c == ')' && len(o.stack) > 1 && o.top() == ")" && o.stack[len(o.stack)-2] == `"`:
			o.pop()
			o.pop()
			i = o.text(text, i)
			continue
		case strings.IndexByte("([{", c) >= 0:
			o.stack = append(o.stack, map[byte]string{'(': ")", '[': "]", '{': "}"}[c])
		case strings.IndexByte(")]}", c) >= 0 && o.top() == string(c):
			o.pop()
		case letter(c):
			from := i
			for i < len(text) && (letter(text[i]) || text[i] >= '0' && text[i] <= '9') {
				i++
			}
			if from == 0 || strings.IndexByte(".$@", text[from-1]) < 0 {
				o.word(text[from:i])
			}
			o.last = 'a'
			continue
		}
		if c > ' ' {
			o.last = c
		}
		i++
	}
	return o
}

// word takes the words that end one another.
func (o *open) word(w string) {
	switch w {
	case "if", "reduce", "foreach", "def":
		if w == "if" {
			o.stack = append(o.stack, "then")
		}
	case "then":
		if o.top() == "then" {
			o.stack[len(o.stack)-1] = "end"
		}
	case "elif":
		if o.top() == "end" {
			o.stack[len(o.stack)-1] = "then"
		}
	case "end":
		if o.top() == "end" {
			o.pop()
		}
	}
}

// text goes on behind a string that begins, or goes on, at i.
func (o *open) text(text string, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			if i++; i < len(text) && text[i] == '(' {
				o.stack = append(o.stack, `"`, ")")
				return i + 1
			}
		case '"':
			o.last, o.texts = '"', o.texts[:len(o.texts)-1]
			return i + 1
		}
	}
	o.inside = true
	return i
}

func (o *open) top() string {
	if len(o.stack) == 0 {
		return ""
	}
	return o.stack[len(o.stack)-1]
}

func (o *open) pop() { o.stack = o.stack[:len(o.stack)-1] }

// missing says what a filter that ends too early lacks.
func (o *open) missing() string {
	if o.inside {
		return fmt.Sprintf(`the string that begins at byte %d does not end: " is missing`, o.texts[len(o.texts)-1])
	}
	if o.last == 0 || strings.IndexByte("|,+-*/%=<>:(", o.last) >= 0 {
		return "the filter ends where something to do is expected"
	}
	if t := o.top(); t != "" {
		return fmt.Sprintf("unexpected end: %s is missing", quote.Text(t))
	}
	return "the filter ends too early"
}

// closes reports whether a token closes something that is not open.
func (o *open) closes(token string) bool {
	return (token == ")" || token == "]" || token == "}" || token == "end") && o.top() != token
}

func letter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// compileError says which name of a filter there is not.
func compileError(text string, err error) *Error {
	word := err.Error()
	if name, ok := strings.CutPrefix(word, "function not defined: "); ok {
		name, args, _ := strings.Cut(name, "/")
		e := find(text, name)
		e.Text = fmt.Sprintf("there is no function %s with %s", quote.Text(name), arguments(args))
		if meant := suggestion(name); meant != "" {
			e.Text += ". Did you mean " + meant + "?"
		}
		return e
	}
	if name, ok := strings.CutPrefix(word, "variable not defined: "); ok {
		e := find(text, name)
		e.Text = fmt.Sprintf("there is no variable %s", quote.Text(name))
		return e
	}
	if strings.Contains(word, "module") || strings.Contains(word, "input") {
		return &Error{End: len(text), Text: "a filter here reads nothing but the value: no modules, no other input"}
	}
	return &Error{End: len(text), Text: plainly(word)}
}

// noFormat says that there is no such format.
func noFormat(text, name string) *Error {
	e := find(text, name)
	e.Text = fmt.Sprintf("there is no format %s", quote.Text(name))
	return e
}

func arguments(n string) string {
	switch n {
	case "0":
		return "no arguments"
	case "1":
		return "1 argument"
	}
	return n + " arguments"
}

// find is where a name stands in a filter for the first time.
func find(text, name string) *Error {
	for from := 0; name != "" && from < len(text); {
		i := strings.Index(text[from:], name)
		if i < 0 {
			break
		}
		i += from
		end := i + len(name)
		inside := end < len(text) && (letter(text[end]) || text[end] >= '0' && text[end] <= '9')
		if i > 0 && (letter(text[i-1]) || strings.IndexByte(".$@", text[i-1]) >= 0) || inside {
			from = i + 1
			continue
		}
		return &Error{Offset: i, End: end}
	}
	return &Error{End: len(text)}
}

// suggestion is the function of jq whose name is nearest.
func suggestion(name string) string {
	q, err := gojq.Parse("builtins")
	if err != nil {
		return ""
	}
	v, _ := q.Run(nil).Next()
	list, _ := v.([]any)
	var names []string
	for _, x := range list {
		if s, ok := x.(string); ok {
			s, _, _ = strings.Cut(s, "/")
			if !strings.HasPrefix(s, "_") {
				names = append(names, s)
			}
		}
	}
	slices.Sort(names) // the list comes in no order
	names = slices.Compact(names)
	if slices.Contains(names, name) {
		return "" // with another number of arguments
	}
	return near.Word(name, names)
}

// runError says what a filter stumbled over.
func runError(err error) error {
	var value gojq.ValueError
	if errors.As(err, &value) {
		return fmt.Errorf("the filter ends with %s", quote.TextTo(err.Error(), 200))
	}
	return errors.New(plainly(err.Error()))
}

// longestError is how much of an error is told, in characters.
const longestError = 240

// plainly is an error of the library with what a module wrote made visible, and
// in the words of this product.
func plainly(word string) string {
	var b strings.Builder
	n := 0
	for _, r := range strings.ReplaceAll(word, "invalid path", "no path leads") {
		if n++; n > longestError {
			b.WriteString("…")
			break
		}
		b.WriteString(quote.Rune(r))
	}
	return b.String()
}

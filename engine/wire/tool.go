package wire

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/jsonread"
)

func readTool(a *Answer, v jsonread.Value, index, page int) Tool {
	t := Tool{Value: v, Raw: v.Raw(), Where: a.Where(v), Index: index, Page: page,
		InputSchema: v.Get("inputSchema"), OutputSchema: v.Get("outputSchema")}
	t.Name, _ = v.Get("name").Text()
	t.Title, t.HasTitle = v.Get("title").Text()
	t.Description, t.HasDescription = v.Get("description").Text()
	return t
}

// checkTool judges one tool by itself.
func checkTool(a *Answer, t Tool) []event.Breach {
	if t.Value.Kind() != jsonread.Object {
		b := a.breach(abi.ToolName, t.Value, t.Value,
			fmt.Sprintf("tool %d is %s, not an object", t.Index+1, brief(t.Value)), "Write an object with name, description and inputSchema.")
		b.Cause = "a tool is " + t.Value.Kind().String()
		return []event.Breach{b}
	}
	var list []event.Breach
	for _, check := range []func(*Answer, Tool) (event.Breach, bool){toolName, toolDescription, inputSchema} {
		if b, ok := check(a, t); !ok {
			list = append(list, b)
		}
	}
	for _, name := range []string{"inputSchema", "outputSchema"} {
		if v := t.Value.Get(name); len(v.Raw()) > abi.MaxSchema {
			b := a.breach(abi.ToolSchemaSize, v, v,
				fmt.Sprintf("%s of %s is %s as sent; at most %s are allowed", name, t.called(), plural(len(v.Raw()), "byte"), kib(abi.MaxSchema)),
				"Shorten it: drop long enums, examples and descriptions.")
			b.Cause = name + " is too large"
			list = append(list, b)
		}
	}
	return list
}

// called is how a sentence calls the tool.
func (t Tool) called() string {
	if t.Name == "" {
		return fmt.Sprintf("tool %d", t.Index+1)
	}
	return fmt.Sprintf("tool %d (%s)", t.Index+1, show(t.Name))
}

func toolName(a *Answer, t Tool) (event.Breach, bool) {
	v := t.Value.Get("name")
	allowed := fmt.Sprintf("1 to %d characters of a-z, 0-9, _ and -", abi.MaxToolName)
	broken := func(cause, detail, fix string) (event.Breach, bool) {
		b := a.breach(abi.ToolName, v, t.Value, detail, fix)
		b.Cause = "a tool's name " + cause
		return b, false
	}
	switch {
	case v.IsZero():
		return broken("is missing", fmt.Sprintf("tool %d has no name", t.Index+1), "Give it a name of "+allowed+".")
	case v.Kind() != jsonread.String:
		return broken("is "+v.Kind().String(), fmt.Sprintf("the name of tool %d is %s, not a string", t.Index+1, brief(v)), "Give it a name of "+allowed+".")
	case t.Name == "":
		return broken("is empty", fmt.Sprintf("the name of tool %d is empty", t.Index+1), "Give it a name of "+allowed+".")
	}
	bad := foreign(t.Name)
	n := utf8.RuneCountInString(t.Name)
	fix := "Rename it, for example " + suggest(t.Name) + "."
	switch {
	case len(bad) > 0 && n > abi.MaxToolName:
		return broken("is too long, and "+are(bad)+" not allowed", fmt.Sprintf("tool %d is named %s; %s not allowed, and %d characters are too many", t.Index+1, show(t.Name), are(bad), n), fix)
	case len(bad) > 0:
		return broken("has what is not allowed: "+strings.Join(bad, " "), fmt.Sprintf("tool %d is named %s; %s not allowed", t.Index+1, show(t.Name), are(bad)), fix)
	case n > abi.MaxToolName:
		return broken("is too long", fmt.Sprintf("the name of tool %d, %s, has %d characters; at most %d are allowed", t.Index+1, show(t.Name), n, abi.MaxToolName), fix)
	}
	return event.Breach{}, true
}

// foreign lists the characters of a name that are not allowed, each once, in
// their order.
func foreign(name string) []string {
	var list []string
	seen := make(map[rune]bool)
	for _, r := range name {
		if strings.ContainsRune(abi.ToolNameAlphabet, r) || seen[r] {
			continue
		}
		seen[r] = true
		list = append(list, letter(r))
		if len(list) == 16 {
			break
		}
	}
	return list
}

func letter(r rune) string {
	if r == ' ' {
		return "the space"
	}
	return visible(r)
}

func are(characters []string) string {
	if len(characters) == 1 {
		return characters[0] + " is"
	}
	return strings.Join(characters, " ") + " are"
}

// suggest makes an allowed name that is near to this one: DrawLine and
// Draw.Line become draw_line, läs becomes las.
func suggest(name string) string {
	var b strings.Builder
	gap, lower := false, false
	for _, r := range norm.NFD.String(name) {
		if b.Len() >= abi.MaxToolName {
			break
		}
		if unicode.Is(unicode.Mn, r) {
			continue
		}
		if unicode.IsUpper(r) && lower {
			gap = true
		}
		lower = unicode.IsLower(r) || unicode.IsDigit(r)
		r = unicode.ToLower(r)
		if r == '_' || r == '-' || !strings.ContainsRune(abi.ToolNameAlphabet, r) {
			gap = true
			if r == '-' {
				b.WriteByte('-')
				gap = false
			}
			continue
		}
		if gap && b.Len() > 0 && !strings.HasSuffix(b.String(), "-") {
			b.WriteByte('_')
		}
		gap = false
		b.WriteRune(r)
	}
	s := b.String()
	if len(s) > abi.MaxToolName {
		s = s[:abi.MaxToolName]
	}
	if strings.Trim(s, "_-") == "" {
		return "my_tool"
	}
	return s
}

// toolDescription refuses one that is no string or too long. That it is missing
// or empty is a should, which is judged elsewhere.
func toolDescription(a *Answer, t Tool) (event.Breach, bool) {
	v := t.Value.Get("description")
	if v.IsZero() {
		return event.Breach{}, true
	}
	if !t.HasDescription {
		b := a.breach(abi.ToolDescription, v, v, fmt.Sprintf("the description of %s is %s, not a string", t.called(), brief(v)),
			"Write a string: the model reads it.")
		b.Cause = "a description is " + v.Kind().String()
		return b, false
	}
	if n := utf8.RuneCountInString(t.Description); n > abi.MaxDescription {
		b := a.breach(abi.ToolDescription, v, v,
			fmt.Sprintf("the description of %s has %s characters; at most %s are allowed", t.called(), thousands(n), thousands(abi.MaxDescription)),
			fmt.Sprintf("Shorten it by %s.", plural(n-abi.MaxDescription, "character")))
		b.Cause = "a description is too long"
		return b, false
	}
	return event.Breach{}, true
}

func inputSchema(a *Answer, t Tool) (event.Breach, bool) {
	v := t.InputSchema
	fix := `Write "inputSchema":{"type":"object"}; a tool without arguments has that too.`
	broken := func(at jsonread.Value, cause, detail string) (event.Breach, bool) {
		b := a.breach(abi.ToolSchemaObject, at, t.Value, detail, fix)
		b.Cause = cause
		return b, false
	}
	switch v.Kind() {
	case jsonread.Object:
	case jsonread.Absent:
		if slip, s := standIn(t.Value); slip != "" {
			fix = fmt.Sprintf("Call the member %s inputSchema.", slip)
			return broken(s, NoSchemaCause(t.Value), fmt.Sprintf("%s has no inputSchema, but %s", t.called(), slip))
		}
		return broken(v, NoSchemaCause(t.Value), t.called()+" has no inputSchema")
	default:
		return broken(v, "inputSchema is "+v.Kind().String(), fmt.Sprintf("inputSchema of %s is %s, not an object", t.called(), brief(v)))
	}
	kind := v.Get("type")
	switch {
	case kind.Is("object"):
		return event.Breach{}, true
	case kind.IsZero():
		fix = `Write "type":"object" at the top of inputSchema, also beside anyOf, oneOf and $ref.`
		return broken(v, "inputSchema has no type", fmt.Sprintf("inputSchema of %s has no type at the top", t.called()))
	}
	fix = `Write "type":"object" at the top of inputSchema.`
	return broken(kind, "inputSchema has the type "+brief(kind), fmt.Sprintf("inputSchema of %s has the type %s at the top, not \"object\"", t.called(), brief(kind)))
}

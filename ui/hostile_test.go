package ui

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perch/samples/mischief"
)

// nasty is text that would do something to a terminal, or hides.
const nasty = "\x1b]0;owned\x07\x1b[31mred\x1b[2J\u009b5m\u202eevil\u2066\u200b\u200f\ufeff\x00\x7f\r\ne\u0301\u0301\u0301👩‍👩‍👧‍👦\u0600漢\U000e0041"

// hostilePackage is a folder with a module that writes nasty text wherever it
// may, schemas made to hurt, and files beside it that are no better.
func hostilePackage(t testing.TB, dir string) string {
	t.Helper()
	bad, err := json.Marshal(nasty)
	if err != nil {
		t.Fatal(err)
	}
	inner := string(bad[1 : len(bad)-1])
	object := func(members string) string { return `{"type":"object",` + members + `}` }
	deep := strings.Repeat(`{"type":"object","properties":{"a":`, 200) + `{}` + strings.Repeat(`}}`, 200)
	bomb := `{"$defs":{"z":{"type":"string"}`
	for i := range 24 {
		next := fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, i+1)
		if i == 23 {
			next = `{"$ref":"#/$defs/z"}`
		}
		bomb += fmt.Sprintf(`,"d%d":{"anyOf":[%s,{"type":"object","properties":{"x":%s}},{"not":%s}]}`, i, next, next, next)
	}
	bomb += `},"type":"object","properties":{"b":{"$ref":"#/$defs/d0"},"c":{"$ref":"#/$defs/d0"}},"required":["b","c"]}`
	schemas := map[string]string{
		"nasty": object(`"title":"` + inner + `","description":"` + inner + `","properties":{"` + inner + `":{"type":"string","title":"` + inner + `","description":"` + inner +
			`","default":"` + inner + `","examples":["` + inner + `"]},"e":{"enum":["` + inner + `","b"]},"c":{"const":"` + inner + `"},"p":{"type":"string","pattern":"^(a+)+$"},"u":{"type":"` + inner + `"}},"required":["` + inner + `"]`),
		"deep":    deep,
		"bomb":    bomb,
		"self":    `{"type":"object","$ref":"#","properties":{"n":{"$ref":"#"}},"required":["n"]}`,
		"regex":   object(`"properties":{"s":{"type":"string","pattern":"^(([a-z])+.)+[A-Z]([a-z])+$"},"t":{"type":"string","pattern":"(?:(?:a{1,1000}){1,1000}){1,1000}"},"v":{"type":"string","pattern":"(?=x)\\1[","minLength":1e300,"maxLength":-4}},"required":["s","t","v"]`),
		"numbers": object(`"properties":{"n":{"type":"integer","minimum":1e400,"multipleOf":1e-300},"m":{"type":"array","minItems":1000000000,"items":{"type":"array","minItems":1000000000}},"k":{"type":"object","minProperties":4000000000}},"required":["n","m","k"]`),
		"enum":    object(`"properties":{"e":{"enum":[${9000:1,}"` + inner + `"]}},"required":["e"]`),
		"any":     object(`"properties":{"a":{"anyOf":[${3000:true,}false]},"o":{"oneOf":[` + strings.Repeat(`{"type":"object"},`, 900) + `true]}},"required":["a","o"]`),
	}
	names := []string{"nasty", "deep", "bomb", "self", "regex", "numbers", "enum", "any"}
	quote := strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\r", `\r`, "$defs", "$$defs", "$ref", "$$ref", `$"`, `$$"`).Replace
	var list []string
	for _, n := range names {
		list = append(list, `{"name":"`+n+`","title":"`+inner+`","description":"`+inner+`","inputSchema":`+schemas[n]+`,"annotations":{"title":"`+inner+`"}}`)
	}
	for _, n := range []string{"flood", "stderr", "files", "http", "lines", "broken", "oops"} {
		list = append(list, `{"name":"`+n+`","description":"d","inputSchema":{"type":"object"}}`)
	}
	raw := `\x1b]0;owned\x07\x1b[31mred\x1b[2J\xc2\x9b5m\xe2\x80\xaeevil\xe2\x81\xa6\xe2\x80\x8b\x7f\xff\xfe`
	script := strings.Join([]string{
		`list result '` + quote(`{"resultType":"complete","ttlMs":1,"cacheScope":"public","tools":[`+strings.Join(list, ",")+`]}`) + `'`,
		`tool nasty 'd' err '` + raw + `\n' result '` + quote(`{"resultType":"complete","content":[{"type":"text","text":"`+inner+`"},{"type":"image","data":"`+inner+`","mimeType":"`+inner+
			`"},{"type":"`+inner+`"},{"type":"resource_link","uri":"volume:///`+inner+`","name":"`+inner+`"}],"structuredContent":{"`+inner+`":"`+inner+`"}}`) + `'`,
		`tool flood 'd' repeat 200 ( err '${1000:` + raw + ` }' ) ok`,
		`tool stderr 'd' err '${900000:x}' err '\n${200000:\n}' ok`,
		`tool files 'd' mkdir '/volume/tmp/` + raw[:12] + `\xe2\x80\xaed' repeat 300 ( open '/volume/tmp/\x1b[31m\xe2\x80\xaef' cw write '` + raw + `' close ) ok`,
		`tool http 'd' repeat 50 ( http '` + quote(`{"url":"https://`+"evil.example/"+inner+`","headers":{"a":"`+inner+`"}}`) + `' ) http '{"url":"https://x.\x1b[31m.example/"}' ok`,
		`tool lines 'd' out '${1000000:[}'`,
		`tool broken 'd' out '` + raw + `\n'`,
		`tool oops 'd' out '` + quote(`{"jsonrpc":"2.0","id":`) + `$id` + quote(`,"error":{"code":1,"message":"`+inner+`","data":"`+inner+`"}}`) + `\n'`,
	}, "\n")
	manifest := `{"abi":1,"name":"hostile","description":"` + inner + `"}`
	for name, text := range map[string]string{
		"module.wasm": string(mischief.Build(script)), "subako-package.json": manifest,
		"perch-presets.json": `{"perch-presets":1,"presets":{"nasty":{"` + inner + `":{"` + inner + `":1}}}}`,
		"perch.toml":         "# \u202e\u200b\nallow = [\"evil.example\"]\n[build]\ncommand = [\"touch\", \"owned\"]\n",
		"arguments.json":     strings.Repeat("[", 100_000),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

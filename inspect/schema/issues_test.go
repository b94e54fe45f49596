package schema_test

import (
	"slices"
	"testing"

	"perch/inspect/schema"
)

// TestIssues: what is told about a schema, each with its place; and neighbours
// of which nothing is told.
func TestIssues(t *testing.T) {
	for _, c := range []struct {
		schema string
		want   []string
	}{
		// types
		{`{"type":"strng"}`, []string{
			`schema/valid /type is "strng", which is no type`,
		}},
		{`{"type":"int"}`, []string{
			`schema/valid /type is "int", which is no type`,
		}},
		{`{"type":"String"}`, []string{
			`schema/valid /type is "String", which is no type`,
		}},
		{`{"type":"dict"}`, []string{
			`schema/valid /type is "dict", which is no type`,
		}},
		{`{"type":null}`, []string{
			`schema/valid /type is null; a type is a name in quotes`,
		}},
		{`{"type":[]}`, []string{
			`schema/valid /type is an empty list; no value has none of the types`,
		}},
		{`{"type":["string","string"]}`, []string{
			`schema/valid /type/1 is "string" for the second time; type names each once`,
		}},
		{`{"type":7}`, []string{
			`schema/valid /type is 7; a type is a name in quotes, or a list of names`,
		}},
		{`{"type":["string","Null"]}`, []string{
			`schema/valid /type/1 is "Null", which is no type`,
		}},
		{`{"type":["null","array"]}`, nil},
		// keywords that are slips of others, and words that are none
		{`{"propertes":{},"requierd":["a"],"descripton":"A.","min_length":2,"anyof":[],"additional_properties":false,"Enum":[]}`, []string{
			`schema/draft-mix /propertes is a keyword of no draft; properties seems to be meant (our reading)`,
			`schema/draft-mix /requierd is a keyword of no draft; required seems to be meant (our reading)`,
			`schema/draft-mix /descripton is a keyword of no draft; description seems to be meant (our reading)`,
			`schema/draft-mix /min_length is a keyword of no draft; minLength seems to be meant (our reading)`,
			`schema/draft-mix /anyof is a keyword of no draft; anyOf seems to be meant (our reading)`,
			`schema/draft-mix /additional_properties is a keyword of no draft; additionalProperties seems to be meant (our reading)`,
			`schema/draft-mix /Enum is a keyword of no draft; enum seems to be meant (our reading)`,
		}},
		{`{"type":"object","types":["object"],"example":1,"note":"n","count":2,"form":"f","x-enum":[],"discriminator":{},"propertyOrder":1,"enumNames":[],"label":"l","widget":"w","order":1,"xml":{},"comment":"c","units":"m","unit":"m","options":{},"version":"1","name":"n","group":"g"}`, nil},
		{`{"properties":{"propertes":{"type":"string"}},"$defs":{"Enum":{}}}`, nil},
		{`{"type":"array"}`, nil},
		// shapes
		{`{"properties":[]}`, []string{
			`schema/valid /properties is a list; properties is an object`,
		}},
		{`{"properties":{"a":null,"b":[],"c":"string","d":true,"e":{}}}`, []string{
			`schema/valid /properties/a is null; a schema is an object, true or false`,
			`schema/valid /properties/b is a list; a schema is an object, true or false`,
			`schema/valid /properties/c is "string"; a schema is an object, true or false`,
		}},
		{`{"minLength":-1,"maxLength":"5","minItems":1.5,"multipleOf":0,"maximum":"9","uniqueItems":"yes","enum":{},"allOf":[],"anyOf":{},"title":5,"$defs":[],"format":true,"minProperties":2.0}`, []string{
			`schema/valid /minLength is -1; minLength is a whole number from 0`,
			`schema/valid /maxLength is "5"; maxLength is a whole number from 0`,
			`schema/valid /minItems is 1.5; minItems is a whole number from 0`,
			`schema/valid /multipleOf is 0; multipleOf is a number above 0`,
			`schema/valid /maximum is "9"; maximum is a number`,
			`schema/valid /uniqueItems is "yes"; uniqueItems is true or false`,
			`schema/valid /enum is an object; enum is a list of values`,
			`schema/valid /allOf is an empty list; allOf is a list of at least one schema`,
			`schema/valid /anyOf is an object; anyOf is a list of at least one schema`,
			`schema/valid /title is 5; title is a string`,
			`schema/valid /$defs is a list; $defs is an object`,
			`schema/valid /format is true; format is a string`,
		}},
		{`{"required":["x","x",1],"properties":{"x":{}}}`, []string{
			`schema/valid /required/1 is "x" for the second time; the list names each once`,
			`schema/valid /required/2 is 1; a name is a string`,
		}},
		{`{"required":"x"}`, []string{
			`schema/valid /required is "x"; required is a list of names`,
		}},
		{`{"dependentRequired":{"a":"b","c":["d",1]},"dependentSchemas":{"x":[]}}`, []string{
			`schema/valid /dependentRequired/a is "b"; dependentRequired has lists of names`,
			`schema/valid /dependentRequired/c/1 is 1; a name is a string`,
			`schema/valid /dependentSchemas/x is a list; a schema is an object, true or false`,
		}},
		{`{"$ref":5}`, []string{
			`schema/valid /$ref is 5; $ref is a string`,
		}},
		{`{"$id":"http://x/a#frag"}`, []string{
			`schema/valid /$id is "http://x/a#frag"; since 2019-09 $id has no fragment`,
		}},
		{`{"$schema":"http://json-schema.org/draft-06/schema#","enum":[1,1.0]}`, []string{
			`schema/valid /enum/1 is 1.0 for the second time; in draft 6 enum has each value once`,
		}},
		{`{"enum":[]}`, nil},
		{`{"enum":[1,1.0]}`, nil},
		{`{"format":"zorp","properties":{"n":{"type":"integer","format":"uint64"}}}`, nil},
		{`{"x-anything":[1],"properties":{"":{},"取引 日":{},"__proto__":{}}}`, nil},
		// dialects
		{`{"$schema":"http://json-schema.org/draft-07/schema"}`, nil},
		{`{"$schema":"https://json-schema.org/draft/2020-12/schema#"}`, nil},
		{`{"$schema":"http://json-schema.org/draft-04/schema#"}`, nil},
		{`{"$schema":"https://json-schema.org/draft-07/schema#"}`, []string{
			`schema/dialect /$schema is "https://json-schema.org/draft-07/schema#", a slip for draft 7. It is read as draft 7; readers that compare the text do not know it`,
		}},
		{`{"$schema":"http://json-schema.org/draft/2020-12/schema"}`, []string{
			`schema/dialect /$schema is "http://json-schema.org/draft/2020-12/schema", a slip for 2020-12. It is read as 2020-12; readers that compare the text do not know it`,
		}},
		{`{"$schema":"http://json-schema.org/schema#"}`, []string{
			`schema/dialect /$schema is "http://json-schema.org/schema#", a dialect that is not known here. The schema is not judged, and no value is held against it`,
		}},
		{`{"$schema":"http://json-schema.org/draft-03/schema#","type":"any"}`, []string{
			`schema/dialect /$schema is "http://json-schema.org/draft-03/schema#", a dialect that is not known here. The schema is not judged, and no value is held against it`,
		}},
		{`{"$schema":7}`, []string{
			`schema/valid /$schema is 7; $schema is a string`,
		}},
		{`{"properties":{"a":{"$schema":"http://json-schema.org/draft-07/schema#"}}}`, []string{
			`schema/dialect /properties/a/$schema is "http://json-schema.org/draft-07/schema#" inside of a schema without $id, where it does not count; 2020-12 does`,
		}},
		{`{"properties":{"a":{"$id":"a","$schema":"http://json-schema.org/draft-07/schema#","items":[{}]}}}`, nil},
		// references
		{`{"$ref":"#/$defs/Nope","$defs":{"Node":{}}}`, []string{
			`schema/ref /$ref is "#/$defs/Nope", which leads nowhere: /$defs has no "Nope"`,
		}},
		{`{"$ref":"#/$defs/Other","$defs":{"Node":{}}}`, []string{
			`schema/ref /$ref is "#/$defs/Other", which leads nowhere: /$defs has no "Other"`,
		}},
		{`{"$ref":"#/definitions/X","$defs":{"X":{}}}`, []string{
			`schema/ref /$ref is "#/definitions/X", which leads nowhere: the schema has no "definitions"`,
		}},
		{`{"$ref":"X","$defs":{"X":{}}}`, []string{
			`schema/ref /$ref is "X", which is another document. No reference is ever followed out of a schema`,
		}},
		{`{"$ref":"#X","$defs":{"X":{}}}`, []string{
			`schema/ref /$ref is "#X", a name that no $anchor has`,
		}},
		{`{"properties":{"a":{"$ref":"http://169.254.169.254/latest/x.json"},"b":{"$ref":"file:///etc/hostname"},"c":{"$ref":"other.json#/X"},"d":{"$ref":"urn:uuid:1"}}}`, []string{
			`schema/ref /properties/a/$ref is "http://169.254.169.254/latest/x.json", which is an address. No reference is ever followed out of a schema`,
			`schema/ref /properties/b/$ref is "file:///etc/hostname", which is a file. No reference is ever followed out of a schema`,
			`schema/ref /properties/c/$ref is "other.json#/X", which is another document. No reference is ever followed out of a schema`,
			`schema/ref /properties/d/$ref is "urn:uuid:1", which is not within the schema. No reference is ever followed out of a schema`,
		}},
		{`{"$ref":"#"}`, []string{
			`schema/ref /$ref is "#", which comes back to itself without going into the value: it never ends`,
		}},
		{`{"anyOf":[{"type":"null"},{"$ref":"#"}]}`, []string{
			`schema/ref /anyOf/1/$ref is "#", which comes back to itself without going into the value: it never ends`,
		}},
		{`{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"allOf":[{"$ref":"#/$defs/a"}]}}}`, []string{
			`schema/ref /$defs/b/allOf/0/$ref is "#/$defs/a", which comes back to itself without going into the value: it never ends`,
		}},
		{`{"$ref":"#/$defs/a~2"}`, []string{
			`schema/ref /$ref is "#/$defs/a~2", which leads nowhere: the schema has no "$defs"`,
		}},
		{`{"$ref":"#/%zz"}`, []string{
			`schema/ref /$ref is "#/%zz", which has a % that begins no escape`,
		}},
		{`{"$ref":"#/required","required":[]}`, []string{
			`schema/ref /$ref is "#/required", which leads to a list, and that is no schema`,
		}},
		{`{"properties":{"k":{"$ref":"#"}}}`, nil},
		{`{"type":"object","properties":{"root":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","properties":{"v":{"type":"string"},"kids":{"type":"array","items":{"$ref":"#/$defs/N"}}}}}}`, nil},
		{`{"$ref":"#/$defs/a~1b~0c%20d","$defs":{"a/b~c d":{}}}`, nil},
		{`{"$ref":"#here","$defs":{"x":{"$anchor":"here"}}}`, nil},
		{`{"$dynamicRef":"#here","$defs":{"x":{"$dynamicAnchor":"here"}}}`, nil},
		{`{"$id":"http://x/a","$ref":"b#/properties/q","properties":{"p":{"$id":"b","properties":{"q":{"type":"string"}}}}}`, nil},
		{`{"$ref":"#/properties/a/x-inner","properties":{"a":{"x-inner":{"type":"string"}}}}`, nil},
		{`{"properties":{"a":{"$ref":"#/anyOf/0"}},"anyOf":[{"type":"string"}]}`, nil},
		{`{"properties":{"$ref":{"type":"string"},"tpl":{"const":{"$ref":"#/x"}},"d":{"type":"object","default":{"$ref":"nope"}},"e":{"enum":[{"$ref":"no"}],"examples":[{"$ref":"no"}]}}}`, nil},
		// other drafts
		{`{"items":[{},{}]}`, []string{
			`schema/draft-mix /items is a list, the spelling of 2019-09 and before; in 2020-12 items is one schema, for all elements`,
		}},
		{`{"items":[{}],"additionalItems":false}`, []string{
			`schema/draft-mix /items is a list, the spelling of 2019-09 and before; in 2020-12 items is one schema, for all elements`,
		}},
		{`{"additionalItems":false}`, []string{
			`schema/draft-mix /additionalItems is a keyword of 2019-09 and before; in 2020-12 it has no effect`,
		}},
		{`{"minimum":0,"exclusiveMinimum":true}`, []string{
			`schema/draft-mix /exclusiveMinimum is true, the draft-4 way; in 2020-12 exclusiveMinimum is a number`,
		}},
		{`{"exclusiveMaximum":false}`, []string{
			`schema/draft-mix /exclusiveMaximum is false, the draft-4 way; in 2020-12 exclusiveMaximum is a number`,
		}},
		{`{"exclusiveMinimum":"x"}`, []string{
			`schema/valid /exclusiveMinimum is "x"; exclusiveMinimum is a number`,
		}},
		{`{"definitions":{},"$defs":{}}`, []string{
			`schema/draft-mix /definitions stands beside $defs, which is its name since 2019-09. Both are read`,
		}},
		{`{"definitions":{}}`, nil},
		{`{"dependencies":{"a":["b"]}}`, []string{
			`schema/draft-mix /dependencies is a keyword of draft 7 and before; in 2020-12 it has no effect`,
		}},
		{`{"id":"http://x/y"}`, []string{
			`schema/draft-mix /id is a keyword of draft 4 and before; in 2020-12 it has no effect`,
		}},
		{`{"id":5}`, nil},
		{`{"$recursiveRef":"#"}`, []string{
			`schema/draft-mix /$recursiveRef is a keyword of 2019-09 and before; in 2020-12 it has no effect`,
		}},
		{`{"properties":{"a":{"type":"string","required":true}}}`, []string{
			`schema/draft-mix /properties/a/required is true, the draft-3 way; since draft 4 required is a list of names beside properties. It has no effect`,
		}},
		{`{"type":"string","nullable":true}`, []string{
			`schema/draft-mix /nullable is a keyword of OpenAPI 3.0; in JSON Schema it has no effect, and null does not fit`,
		}},
		{`{"type":["string","null"],"nullable":true}`, nil},
		{`{"divisibleBy":2}`, []string{
			`schema/draft-mix /divisibleBy is a keyword of draft 3; in 2020-12 it has no effect`,
		}},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","prefixItems":[{}],"unevaluatedProperties":false,"$defs":{},"items":[{}],"additionalItems":false,"dependencies":{},"definitions":{}}`, []string{
			`schema/draft-mix /prefixItems is a keyword since 2020-12; in draft 7 it has no effect`,
			`schema/draft-mix /unevaluatedProperties is a keyword since 2019-09; in draft 7 it has no effect`,
		}},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","const":1,"exclusiveMinimum":3,"properties":{"a":true},"additionalProperties":false,"examples":[1]}`, []string{
			`schema/draft-mix /const is a keyword since draft 6; in draft 4 it has no effect`,
			`schema/draft-mix /exclusiveMinimum is 3, the way of draft 6 and later; in draft 4 exclusiveMinimum is true or false`,
			`schema/draft-mix /properties/a is true, a schema by draft 6 and later; in draft 4 it is an object`,
		}},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,"exclusiveMinimum":true,"id":"http://x/"}`, nil},
		// required names
		{`{"required":["x"]}`, []string{
			`schema/required /required/0 is "x", which properties does not have`,
		}},
		{`{"properties":{"naem":{}},"required":["name"]}`, []string{
			`schema/required /required/0 is "name", which properties does not have`,
		}},
		{`{"properties":{"a":{}},"oneOf":[{"required":["a"]},{"required":["b"]}]}`, []string{
			`schema/required /oneOf/1/required/0 is "b", which properties does not have`,
		}},
		{`{"allOf":[{"$ref":"#/$defs/b"}],"required":["x"],"$defs":{"b":{"properties":{"x":{}}}}}`, nil},
		{`{"properties":{"x":{},"y":{}},"anyOf":[{"required":["x"]},{"not":{"required":["y"]}}]}`, nil},
		{`{"required":["x"],"additionalProperties":{"type":"string"}}`, nil},
		{`{"required":["x"],"patternProperties":{"^x":{}}}`, nil},
		{`{"required":["x"],"$ref":"http://else/where"}`, []string{
			`schema/ref /$ref is "http://else/where", which is an address. No reference is ever followed out of a schema`,
		}},
		{`{"properties":{"a":{"properties":{"x":{}}}},"then":{"properties":{"a":{"required":["x"]}}}}`, nil},
		{`{"items":{"properties":{"x":{}}},"allOf":[{"items":{"required":["x"]}}]}`, nil},
		{`{"properties":{"kind":{"enum":["mail","sms"]}},"required":["kind"],"if":{"properties":{"kind":{"const":"mail"}}},"then":{"properties":{"addr":{"type":"string"}},"required":["addr"]},"else":{"properties":{"tel":{"type":"string"}}}}`, nil},
		// own values
		{`{"type":"integer","default":"a"}`, []string{
			`schema/default /default does not fit its own schema: "a" is a string where the schema says integer`,
		}},
		{`{"type":"string","enum":["a",1,null]}`, []string{
			`schema/default /enum/1 does not fit its own schema: 1 is a number where the schema says string`,
			`schema/default /enum/2 does not fit its own schema: null stands where the schema says string`,
		}},
		{`{"type":"integer","const":1.5}`, []string{
			`schema/default /const does not fit its own schema: 1.5 is a number where the schema says integer`,
		}},
		{`{"type":"integer","examples":[1,"x"]}`, []string{
			`schema/default /examples/1 does not fit its own schema: "x" is a string where the schema says integer`,
		}},
		{`{"type":"object","properties":{"a":{"type":"string"}},"default":{"a":1}}`, []string{
			`schema/default /default does not fit its own schema: at /a, 1 is a number where the schema says string`,
		}},
		{`{"enum":["a"],"default":"b"}`, []string{
			`schema/default /default does not fit its own schema: "b" is none of the values of enum: "a"`,
		}},
		{`{"type":"object","required":["a"],"properties":{"a":{}},"default":{}}`, []string{
			`schema/default /default does not fit its own schema: "a" is missing; it is required`,
		}},
		{`{"enum":[1,2,"max",null,true],"default":1.0}`, nil},
		{`{"type":"integer","default":1.0}`, nil},
		{`{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}`, nil},
		{`{"$ref":"http://else/where","default":1}`, []string{
			`schema/ref /$ref is "http://else/where", which is an address. No reference is ever followed out of a schema`,
		}},
		{`{"pattern":"^(?=a)","default":"b"}`, []string{
			`schema/pattern /pattern is "^(?=a)" and is not checked: look-ahead is not supported here`,
		}},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":"#/definitions/s","default":1}},"definitions":{"s":{"type":"string"}}}`, nil},
		{`{"$ref":"#/$defs/s","default":1,"$defs":{"s":{"type":"string"}}}`, []string{
			`schema/default /default does not fit its own schema: 1 is a number where the schema says string`,
		}},
		{`{"type":"object","properties":{"deep":{"type":"boolean","default":true}},"default":{"deep":false}}`, nil},
		// patterns
		{`{"pattern":"^(?=.*[0-9]).{8,}$"}`, []string{
			`schema/pattern /pattern is "^(?=.*[0-9]).{8,}$" and is not checked: look-ahead is not supported here`,
		}},
		{`{"pattern":"(a)\\1"}`, []string{
			`schema/pattern /pattern is "(a)\\1" and is not checked: a back reference is not supported here`,
		}},
		{`{"pattern":"(?<=a)b"}`, []string{
			`schema/pattern /pattern is "(?<=a)b" and is not checked: look-behind is not supported here`,
		}},
		{`{"pattern":"a{2000}"}`, []string{
			`schema/pattern /pattern is "a{2000}" and is not checked: a repetition of more than 1,000 times is not supported here`,
		}},
		{`{"pattern":"a++"}`, []string{
			`schema/pattern /pattern is "a++" and is not checked: a possessive repetition is not supported here`,
		}},
		{`{"pattern":"\\Z"}`, []string{
			`schema/pattern /pattern is "\\Z" and is not checked: the escape "\\Z" is not known here`,
		}},
		{`{"pattern":"\\p{Nope}"}`, []string{
			`schema/pattern /pattern is "\\p{Nope}" and is not checked: the property "\\p{Nope}" is not known here`,
		}},
		{`{"pattern":"((a{100}){10}){10}"}`, []string{
			`schema/pattern /pattern is "((a{100}){10}){10}" and is not checked: a repetition of more than 1,000 times is not supported here`,
		}},
		{`{"pattern":"(a"}`, []string{
			`schema/valid /pattern is "(a", which is no regular expression: a ( or ) has no partner`,
		}},
		{`{"pattern":"[a"}`, []string{
			`schema/valid /pattern is "[a", which is no regular expression: a [ is not closed`,
		}},
		{`{"pattern":"a{3,2}"}`, []string{
			`schema/valid /pattern is "a{3,2}", which is no regular expression: the repetition "{3,2}" ends before it begins`,
		}},
		{`{"pattern":"*a"}`, []string{
			`schema/valid /pattern is "*a", which is no regular expression: "*" has nothing before it to repeat`,
		}},
		{`{"pattern":"\\"}`, []string{
			`schema/valid /pattern is "\\", which is no regular expression: it ends in a \`,
		}},
		{`{"pattern":"(?!a"}`, []string{
			`schema/valid /pattern is "(?!a", which is no regular expression: a ( or ) has no partner`,
		}},
		{`{"pattern":"[b-a]"}`, []string{
			`schema/valid /pattern is "[b-a]", which is no regular expression: the range "b-a" ends before it begins`,
		}},
		{`{"pattern":"\\u12"}`, []string{
			`schema/valid /pattern is "\\u12", which is no regular expression: \u is not followed by four hexadecimal digits`,
		}},
		{`{"patternProperties":{"[":{},"^x":{}}}`, []string{
			`schema/valid /patternProperties/[ is "[", which is no regular expression: a [ is not closed`,
		}},
		{`{"pattern":7}`, []string{
			`schema/valid /pattern is 7; pattern is a string`,
		}},
		{`{"pattern":"^\\p{Lu}\\d$"}`, nil},
		{`{"pattern":"\\p{Script=Greek}[\\s\\S]\\cA\\u{1F600}\\ud83d\\ude00[\\b\\-\\]]"}`, nil},
		{`{"pattern":"(?i)[[:alpha:]]+"}`, nil},
	} {
		s := schema.Compile(parse(t, c.schema))
		var got []string
		for _, i := range s.Issues() {
			got = append(got, string(i.Rule)+" "+i.Pointer+" "+i.Text)
			at := parse(t, c.schema).At(i.Pointer)
			if text := c.schema[i.Start:i.End]; text != string(at.Raw()) && text != string(at.Name().Raw()) {
				t.Errorf("%s: %s stands at %q", c.schema, i.Pointer, text)
			}
			if i.Fix == "" {
				t.Errorf("%s: %s has no fix", c.schema, i.Pointer)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%q\nwant\n%q", c.schema, got, c.want)
		}
	}
}

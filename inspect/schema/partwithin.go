package schema

import "perch/engine/jsonread"

// The methods of this file lead from a Part to those for what is within a
// value: members and elements.

// IsObject reports whether the part has a word on members.
func (p Part) IsObject() bool { return p.n != nil && p.n.objects != nil }

// IsList reports whether the part has a word on elements.
func (p Part) IsList() bool { return p.n != nil && p.n.arrays != nil }

// Properties are the names of the properties, in their order.
func (p Part) Properties() []string {
	if !p.IsObject() {
		return nil
	}
	return p.n.objects.order
}

// Property is the schema of a property.
func (p Part) Property(name string) (Part, bool) {
	if !p.IsObject() {
		return Part{}, false
	}
	return p.part(p.n.objects.properties[name])
}

// Required are the names of the members that must be there.
func (p Part) Required() []string {
	if !p.IsObject() {
		return nil
	}
	list := make([]string, 0, len(p.n.objects.required))
	for _, v := range p.n.objects.required {
		list = append(list, v.String())
	}
	return list
}

// Matching are the schemas of patternProperties for a name.
func (p Part) Matching(name string) []Part {
	if !p.IsObject() {
		return nil
	}
	var list []Part
	for _, x := range p.n.objects.patterns {
		if x.pattern.program != nil && x.pattern.program.MatchString(name) {
			list = append(list, Part{p.s, x.schema})
		}
	}
	return list
}

// Patterns are the patterns of patternProperties, as they were written.
func (p Part) Patterns() []string {
	if !p.IsObject() {
		return nil
	}
	var list []string
	for _, x := range p.n.objects.patterns {
		list = append(list, x.pattern.text)
	}
	return list
}

// Additional is the schema of the members that neither properties nor
// patternProperties of the part name; ok is false where nothing is said of them.
func (p Part) Additional() (part Part, ok bool) {
	if !p.IsObject() {
		return Part{}, false
	}
	return p.part(p.n.objects.additional)
}

// Unevaluated are the schemas of the elements and of the members that no other
// schema for the same value has looked at, where something is said of them.
func (p Part) Unevaluated() (elements, members Part, ofElements, ofMembers bool) {
	if p.IsList() {
		elements, ofElements = p.part(p.n.arrays.unevaluated)
	}
	if p.IsObject() {
		members, ofMembers = p.part(p.n.objects.unevaluated)
	}
	return
}

// Dependent is what an object with a certain member must have, or fit, as well.
type Dependent struct {
	Name     string // the member that brings it about
	Required []string
	Schema   Part
	HasPart  bool // Schema counts
}

// Dependents are what members bring about.
func (p Part) Dependents() []Dependent {
	if !p.IsObject() {
		return nil
	}
	var list []Dependent
	for _, d := range p.n.objects.dependents {
		x := Dependent{Name: d.name}
		x.Schema, x.HasPart = p.part(d.schema)
		for _, v := range d.required {
			x.Required = append(x.Required, v.String())
		}
		list = append(list, x)
	}
	return list
}

// Prefix are the schemas of the first elements of a list, by either spelling.
func (p Part) Prefix() []Part {
	if !p.IsList() {
		return nil
	}
	return p.parts(p.n.arrays.prefix)
}

// OldPrefix reports whether the prefix is written as a list under items where
// the dialect has prefixItems.
func (p Part) OldPrefix() bool {
	return p.IsList() && p.n.arrays.prefixName == "items" && len(p.n.arrays.prefix) > 0 && p.n.res.dialect >= Draft2020
}

// Rest is the schema of the elements behind the prefix; ok is false where
// nothing is said of them.
func (p Part) Rest() (part Part, ok bool) {
	if !p.IsList() {
		return Part{}, false
	}
	return p.part(p.n.arrays.rest)
}

// Counts are the limits of the number of elements of a list, and of members of
// an object; absent where there are none.
func (p Part) Counts() (leastItems, mostItems, leastMembers, mostMembers jsonread.Value) {
	if p.IsList() {
		leastItems, mostItems = p.n.arrays.min, p.n.arrays.max
	}
	if p.IsObject() {
		leastMembers, mostMembers = p.n.objects.min, p.n.objects.max
	}
	return
}

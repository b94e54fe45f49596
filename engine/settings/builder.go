package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// origin is where a value stands.
type origin struct {
	from  string // provenance: "flag --timeout", "perch.toml:7"
	place string // for an error: "--timeout", "ship/perch.toml:7:12"
	dir   string // that paths are relative to; "" for flags
	file  bool
}

// builder puts the settings together: flags first, then the file.
type builder struct {
	s       Settings
	errs    Errors
	byFlag  map[string]bool // settings of one value that a flag gave
	trusted bool            // the file's grants count
	leftOut []Notice
}

// kind is what a setting's value is in the file.
type kind byte

const (
	text     kind = iota
	texts         // one text or a list of texts
	onOff         // true or false
	count         // a whole number
	quantity      // a text or a whole number
)

func (k kind) String() string {
	switch k {
	case texts:
		return "a text or a list of texts"
	case onOff:
		return "true or false"
	case count:
		return "a whole number"
	case quantity:
		return "a text or a whole number"
	}
	return "a text"
}

// grant says when a setting in a file counts only with trust.
type grant byte

const (
	free     grant = iota
	asked          // always
	askedOut       // when the path leads out of the file's folder
)

// setting is one key of perch.toml and the flag of the same name.
type setting struct {
	name  string
	kind  kind
	grant grant
	// take reads the text into the settings, unless check is set: then it only
	// reads. It returns what would count, for people.
	take func(b *builder, text string, o origin, check bool) (string, error)
}

// known are all settings, in the order of the package's documentation.
func known() []setting {
	return []setting{
		{"timeout", text, free, (*builder).timeout},
		{"memory", quantity, free, (*builder).memory},
		{"engine", text, free, (*builder).engine},
		{"seed", count, free, (*builder).seed},
		{"strict", onOff, free, toggle(func(b *builder, on bool, _ origin) { b.s.Strict = on })},
		{"force", onOff, free, toggle(func(b *builder, on bool, _ origin) { b.s.Force = on })},
		{"allow", texts, asked, (*builder).allow},
		{"route", texts, asked, (*builder).route},
		{"ca", text, asked, onePath(func(b *builder) *Value[string] { return &b.s.CA })},
		{"credential", texts, asked, (*builder).credential},
		{"mock", texts, askedOut, (*builder).mock},
		{"volume", text, asked, onePath(func(b *builder) *Value[string] { return &b.s.Volume })},
		{"data", onOff, asked, toggle(func(b *builder, on bool, o origin) { b.s.Data = Value[bool]{on, o.from} })},
		{"skills", text, asked, onePath(func(b *builder) *Value[string] { return &b.s.Skills })},
		{"assets", text, askedOut, onePath(func(b *builder) *Value[string] { return &b.s.Assets })},
	}
}

func settingNamed(name string) (setting, bool) {
	for _, s := range known() {
		if s.name == name {
			return s, true
		}
	}
	return setting{}, false
}

// takeFlags reads what was typed.
func (b *builder) takeFlags(f Flags) {
	one := func(name string, values ...string) {
		s, _ := settingNamed(name)
		for _, v := range values {
			b.take(s, v, origin{from: "flag --" + name, place: "--" + name})
			b.byFlag[name] = s.kind != texts
		}
	}
	maybe := func(name string, v *string) {
		if v != nil {
			one(name, *v)
		}
	}
	onOff := func(name string, v *bool) {
		if v != nil {
			one(name, strconv.FormatBool(*v))
		}
	}
	maybe("timeout", f.Timeout)
	maybe("memory", f.Memory)
	maybe("engine", f.Engine)
	maybe("seed", f.Seed)
	onOff("strict", f.Strict)
	onOff("force", f.Force)
	one("allow", f.Allow...)
	one("route", f.Route...)
	maybe("ca", f.CA)
	one("credential", f.Credential...)
	one("mock", f.Mock...)
	maybe("volume", f.Volume)
	onOff("data", f.Data)
	maybe("skills", f.Skills)
	maybe("assets", f.Assets)
}

// take reads one value of a setting. One that a flag stands in place of, and one
// that needs trust and has none, are checked all the same.
func (b *builder) take(s setting, value string, o origin) {
	beaten := o.file && b.byFlag[s.name]
	untrusted := o.file && !b.trusted && (s.grant == asked || s.grant == askedOut && !inside(o.dir, value))
	shown, err := s.take(b, value, o, beaten || untrusted)
	if err != nil {
		b.refuse(o.place, err)
		return
	}
	if untrusted && !beaten {
		b.leaveOut(s.name, shown, o)
	}
}

func (b *builder) refuse(place string, err error) {
	e := &Error{Where: place, What: err.Error()}
	var bad *badForm
	if errors.As(err, &bad) {
		e.What, e.Do = bad.what, bad.do
	}
	b.errs = append(b.errs, e)
}

// leaveOut notes a value that does not count; one notice a key.
func (b *builder) leaveOut(key, value string, o origin) {
	for i := range b.leftOut {
		if b.leftOut[i].Key == key {
			b.leftOut[i].Values = append(b.leftOut[i].Values, value)
			return
		}
	}
	b.leftOut = append(b.leftOut, Notice{Where: o.from, Key: key, Values: []string{value}})
}

// notices words what was left out.
func (b *builder) notices() []Notice {
	const most = 4
	for i := range b.leftOut {
		n := &b.leftOut[i]
		var shown []string
		for _, v := range n.Values[:min(len(n.Values), most)] {
			shown = append(shown, quote(v))
		}
		if more := len(n.Values) - most; more > 0 {
			shown = append(shown, fmt.Sprintf("%d more", more))
		}
		n.Text = fmt.Sprintf("%s %s is left out: nobody has said yes to this file as it is now. --trust counts it for this run", n.Key, strings.Join(shown, ", "))
	}
	return b.leftOut
}

func (b *builder) timeout(text string, o origin, check bool) (string, error) {
	d, err := parseDuration(text)
	if err == nil && !check {
		b.s.Timeout = Value[time.Duration]{d, o.from}
	}
	return d.String(), err
}

func (b *builder) memory(text string, o origin, check bool) (string, error) {
	n, err := parseMemory(text)
	if err == nil && !check {
		b.s.Memory = Value[uint64]{n, o.from}
	}
	return text, err
}

func (b *builder) engine(text string, o origin, check bool) (string, error) {
	if text != Compiler && text != Interpreter {
		return "", &badForm{quote(text) + " is no engine", "Write " + Compiler + " or " + Interpreter}
	}
	if !check {
		b.s.Engine = Value[string]{text, o.from}
	}
	return text, nil
}

func (b *builder) seed(text string, o origin, check bool) (string, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return "", &badForm{quote(text) + " is no seed", "Write a whole number from 0 to 18446744073709551615"}
	}
	if !check {
		b.s.Seed = &Value[uint64]{n, o.from}
	}
	return text, nil
}

func (b *builder) allow(text string, o origin, check bool) (string, error) {
	host, err := parseAllow(text)
	if err != nil || check {
		return host, err
	}
	for _, have := range b.s.Allow {
		if have.V == host {
			return host, nil
		}
	}
	b.s.Allow = append(b.s.Allow, Value[string]{host, o.from})
	return host, nil
}

func (b *builder) route(text string, o origin, check bool) (string, error) {
	r, err := parseRoute(text)
	if err != nil || check {
		return text, err
	}
	for _, have := range b.s.Routes {
		if have.V.Host != r.Host || have.V.Port != r.Port {
			continue
		}
		if have.V == r || o.file && isFlag(have.From) {
			return text, nil
		}
		return "", &badForm{quote(text) + " is a second route for the same host and port", "Leave one"}
	}
	b.s.Routes = append(b.s.Routes, Value[Route]{r, o.from})
	return text, nil
}

func (b *builder) credential(text string, o origin, check bool) (string, error) {
	c, err := parseCredential(text)
	if err != nil || check {
		return c.Origin + "=" + c.Header + ":env:" + c.Env, err
	}
	for _, have := range b.s.Credentials {
		same := have.V.Origin == c.Origin && have.V.Header == c.Header
		if have.V == c || same && isFlag(have.From) && o.file {
			return text, nil // two that differ in one place are for the run to refuse
		}
	}
	b.s.Credentials = append(b.s.Credentials, Value[Credential]{c, o.from})
	return text, nil
}

func (b *builder) mock(text string, o origin, check bool) (string, error) {
	path, err := o.path(text)
	if err == nil && !check {
		b.s.Mocks = append(b.s.Mocks, Value[string]{path, o.from})
	}
	return path, err
}

// onePath takes a path into the field that it is given.
func onePath(field func(*builder) *Value[string]) func(*builder, string, origin, bool) (string, error) {
	return func(b *builder, text string, o origin, check bool) (string, error) {
		path, err := o.path(text)
		if err == nil && !check {
			*field(b) = Value[string]{path, o.from}
		}
		return path, err
	}
}

// toggle takes true or false.
func toggle(set func(*builder, bool, origin)) func(*builder, string, origin, bool) (string, error) {
	return func(b *builder, text string, o origin, check bool) (string, error) {
		on, err := strconv.ParseBool(text)
		if err != nil {
			return "", &badForm{quote(text) + " is neither true nor false", ""}
		}
		if !check {
			set(b, on, o)
		}
		return text, nil
	}
}

// path makes a path of a setting one that can be opened from here.
func (o origin) path(text string) (string, error) {
	switch {
	case text == "":
		return "", &badForm{"the path is empty", "Write one, or leave the setting out"}
	case strings.ContainsRune(text, 0):
		return "", &badForm{"the path holds a NUL byte", ""}
	case o.dir == "" || filepath.IsAbs(text):
		return text, nil
	}
	return filepath.Join(o.dir, filepath.FromSlash(text)), nil
}

func isFlag(from string) bool { return strings.HasPrefix(from, "flag ") }

// inside reports whether a path of a settings file in dir stays in dir, links
// on the way included. Of what is not there yet, the folder it would lie in
// counts.
func inside(dir, path string) bool {
	path = filepath.FromSlash(path)
	base, err := filepath.EvalSymlinks(dir)
	if err != nil || !filepath.IsLocal(path) {
		return false
	}
	for at := filepath.Join(base, path); ; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); errors.Is(err, fs.ErrNotExist) && at != base {
			continue
		}
		full, err := filepath.EvalSymlinks(at)
		if err != nil {
			return false // a link to nothing, too: it may lead anywhere
		}
		rel, err := filepath.Rel(base, full)
		return err == nil && filepath.IsLocal(rel)
	}
}

// mostShown is how many bytes of a value a message shows.
const mostShown = 80

// quote shows a text that may hold anything.
func quote(text string) string {
	if len(text) > mostShown {
		return strconv.Quote(text[:mostShown]) + "…"
	}
	return strconv.Quote(text)
}

// Package settings makes one configuration out of the flags of a command and
// the perch.toml beside a package, and keeps where each value came from.
//
// Flags win: a flag's value stands in place of the file's, and lists hold the
// flags' entries before the file's. A perch.toml can come with a hostile
// package, so what it grants (allow, route, ca, credential, build, volume, data,
// skills; assets and mock where they lead out of its folder) counts only when
// the person trusts this very file, by path and content, or says --trust.
//
// The file is flat TOML:
//
//	timeout = "30s"                  # of a call
//	memory = "256MiB"                # or a number of bytes
//	engine = "compiler"              # or "interpreter"
//	seed = 7                         # fixes ids, random bytes and the clock
//	strict = true
//	force = false
//	allow = ["api.example.com"]      # or one text; also *.host and host:port
//	route = ["api.example.com=127.0.0.1:8443"]
//	ca = "ca.pem"                    # trusted for routed hosts alone
//	credential = ["https://api.example.com=authorization:env:TOKEN"]
//	mock = ["mocks.toml"]
//	volume = "volume"                # kept between sessions
//	data = true                      # mounts /volume/data
//	skills = "skills"                # a skill each subfolder
//	assets = "assets"
//
//	[build]
//	command = ["make", "module.wasm"]  # run when asked, in the file's folder
//	watch = ["src", "*.c"]             # run too when one of these changes
//
//	[accept]
//	"package/manifest-name" = "why this finding is accepted"
//	"schema/pattern:draw" = "why, of this tool alone"
//
// Paths in it are relative to its folder; those of flags to the working folder.
//
// The package knows nothing of packages, runs or networks. It opens no file but
// perch.toml and the list of trusted files, and reads no credential.
package settings

import (
	"net/netip"
	"time"

	"perch/engine/abi"
)

// Engines that run a module.
const (
	Compiler    = "compiler"
	Interpreter = "interpreter"
)

// Local is the From of a value that neither a flag nor a file gave.
const Local = "local setting"

// Value is a setting and where it came from: "flag --timeout", "perch.toml:7",
// or Local. From is empty when a setting without a default was not given.
type Value[T any] struct {
	V    T
	From string
}

// Given reports whether a flag, a file or a default gave the value.
func (v Value[T]) Given() bool { return v.From != "" }

// Route sends the connections for a host to an address (choices: our own
// exception to the address rule).
type Route struct {
	Host string // as in Allow, without *
	Port uint16
	Addr netip.AddrPort
}

// Credential is a header that is set on requests to one origin. Its value is
// read from the environment by who sends it.
type Credential struct {
	Origin string // https://host, with :port when that is not 443
	Header string // lower case
	Env    string // name of the variable that holds the whole value
}

// Settings is the configuration of a session.
type Settings struct {
	Timeout Value[time.Duration] // of a call
	Memory  Value[uint64]        // bytes, a multiple of abi.PageSize
	Engine  Value[string]        // Compiler or Interpreter
	Seed    *Value[uint64]       // nil: ids, random bytes and clock are real

	Allow       []Value[string] // host or *.host, with :port when that is not 443; lower case, ASCII
	Routes      []Value[Route]
	CA          Value[string] // path of a PEM file
	Credentials []Value[Credential]
	Mocks       []Value[string] // paths

	Volume Value[string] // folder to keep /volume in; "" is a new one each session
	Data   Value[bool]   // mount /volume/data
	Skills Value[string] // folder of skills
	Assets Value[string] // folder to mount at /package

	Strict bool // a warning of MCP counts like an error in the exit status
	Force  bool // call a tool that is not listed
	Trust  bool // --trust: the file's grants count in this run
	Accept []Accept
	Build  Build

	// File is the settings file that was read, as an absolute path, and SHA256
	// its content's sum in hex; both empty when there is none. Store.Remember
	// takes them when the person says yes.
	File, SHA256 string
	Trusted      bool // the file's grants count, by --trust or as remembered
}

// Accept is a line of [accept]: findings that are known and stay as they are. It
// grants nothing, so it counts without trust; what Subako would do it does not
// change.
type Accept struct {
	Rule   abi.RuleID
	Tool   string // findings about this tool alone; empty: all of the rule
	Reason string
	From   string // "perch.toml:7"
}

// Build is the table [build]: how the package is built. It counts only with
// trust, and nothing here runs it.
type Build struct {
	Command []string // program and arguments; nil: there is none
	Dir     string   // the folder to run it in: that of the file, absolute
	Watch   []string // files, folders and patterns, absolute; a change of one builds
	From    string   // "perch.toml:7"
}

// Notice tells of something in a settings file that does not count.
type Notice struct {
	Where  string   // "perch.toml:4"
	Key    string   // "allow"
	Values []string // that were left out, as they would count
	Text   string   // a sentence, safe to show
}

// Flags are the shared flags of a command as they were typed; nil was not
// given. Trust is remembered by Store.Remember alone: the flag counts for one
// run.
type Flags struct {
	Timeout, Memory, Engine, Seed *string
	Allow, Route, Credential      []string
	CA                            *string
	Mock                          []string
	Volume, Skills, Assets        *string
	Data, Strict, Force           *bool
	Trust                         bool
}

// Trust says which settings files a person said yes to.
type Trust interface {
	// Trusted reports whether the file at this absolute path is trusted with
	// content of this SHA-256, in hex.
	Trusted(path, sha256 string) (bool, error)
}

// Load reads the settings file at path ("" is none) and joins it with flags.
// trust may be nil: nothing is remembered then. The error is Errors, all of
// them at once, or that of trust or of reading the file.
func Load(path string, flags Flags, trust Trust) (Settings, []Notice, error) {
	b := &builder{byFlag: map[string]bool{}, s: Settings{
		Timeout: Value[time.Duration]{abi.LocalTimeout, Local},
		Memory:  Value[uint64]{abi.LocalMemory, Local},
		Engine:  Value[string]{Compiler, Local},
		Trust:   flags.Trust,
	}}
	b.takeFlags(flags)
	if path != "" {
		if err := b.takeFile(path, trust); err != nil {
			return Settings{}, nil, err
		}
	}
	if len(b.errs) > 0 {
		return Settings{}, nil, b.errs
	}
	return b.s, b.notices(), nil
}

package abi

import "time"

// What the ABI page leaves open and we chose. None of these is Subako's word:
// wherever one is shown, it is called a local setting or our reading.

// Limits of a run that flags and settings change.
const (
	LocalTimeout = 30 * time.Second // of a call, from instantiation to the answer
	LocalMemory  = 256 << 20        // bytes of linear memory
)

// LocalCheckTime is how long the whole check of one package may take on the
// command line, compiling and probes included.
const LocalCheckTime = 3 * time.Minute

// Limits of a run that are fixed.
const (
	PageSize                    = 64 << 10        // of linear memory, WebAssembly core
	MaxMemory                   = 4 << 30         // what 32 bits can address
	StackDepth                  = 16_000          // calls, counted by the entry probe
	InterpreterStackDepth       = 2_000           // fixed in the interpreter
	MaxTableEntries             = 1_000_000       // what a table may hold or grow to
	BulkStep                    = 1 << 20         // bytes or entries that one bulk instruction moves at once
	MaxNewFiles                 = 65_536          // files, folders and links that a call creates
	MaxOpenFiles                = 1_000           // descriptors that a run has open at once
	CompileTime                 = 2 * time.Minute // of a module, before it is given up; it never counts as time of a call
	AfterVerdict                = 250 * time.Millisecond
	StopLatency                 = 50 * time.Millisecond // within which any guest is stopped
	MaxDepthJSON                = 10_000                // nesting of a message
	MaxEvidence                 = 4_096                 // lines on stdout that are looked at after the verdict
	MaxNotices                  = 64                    // notices about a run's stdout
	MaxListed                   = 1_024                 // tools, or content blocks, that are looked at one by one
	StderrMemory          int64 = 64 << 20              // bytes of stderr kept in memory
	StderrFile            int64 = 1 << 30               // bytes of stderr kept in a private file
)

// Limits of probes: runs that Subako does not make.
const (
	ProbeTime      = 5 * time.Second // for the answers of one probe
	MaxProbes      = 24              // wrong arguments that one tool is tried with
	MaxProbedTools = 64              // tools whose calls are tried
)

// Limits of a package on disk.
const (
	MaxPackageFiles = 10_000
	MaxPackageBytes = 128 << 20 // unpacked
	MaxArchiveBytes = 160 << 20 // of an archive file, and of a tar stream with its headers
	MaxEntryName    = 1_024     // bytes of a path in an archive
	MaxManifest     = 1 << 20   // bytes of subako-package.json
	MaxSettings     = 64 << 10  // bytes of a settings file
	MaxTrustStore   = 1 << 20   // bytes of the list of trusted settings files
	MaxTrusted      = 1_000     // files in that list; the oldest go first
	MaxCAFile       = 4 << 20   // bytes of a file of certificates, or of mocks
)

// Limits of skills, published for skills alone.
const (
	MaxSkillFile  = 10 << 20
	MaxSkillBytes = 10 << 20
	MaxSkillFiles = 1_000
	MaxSkillName  = 32
)

// SkillNameAlphabet is what a skill's name is made of.
const SkillNameAlphabet = "abcdefghijklmnopqrstuvwxyz0123456789-"

// MaxArguments is the size of a call's arguments that we read from a file or
// stdin; MaxShownLine is what of one line of stderr a command prints.
const (
	MaxArguments = 64 << 20
	MaxShownLine = 64 << 10
)

// MaxCached is how many compiled modules are kept on disk; what was not used
// for longest goes.
const MaxCached = 64

// MaxCompiled is the size of a compiled module that is kept, in bytes.
const MaxCompiled = 512 << 20

// MaxLinkBytes is what we read at most of the images that one answer links.
const MaxLinkBytes = 64 << 20

// MaxImageEdge is the long edge, in pixels, that an image is scaled down to
// before the model sees it (Subako's). MaxImagePixels is what a picture may have
// for us to decode it, MaxImageMemory what decoding it may take in bytes, and
// MaxCheckedPixels how many pixels of one answer's pictures a check reads
// through.
const (
	MaxImageEdge     = 2_000
	MaxImagePixels   = 64_000_000
	MaxImageMemory   = 256 << 20
	MaxCheckedPixels = 4_000_000
)

// MaxRequestTimeoutMS is the largest timeout_ms of a subako_http request.
const MaxRequestTimeoutMS uint64 = 1<<32 - 1

// DroppedHeaders are the connection headers that subako_http drops. The page
// names host and content-length and says "such as"; the rest is our reading.
func DroppedHeaders() []string {
	return []string{
		"host", "content-length", "connection", "keep-alive", "proxy-connection",
		"proxy-authenticate", "te", "trailer", "transfer-encoding", "upgrade", "expect",
	}
}

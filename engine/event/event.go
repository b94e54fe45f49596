// Package event is what the engine reports of a run: everything that happens,
// in order, with time and byte offsets. It is data alone: it knows neither who
// makes an event nor who reads it.
package event

import (
	"time"

	"perch/engine/abi"
	"perch/engine/jsonread"
)

// Event is one thing that happened in a run.
type Event struct {
	Run  uint32        // the run's number, from 1
	Seq  uint64        // the event's number in its run, from 0
	Time time.Duration // monotonic, since the run's instantiation; held time does not count
	Tick uint64        // deterministic: safepoint fuel spent so far
	Body Body
}

// Sink takes the events of a run in their order, on the run's own goroutine.
// It must not keep the run waiting for a reader.
type Sink interface {
	// Append takes the next event. The sink owns the event's bytes from then on.
	Append(Event)
	// Repeat says that the event of this run appended last, a WASI call, happened once
	// more, with the same arguments and errno, at this time and tick.
	Repeat(run uint32, at time.Duration, tick uint64)
}

// Body is one of the types below.
type Body interface{ body() }

// RunKind tells the two kinds of runs apart.
type RunKind string

// The kinds of runs (ABI page, A call, from start to end).
const (
	Upload RunKind = "upload"
	Call   RunKind = "call"
	Probe  RunKind = "probe" // a run that Subako does not make: perch tries something
)

// Begin is the first event of a run.
type Begin struct {
	Kind      RunKind
	Tool      string // of a call
	Arguments []byte // of a call, as sent
	Probe     string // what a probe tries, in words
	Engine    string // compiler or interpreter
	Module    string // SHA-256 of module.wasm, hex
	Started   time.Time
	Seed      string // empty: random and clock are real
	Mounts    []Mount
	Timeout   time.Duration // of the answers
	Memory    uint64        // limit in bytes
	Budget    uint64        // write budget in bytes
}

// Mount is one preopen.
type Mount struct {
	FD       uint32
	Guest    string // absolute name in the guest
	ReadOnly bool
}

// Request is a line that was put into stdin.
type Request struct {
	Line   int   // from 1
	Offset int64 // in stdin, from 0
	Bytes  []byte
	ID     string // as sent, JSON text
	Method string
}

// StdinClosed says that stdin reached its end for the guest.
type StdinClosed struct {
	Experiment bool // closed at a stall, to see what the module does; not what Subako does
}

// Output is a chunk of bytes that the guest wrote to stdout or stderr.
type Output struct {
	Stream Stream
	Offset int64  // in the stream, from 0
	Bytes  []byte // nil in an event that was read from a record: its stream has them
	Len    int
}

// Stream names where bytes are.
type Stream string

// The streams.
const (
	Stdin  Stream = "stdin"
	Stdout Stream = "stdout"
	Stderr Stream = "stderr"
	File   Stream = "file" // module.wasm, the manifest or the archive; Where.File names it
)

// Message is a line on stdout, judged.
type Message struct {
	Line     int   // from 1
	Offset   int64 // of its first byte in stdout
	Len      int   // without the newline
	Newline  bool
	Kind     MessageKind
	ID       string // JSON text as it came, empty when there is none
	Method   string // of a notification or request
	Answers  int    // the stdin line whose request this answers, 0: none
	Evidence bool   // came after the verdict: shown, not read by Subako
	What     string // of a line that is no message: what it looks like, "a log line"

	// Doc is the line as it was read, for who looks at the event as it comes:
	// nobody has to read a line twice. A record does not keep it, so it is nil
	// in an event that was read from one, of what is no message, and of evidence.
	Doc *jsonread.Doc `json:"-"`
}

// MessageKind says what a line is.
type MessageKind string

// The kinds of lines.
const (
	Result       MessageKind = "result"
	ErrorAnswer  MessageKind = "error"
	Notification MessageKind = "notification"
	ServerReq    MessageKind = "request"
	NotMessage   MessageKind = "not a message"
)

// WASI is a call of a wasi_snapshot_preview1 function, after it returned.
type WASI struct {
	Func    string
	Args    []uint64
	Errno   uint16
	Out     []uint64      // values written through the function's result pointers, in order
	Path    string        // the path argument, if there is one
	NewPath string        // the second path of link, rename and symlink
	Took    time.Duration // in the host
	Count   uint64        // equal calls in a row
	Last    time.Duration // time of the last of them
}

// FileOp says what happened to a file.
type FileOp string

// File effects.
const (
	FileOpen     FileOp = "open" // opened for reading
	FileCreate   FileOp = "create"
	FileRead     FileOp = "read"
	FileWrite    FileOp = "write"
	FileTruncate FileOp = "truncate" // set to Bytes long
	FileRemove   FileOp = "remove"
	FileMkdir    FileOp = "mkdir"
	FileRmdir    FileOp = "rmdir"
	FileRename   FileOp = "rename"
	FileLink     FileOp = "link"
	FileSymlink  FileOp = "symlink"
	FileTimes    FileOp = "times"
	FileRefused  FileOp = "refused" // the attempt failed; Errno says how, Note why
)

// FileEffect is something that the guest did, or tried, to a file.
type FileEffect struct {
	Op      FileOp
	Path    string // absolute in the guest, cleaned
	NewPath string // of rename, link and symlink (its target)
	FD      uint32
	Offset  int64
	Bytes   int64
	Data    []byte // of a write: what was written, up to what the store keeps
	Written int64  // of the write budget so far
	Errno   uint16
	Note    string
	HTTP    int // the exchange that wrote it, 0: the guest itself
}

// HTTPRequest is a request that the guest handed to subako_http.
type HTTPRequest struct {
	ID      int // from 1, in the run
	Raw     []byte
	Method  string
	URL     string
	Headers []Header // as they will be sent
	Dropped []Header // connection headers that the host drops
	Body    []byte   // inline bodies; a file's is named
	File    string   // path of a file body
	Output  string   // path of a file output
}

// Header is one header line. A hidden value is a secret: a credential's is
// empty, the module's own is there for views to mask. Values are bytes as they
// were sent, not always UTF-8.
type Header struct {
	Name, Value string
	Hidden      bool
}

// HTTPHop is one hop of an exchange, with each decision taken on it.
type HTTPHop struct {
	ID                                 int
	Hop                                int // from 1
	Method                             string
	URL                                string
	Decisions                          []Decision
	Address                            string // that was dialled
	Status                             int    // 0: none came
	Headers                            []Header
	Location                           string
	Dropped                            []string // headers dropped because the origin changed
	Sent                               []Header
	WireBytes                          int64 // of the body as it came
	BodyBytes                          int64 // decoded
	DNS, Connect, TLS, FirstByte, Body time.Duration
}

// Decision is one check of a hop.
type Decision struct {
	Check  string // form, scheme, allowlist, credential, address, mock, route
	OK     bool
	What   string // api.example.com; 203.0.113.7:443
	Source string // who decided: flag --allow, perch.toml:7, public
}

// HTTPAnswer is the answer that subako_http holds for the guest.
type HTTPAnswer struct {
	ID      int
	Raw     []byte // the JSON that the guest will read
	Status  int    // of ok
	Kind    abi.ErrorKind
	Message string
	Headers []Header // as they came, repeated ones apart
	Body    []byte   // inline
	File    string   // of a file output
	Bytes   int64    // of the body
	Took    time.Duration
	Mock    string // the mock that answered
}

// HTTPRead is the guest's read_response, or a misuse of either import.
type HTTPRead struct {
	ID       int // the answer that was read, 0: none held
	Func     string
	Ptr, Len uint32
	Return   int32
	Unread   int // an answer that this request replaced before it was read
}

// Memory is a growth of linear memory, or its refusal.
type Memory struct {
	From, To uint64 // bytes
	Refused  bool
	Limit    uint64
}

// Where is a place that a breach points at. Lines count from 1, offsets from 0
// in the whole stream or file.
type Where struct {
	Stream  Stream
	File    string // name of the file when Stream is File
	Line    int
	Offset  int64
	End     int64  // exclusive; Offset when only a point is meant
	Pointer string // JSON pointer in the message
	Section string // of module.wasm
	Func    int    // function index, when Section is code; -1: none
	Name    string // the function's or import's name
}

// Breach is a rule that was not kept, with the facts. The words around it are
// for others to add.
type Breach struct {
	Rule   abi.RuleID
	Where  Where
	Detail string // what happened here, with its numbers and names
	Fix    string // what to do, where it depends on this case
	Cause  string // breaches with the same cause fold into one
	Stack  []Frame
	Follow bool // follows from an earlier breach of this run
	// Instead names a breach of this run that this one explains better: it
	// stands in its place. The outcome does not change.
	Instead abi.RuleID
}

// Frame is one frame of the guest's stack, innermost first.
type Frame struct {
	Func   uint32 // function index in the module as it was given
	Name   string
	Offset uint64 // in the code section of the module as it was given
	File   string
	Line   int
}

// Link is a volume link of the answer, resolved after the exit.
type Link struct {
	Block   int    // index in content
	URI     string // as sent
	Path    string // in the guest
	Type    string // mime type by the file's bytes
	Size    int64
	Data    []byte // the image's bytes
	Problem string // why the model sees a line instead
	Where   Where  // of the URI
}

// Safepoint is reported when a run is stopped or held at one.
type Safepoint struct {
	Why   string
	Stack []Frame
}

// Outcome of a run.
type Outcome string

// The outcomes.
const (
	OK        Outcome = "ok"
	ToolError Outcome = "tool_error"
	Broken    Outcome = "broken"
	Refused   Outcome = "refused"
	Cancelled Outcome = "cancelled"
)

// Verdict is what Subako would say at this point. What follows it is evidence.
type Verdict struct {
	Outcome Outcome
	Rule    abi.RuleID // that decided it, empty when ok
}

// Exit is the end of the guest.
type Exit struct {
	Code     *uint32 // nil after a trap or a stop
	Trap     string
	Stopped  string        // why we stopped it
	AfterEOF time.Duration // from the end of stdin, -1 when stdin was open
	Stack    []Frame       // of a trap or a stop
}

// End is the last event of a run.
type End struct {
	Outcome Outcome
	Usage   Usage
}

// Usage of a run.
type Usage struct {
	Time       time.Duration
	Ticks      uint64
	MemoryPeak uint64
	Stdout     int64
	Stderr     int64
	Written    int64
	HTTP       int
}

func (Begin) body()       {}
func (Request) body()     {}
func (StdinClosed) body() {}
func (Output) body()      {}
func (Message) body()     {}
func (WASI) body()        {}
func (FileEffect) body()  {}
func (HTTPRequest) body() {}
func (HTTPHop) body()     {}
func (HTTPAnswer) body()  {}
func (HTTPRead) body()    {}
func (Memory) body()      {}
func (Breach) body()      {}
func (Link) body()        {}
func (Safepoint) body()   {}
func (Verdict) body()     {}
func (Exit) body()        {}
func (End) body()         {}

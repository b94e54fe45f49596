// Package abi is ABI 1 as data: every number, name and rule id of the
// contract, each written once. No other package spells a limit.
//
// What the ABI page says stands in this file; what we chose where the page is
// silent stands in local.go; the rule ledger is rules.tsv, read by rules.go.
// The package knows nothing of engines, files or terminals.
package abi

import "time"

// Version is the value of "abi" in subako-package.json (ABI page, Checklist).
const Version = 1

// ProtocolVersion is the one MCP revision of ABI 1 (ABI page, The protocol).
const ProtocolVersion = "2026-07-28"

// Names of a package's parts (ABI page, Checklist).
const (
	ModuleFile   = "module.wasm"
	ManifestFile = "subako-package.json"
)

// Exports that a module must have (ABI page, The module).
const (
	ExportStart  = "_start"
	ExportMemory = "memory"
)

// Import modules that Subako provides (ABI page, The module).
const (
	ModuleWASI = "wasi_snapshot_preview1"
	ModuleHTTP = "subako_http"
)

// Functions of subako_http (ABI page, HTTP: subako_http).
const (
	HTTPRequest      = "request"
	HTTPReadResponse = "read_response"
)

// Negative returns of subako_http (ABI page, HTTP: subako_http).
const (
	HTTPRange  = -1 // a range outside the module's memory
	HTTPNone   = -2 // no answer held
	HTTPLength = -3 // a length that does not match
)

// Methods of MCP that Subako sends (ABI page, A call, from start to end).
const (
	MethodDiscover = "server/discover"
	MethodList     = "tools/list"
	MethodCall     = "tools/call"
)

// Keys of a request's _meta (ABI page, The protocol).
const (
	MetaProtocolVersion    = "io.modelcontextprotocol/protocolVersion"
	MetaClientInfo         = "io.modelcontextprotocol/clientInfo"
	MetaClientCapabilities = "io.modelcontextprotocol/clientCapabilities"
)

// The client that the page's request names (ABI page, The protocol).
const (
	ClientName    = "subako"
	ClientVersion = "0.2.3"
)

// Limits of a package's tools (ABI page, When a package is uploaded).
const (
	MinTools       = 1
	MaxTools       = 64
	MaxToolName    = 64       // characters
	MaxDescription = 1024     // Unicode code points
	MaxSchema      = 64 << 10 // bytes, of inputSchema and of outputSchema
	MaxAllTools    = 256 << 10
	MaxPages       = 16
)

// ToolNameAlphabet is what a tool's name is made of.
const ToolNameAlphabet = "abcdefghijklmnopqrstuvwxyz0123456789_-"

// Times (ABI page, A call, from start to end; When a package is uploaded).
const (
	UploadTime = 10 * time.Second // to answer server/discover and all pages
	ExitTime   = 1 * time.Second  // from the end of stdin to the exit
)

// Sizes in bytes.
const (
	MaxStdout   = 1 << 20   // stdout of a run (ABI page, content blocks)
	StderrTail  = 4 << 10   // what the model is told of stderr
	WriteBudget = 1 << 30   // written by a call (ABI page, Files)
	MaxRequest  = 8 << 20   // a subako_http request
	MaxInline   = 256 << 10 // an inline response body
)

// MaxHops is the number of redirects followed (ABI page, follow_redirects).
const MaxHops = 10

// Preopens, in the page's order (ABI page, Files).
const (
	VolumeRoot = "/volume"
	VolumeTmp  = "/volume/tmp"
	VolumeData = "/volume/data"
	PackageDir = "/package"
	SkillsDir  = "/skills"
)

// VolumeScheme begins the URI of a resource_link that Subako reads.
const VolumeScheme = "volume:///"

// HTTPMethods are the methods of a subako_http request; the first is the default.
func HTTPMethods() []string {
	return []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
}

// ImageTypes are the mime types that a model sees as an image.
func ImageTypes() []string {
	return []string{"image/png", "image/jpeg", "image/gif", "image/webp"}
}

// ErrorKind is the kind of a subako_http error answer.
type ErrorKind string

// The error kinds, in the page's order. ErrAbi is made by SDKs of a negative
// return; a host never answers it by itself.
const (
	ErrInvalidRequest        ErrorKind = "invalid_request"
	ErrHostNotAllowed        ErrorKind = "host_not_allowed"
	ErrForbiddenDestination  ErrorKind = "forbidden_destination"
	ErrCredentialHeader      ErrorKind = "credential_header"
	ErrCredentialUnavailable ErrorKind = "credential_unavailable"
	ErrTooManyRedirects      ErrorKind = "too_many_redirects"
	ErrTimeout               ErrorKind = "timeout"
	ErrTooLarge              ErrorKind = "too_large"
	ErrNotText               ErrorKind = "not_text"
	ErrWriteBudget           ErrorKind = "write_budget"
	ErrBadPath               ErrorKind = "bad_path"
	ErrConnection            ErrorKind = "connection"
	ErrAbi                   ErrorKind = "abi"
)

// ErrorKinds lists all kinds in the page's order.
func ErrorKinds() []ErrorKind {
	return []ErrorKind{
		ErrInvalidRequest, ErrHostNotAllowed, ErrForbiddenDestination, ErrCredentialHeader,
		ErrCredentialUnavailable, ErrTooManyRedirects, ErrTimeout, ErrTooLarge, ErrNotText,
		ErrWriteBudget, ErrBadPath, ErrConnection, ErrAbi,
	}
}

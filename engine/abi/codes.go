package abi

// Codes of JSON-RPC errors that MCP gives a meaning (MCP 2026-07-28, error
// codes).
const (
	CodeMethodNotFound     = -32601
	CodeInvalidParams      = -32602 // an unknown tool, a missing member of _meta, a bad cursor too
	CodeUnsupportedVersion = -32022 // with data.supported and data.requested
	CodeHeaderMismatch     = -32020 // of HTTP
	CodeMissingCapability  = -32021 // with data.requiredCapabilities
)

// Ranges of codes, the first one nearest to 0 (MCP 2026-07-28, error codes).
const (
	FirstLegacyCode   = -32000 // of servers' own making, before MCP gave codes out
	LastLegacyCode    = -32019
	FirstReservedCode = -32020 // given out by MCP alone
	LastReservedCode  = -32099
)

// Codes that earlier revisions had, and this one retired (MCP 2026-07-28, error
// codes).
const (
	CodeRetiredNotFound    = -32002 // a resource that is not there
	CodeRetiredElicitation = -32042 // a URL that a person has to visit first
)

// JSONRPC is the value of "jsonrpc" in each message (JSON-RPC 2.0).
const JSONRPC = "2.0"

// Keys of _meta that MCP 2026-07-28 gives a meaning in what a server sends, and
// the prefix that they have.
const (
	MetaPrefix         = "io.modelcontextprotocol/"
	MetaServerInfo     = "io.modelcontextprotocol/serverInfo"     // of a result
	MetaSubscriptionID = "io.modelcontextprotocol/subscriptionId" // of a notification
)

// The handshake of MCP revisions before ABI 1's, which has none (ABI page, The
// protocol): a module that waits for it is told so.
const (
	MethodInitialize = "initialize"
	HandshakeVersion = "2025-06-18"
)

package abi

// Codes of JSON-RPC errors that MCP gives a meaning (MCP 2026-07-28, error
// codes).
const (
	CodeMethodNotFound     = -32601
	CodeInvalidParams      = -32602 // an unknown tool, a missing member of _meta, a bad cursor too
	CodeUnsupportedVersion = -32022 // with data.supported and data.requested
)

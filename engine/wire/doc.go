// Package wire is the protocol on stdin and stdout: the lines that Subako
// sends, and the judge that reads what the module writes, byte by byte, and
// says at which one the contract is broken and why.
//
// It stands on the ABI page's sections "A call, from start to end", "The
// protocol", "When a package is uploaded" and "What breaks a call", and on
// JSON-RPC 2.0. It judges the rules of class H of the groups frame, rpc,
// error, result, discover, list, tool and block, life/output-after, and a few
// cheap ones beside them; each breach has its facts in it, a place in stdout
// and a way out.
//
// The package knows nothing of instances, clocks, files and exits: who runs the
// module feeds the judge and tells it what was asked.
package wire

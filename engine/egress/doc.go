// Package egress is subako_http: the two functions that a module imports, the
// form of a request, and everything that decides whether and how one is sent.
// It reports each step as an event. It knows nothing of WASI, of runs, of
// settings files or of the screen; files, clock, names and the environment are
// handed to it.
//
// # Order of checks
//
// The form of the JSON, its method, headers and paths; then, at each hop again,
// scheme, mocks, allowlist, credentials, address. The ABI page names the error
// kinds; the order is our choice. So is what follows.
//
// # What is sent
//
// HTTP/1.1 over TLS 1.2 or later, on a connection of its own for each hop, with
// the module's headers, accept-encoding: gzip, br unless it set that itself,
// a content type for text and json bodies unless it set one, and nothing else:
// no user-agent of ours, no proxy (HTTPS_PROXY and its like are ignored).
// Certificates are judged by the system's roots; on Unix SSL_CERT_FILE and
// SSL_CERT_DIR say where these are.
//
// # Hosts and addresses
//
// A URL is taken apart once, and what was checked is what is dialled. Refused
// as invalid_request: a user part, a backslash, a control byte, a percent sign
// or bytes outside ASCII in the host, an empty host, an IPv4 address in any
// spelling but four decimal numbers, a zone of an IPv6 address. A name is
// looked up once; of its addresses only public ones are used, the others are
// named in the hop; with none left the answer is forbidden_destination.
//
// # Responses
//
// The body is decoded when perch asked for the encoding, and content-encoding
// and content-length are then left out of the answer. Sizes count decoded
// bytes, while they come. HEAD, 204 and 304 have the text "", or a file of 0
// bytes. A header value that is not UTF-8 is read as Latin-1. When a body that
// is saved breaks off, what came stays in the file, and the message says so. A
// redirect whose Location cannot be used is a connection error; to an oddly
// spelled address it is a forbidden_destination.
//
// # Mock files
//
// A mock answers without network, whether or not its host is in the allowlist;
// the hop shows what the allowlist says all the same. The form of a request and
// its scheme are checked as ever. The first mock that fits, and has answers
// left in this run, is taken:
//
//	[[mock]]
//	method   = "GET"                                # any method without it
//	url      = "https://api.example.com/orders/*"   # exact, or a beginning and *
//	times    = 1                                    # any number without it
//	delay_ms = 200
//	status   = 200                                  # the default
//	json     = '{"status":"shipped"}'               # or text, or base64
//	headers  = { etag = '"7"', link = ["<a>", "<b>"] }
//
//	[[mock]]
//	url     = "https://api.example.com/*"
//	error   = "connection"                          # any error kind, abi too
//	message = "the server is down"
//
// A json body gets the content type application/json, a text body
// text/plain; charset=utf-8, where headers name none. A delay counts in
// timeout_ms.
package egress

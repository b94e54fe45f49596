package mischief

// fileCases use files as the host does not allow. The call goes on: the module
// gets an errno, and says which.
func fileCases() []Case {
	return as(Tool, OK, []Case{
		{Name: "budget", Does: "Writes past the write budget of 1 GiB.", Rule: "files/budget", Text: "errno 19",
			WouldWrite: `for (;;) fwrite(block, 1, sizeof block, log);`,
			ops:        `open '/volume/tmp/big.bin' rwc size 1073741824 write 'one byte more' say 'errno $errno' size 0`},
		{Name: "allocate", Does: "Reserves room for a file.", Rule: "files/allocate", Text: "errno 58",
			WouldWrite: `posix_fallocate(fd, 0, 4096);`,
			ops:        `open '/volume/tmp/reserved.bin' rwc allocate 4096 say 'errno $errno'`},
		{Name: "socket", Does: "Accepts a connection.", Rule: "files/socket",
			WouldWrite: `conn, err := listener.Accept()`,
			ops:        `accept 3 say 'errno $errno'`},
		{Name: "escape", Does: "Opens a file outside of every mount.", Rule: "files/escape",
			WouldWrite: `open("/volume/tmp/" + name) // name is "../../etc/passwd"`,
			ops:        `open '/volume/tmp/../../etc/passwd' r say 'errno $errno'`},
		{Name: "read_only", Does: "Writes a file below /skills.", Rule: "files/read-only", Text: "errno 63",
			WouldWrite: `with open("/skills/cache.json", "w") as f:`,
			ops:        `open '/skills/cache.json' wc say 'errno $errno'`},
		{Name: "relative", Does: "Takes fd 3 for the folder that it means.", Rule: "files/relative",
			WouldWrite: `const dir = std.fs.Dir{ .fd = 3 }; // the first preopen`,
			ops:        `openat 3 'notes.txt' wc say 'errno $errno'`},
	})
}

// httpCases break subako_http. Those to api.example.com are answered by
// mocks.toml; the others are refused before anything is sent.
func httpCases() []Case {
	const say = ` say 'subako_http answers $answer'`
	return as(Tool, OK, []Case{
		{Name: "http_misuse", Does: "Reads an HTTP answer before it asks for one.", Rule: "http/misuse", Text: "returned -2",
			WouldWrite: `subako_http_read_response(buf, sizeof buf); // before any request`,
			ops:        `read_at 4096 64 say 'read_response returned $ret'`},
		{Name: "http_invalid", Does: "Sends a request with a member that is not known.", Rule: "http/invalid-request", Where: Where{Offset: -1, Pointer: "/timeout"}, Text: "invalid_request",
			WouldWrite: `{"url": url, "timeout": 5}`,
			ops:        `http '{"url":"https://api.example.com/orders","timeout":5}'` + say},
		{Name: "http_size", Does: "Sends a request of 9 MB.", Rule: "http/request-size", Text: "invalid_request",
			WouldWrite: `{"body": {"type": "text", "text": base64(video)}}`,
			ops:        `http '{"url":"https://api.example.com/orders","method":"POST","body":{"type":"text","text":"${9000000:x}"}}'` + say},
		{Name: "http_host", Does: "Asks a host that is not in the allowlist.", Rule: "http/host-not-allowed", Text: "host_not_allowed",
			WouldWrite: `fetch("https://rates.example.net/eur")`,
			ops:        `http '{"url":"https://rates.example.net/eur"}'` + say},
		{Name: "http_plain", Does: "Asks over http, without the s.", Rule: "http/forbidden-destination", Text: "forbidden_destination",
			WouldWrite: `fetch("http://api.example.com/orders")`,
			ops:        `http '{"url":"http://api.example.com/orders"}'` + say},
		{Name: "http_header", Does: "Sets the header that a credential sets.", Rule: "http/credential-header", Text: "credential_header",
			WouldWrite: `{"headers": {"authorization": "Bearer " + token}}`,
			ops:        `http '{"url":"https://vault.example.com/key","headers":{"authorization":"Bearer mine"}}'` + say},
		{Name: "http_credential", Does: "Asks an origin whose credential is not there.", Rule: "http/credential-unavailable", Text: "credential_unavailable",
			WouldWrite: `fetch("https://vault.example.com/key") // before a credential was stored`,
			ops:        `http '{"url":"https://vault.example.com/key"}'` + say},
		{Name: "http_redirects", Does: "Follows redirects in a circle.", Rule: "http/redirects", Text: "too_many_redirects",
			WouldWrite: `fetch("https://api.example.com/login") // which leads to itself`,
			ops:        `http '{"url":"https://api.example.com/circle"}'` + say},
		{Name: "http_timeout", Does: "Gives a slow server 50 ms.", Rule: "http/timeout", Text: `"timeout"`,
			WouldWrite: `{"url": report, "timeout_ms": 50}`,
			ops:        `http '{"url":"https://api.example.com/slow","timeout_ms":50}'` + say},
		{Name: "http_large", Does: "Reads an answer of over 256 KiB inline.", Rule: "http/too-large", Text: "too_large",
			WouldWrite: `{"url": export, "output": {"type": "inline"}}`,
			ops:        `http '{"url":"https://api.example.com/large"}'` + say},
		{Name: "http_binary", Does: "Reads an answer inline that is no text.", Rule: "http/not-text", Text: "not_text",
			WouldWrite: `{"url": "https://api.example.com/logo.png"}`,
			ops:        `http '{"url":"https://api.example.com/logo.png"}'` + say},
		{Name: "http_budget", Does: "Saves an answer when the write budget is spent.", Rule: "http/write-budget", Text: "write_budget",
			WouldWrite: `{"output": {"type": "file", "path": "/volume/tmp/export.csv"}}`,
			ops: `open '/volume/tmp/big.bin' rwc size 1073741824 ` +
				`http '{"url":"https://api.example.com/orders","output":{"type":"file","path":"/volume/tmp/orders.json"}}'` + say + ` size 0`},
		{Name: "http_path", Does: "Saves an answer outside of the volume.", Rule: "http/bad-path", Text: "bad_path",
			WouldWrite: `{"output": {"type": "file", "path": "/tmp/orders.json"}}`,
			ops:        `http '{"url":"https://api.example.com/orders","output":{"type":"file","path":"/tmp/orders.json"}}'` + say},
		{Name: "http_connection", Does: "Follows a redirect that leads nowhere.", Rule: "http/connection", Text: `"connection"`,
			WouldWrite: `fetch("https://api.example.com/old") // answers 302 with a broken Location`,
			ops:        `http '{"url":"https://api.example.com/nowhere"}'` + say},
	})
}

// pixel is a PNG of one pixel, in base64.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC"

// blockCases answer with content that the model does not get.
func blockCases() []Case {
	result := func(block string) string {
		return `result '{"resultType":"complete","content":[{"type":"text","text":"a picture:"},` + block + `]}'`
	}
	return as(Tool, OK, []Case{
		{Name: "block_mime", Does: "Calls a PNG a JPEG.", Rule: "block/image", Where: value(1, "/result/content/1/mimeType", `"image/jpeg"`), Text: "a picture:",
			WouldWrite: `{"type": "image", "mimeType": "image/jpeg", "data": base64(png)}`,
			ops:        result(`{"type":"image","mimeType":"image/jpeg","data":"` + pixel + `"}`)},
		{Name: "block_link", Does: "Links a picture that it did not write.", Rule: "block/link-volume", Where: value(1, "/result/content/1/uri", `"volume:///tmp/missing.png"`), Text: "a picture:",
			WouldWrite: `{"type": "resource_link", "uri": "volume:///tmp/chart.png"} // saved as chart2.png`,
			ops:        result(`{"type":"resource_link","uri":"volume:///tmp/missing.png","name":"missing.png"}`)},
	})
}

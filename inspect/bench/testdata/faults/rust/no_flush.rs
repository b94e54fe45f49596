use std::io::{self, BufRead, BufWriter, Write};

fn main() {
    let mut out = BufWriter::new(io::stdout());
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        let result = match mcp::text(&line, "method") {
            Some("server/discover") => mcp::DISCOVER.to_string(),
            Some("tools/list") => mcp::tools(mcp::SCHEMA, ""),
            _ => mcp::said("Hello!", ""),
        };
        let id = mcp::member(&line, "id").unwrap();
        writeln!(out, r#"{{"jsonrpc":"2.0","id":{},"result":{}}}"#, id, result).unwrap(); // FAULT: no flush
    }
}

use std::io::{self, BufRead};

const SCHEMA: &str = r#"{"type":"object","properties":{"name":{"type":"strng"}},"required":["name"]}"#; // FAULT

fn main() {
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        let id = mcp::member(&line, "id").unwrap();
        match mcp::text(&line, "method") {
            Some("server/discover") => mcp::answer(id, mcp::DISCOVER),
            Some("tools/list") => mcp::answer(id, &mcp::tools(SCHEMA, "")),
            _ => mcp::answer(id, &mcp::said("Hello!", "")),
        }
    }
}

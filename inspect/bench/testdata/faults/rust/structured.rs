use std::io::{self, BufRead};

const OUTPUT: &str = r#","outputSchema":{"type":"object","properties":{"letters":{"type":"integer"}},"required":["letters"]}"#;

fn main() {
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        let id = mcp::member(&line, "id").unwrap();
        match mcp::text(&line, "method") {
            Some("server/discover") => mcp::answer(id, mcp::DISCOVER),
            Some("tools/list") => mcp::answer(id, &mcp::tools(mcp::SCHEMA, OUTPUT)),
            _ => mcp::answer(id, &mcp::said(r#"{\"letters\":\"3\"}"#, r#","structuredContent":{"letters":"3"}"#)), // FAULT
        }
    }
}

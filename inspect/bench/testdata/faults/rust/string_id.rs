use std::io::{self, BufRead};

fn main() {
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        let id = mcp::member(&line, "id").unwrap().trim_matches('"');
        let id = format!("\"{}\"", id); // FAULT: a number stays a number
        if !mcp::answered(&id, mcp::text(&line, "method").unwrap()) {
            mcp::answer(&id, &mcp::said("Hello!", ""));
        }
    }
}

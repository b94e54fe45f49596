use std::io::{self, Read};

fn main() {
    let mut all = String::new();
    io::stdin().read_to_string(&mut all).unwrap(); // FAULT: stdin ends after the answer
    for line in all.lines() {
        let id = mcp::member(line, "id").unwrap();
        if !mcp::answered(id, mcp::text(line, "method").unwrap()) {
            mcp::answer(id, &mcp::said("Hello!", ""));
        }
    }
}

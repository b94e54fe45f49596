const GREETINGS: [&str; 3] = ["Hello!", "Good day.", "Hi"];

fn pick(count: usize) -> &'static str {
    GREETINGS[count] // FAULT
}

fn main() {
    mcp::serve(|id, arguments| {
        let count = mcp::number(arguments, "count").unwrap_or(0) as usize;
        mcp::answer(id, &mcp::said(pick(count), ""));
    });
}

fn main() {
    mcp::serve(|id, arguments| {
        println!("DEBUG greet {:?}", arguments); // FAULT
        mcp::answer(id, &mcp::said("Hello!", ""));
    });
}

fn greeting(arguments: &str) -> String {
    let nickname = mcp::text(arguments, "nickname").unwrap(); // FAULT
    format!("Hello, {}!", nickname)
}

fn main() {
    mcp::serve(|id, arguments| mcp::answer(id, &mcp::said(&greeting(arguments), "")));
}

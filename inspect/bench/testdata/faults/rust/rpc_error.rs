fn main() {
    mcp::serve(|id, arguments| match mcp::text(arguments, "nickname") {
        Some(name) => mcp::answer(id, &mcp::said(name, "")),
        None => println!(
            r#"{{"jsonrpc":"2.0","id":{},"error":{{"code":-32602,"message":"nickname is missing"}}}}"#, // FAULT
            id
        ),
    });
}

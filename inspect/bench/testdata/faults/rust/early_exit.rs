fn main() {
    mcp::serve(|id, arguments| {
        let nickname = mcp::text(arguments, "nickname").unwrap_or_else(|| {
            eprintln!("error: no nickname given");
            std::process::exit(3) // FAULT
        });
        mcp::answer(id, &mcp::said(nickname, ""));
    });
}

fn main() {
    mcp::serve(|id, arguments| {
        let count = mcp::number(arguments, "count").unwrap_or(0) as usize;
        let mut rows: Vec<Vec<u8>> = Vec::new();
        for _ in 0..count {
            rows.push(vec![1; 8 << 20]); // FAULT
        }
        mcp::answer(id, &mcp::said(&rows.len().to_string(), ""));
    });
}

#[inline(never)]
fn depth(names: &[String], at: usize) -> usize {
    let here = [names[at % names.len()].len(); 4];
    1 + here[at % 4] + depth(names, at + 1) // FAULT
}

fn main() {
    mcp::serve(|id, arguments| {
        let names = vec![arguments.to_string()];
        mcp::answer(id, &mcp::said(&depth(&names, 0).to_string(), ""));
    });
}

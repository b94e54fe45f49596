#[inline(never)]
fn checksum(text: &str) -> usize {
    let mut table = [0u8; 2 << 20]; // FAULT: larger than the stack
    for (i, b) in text.bytes().enumerate() {
        table[(i << 8) % (2 << 20)] ^= b;
    }
    table.iter().map(|&b| b as usize).sum()
}

fn main() {
    mcp::serve(|id, arguments| mcp::answer(id, &mcp::said(&checksum(arguments).to_string(), "")));
}

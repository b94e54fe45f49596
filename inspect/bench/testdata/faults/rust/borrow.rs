use std::cell::RefCell;

struct Counter {
    seen: RefCell<Vec<String>>,
}

impl Counter {
    fn add(&self, name: &str) -> usize {
        self.seen.borrow_mut().push(name.to_string()); // FAULT: called while it is borrowed
        self.seen.borrow().len()
    }
}

fn main() {
    let counter = Counter { seen: RefCell::new(vec!["Ada".to_string()]) };
    mcp::serve(|id, arguments| {
        for name in counter.seen.borrow().iter() {
            counter.add(&format!("{} {}", name, arguments));
        }
        mcp::answer(id, &mcp::said("Hello!", ""));
    });
}

// Built as a cdylib: there is no main, so nothing begins.
#[no_mangle]
pub extern "C" fn greet() {
    mcp::serve(|id, _| mcp::answer(id, &mcp::said("Hello!", "")));
}

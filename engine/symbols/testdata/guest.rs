// A guest in Rust whose stack the tests look at. "at: NAME" marks a line.
#![no_std]
#![no_main]

#[link(wasm_import_module = "probe")]
extern "C" {
    fn capture(id: i32);
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}

static mut SINK: i64 = 0;

mod shop {
    pub struct Cart<T>(pub T);

    impl<T: Into<i64> + Copy> Cart<T> {
        #[inline(always)]
        fn total(&self) -> i64 {
            unsafe { super::capture(7) }; // at: total captures
            self.0.into()
        }

        #[inline(never)]
        pub fn print(&self) -> i64 {
            self.total() + 1 // at: print calls
        }
    }
}

#[no_mangle]
pub extern "C" fn _start() {
    let cart = shop::Cart(7i32);
    unsafe { SINK = cart.print() }; // at: start calls
}

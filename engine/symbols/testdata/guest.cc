// A guest in C++ whose stack the tests look at. "at: NAME" marks a line.

extern "C" __attribute__((import_module("probe"), import_name("capture"))) void capture(int id);

namespace shop {

template <class T>
struct Cart {
  T sum = 0;
  __attribute__((noinline)) void add(T x) {
    capture(int(x)); // at: add captures
    sum += x;
  }
};

__attribute__((noinline)) void fill(Cart<long> &cart, int n) {
  for (int i = 0; i < n; i++)
    cart.add(i); // at: fill calls
}

} // namespace shop

extern "C" void _start() {
  shop::Cart<long> cart;
  shop::fill(cart, 1); // at: start calls
}

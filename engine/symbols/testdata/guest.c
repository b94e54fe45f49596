/* A guest in C whose stack the tests look at. "at: NAME" marks a line. */

__attribute__((import_module("probe"), import_name("capture"))) void capture(int id);

#define INLINE static inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))

INLINE int inner(int x) {
  capture(x); /* at: inner captures */
  return x + 1;
}

INLINE int middle(int x) {
  int y = x * 2;
  return inner(y) + 1; /* at: middle calls */
}

NOINLINE int outer(int x) {
  if (x > 40)
    return 0;
  return middle(x) + 1; /* at: outer calls */
}

volatile int sink;

NOINLINE int recurse(int n) {
  if (n == 0)
    return outer(3); /* at: recurse ends */
  int below = recurse(n - 1); /* at: recurse calls */
  sink = below; /* keeps the recursion from becoming a loop */
  return below + n;
}

void _start(void) {
  sink = recurse(2); /* at: start calls */
}

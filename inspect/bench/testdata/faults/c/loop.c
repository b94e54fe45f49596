#include "server.h"

static volatile unsigned steps;

// The number of halvings and triplings on the way to 1.
static long collatz(unsigned n) {
  long count = 0;
  while (n != 1) {  // FAULT: 0 never gets there
    n = n % 2 ? 3 * n + 1 : n / 2;
    steps++;
    count++;
  }
  return count;
}

static void greet(const char *id, const char *arguments) {
  char text[64];
  snprintf(text, sizeof text, "%ld steps", collatz((unsigned)number_of(arguments, "count")));
  answer_text(id, text);
}

int main(void) { return serve(greet); }

#include "server.h"

static void greet(const char *id, const char *arguments) {
  (void)arguments;
  answer_text(id, "Hello!");
}

int main(void) {
  serve(greet);
  return feof(stdin) ? 1 : 0;  // FAULT: the end of input is no failure
}

#include <assert.h>

#include "server.h"

static void greet(const char *id, const char *arguments) {
  long count = number_of(arguments, "count");
  assert(count > 0 && "count is at least one");  // FAULT
  answer_text(id, "Hello!");
}

int main(void) { return serve(greet); }

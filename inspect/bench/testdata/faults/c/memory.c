#include "server.h"

// Repeats a name until it has the length that was asked for.
static void greet(const char *id, const char *arguments) {
  const char *name = text_of(arguments, "name");
  size_t want = (size_t)number_of(arguments, "count"), have = 0;
  char *text = NULL;
  while (have < want) {
    text = realloc(text, have + (16 << 20));
    if (!text) abort();  // FAULT
    memset(text + have, name[0], 16 << 20);
    have += 16 << 20;
  }
  answer_text(id, "done");
}

int main(void) { return serve(greet); }

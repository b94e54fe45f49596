#include "server.h"

static void greet(const char *id, const char *arguments) {
  const char *name = text_of(arguments, "nickname");
  if (!name) {
    fprintf(stderr, "greet: no nickname\n");
    abort();  // FAULT
  }
  answer_text(id, name);
}

int main(void) { return serve(greet); }

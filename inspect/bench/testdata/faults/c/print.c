#include "server.h"

static void greet(const char *id, const char *arguments) {
  printf("greet: arguments = %s\n", arguments);  // FAULT
  answer_text(id, "Hello!");
}

int main(void) { return serve(greet); }

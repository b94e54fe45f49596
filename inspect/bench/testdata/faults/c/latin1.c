#include "server.h"

static void greet(const char *id, const char *arguments) {
  (void)arguments;
  answer_text(id, "Gr\374\337 Gott!");  // FAULT: Latin-1
}

int main(void) { return serve(greet); }

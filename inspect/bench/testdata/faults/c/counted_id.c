#include "server.h"

int main(void) {
  char *line;
  for (int n = 0; (line = read_line()); n++) {
    char id[16];
    snprintf(id, sizeof id, "%d", n);  // FAULT: not the request's
    if (!answered(id, text_of(line, "method"))) answer_text(id, "Hello!");
  }
  return 0;
}

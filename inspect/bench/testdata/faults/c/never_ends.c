#include "server.h"

int main(void) {
  for (;;) {
    char *line = read_line();
    if (!line) {
      clearerr(stdin);  // FAULT: 0 bytes are the end, not a pause
      continue;
    }
    char *id = member(line, "id");
    if (!answered(id, text_of(line, "method"))) answer_text(id, "Hello!");
  }
}

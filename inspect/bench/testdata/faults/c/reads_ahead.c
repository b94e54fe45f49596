#include "server.h"

int main(void) {
  char *line = read_line(), *next;
  while (line) {
    next = read_line();  // FAULT: the next request comes after this answer
    char *id = member(line, "id");
    if (!answered(id, text_of(line, "method"))) answer_text(id, "Hello!");
    line = next;
  }
  return 0;
}

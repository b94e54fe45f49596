#include "server.h"

int main(void) {
  char *line;
  while ((line = read_line())) {
    const char *id = member(line, "id"), *method = text_of(line, "method");
    const char *result = "{\"content\":[]}";
    if (strcmp(method, "server/discover") == 0) result = DISCOVER;
    if (strcmp(method, "tools/list") == 0) result = TOOLS;
    printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n", id, result);  // FAULT: no fflush
  }
  return 0;
}

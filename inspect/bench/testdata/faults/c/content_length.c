#include "server.h"

static void send(const char *id, const char *result) {
  char body[2048];
  int n = snprintf(body, sizeof body, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}", id, result);
  printf("Content-Length: %d\r\n\r\n%s", n, body);  // FAULT
  fflush(stdout);
}

int main(void) {
  char *line;
  while ((line = read_line())) {
    bool list = strcmp(text_of(line, "method"), "tools/list") == 0;
    send(member(line, "id"), list ? TOOLS : DISCOVER);
  }
  return 0;
}

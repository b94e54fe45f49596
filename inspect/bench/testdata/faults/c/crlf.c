#include "server.h"

static void greet(const char *id, const char *arguments) {
  (void)arguments;
  printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"Hello!\"}]}}\r\n", id);  // FAULT
  fflush(stdout);
}

int main(void) { return serve(greet); }

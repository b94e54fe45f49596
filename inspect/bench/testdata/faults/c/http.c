#include "server.h"

__attribute__((import_module("subako_http"), import_name("request"))) int32_t http_request(const char *at, int32_t len);
__attribute__((import_module("subako_http"), import_name("read_response"))) int32_t http_read(char *at, int32_t len);

static void greet(const char *id, const char *arguments) {
  (void)arguments;
  static const char request[] = "{\"url\":\"https://api.example.com/greeting\"}";
  int32_t n = http_request(request, sizeof request - 1);  // FAULT: not in the allowlist
  char *got = calloc(1, (size_t)n + 1);
  http_read(got, n);
  answer_text(id, strstr(got, "\"ok\"") ? "Hello!" : "no greeting today");
}

int main(void) { return serve(greet); }

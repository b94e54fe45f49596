#include "server.h"

__attribute__((noinline)) static unsigned checksum(const char *text) {
  unsigned char table[1 << 20];  // larger than the stack
  unsigned sum = 0;
  for (size_t i = 0; i < sizeof table; i++) table[i] = (unsigned char)(i * 31);  // FAULT
  while (*text) sum += table[(unsigned char)*text++ << 8];
  return sum;
}

static void greet(const char *id, const char *arguments) {
  char text[64];
  snprintf(text, sizeof text, "%u", checksum(arguments));
  answer_text(id, text);
}

int main(void) { return serve(greet); }

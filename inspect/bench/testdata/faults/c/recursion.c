#include "server.h"

typedef struct node {
  struct node *next;
  int value;
} node;

__attribute__((noinline)) static int total(const node *n) {
  int here[4] = {n->value, 0, 0, 0};
  here[1] = n->next ? total(n->next) : 0;  // FAULT
  return here[0] + here[1];
}

static void greet(const char *id, const char *arguments) {
  (void)arguments;
  node ring = {NULL, 1};
  ring.next = &ring;
  char text[64];
  snprintf(text, sizeof text, "%d", total(&ring));
  answer_text(id, text);
}

int main(void) { return serve(greet); }

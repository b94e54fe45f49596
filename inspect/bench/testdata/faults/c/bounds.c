#include "server.h"

static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static void greet(const char *id, const char *arguments) {
  char text[64];
  long month = number_of(arguments, "count");
  snprintf(text, sizeof text, "%d days", days[month - 1]);  // FAULT
  answer_text(id, text);
}

int main(void) { return serve(greet); }

#include "server.h"

// In a library that nobody linked.
const char *greeting_for(const char *arguments);  // FAULT

static void greet(const char *id, const char *arguments) { answer_text(id, greeting_for(arguments)); }

int main(void) { return serve(greet); }

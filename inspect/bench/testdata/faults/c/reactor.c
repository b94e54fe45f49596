#include "server.h"

// Built with -mexec-model=reactor: there is no main, so nothing begins.
__attribute__((export_name("greet"))) void greet(void) { answer_text("1", "Hello!"); }

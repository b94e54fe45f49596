#include "server.h"

// A PNG of one pixel.
static const char pixel[] =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

static void greet(const char *id, const char *arguments) {
  (void)arguments;
  char result[512];
  snprintf(result, sizeof result,
           "{\"resultType\":\"complete\",\"content\":[{\"type\":\"image\",\"mimeType\":\"image/jpeg\",\"data\":\"%s\"}]}", pixel);  // FAULT
  answer(id, result);
}

int main(void) { return serve(greet); }

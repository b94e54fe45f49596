// greeter: the smallest package worth reading. It greets people, with a value
// (structuredContent) beside the text, and with isError when it cannot.
//
// Its answers have the form that the ABI page shows: without MCP's resultType,
// ttlMs and cacheScope, which Subako does not ask for.

#include "mcp.h"

#define NAME_PROPERTY "\"name\":{\"type\":\"string\",\"description\":\"Who to greet.\"}"
#define OUTPUT_SCHEMA \
  "{\"type\":\"object\",\"properties\":{\"message\":{\"type\":\"string\"}},\"required\":[\"message\"]}"

static const char discover[] = "{\"supportedVersions\":[\"" MCP_VERSION "\"],\"capabilities\":{\"tools\":{}}}";

static const char list[] =
    "{\"tools\":["
    "{\"name\":\"greet\",\"description\":\"Greet someone by name.\",\"inputSchema\":"
    "{\"type\":\"object\",\"properties\":{" NAME_PROPERTY ","
    "\"style\":{\"type\":\"string\",\"enum\":[\"plain\",\"warm\",\"formal\"],\"default\":\"plain\"}},\"required\":[\"name\"]},"
    "\"outputSchema\":" OUTPUT_SCHEMA "},"
    "{\"name\":\"shout\",\"description\":\"The same, louder.\",\"inputSchema\":"
    "{\"type\":\"object\",\"properties\":{" NAME_PROPERTY "},\"required\":[\"name\"]},"
    "\"outputSchema\":" OUTPUT_SCHEMA "}"
    "]}";

// What stands around the name.
typedef struct {
  const char *before, *after;
} style;

// The style that was asked for, or null after saying why there is none.
static const style *chosen(span value, mcp_result *r) {
  static const style plain = {"Hello, ", "!"};
  static const style warm = {"Dear ", ", how good to see you!"};
  static const style formal = {"Good day, ", "."};
  if (!value.at || json_is(value, "plain")) return &plain;
  if (json_is(value, "warm")) return &warm;
  if (json_is(value, "formal")) return &formal;
  mcp_fail(r, "style must be plain, warm or formal");
  return 0;
}

// ASCII letters alone: a small program does not know the alphabets of the world.
static void upper(bytes *text) {
  for (size_t i = 0; i < text->len; i++)
    if (text->at[i] >= 'a' && text->at[i] <= 'z') text->at[i] -= 'a' - 'A';
}

static void greet(span name, const style *style, bool loud, mcp_result *r) {
  bytes text = {0};
  bytes_text(&text, style->before);
  bytes_decode(&text, name);
  bytes_text(&text, style->after);
  if (loud) upper(&text);
  bytes_text(&r->structured, "{\"message\":");
  bytes_quote(&r->structured, bytes_all(&text));
  bytes_text(&r->structured, "}");
  free(text.at);
}

static bool call(span tool, span arguments, mcp_result *r) {
  bool loud = json_is(tool, "shout");
  if (!loud && !json_is(tool, "greet")) return false;
  span name = json_get(arguments, "name");
  const style *style = chosen(loud ? span_of(0, 0) : json_get(arguments, "style"), r);
  if (!style) return true;
  if (!name.at) mcp_fail(r, "name is missing");
  else if (!json_is_string(name)) mcp_fail(r, "name must be a string");
  else if (name.len == 2) mcp_fail(r, "name must not be empty");
  else greet(name, style, loud, r);
  return true;
}

int main(void) {
  static const mcp_server server = {discover, list, "", call};
  return mcp_serve(&server);
}

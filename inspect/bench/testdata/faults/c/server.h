// What the servers in this folder share and have right. A server greets: its
// one tool is greet, which takes a name.
#ifndef SERVER_H
#define SERVER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DISCOVER \
  "{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}},\"ttlMs\":0,\"cacheScope\":\"public\"}"
#define GREET_SCHEMA \
  "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},\"count\":{\"type\":\"integer\"}},\"required\":[\"name\"]}"
#define TOOLS                                                                    \
  "{\"resultType\":\"complete\",\"tools\":[{\"name\":\"greet\",\"description\":" \
  "\"Greet someone by name.\",\"inputSchema\":" GREET_SCHEMA "}],\"ttlMs\":0,\"cacheScope\":\"public\"}"

// The JSON text of the first member with this name, NULL without one. It knows
// the requests of one host, and no JSON beyond them.
static inline char *member(const char *line, const char *name) {
  char key[64];
  snprintf(key, sizeof key, "\"%s\":", name);
  const char *at = strstr(line, key);
  if (!at) return NULL;
  at += strlen(key);
  const char *end = at;
  int depth = 0;
  bool text = false;
  for (; *end; end++) {
    if (text && *end == '\\') end++;
    else if (*end == '"') text = !text;
    else if (text) continue;
    else if (*end == '{' || *end == '[') depth++;
    else if ((*end == '}' || *end == ']') && depth-- == 0) break;
    else if (*end == ',' && depth == 0) break;
  }
  return strndup(at, (size_t)(end - at));
}

// The text of a string member, without its quotes; NULL without one.
static inline char *text_of(const char *line, const char *name) {
  char *raw = member(line, name);
  if (!raw || raw[0] != '"') return NULL;
  raw[strlen(raw) - 1] = 0;
  return raw + 1;
}

static inline long number_of(const char *line, const char *name) {
  char *raw = member(line, name);
  return raw ? strtol(raw, NULL, 10) : 0;
}

static inline char *read_line(void) {
  char *line = NULL;
  size_t cap = 0;
  return getline(&line, &cap, stdin) < 0 ? NULL : line;
}

static inline void answer(const char *id, const char *result) {
  printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n", id, result);
  fflush(stdout);
}

static inline void answer_text(const char *id, const char *text) {
  char result[512];
  snprintf(result, sizeof result, "{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}", text);
  answer(id, result);
}

// Answers what is no call, and reports whether it was that.
static inline bool answered(const char *id, const char *method) {
  if (strcmp(method, "server/discover") == 0) answer(id, DISCOVER);
  else if (strcmp(method, "tools/list") == 0) answer(id, TOOLS);
  else return false;
  return true;
}

// Answers each line as it comes, until stdin ends.
static inline int serve(void (*call)(const char *id, const char *arguments)) {
  char *line;
  while ((line = read_line())) {
    char *id = member(line, "id"), *method = text_of(line, "method");
    if (!id || !method) continue;
    if (!answered(id, method)) call(id, member(line, "arguments"));
  }
  return 0;
}

#endif

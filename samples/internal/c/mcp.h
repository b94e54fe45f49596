// An MCP server of revision 2026-07-28 on stdio, as ABI 1 wants it: one
// request a line, one answer a line, each written at once; exit at the end of
// stdin. It needs wasi-libc and knows nothing of the tools it serves.
#ifndef MCP_H
#define MCP_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json.h"

#define MCP_VERSION "2026-07-28"
#define MCP_META_VERSION "io.modelcontextprotocol/protocolVersion"
#define MCP_META_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"

// Bytes that grow.
typedef struct {
  char *at;
  size_t len, cap;
} bytes;

// Room for `more` bytes behind what is there.
JSON_FN char *bytes_room(bytes *b, size_t more) {
  if (b->cap - b->len < more) {
    size_t cap = b->cap * 2 + more;
    char *at = (char *)realloc(b->at, cap);
    if (!at) _Exit(70);  // nothing can be answered without memory
    b->at = at;
    b->cap = cap;
  }
  return b->at + b->len;
}

JSON_FN void bytes_add(bytes *b, const char *at, size_t len) {
  memcpy(bytes_room(b, len), at, len);
  b->len += len;
}

JSON_FN void bytes_text(bytes *b, const char *text) { bytes_add(b, text, strlen(text)); }
JSON_FN void bytes_span(bytes *b, span s) { bytes_add(b, s.at, s.len); }

// The text as a JSON string.
JSON_FN void bytes_quote(bytes *b, span text) {
  b->len += json_quote(text, bytes_room(b, JSON_QUOTED(text.len)));
}

// A string value with its escapes resolved.
JSON_FN void bytes_decode(bytes *b, span value) {
  b->len += json_decode(value, bytes_room(b, value.len));
}

JSON_FN span bytes_all(const bytes *b) { return span_of(b->at, b->len); }

// Everything goes out before it returns: a pipe may take less than it is given.
JSON_FN void mcp_write(int fd, span text) {
  while (text.len > 0) {
    ssize_t n = write(fd, text.at, text.len);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _Exit(74);
    text.at += n;
    text.len -= (size_t)n;
  }
}

// Logs go to stderr: stdout is the protocol alone.
JSON_FN void mcp_log(const char *text) { mcp_write(2, span_of(text, strlen(text))); }

// What a call answers. `structured` is the value's JSON; `extra` are more
// content blocks, each beginning with a comma; `error` is a failure for the
// model, as text, and stands alone.
typedef struct {
  bytes structured, extra, error;
} mcp_result;

JSON_FN void mcp_fail(mcp_result *r, const char *text) { bytes_text(&r->error, text); }

// What a server offers: the results of server/discover and tools/list as JSON,
// what each call result begins with, and the tools.
typedef struct {
  const char *discover, *list, *begin;
  bool (*call)(span name, span arguments, mcp_result *);  // false: no such tool
} mcp_server;

// An answer: the id as it came, then a member, result or error, from its name on.
JSON_FN void mcp_answer(span id, span member) {
  bytes line = {0};
  bytes_text(&line, "{\"jsonrpc\":\"2.0\",\"id\":");
  bytes_span(&line, id);
  bytes_text(&line, ",");
  bytes_span(&line, member);
  bytes_text(&line, "}\n");
  mcp_write(1, bytes_all(&line));
  free(line.at);
}

JSON_FN void mcp_answer_text(span id, const char *member, const char *value) {
  bytes all = {0};
  bytes_text(&all, member);
  bytes_text(&all, value);
  mcp_answer(id, bytes_all(&all));
  free(all.at);
}

JSON_FN void mcp_error(span id, const char *error) { mcp_answer_text(id, "\"error\":", error); }

JSON_FN void mcp_call(const mcp_server *s, span id, span params) {
  span arguments = json_get(params, "arguments");
  if (!arguments.at) arguments = span_of("{}", 2);
  mcp_result r = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  if (!json_is_object(arguments)) mcp_fail(&r, "arguments must be an object");
  else if (!s->call(json_get(params, "name"), arguments, &r)) {
    mcp_error(id, "{\"code\":-32602,\"message\":\"there is no such tool\"}");
    return;
  }
  bytes out = {0};
  bytes_text(&out, "\"result\":{");
  bytes_text(&out, s->begin);
  bytes_text(&out, "\"content\":[{\"type\":\"text\",\"text\":");
  bytes_quote(&out, bytes_all(r.error.len ? &r.error : &r.structured));
  bytes_text(&out, "}");
  if (r.error.len) {
    bytes_text(&out, "],\"isError\":true}");
  } else {
    bytes_span(&out, bytes_all(&r.extra));
    bytes_text(&out, "],\"structuredContent\":");
    bytes_span(&out, bytes_all(&r.structured));
    bytes_text(&out, "}");
  }
  mcp_answer(id, bytes_all(&out));
  free(out.at);
  free(r.structured.at);
  free(r.extra.at);
  free(r.error.at);
}

// Refuses what MCP refuses before a method is looked at: no _meta, or a
// revision that is not spoken here.
JSON_FN bool mcp_refused(span id, span meta) {
  span version = json_get(meta, MCP_META_VERSION);
  if (!json_is_string(version) || !json_is_object(json_get(meta, MCP_META_CAPABILITIES))) {
    mcp_error(id, "{\"code\":-32602,\"message\":\"_meta must hold the protocol revision and the client's capabilities\"}");
    return true;
  }
  if (json_is(version, MCP_VERSION)) return false;
  bytes error = {0};
  bytes_text(&error, "\"error\":{\"code\":-32022,\"message\":\"this revision is not spoken here\",\"data\":{\"supported\":[\"" MCP_VERSION "\"],\"requested\":");
  bytes_span(&error, version);
  bytes_text(&error, "}}");
  mcp_answer(id, bytes_all(&error));
  free(error.at);
  return true;
}

JSON_FN void mcp_line(const mcp_server *s, span line) {
  span message = json_value(line);
  span id = json_get(message, "id");
  span method = json_get(message, "method");
  if (!id.at || !json_is_string(method)) return;  // a notification, or no request
  span params = json_get(message, "params");
  if (mcp_refused(id, json_get(params, "_meta"))) return;
  if (json_is(method, "server/discover")) mcp_answer_text(id, "\"result\":", s->discover);
  else if (json_is(method, "tools/list")) mcp_answer_text(id, "\"result\":", s->list);
  else if (json_is(method, "tools/call")) mcp_call(s, id, params);
  else mcp_error(id, "{\"code\":-32601,\"message\":\"this method is not known here\"}");
}

// Answers each line until stdin ends. A line may be of any length and may
// arrive in pieces.
JSON_FN int mcp_serve(const mcp_server *s) {
  bytes in = {0};
  size_t seen = 0;  // of `in`, without a newline
  for (;;) {
    ssize_t n = read(0, bytes_room(&in, 1 << 14), 1 << 14);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return 74;
    if (n == 0) {
      if (in.len > 0) mcp_line(s, bytes_all(&in));  // the last line had no newline
      return 0;
    }
    in.len += (size_t)n;
    char *newline;
    while ((newline = (char *)memchr(in.at + seen, '\n', in.len - seen))) {
      size_t len = (size_t)(newline - in.at);
      mcp_line(s, span_of(in.at, len));
      in.len -= len + 1;
      memmove(in.at, newline + 1, in.len);
      seen = 0;
    }
    seen = in.len;
  }
}

#endif

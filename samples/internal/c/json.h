// JSON (RFC 8259) as spans of bytes: nothing is copied, converted or
// re-encoded, so an id or a large number goes out exactly as it came in.
// It needs no C library and knows nothing of MCP. Text is taken to be UTF-8.
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Not every program uses every function.
#define JSON_FN static __attribute__((unused))

// A value as it stands in the source, without white space around it.
// `at` is null when there is none.
typedef struct {
  const char *at;
  size_t len;
} span;

JSON_FN span span_of(const char *at, size_t len) {
  span s;
  s.at = at;
  s.len = len;
  return s;
}

JSON_FN const char *json_space(const char *p, const char *end) {
  while (p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')) p++;
  return p;
}

// The four digits of a \u escape, or -1.
JSON_FN int32_t json_hex(const char *p, const char *end) {
  if (end - p < 4) return -1;
  int32_t code = 0;
  for (int i = 0; i < 4; i++) {
    char c = p[i];
    code <<= 4;
    if (c >= '0' && c <= '9') code |= c - '0';
    else if (c >= 'a' && c <= 'f') code |= c - 'a' + 10;
    else if (c >= 'A' && c <= 'F') code |= c - 'A' + 10;
    else return -1;
  }
  return code;
}

// Where the string that begins at p ends, or null when it is none.
JSON_FN const char *json_string_end(const char *p, const char *end) {
  if (p >= end || *p != '"') return 0;
  for (p++; p < end;) {
    unsigned char c = (unsigned char)*p++;
    if (c == '"') return p;
    if (c < 0x20) return 0;
    if (c != '\\') continue;
    if (p == end) return 0;
    switch (*p++) {
      case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
        break;
      case 'u':
        if (json_hex(p, end) < 0) return 0;
        p += 4;
        break;
      default:
        return 0;
    }
  }
  return 0;
}

JSON_FN const char *json_digits(const char *p, const char *end) {
  const char *from = p;
  while (p < end && *p >= '0' && *p <= '9') p++;
  return p == from ? 0 : p;
}

JSON_FN const char *json_number_end(const char *p, const char *end) {
  if (p < end && *p == '-') p++;
  if (p < end && *p == '0') p++;
  else p = json_digits(p, end);
  if (p && p < end && *p == '.') p = json_digits(p + 1, end);
  if (p && p < end && (*p == 'e' || *p == 'E')) {
    p++;
    if (p < end && (*p == '+' || *p == '-')) p++;
    p = json_digits(p, end);
  }
  return p;
}

JSON_FN const char *json_word_end(const char *p, const char *end, const char *word) {
  for (; *word; word++, p++)
    if (p >= end || *p != *word) return 0;
  return p;
}

// Where the scalar that begins at p ends, or null when there is none.
JSON_FN const char *json_scalar_end(const char *p, const char *end) {
  switch (*p) {
    case '"': return json_string_end(p, end);
    case 't': return json_word_end(p, end, "true");
    case 'f': return json_word_end(p, end, "false");
    case 'n': return json_word_end(p, end, "null");
    default: return json_number_end(p, end);
  }
}

// A member's name and the colon behind it; the place of its value, or null.
JSON_FN const char *json_name_end(const char *p, const char *end) {
  p = json_string_end(json_space(p, end), end);
  if (!p) return 0;
  p = json_space(p, end);
  return p < end && *p == ':' ? p + 1 : 0;
}

#define JSON_DEPTH 8192  // levels of nesting that are followed

// Where the value that begins at p, after white space, ends; null when it is
// not JSON or nested deeper than JSON_DEPTH. It keeps its own stack, one bit a
// level, so that hostile nesting cannot overflow the module's.
JSON_FN const char *json_end(const char *p, const char *end) {
  unsigned char objects[JSON_DEPTH / 8];
  size_t depth = 0;
  for (;;) {
    p = json_space(p, end);
    if (p == end) return 0;
    bool opened = false;
    if (*p == '{' || *p == '[') {
      bool object = *p++ == '{';
      if (depth == JSON_DEPTH) return 0;
      unsigned char bit = (unsigned char)(1u << (depth & 7));
      if (object) objects[depth >> 3] |= bit;
      else objects[depth >> 3] &= (unsigned char)~bit;
      depth++;
      p = json_space(p, end);
      opened = p < end && *p != (object ? '}' : ']');
      if (opened && object && !(p = json_name_end(p, end))) return 0;
    } else if (!(p = json_scalar_end(p, end))) {
      return 0;
    }
    while (!opened && depth > 0) {  // after a value, or at the end of an empty container
      bool object = objects[(depth - 1) >> 3] >> ((depth - 1) & 7) & 1;
      p = json_space(p, end);
      if (p == end) return 0;
      char c = *p++;
      if (c == (object ? '}' : ']')) {
        depth--;
        continue;
      }
      if (c != ',') return 0;
      if (object && !(p = json_name_end(p, end))) return 0;
      opened = true;
    }
    if (!opened) return p;
  }
}

// The one value that the text holds; `at` is null when it is not JSON.
JSON_FN span json_value(span text) {
  const char *end = text.at + text.len;
  const char *from = json_space(text.at, end);
  const char *to = json_end(from, end);
  if (!to || json_space(to, end) != end) return span_of(0, 0);
  return span_of(from, (size_t)(to - from));
}

// One code point of a string's inside, as UTF-8; returns its length. *p moves
// on. A lone surrogate becomes U+FFFD. The string was checked before.
JSON_FN size_t json_rune(const char **p, const char *end, char out[4]) {
  const char *s = *p;
  if (*s != '\\') {
    out[0] = *s;
    *p = s + 1;
    return 1;
  }
  *p = s + 2;
  switch (s[1]) {
    case 'b': out[0] = '\b'; return 1;
    case 'f': out[0] = '\f'; return 1;
    case 'n': out[0] = '\n'; return 1;
    case 'r': out[0] = '\r'; return 1;
    case 't': out[0] = '\t'; return 1;
    case 'u': break;
    default: out[0] = s[1]; return 1;
  }
  int32_t code = json_hex(s + 2, end);
  *p = s + 6;
  if (code >= 0xD800 && code < 0xE000) {
    int32_t low = -1;
    if (code < 0xDC00 && end - *p >= 6 && (*p)[0] == '\\' && (*p)[1] == 'u') low = json_hex(*p + 2, end);
    if (low >= 0xDC00 && low < 0xE000) {
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      *p += 6;
    } else {
      code = 0xFFFD;
    }
  }
  if (code < 0x80) {
    out[0] = (char)code;
    return 1;
  }
  if (code < 0x800) {
    out[0] = (char)(0xC0 | code >> 6);
    out[1] = (char)(0x80 | (code & 63));
    return 2;
  }
  if (code < 0x10000) {
    out[0] = (char)(0xE0 | code >> 12);
    out[1] = (char)(0x80 | (code >> 6 & 63));
    out[2] = (char)(0x80 | (code & 63));
    return 3;
  }
  out[0] = (char)(0xF0 | code >> 18);
  out[1] = (char)(0x80 | (code >> 12 & 63));
  out[2] = (char)(0x80 | (code >> 6 & 63));
  out[3] = (char)(0x80 | (code & 63));
  return 4;
}

JSON_FN bool json_is_string(span value) { return value.len >= 2 && value.at[0] == '"'; }
JSON_FN bool json_is_object(span value) { return value.len >= 2 && value.at[0] == '{'; }

// Whether a string value, escapes resolved, is this text.
JSON_FN bool json_is(span value, const char *text) {
  if (!json_is_string(value)) return false;
  const char *p = value.at + 1, *end = value.at + value.len - 1;
  char rune[4];
  while (p < end) {
    size_t n = json_rune(&p, end, rune);
    for (size_t i = 0; i < n; i++)
      if (!*text || *text++ != rune[i]) return false;
  }
  return !*text;
}

// A string value with its escapes resolved, written to `to`, which has room
// for value.len bytes. Returns the length.
JSON_FN size_t json_decode(span value, char *to) {
  const char *p = value.at + 1, *end = value.at + value.len - 1;
  char rune[4];
  size_t len = 0;
  while (p < end) {
    size_t n = json_rune(&p, end, rune);
    for (size_t i = 0; i < n; i++) to[len++] = rune[i];
  }
  return len;
}

// The value of an object's member; `at` is null when there is none. Of members
// with one name the last counts.
JSON_FN span json_get(span object, const char *name) {
  span found = span_of(0, 0);
  if (!json_is_object(object)) return found;
  const char *p = object.at + 1, *end = object.at + object.len - 1;
  while ((p = json_space(p, end)) < end) {
    const char *after = json_string_end(p, end);
    span key = span_of(p, (size_t)(after - p));
    p = json_space(json_space(after, end) + 1, end);
    after = json_end(p, end);
    if (json_is(key, name)) found = span_of(p, (size_t)(after - p));
    p = json_space(after, end);
    if (p < end) p++;  // the comma
  }
  return found;
}

#define JSON_QUOTED(len) (6 * (len) + 2)  // room that json_quote needs

// Text as a JSON string, quotes included. Returns the length.
JSON_FN size_t json_quote(span text, char *to) {
  static const char hex[] = "0123456789abcdef";
  char *p = to;
  *p++ = '"';
  for (size_t i = 0; i < text.len; i++) {
    unsigned char c = (unsigned char)text.at[i];
    if (c >= 0x20) {
      if (c == '"' || c == '\\') *p++ = '\\';
      *p++ = (char)c;
      continue;
    }
    *p++ = '\\';
    switch (c) {
      case '\b': *p++ = 'b'; break;
      case '\f': *p++ = 'f'; break;
      case '\n': *p++ = 'n'; break;
      case '\r': *p++ = 'r'; break;
      case '\t': *p++ = 't'; break;
      default:
        *p++ = 'u';
        *p++ = '0';
        *p++ = '0';
        *p++ = hex[c >> 4];
        *p++ = hex[c & 15];
    }
  }
  *p++ = '"';
  return (size_t)(p - to);
}

#endif

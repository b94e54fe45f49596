// mischief: a module that does what a script says, so that each way to break
// ABI 1 is one line of text. Without a script it is a well-behaved server.
//
// The script is text in the exported global `script`; package mischief puts it
// there as one more data segment. One line, one part of the module's life:
//
//	start OPS                   before the first request is read
//	discover OPS                instead of the good answer to server/discover
//	list OPS, list2 OPS, …      instead of the good answer to tools/list; list16 for the last page there may be
//	tool NAME 'description' OPS a tool, and what a call of it does
//	call OPS                    a call of any other tool; without a tool line the list has one, `act`
//	unknown OPS                 instead of the error of a method that is not known
//	eof OPS                     at the end of stdin
//	# a comment
//
// OPS are words in a row. N is a number, decimal or 0x; T is text in single
// quotes with the escapes \n \r \t \\ \' \xHH and
//
//	$id the id as it came   $otherid the same in the other type, "7" for 7
//	$page how many tools/list requests came   $calls how many tools/call
//	$tools the tool list as JSON
//	$errno $ret of the last op that has one   $answer of HTTP, as it came
//	${N:T} the text N times   $$ a dollar
//
//	out T  err T           write to stdout, stderr
//	ok  say T  result T    a good answer; one with this text; one with this result
//	hold T                 keep it, and write it at the end of stdin
//	repeat N ( OPS )       N times, 0 for ever
//	line  drain            read a line of stdin; read to its end
//	short N  once  shuffle from now on: cut lines at N bytes; take one read for a line; list tools in random order
//	lax meta  lax version  from now on: answer requests without what _meta must hold; of any revision
//	wants client           from now on: refuse requests without clientInfo
//	narrow  chatty  hasty  from now on: keep number ids in 32 bits; answer notifications; exit when stdin has ended
//	exit N  sleep N  spin  proc_exit; N ms by poll_oneoff; for ever
//	trap KIND              unreachable divide oob indirect missing overflow
//	grow N  oom            N pages; until it is refused, then trap
//	open T HOW             HOW of r w c t x d: read write create truncate exclusive directory; the preopen is looked up
//	openat N T HOW         the same on fd N, raw
//	write T  size N  allocate N  close    on what was opened last
//	mkdir T  remove T  rename T T  link T T  symlink T T    (symlink: target, path)
//	accept N               sock_accept on fd N
//	http T                 request and read_response, as the ABI says
//	request T  read        one half of it
//	request_at N N  read_at N N    raw pointer and length
//
// Ops that fail set $errno or $ret and go on.

#include "json.h"
#include "wasi.h"

#define SCRIPT_ROOM 65536
#define PAGE 65536

__attribute__((used, visibility("default"))) char script[SCRIPT_ROOM];

// Bytes that grow. There is no free: a run is short.
typedef struct {
  char *at;
  size_t len, cap;
} bytes;

extern char __heap_base;
static char *heap = &__heap_base;

static char *bytes_room(bytes *b, size_t more) {
  if (b->cap - b->len < more) {
    size_t cap = (b->cap * 2 + more + 15) & ~(size_t)15;
    char *at = heap;
    size_t have = (size_t)__builtin_wasm_memory_size(0) * PAGE;
    size_t need = (size_t)at + cap;
    if (need < cap) __builtin_trap();
    if (need > have && __builtin_wasm_memory_grow(0, (need - have + PAGE - 1) / PAGE) == (size_t)-1) __builtin_trap();
    heap = at + cap;
    if (b->len) __builtin_memcpy(at, b->at, b->len);
    b->at = at;
    b->cap = cap;
  }
  return b->at + b->len;
}

static void bytes_add(bytes *b, const char *at, size_t len) {
  if (len) __builtin_memcpy(bytes_room(b, len), at, len);
  b->len += len;
}

static size_t text_len(const char *text) {
  size_t n = 0;
  while (text[n]) n++;
  return n;
}

static void bytes_text(bytes *b, const char *text) { bytes_add(b, text, text_len(text)); }

static void bytes_quote(bytes *b, span text) {
  b->len += json_quote(text, bytes_room(b, JSON_QUOTED(text.len)));
}

static void bytes_number(bytes *b, int64_t n) {
  char digits[21];
  size_t at = sizeof digits;
  uint64_t left = n < 0 ? -(uint64_t)n : (uint64_t)n;
  do digits[--at] = (char)('0' + left % 10);
  while (left /= 10);
  if (n < 0) digits[--at] = '-';
  bytes_add(b, digits + at, sizeof digits - at);
}

static bool same(span s, const char *text) {
  size_t i = 0;
  for (; i < s.len && text[i]; i++)
    if (s.at[i] != text[i]) return false;
  return i == s.len && !text[i];
}

// The state of the run.
static bytes in;         // stdin, from the line that is answered now on
static size_t consumed;  // bytes of `in` that are done with
static bytes held;       // written at the end of stdin
static bytes answer;     // of HTTP
static span id;          // of the request that is answered now
static int64_t pages, calls, ret, last_errno;
static int32_t opened = -1;
static size_t short_line;  // 0: lines of any length
static bool one_read, shuffle, lax_meta, lax_version, wants_client, narrow, chatty, hasty;

// ---- the script ----

typedef struct {
  const char *p;
} cursor;

static void skip_blanks(cursor *c) {
  while (*c->p == ' ' || *c->p == '\t') c->p++;
}

static span word(cursor *c) {
  skip_blanks(c);
  const char *from = c->p;
  while (*c->p && *c->p != ' ' && *c->p != '\t' && *c->p != '\n') c->p++;
  return span_of(from, (size_t)(c->p - from));
}

static int64_t number(cursor *c) {
  skip_blanks(c);
  bool negative = *c->p == '-';
  if (negative) c->p++;
  int64_t n = 0, base = 10;
  if (c->p[0] == '0' && c->p[1] == 'x') {
    base = 16;
    c->p += 2;
  }
  for (;; c->p++) {
    char d = *c->p;
    if (d >= '0' && d <= '9') n = n * base + (d - '0');
    else if (base == 16 && d >= 'a' && d <= 'f') n = n * base + (d - 'a' + 10);
    else return negative ? -n : n;
  }
}

// The rest of the script line that begins with this key, or null.
static const char *find(const char *key) {
  for (const char *line = script; *line;) {
    cursor c = {line};
    if (same(word(&c), key)) return c.p;
    while (*c.p && *c.p != '\n') c.p++;
    line = *c.p ? c.p + 1 : c.p;
  }
  return 0;
}

// The n-th tool line, from 0: its name, description and ops; null at the end.
static const char *tool_line(size_t n, span *name, span *description) {
  for (const char *line = script; *line;) {
    cursor c = {line};
    if (same(word(&c), "tool") && n-- == 0) {
      *name = word(&c);
      skip_blanks(&c);
      const char *from = ++c.p;
      while (*c.p && *c.p != '\'' && *c.p != '\n') c.p++;
      *description = span_of(from, (size_t)(c.p - from));
      return *c.p == '\'' ? c.p + 1 : c.p;
    }
    while (*c.p && *c.p != '\n') c.p++;
    line = *c.p ? c.p + 1 : c.p;
  }
  return 0;
}

static size_t tool_count(void) {
  span name, description;
  size_t n = 0;
  while (tool_line(n, &name, &description)) n++;
  return n;
}

static void add_tool(bytes *b, span name, span description) {
  if (b->at[b->len - 1] != '[') bytes_text(b, ",");
  bytes_text(b, "{\"name\":");
  bytes_quote(b, name);
  bytes_text(b, ",\"description\":");
  bytes_quote(b, description);
  bytes_text(b, ",\"inputSchema\":{\"type\":\"object\"}}");
}

static void add_tools(bytes *b) {
  uint8_t order[256];
  size_t count = tool_count();
  if (count > sizeof order) count = sizeof order;
  for (size_t i = 0; i < count; i++) {
    uint32_t j = (uint32_t)i;
    if (shuffle && random_get(&j, sizeof j) == 0) j %= (uint32_t)i + 1;
    order[i] = order[j];
    order[j] = (uint8_t)i;
  }
  bytes_text(b, "[");
  for (size_t i = 0; i < count; i++) {
    span name, description;
    tool_line(order[i], &name, &description);
    add_tool(b, name, description);
  }
  if (!count) add_tool(b, span_of("act", 3), span_of("Does what the script says.", 26));
  bytes_text(b, "]");
}

// ---- text of the script ----

static int digit(char c) { return c <= '9' ? c - '0' : (c | 32) - 'a' + 10; }

static void add_other_id(bytes *b) {
  if (id.at) bytes_quote(b, id);  // 7 becomes "7"; "a" becomes "\"a\""
}

// What stands behind a dollar.
static void expand(cursor *c, bytes *b) {
  const char *from = c->p;
  while (*c->p >= 'a' && *c->p <= 'z') c->p++;
  span name = span_of(from, (size_t)(c->p - from));
  if (same(name, "id")) bytes_add(b, id.at, id.len);
  else if (same(name, "otherid")) add_other_id(b);
  else if (same(name, "page")) bytes_number(b, pages);
  else if (same(name, "calls")) bytes_number(b, calls);
  else if (same(name, "tools")) add_tools(b);
  else if (same(name, "errno")) bytes_number(b, last_errno);
  else if (same(name, "ret")) bytes_number(b, ret);
  else if (same(name, "answer")) bytes_add(b, answer.at, answer.len);
  else if (*c->p == '$') bytes_add(b, c->p++, 1);
}

// Text up to the closing character, which is passed.
static void text_until(cursor *c, char close, bytes *b) {
  for (; *c->p && *c->p != '\n' && *c->p != close;) {
    char ch = *c->p++;
    if (ch == '\\') {
      ch = *c->p++;
      if (ch == 'n') ch = '\n';
      else if (ch == 'r') ch = '\r';
      else if (ch == 't') ch = '\t';
      else if (ch == 'x') {
        ch = (char)(digit(c->p[0]) << 4 | digit(c->p[1]));
        c->p += 2;
      }
      bytes_add(b, &ch, 1);
    } else if (ch == '$' && *c->p == '{') {
      c->p++;
      int64_t times = number(c);
      c->p++;  // the colon
      size_t from = b->len;
      text_until(c, '}', b);
      size_t len = b->len - from;
      size_t all = times <= 0 ? 0 : len * (size_t)times;
      bytes_room(b, all);
      for (size_t have = len; have < all;) {  // twice as much each time
        size_t more = have < all - have ? have : all - have;
        __builtin_memcpy(b->at + from + have, b->at + from, more);
        have += more;
      }
      b->len = from + all;
    } else if (ch == '$') {
      expand(c, b);
    } else {
      bytes_add(b, &ch, 1);
    }
  }
  if (*c->p == close) c->p++;
}

static void text(cursor *c, bytes *b) {
  b->len = 0;
  bytes_room(b, 1);
  skip_blanks(c);
  if (*c->p == '\'') {
    c->p++;
    text_until(c, '\'', b);
  }
}

// ---- what a module can do ----

static void write_all(int32_t fd, const char *at, size_t len) {
  while (len > 0) {
    iovec v = {(char *)at, len};
    size_t n = 0;
    last_errno = fd_write(fd, &v, 1, &n);
    if (last_errno || n == 0) return;
    at += n;
    len -= n;
  }
}

// An answer with this member, result or error, in three parts.
static void answer_with(const char *member, const char *before, span middle, const char *after) {
  static bytes line;
  line.len = 0;
  bytes_text(&line, "{\"jsonrpc\":\"2.0\",\"id\":");
  bytes_add(&line, id.at, id.len);
  bytes_text(&line, member);
  bytes_text(&line, before);
  bytes_add(&line, middle.at, middle.len);
  bytes_text(&line, after);
  bytes_text(&line, "}\n");
  write_all(1, line.at, line.len);
}

static void respond(const char *before, span middle, const char *after) {
  answer_with(",\"result\":", before, middle, after);
}

// An error: its code and message, and what follows the message.
static void respond_error(const char *begin, span middle, const char *after) {
  answer_with(",\"error\":{\"code\":", begin, middle, after);
}

static void respond_text(span said, const char *after) {
  static bytes quoted;
  quoted.len = 0;
  bytes_quote(&quoted, said);
  respond("{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":",
          span_of(quoted.at, quoted.len), after);
}

static void respond_done(void) { respond_text(span_of("done", 4), "}]}"); }

// One read of stdin; false at its end.
static bool read_more(void) {
  if (consumed) {
    in.len -= consumed;
    if (in.len) __builtin_memmove(in.at, in.at + consumed, in.len);
    consumed = 0;
  }
  size_t room = one_read ? 16 * PAGE : PAGE;  // one read is to hold a line of any length
  iovec v = {bytes_room(&in, room), room};
  size_t n = 0;
  if (fd_read(0, &v, 1, &n) || n == 0) return false;
  in.len += n;
  return true;
}

// The next line of stdin; false at its end.
static bool read_line(span *line) {
  for (size_t seen = 0;;) {
    for (; consumed + seen < in.len; seen++) {
      const char *at = in.at + consumed;
      if (at[seen] != '\n' && !(short_line && seen == short_line)) continue;
      *line = span_of(at, seen);
      consumed += seen + 1;
      return true;
    }
    if (one_read && seen > 0) {
      *line = span_of(in.at + consumed, seen);
      consumed += seen;
      return true;
    }
    if (!read_more()) return false;
  }
}

static void drain(void) {
  do consumed = in.len;
  while (read_more());
}

// Whether stdin has ended, without waiting.
static bool at_end(void) {
  subscription s[2] = {{.tag = 1}, {.clock = 1}};  // what fd 0 has, or nothing for 0 ns
  wasi_event e[2];
  size_t n = 0;
  if (poll_oneoff(s, e, 2, &n)) return false;
  for (size_t i = 0; i < n; i++)
    if (e[i].bytes[1] >> 16 == 1) return e[i].bytes[2] == 0;  // of fd_read: the bytes that wait
  return false;
}

static void sleep_ms(int64_t ms) {
  subscription s = {.clock = 1, .timeout = (uint64_t)ms * 1000000};
  wasi_event e;
  size_t n;
  last_errno = poll_oneoff(&s, &e, 1, &n);
}

__attribute__((noinline)) static void spin(void) {
  volatile uint32_t turns = 0;
  for (;;) turns++;
}

__attribute__((noinline)) static uint32_t recurse(volatile uint32_t *depth) {
  return ++*depth ? recurse(depth) + *depth : 0;
}

__attribute__((noinline)) static int32_t adds_two(int32_t a, int32_t b) { return a + b; }

__attribute__((noinline)) static void call_at(uintptr_t index) {
  volatile uintptr_t at = index;
  ((void (*)(void))at)();
}

__attribute__((noinline)) static int32_t divide(volatile int32_t *by) { return 7 / *by; }

__attribute__((noinline)) static char load(volatile uintptr_t at) { return *(volatile char *)at; }

static void trap(span kind) {
  volatile int32_t zero = 0;
  volatile uint32_t depth = 0;
  if (same(kind, "divide")) ret = divide(&zero);
  else if (same(kind, "oob")) ret = load(0xfffffff0u);
  else if (same(kind, "indirect")) call_at((uintptr_t)adds_two);
  else if (same(kind, "missing")) call_at(0x7fffffff);
  else if (same(kind, "overflow")) ret = recurse(&depth);
  else __builtin_trap();
}

__attribute__((noinline)) static void run_out_of_memory(void) {
  while (__builtin_wasm_memory_grow(0, 64) != (size_t)-1) {
  }
  __builtin_trap();
}

// ---- files ----

#define ALL_RIGHTS ((uint64_t)0x1fffffff)

// The preopen that a path lies under, by the longest name, and the rest of the
// path; fd -1 when there is none.
static int32_t resolve(span path, span *rest) {
  int32_t best = -1;
  size_t best_len = 0;
  char name[256];
  prestat s;
  for (int32_t fd = 3; fd_prestat_get(fd, &s) == 0; fd++) {
    if (s.name_len > sizeof name || s.name_len > path.len || fd_prestat_dir_name(fd, name, s.name_len)) continue;
    size_t i = 0;
    while (i < s.name_len && name[i] == path.at[i]) i++;
    if (i < s.name_len || (path.len > i && path.at[i] != '/') || i < best_len) continue;
    best = fd;
    best_len = i;
  }
  if (best < 0) *rest = path;  // with no descriptor: the host says what it thinks of that
  else *rest = path.len == best_len ? span_of(".", 1) : span_of(path.at + best_len + 1, path.len - best_len - 1);
  return best;
}

static void open_at(int32_t fd, span path, span how) {
  int32_t oflags = 0;
  uint64_t rights = 0;
  for (size_t i = 0; i < how.len; i++) {
    switch (how.at[i]) {
      case 'c': oflags |= 1; break;
      case 'd': oflags |= 2; break;
      case 'x': oflags |= 4; break;
      case 't': oflags |= 8; break;
      case 'r': rights |= 1 << 1; break;
      case 'w': rights |= 1 << 6; break;
    }
  }
  if (rights & 1 << 6) rights |= 1 << 2 | 1 << 5 | 1 << 8 | 1 << 22;  // seek, tell, allocate, set size
  if (oflags & 2) rights = ALL_RIGHTS;
  last_errno = path_open(fd, 1, path.at, path.len, oflags, rights, ALL_RIGHTS, 0, &opened);
  if (last_errno) opened = -1;
}

static bool file_op(span op, cursor *c) {
  static bytes a, b;
  span rest, rest2;
  if (same(op, "open")) {
    text(c, &a);
    int32_t fd = resolve(span_of(a.at, a.len), &rest);
    open_at(fd, rest, word(c));
  } else if (same(op, "openat")) {
    int32_t fd = (int32_t)number(c);
    text(c, &a);
    open_at(fd, span_of(a.at, a.len), word(c));
  } else if (same(op, "write")) {
    text(c, &a);
    write_all(opened, a.at, a.len);
  } else if (same(op, "size")) {
    last_errno = fd_filestat_set_size(opened, (uint64_t)number(c));
  } else if (same(op, "allocate")) {
    last_errno = fd_allocate(opened, 0, (uint64_t)number(c));
  } else if (same(op, "close")) {
    last_errno = fd_close(opened);
  } else if (same(op, "mkdir") || same(op, "remove")) {
    text(c, &a);
    int32_t fd = resolve(span_of(a.at, a.len), &rest);
    last_errno = (same(op, "mkdir") ? path_create_directory : path_unlink_file)(fd, rest.at, rest.len);
  } else if (same(op, "rename") || same(op, "link")) {
    text(c, &a);
    text(c, &b);
    int32_t fd = resolve(span_of(a.at, a.len), &rest);
    int32_t to = resolve(span_of(b.at, b.len), &rest2);
    last_errno = same(op, "rename") ? path_rename(fd, rest.at, rest.len, to, rest2.at, rest2.len)
                                    : path_link(fd, 0, rest.at, rest.len, to, rest2.at, rest2.len);
  } else if (same(op, "symlink")) {
    text(c, &a);
    text(c, &b);
    int32_t to = resolve(span_of(b.at, b.len), &rest2);
    last_errno = path_symlink(a.at, a.len, to, rest2.at, rest2.len);
  } else if (same(op, "accept")) {
    int32_t accepted;
    last_errno = sock_accept((int32_t)number(c), 0, &accepted);
  } else {
    return false;
  }
  return true;
}

// ---- HTTP ----

static void read_answer(void) {
  int32_t len = (int32_t)ret;
  answer.len = 0;
  char *to = bytes_room(&answer, len > 0 ? (size_t)len : 1);
  ret = http_read_response(to, len);
  if (ret == 0 && len > 0) answer.len = (size_t)len;
}

static bool http_op(span op, cursor *c) {
  static bytes request;
  if (same(op, "http") || same(op, "request")) {
    text(c, &request);
    ret = http_request(request.at, (int32_t)request.len);
    if (same(op, "http")) read_answer();
  } else if (same(op, "read")) {
    read_answer();
  } else if (same(op, "request_at")) {
    uintptr_t at = (uintptr_t)number(c);
    ret = http_request((void *)at, (int32_t)number(c));
  } else if (same(op, "read_at")) {
    uintptr_t at = (uintptr_t)number(c);
    ret = http_read_response((void *)at, (int32_t)number(c));
  } else {
    return false;
  }
  return true;
}

// ---- the interpreter ----

static void run(cursor *c);

static void repeat(cursor *c) {
  int64_t times = number(c);
  word(c);  // the bracket
  cursor body = *c;
  for (int64_t i = 0; times == 0 || i < times; i++) {
    *c = body;
    run(c);
  }
}

static bool answer_op(span op, cursor *c) {
  static bytes said;
  if (same(op, "ok")) {
    respond_done();
    return true;
  }
  bool out = same(op, "out"), err = same(op, "err"), hold = same(op, "hold");
  if (!out && !err && !hold && !same(op, "say") && !same(op, "result")) return false;
  text(c, &said);
  if (out || err) write_all(out ? 1 : 2, said.at, said.len);
  else if (hold) bytes_add(&held, said.at, said.len);
  else if (same(op, "say")) respond_text(span_of(said.at, said.len), "}]}");
  else respond("", span_of(said.at, said.len), "");
  return true;
}

static bool life_op(span op, cursor *c) {
  span line;
  if (same(op, "exit")) proc_exit((int32_t)number(c));
  else if (same(op, "sleep")) sleep_ms(number(c));
  else if (same(op, "spin")) spin();
  else if (same(op, "trap")) trap(word(c));
  else if (same(op, "grow")) ret = (int32_t)__builtin_wasm_memory_grow(0, (size_t)number(c));
  else if (same(op, "oom")) run_out_of_memory();
  else if (same(op, "line")) read_line(&line);
  else if (same(op, "drain")) drain();
  else if (same(op, "short")) short_line = (size_t)number(c);
  else if (same(op, "once")) one_read = true;
  else if (same(op, "shuffle")) shuffle = true;
  else if (same(op, "lax")) *(same(word(c), "meta") ? &lax_meta : &lax_version) = true;
  else if (same(op, "wants")) wants_client = same(word(c), "client");
  else if (same(op, "narrow")) narrow = true;
  else if (same(op, "chatty")) chatty = true;
  else if (same(op, "hasty")) hasty = true;
  else if (same(op, "repeat")) repeat(c);
  else return false;
  return true;
}

// The ops up to the end of the line or the closing bracket.
static void run(cursor *c) {
  for (;;) {
    span op = word(c);
    if (op.len == 0 || same(op, ")")) return;
    if (answer_op(op, c) || life_op(op, c) || file_op(op, c) || http_op(op, c)) continue;
    static const char unknown[] = "mischief: the script has a word that is no op: ";
    write_all(2, unknown, sizeof unknown - 1);
    write_all(2, op.at, op.len);
    proc_exit(70);
  }
}

// Runs the line's ops; false when the script has no such line.
static bool run_line(const char *key) {
  const char *at = find(key);
  if (!at) return false;
  cursor c = {at};
  run(&c);
  return true;
}

// ---- a server of ABI 1 ----

static void list(void) {
  static bytes all;
  static bytes page;
  page.len = 0;
  bytes_text(&page, "list");
  bytes_number(&page, ++pages);
  bytes_add(&page, "", 1);  // its NUL
  if ((pages > 1 && run_line(page.at)) || run_line("list")) return;
  all.len = 0;
  add_tools(&all);
  respond("{\"resultType\":\"complete\",\"tools\":", span_of(all.at, all.len), ",\"ttlMs\":3600000,\"cacheScope\":\"public\"}");
}

static void call(span tool) {
  span name, description;
  const char *at;
  for (size_t i = 0; (at = tool_line(i, &name, &description)); i++) {
    char wanted[65];
    if (name.len >= sizeof wanted) continue;
    __builtin_memcpy(wanted, name.at, name.len);
    wanted[name.len] = 0;
    if (!json_is(tool, wanted)) continue;
    cursor c = {at};
    skip_blanks(&c);
    if (*c.p && *c.p != '\n') run(&c);
    else respond_done();
    return;
  }
  if (run_line("call")) return;
  if (tool_count() == 0) respond_done();
  else respond_text(span_of("there is no such tool", 21), "}],\"isError\":true}");
}

#define META "io.modelcontextprotocol/"

// Refuses what MCP refuses before a method is looked at.
static bool refused(span meta) {
  span version = json_get(meta, META "protocolVersion");
  bool whole = json_is_string(version) && json_is_object(json_get(meta, META "clientCapabilities")) &&
               (!wants_client || json_get(meta, META "clientInfo").at);
  if (!whole && !lax_meta) {
    respond_error("-32602,\"message\":\"_meta must hold more\"}", span_of("", 0), "");
    return true;
  }
  if (!version.at || lax_version || json_is(version, "2026-07-28")) return false;
  respond_error("-32022,\"message\":\"this revision is not spoken here\",\"data\":{\"supported\":[\"2026-07-28\"],\"requested\":",
                version, "}}");
  return true;
}

// The id as a program keeps it that has 32 bits for a number.
static void narrow_id(void) {
  static bytes kept;
  kept.len = 0;
  cursor c = {id.at};
  bytes_number(&kept, (int32_t)number(&c));
  id = span_of(kept.at, kept.len);
}

static void handle(span line) {
  span message = json_value(line);
  span method = json_get(message, "method");
  span params = json_get(message, "params");
  id = json_get(message, "id");
  if (!id.at) {
    if (!chatty) return;
    id = span_of("null", 4);
  }
  if (narrow && !json_is_string(id)) narrow_id();
  if (hasty && at_end()) proc_exit(0);
  if (refused(json_get(params, "_meta"))) return;
  if (json_is(method, "server/discover")) {
    if (run_line("discover")) return;
    respond("{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}},"
            "\"ttlMs\":3600000,\"cacheScope\":\"public\"}", span_of("", 0), "");
  } else if (json_is(method, "tools/list")) {
    list();
  } else if (json_is(method, "tools/call")) {
    calls++;
    call(json_get(params, "name"));
  } else if (!run_line("unknown")) {
    respond_error("-32601,\"message\":\"this method is not known here\"}", span_of("", 0), "");
  }
}

__attribute__((export_name("_start"))) void _start(void) {
  static bytes message;  // a copy: ops may read more of stdin
  span line;
  run_line("start");
  while (read_line(&line)) {
    message.len = 0;
    bytes_add(&message, line.at, line.len);
    handle(span_of(message.at, message.len));
  }
  if (held.len) write_all(1, held.at, held.len);
  run_line("eof");
}

// The functions of WASI preview 1 and of subako_http that the scripted module
// calls, declared by hand: it has no C library.
#ifndef WASI_H
#define WASI_H

#include <stddef.h>
#include <stdint.h>

#define WASI(name, ...) \
  __attribute__((import_module("wasi_snapshot_preview1"), import_name(#name))) int32_t name(__VA_ARGS__)
#define HTTP(name) __attribute__((import_module("subako_http"), import_name(#name))) int32_t http_##name

typedef struct {
  char *at;
  size_t len;
} iovec;

typedef struct {
  uint32_t tag;  // 0: a folder
  uint32_t name_len;
} prestat;

typedef struct {
  uint64_t userdata;
  uint8_t tag;  // 0: a clock
  uint8_t pad[7];  // what follows is a union with the alignment of 8
  uint32_t clock;
  uint64_t timeout, precision;  // nanoseconds
  uint16_t flags;
} subscription;

typedef struct {
  uint64_t bytes[4];
} wasi_event;

WASI(fd_read, int32_t fd, const iovec *, size_t, size_t *n);
WASI(fd_write, int32_t fd, const iovec *, size_t, size_t *n);
WASI(fd_close, int32_t fd);
WASI(fd_allocate, int32_t fd, uint64_t offset, uint64_t len);
WASI(fd_filestat_set_size, int32_t fd, uint64_t size);
WASI(fd_prestat_get, int32_t fd, prestat *);
WASI(fd_prestat_dir_name, int32_t fd, char *at, size_t len);
WASI(path_open, int32_t fd, int32_t lookup, const char *at, size_t len, int32_t oflags, uint64_t rights,
     uint64_t inheriting, int32_t fdflags, int32_t *opened);
WASI(path_create_directory, int32_t fd, const char *at, size_t len);
WASI(path_unlink_file, int32_t fd, const char *at, size_t len);
WASI(path_rename, int32_t fd, const char *at, size_t len, int32_t new_fd, const char *to, size_t to_len);
WASI(path_link, int32_t fd, int32_t lookup, const char *at, size_t len, int32_t new_fd, const char *to, size_t to_len);
WASI(path_symlink, const char *target, size_t target_len, int32_t fd, const char *at, size_t len);
WASI(poll_oneoff, const subscription *, wasi_event *, size_t, size_t *n);
WASI(random_get, void *at, size_t len);
WASI(sock_accept, int32_t fd, int32_t flags, int32_t *accepted);
__attribute__((import_module("wasi_snapshot_preview1"), import_name("proc_exit"))) _Noreturn void proc_exit(int32_t);

HTTP(request)(const void *at, int32_t len);
HTTP(read_response)(void *at, int32_t len);

#endif

// What the examples in C take for granted. A test puts the examples behind it
// and gives all to a compiler; nothing of it runs.
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int failure(const char *text);
int answer();
size_t answer_whole_lines(char *lines, size_t length);

__attribute__((import_module("subako_http"), import_name("request")))
int32_t subako_http_request(const uint8_t *ptr, int32_t len);
__attribute__((import_module("subako_http"), import_name("read_response")))
int32_t subako_http_read_response(uint8_t *ptr, int32_t len);

extern const char *id, *name, *result, *json, *request;
extern int id_length, count, rounds, fd;
extern size_t capacity, length, used;
extern ssize_t n;
extern off_t size;
extern FILE *f, *file;
extern char block[4096], text[4096];
extern uint8_t buffer[4096];
extern const uint8_t *first, *second;
extern int32_t first_length, second_length;

/* Calls of the C library that read or write `shared` on the program's behalf: the first argument
   names one, the second says whether another thread writes the first byte or one far behind, or
   whether the block was freed. The program is built for library_calls_test.py; without arguments it
   prints the names. */
#define _GNU_SOURCE
#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <wchar.h>

enum { room = 512, far_away = 256 };

static char* shared;   /* "12 " and more of it, up to a zero at 8 */
static wchar_t* wide;  /* the same memory */
static char own[room]; /* the calling thread's */
static wchar_t wide_own[room / 4];
static volatile long result;
static char* rest;

static int compare(const void* one, const void* other) {
  return *(const char*)one - *(const char*)other;
}
static int open_file(void) { return open("library_calls.txt", O_RDWR); }
static FILE* stream(void) { return fopen("library_calls.txt", "r+"); }
static int print(char* to, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(to, 16, format, arguments);
  va_end(arguments);
  return length;
}

#define KEEP(value) result = (long)(value)
#define CALLS(CALL)                                                       \
  CALL(memcpy_from, memcpy(own, shared, 24))                              \
  CALL(memcpy_to, memcpy(shared, own, 24))                                \
  CALL(builtin_memcpy, __builtin_memcpy(shared, own, 40))                 \
  CALL(builtin_memset, __builtin_memset(shared, 1, 40))                   \
  CALL(builtin_memmove, __builtin_memmove(shared, own, 40))               \
  CALL(builtin_memcmp, KEEP(__builtin_memcmp(shared, own, 16) == 0))      \
  CALL(memmove, memmove(shared, own, 9))                                  \
  CALL(memset, memset(shared, 0, 16))                                     \
  CALL(mempcpy, KEEP(mempcpy(shared, own, 24)))                           \
  CALL(memccpy, KEEP(memccpy(own, shared, '2', 24)))                      \
  CALL(bcopy_from, bcopy(shared, own, 24))                                \
  CALL(bcopy_to, bcopy(own, shared, 24))                                  \
  CALL(bzero, bzero(shared, 24))                                          \
  CALL(explicit_bzero, explicit_bzero(shared, 24))                        \
  CALL(memcmp, KEEP(memcmp(shared, own, 8)))                              \
  CALL(bcmp, KEEP(bcmp(shared, own, 16)))                                 \
  CALL(memchr, KEEP(memchr(shared, '2', 100)))                            \
  CALL(memrchr, KEEP(memrchr(shared, '1', 16)))                           \
  CALL(rawmemchr, KEEP(rawmemchr(shared, '2')))                           \
  CALL(memmem, KEEP(memmem(shared, 16, "2 ", 2)))                         \
  CALL(strlen, KEEP(strlen(shared)))                                      \
  CALL(strnlen, KEEP(strnlen(shared, 5)))                                 \
  CALL(strcpy_from, KEEP(strcpy(own, shared)))                            \
  CALL(strcpy_to, KEEP(strcpy(shared, own)))                              \
  CALL(strncpy, KEEP(strncpy(shared, own, 12)))                           \
  CALL(stpcpy_from, KEEP(stpcpy(own, shared)))                            \
  CALL(stpcpy_to, KEEP(stpcpy(shared, own)))                              \
  CALL(stpncpy, KEEP(stpncpy(shared, own, 12)))                           \
  CALL(strcat, KEEP(strcat(shared, own)))                                 \
  CALL(strncat, KEEP(strncat(own, shared, 4)))                            \
  CALL(strcmp, KEEP(strcmp(shared, own)))                                 \
  CALL(strncmp, KEEP(strncmp(shared, own, 4)))                            \
  CALL(strcasecmp, KEEP(strcasecmp(shared, own)))                         \
  CALL(strncasecmp, KEEP(strncasecmp(own, shared, 4)))                    \
  CALL(strcoll, KEEP(strcoll(own, shared)))                               \
  CALL(strdup, (rest = strdup(shared), free(rest)))                       \
  CALL(strndup, (rest = strndup(shared, 3), free(rest)))                  \
  CALL(strchr, KEEP(strchr(shared, '2')))                                 \
  CALL(strchr_end, KEEP(strchr(shared, 0)))                               \
  CALL(strchrnul, KEEP(strchrnul(shared, 'x')))                           \
  CALL(index, KEEP(index(shared, 'x')))                                   \
  CALL(strrchr, KEEP(strrchr(shared, '1')))                               \
  CALL(rindex, KEEP(rindex(shared, '1')))                                 \
  CALL(strstr, KEEP(strstr(shared, "2 ")))                                \
  CALL(strstr_in, KEEP(strstr("abc", shared)))                            \
  CALL(strcasestr, KEEP(strcasestr(shared, "zz")))                        \
  CALL(strspn, KEEP(strspn(shared, "12")))                                \
  CALL(strcspn, KEEP(strcspn(shared, " ")))                               \
  CALL(strpbrk, KEEP(strpbrk(shared, " ")))                               \
  CALL(strtok, KEEP(strtok(shared, " ")))                                 \
  CALL(strtok_r, KEEP(strtok_r(shared, " ", &rest)))                      \
  CALL(strsep, (rest = shared, KEEP(strsep(&rest, " "))))                 \
  CALL(strtol, KEEP(strtol(shared, &rest, 10)))                           \
  CALL(strtoul, KEEP(strtoul(shared, 0, 10)))                             \
  CALL(strtoll, KEEP(strtoll(shared, 0, 16)))                             \
  CALL(strtoull, KEEP(strtoull(shared, 0, 0)))                            \
  CALL(strtoimax, KEEP(strtoimax(shared, 0, 0)))                          \
  CALL(strtod, KEEP(strtod(shared, 0)))                                   \
  CALL(strtof, KEEP(strtof(shared, 0)))                                   \
  CALL(strtold, KEEP(strtold(shared, 0)))                                 \
  CALL(atoi, KEEP(atoi(shared)))                                          \
  CALL(atol, KEEP(atol(shared)))                                          \
  CALL(atoll, KEEP(atoll(shared)))                                        \
  CALL(atof, KEEP(atof(shared)))                                          \
  CALL(qsort, qsort(shared, 8, 1, compare))                               \
  CALL(printf, printf("%d %s\n", 1, shared))                              \
  CALL(printf_precision, printf("%5.1f%*d%.*s%%", 1.0, 3, 4, 2, shared))  \
  CALL(printf_puts, printf("%s\n", shared))                               \
  CALL(fprintf, fprintf(stderr, "%Lf%lx%s", 1.0L, 2L, shared))            \
  CALL(dprintf, dprintf(2, "%c%p%s", 'c', (void*)own, shared))            \
  CALL(snprintf_from, snprintf(own, 16, "%zu%s", sizeof own, shared))     \
  CALL(snprintf_to, snprintf(shared, 16, "%s", own))                      \
  CALL(sprintf, sprintf(shared, "%d", 7))                                 \
  CALL(vsnprintf, print(own, "%hhd%s", 1, shared))                        \
  CALL(asprintf, (KEEP(asprintf(&rest, "%s", shared)), free(rest)))       \
  CALL(sscanf_from, KEEP(sscanf(shared, "%s", own)))                      \
  CALL(sscanf_to, KEEP(sscanf("a b", "%*s %s", shared)))                  \
  CALL(sscanf_number, KEEP(sscanf("7 8", "%*d %d", (int*)(void*)shared))) \
  CALL(puts, KEEP(puts(shared)))                                          \
  CALL(fputs, KEEP(fputs(shared, stderr)))                                \
  CALL(fwrite, KEEP(fwrite(shared, 1, 8, stderr)))                        \
  CALL(write, KEEP(write(2, shared, 8)))                                  \
  CALL(pwrite, KEEP(pwrite(open_file(), shared, 8, 0)))                   \
  CALL(read, KEEP(read(open_file(), shared, 8)))                          \
  CALL(pread, KEEP(pread(open_file(), shared, 8, 0)))                     \
  CALL(fread, KEEP(fread(shared, 1, 8, stream())))                        \
  CALL(fgets, KEEP(fgets(shared, 16, stream())))                          \
  CALL(fscanf, KEEP(fscanf(stream(), "%7s", shared)))                     \
  CALL(wcslen, KEEP(wcslen(wide)))                                        \
  CALL(wcscpy, KEEP(wcscpy(wide_own, wide)))                              \
  CALL(wcsncpy, KEEP(wcsncpy(wide, wide_own, 4)))                         \
  CALL(wcscat, KEEP(wcscat(wide_own, wide)))                              \
  CALL(wcscmp, KEEP(wcscmp(wide, wide_own)))                              \
  CALL(wcsncmp, KEEP(wcsncmp(wide, wide_own, 3)))                         \
  CALL(wcschr, KEEP(wcschr(wide, L'x')))                                  \
  CALL(wcsrchr, KEEP(wcsrchr(wide, L'x')))                                \
  CALL(wcsstr, KEEP(wcsstr(wide, L"xy")))                                 \
  CALL(wcsdup, free(wcsdup(wide)))                                        \
  CALL(wmemcpy, KEEP(wmemcpy(wide_own, wide, 3)))                         \
  CALL(wmemmove, KEEP(wmemmove(wide, wide_own, 3)))                       \
  CALL(wmemset, KEEP(wmemset(wide, L'a', 3)))                             \
  CALL(wmemcmp, KEEP(wmemcmp(wide, wide_own, 3)))                         \
  CALL(wmemchr, KEEP(wmemchr(wide, L'a', 3)))

#define DEFINE(name, call) \
  static void call_##name(void) { call; }
CALLS(DEFINE)

static const struct {
  const char* name;
  void (*call)(void);
} calls[] = {
#define ENTRY(name, call) {#name, call_##name},
    CALLS(ENTRY)};
enum { count = sizeof calls / sizeof *calls };

static size_t chosen;

static void* body(void* unused) {
  calls[chosen].call();
  return unused;
}

int main(int argc, char** argv) {
  pthread_t thread;
  if (argc < 3) {
    for (size_t i = 0; i < count; ++i) puts(calls[i].name);
    return 0;
  }
  while (chosen < count && strcmp(calls[chosen].name, argv[1]) != 0) ++chosen;
  shared = malloc(room);
  wide = (wchar_t*)(void*)shared;
  memset(shared, 0, room);
  memset(own, 0, sizeof own);
  if (argv[1][0] == 'w' && argv[1][1] != 'r') {
    wcscpy(wide, L"12 34");
    wcscpy(wide_own, L"12 34");
  } else {
    strcpy(shared, "12 34567");
    strcpy(own, "12 34567");
  }
  if (strcmp(argv[2], "freed") == 0) free(shared);
  pthread_create(&thread, 0, body, 0);
  if (strcmp(argv[2], "near") == 0) shared[0] = 1;
  if (strcmp(argv[2], "far") == 0) shared[far_away] = 1;
  pthread_join(thread, 0);
  return 0;
}

/* What the dynamic linker is kept from calling before main, for the engine, which calls it instead
 * in every execution (first.c). In C, as it is on both sides. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*mazurka_initializer)(int, char**, char**);

/* The functions of one object, as they stood in its file. */
struct mazurka_put_off {
  const char* name;
  uintptr_t base;
  mazurka_initializer init;   /* DT_INIT; may be null */
  mazurka_initializer* array; /* DT_INIT_ARRAY; of the program: DT_PREINIT_ARRAY */
  size_t count;
};

enum { mazurka_most_put_off = 256 };

struct mazurka_first {
  struct mazurka_put_off program;
  struct mazurka_put_off libraries[mazurka_most_put_off];
  size_t put_off;
  unsigned begun[mazurka_most_put_off]; /* in the order in which the dynamic linker came to them */
  size_t begun_count;
  int too_many; /* there are more libraries than that */
};

__attribute__((visibility("default"))) extern struct mazurka_first mazurka_first;

#ifdef __cplusplus
}
#endif

/* Comes before everything else in the process, and keeps what the program and its libraries have
 * before main from being called.
 *
 * This is a library of its own, marked so that the dynamic linker calls its constructor first,
 * before those of any other library and before DT_PREINIT_ARRAY. It walks over all that is loaded.
 * What the engine itself needs (the C library, the C++ library) is left alone. Of every other
 * library it keeps the functions of DT_INIT and DT_INIT_ARRAY and puts others in their place, which
 * only note that the dynamic linker has come to that library: so it is the dynamic linker that says
 * in which order libraries begin, and nothing of how it works is relied upon. Those of the
 * executable are left out by another way (start.cpp), but for its DT_PREINIT_ARRAY.
 *
 * At this time no constructor has run, not even that of the C library. So nothing of it is used but
 * what it offers to itself. */
#define _GNU_SOURCE
#include "programs/threads/runtime/first.h"

#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>

void* __libc_malloc(size_t size);

struct mazurka_first mazurka_first;

typedef ElfW(Dyn) entry;

enum { most_objects = 1024 };

static struct object {
  const char* path;
  const char* name;
  uintptr_t base;
  uintptr_t read_only_begin, read_only_end; /* after relocation */
  entry* dynamic;
  int once; /* the engine needs it: what it does before main is done once, as ever */
} objects[most_objects];
static size_t object_count;

/* Not mprotect(), which may be the program's. */
static void protect(const struct object* one, long how) {
  const long size = (long)(one->read_only_end - one->read_only_begin);
#if defined(__aarch64__)
  register long x8 __asm__("x8") = SYS_mprotect;
  register long x0 __asm__("x0") = (long)one->read_only_begin;
  register long x1 __asm__("x1") = size;
  register long x2 __asm__("x2") = how;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
#else
  long result = SYS_mprotect;
  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(one->read_only_begin), "S"(size), "d"(how)
                   : "rcx", "r11", "memory");
#endif
}

static int begins(const char* text, const char* with) {
  while (*with != 0 && *text == *with) ++text, ++with;
  return *with == 0;
}

static int same(const char* one, const char* other) {
  while (*one != 0 && *one == *other) ++one, ++other;
  return *one == *other;
}

static const char* last_part(const char* path) {
  const char* name = path;
  for (; *path != 0; ++path) {
    if (*path == '/') name = path + 1;
  }
  return name;
}

static entry* find(entry* dynamic, long tag) {
  for (; dynamic != NULL && dynamic->d_tag != DT_NULL; ++dynamic) {
    if (dynamic->d_tag == tag) return dynamic;
  }
  return NULL;
}

static size_t value_of(entry* dynamic, long tag) {
  const entry* one = find(dynamic, tag);
  return one == NULL ? 0 : one->d_un.d_val;
}

/* Names in the dynamic section; the dynamic linker has made the table's address one of memory. */
static const char* string_of(const struct object* one, size_t offset) {
  uintptr_t table = value_of(one->dynamic, DT_STRTAB);
  if (table < one->base) table += one->base;
  return (const char*)(table + offset);
}

static int take_in(struct dl_phdr_info* info, size_t size, void* ignored) {
  (void)size;
  (void)ignored;
  if (object_count == most_objects) {
    mazurka_first.too_many = 1;
    return 1;
  }
  const uintptr_t within_page = getauxval(AT_PAGESZ) - 1;
  struct object* one = &objects[object_count++];
  one->path = info->dlpi_name == NULL ? "" : info->dlpi_name;
  one->name = last_part(one->path);
  one->base = info->dlpi_addr;
  for (int at = 0; at < info->dlpi_phnum; ++at) {
    const ElfW(Phdr)* header = &info->dlpi_phdr[at];
    const uintptr_t begin = info->dlpi_addr + header->p_vaddr;
    if (header->p_type == PT_DYNAMIC) one->dynamic = (entry*)begin;
    if (header->p_type == PT_GNU_RELRO) {
      one->read_only_begin = begin & ~within_page;
      one->read_only_end = (begin + header->p_memsz) & ~within_page;
    }
  }
  return 0;
}

static int is_called(const struct object* one, const char* name) {
  if (same(one->name, name)) return 1;
  const entry* own = find(one->dynamic, DT_SONAME);
  return own != NULL && same(string_of(one, own->d_un.d_val), name);
}

/* It and all that it needs. */
static void leave_alone(struct object* one) {
  if (one->once) return;
  one->once = 1;
  for (const entry* needed = one->dynamic; needed != NULL && needed->d_tag != DT_NULL; ++needed) {
    if (needed->d_tag != DT_NEEDED) continue;
    const char* name = string_of(one, needed->d_un.d_val);
    for (size_t at = 0; at < object_count; ++at) {
      if (is_called(&objects[at], name)) leave_alone(&objects[at]);
    }
  }
}

/* Ours, and what belongs to the C library and the kernel although nothing of ours may need it. */
static int is_of_system(const char* name) {
  static const char* const all[] = {"libmazurka", "libc.so", "libc-",      "ld-",     "ld.so",
                                    "libpthread", "libdl.",  "linux-vdso", "libm.so", "librt."};
  for (size_t at = 0; at < sizeof all / sizeof *all; ++at) {
    if (begins(name, all[at])) return 1;
  }
  return 0;
}

/* The dynamic linker has come to this one. */
static void note(unsigned number) {
  struct mazurka_first* all = &mazurka_first;
  if (all->begun_count > 0 && all->begun[all->begun_count - 1] == number) return;
  if (all->begun_count < mazurka_most_put_off) all->begun[all->begun_count++] = number;
}

/* A function for each number: what calls it does not say for whom. */
#define NOTE(high, low)                                               \
  static void note_##high##low(int count, char** words, char** set) { \
    (void)count, (void)words, (void)set;                              \
    note(0x##high##low);                                              \
  }
#define ENTRY(high, low) note_##high##low,
/* clang-format off */
#define ROW(each, h)                                                       \
  each(h, 0) each(h, 1) each(h, 2) each(h, 3) each(h, 4) each(h, 5)        \
  each(h, 6) each(h, 7) each(h, 8) each(h, 9) each(h, a) each(h, b)        \
  each(h, c) each(h, d) each(h, e) each(h, f)
#define ALL(each)                                                          \
  ROW(each, 0) ROW(each, 1) ROW(each, 2) ROW(each, 3) ROW(each, 4)         \
  ROW(each, 5) ROW(each, 6) ROW(each, 7) ROW(each, 8) ROW(each, 9)         \
  ROW(each, a) ROW(each, b) ROW(each, c) ROW(each, d) ROW(each, e)         \
  ROW(each, f)
/* clang-format on */
ALL(NOTE)
static const mazurka_initializer notes[mazurka_most_put_off] = {ALL(ENTRY)};

static void nothing(int count, char** words, char** set) { (void)count, (void)words, (void)set; }

/* Keeps the functions of the array and has the linker call others: the first one, then nothing. */
static void put_off_array(const struct object* one, struct mazurka_put_off* kept, long tag,
                          long size_tag, mazurka_initializer first) {
  const entry* where = find(one->dynamic, tag);
  const size_t count = value_of(one->dynamic, size_tag) / sizeof(mazurka_initializer);
  if (where == NULL || count == 0) return;
  mazurka_initializer* array = (mazurka_initializer*)(one->base + where->d_un.d_ptr);
  kept->array = (mazurka_initializer*)__libc_malloc(count * sizeof *array);
  if (kept->array == NULL) __builtin_trap();
  kept->count = count;
  for (size_t at = 0; at < count; ++at) {
    kept->array[at] = array[at];
    array[at] = at == 0 ? first : nothing;
  }
}

static void put_off_library(const struct object* one) {
  entry* init = find(one->dynamic, DT_INIT);
  if (init == NULL && value_of(one->dynamic, DT_INIT_ARRAYSZ) == 0 &&
      value_of(one->dynamic, DT_FINI_ARRAYSZ) == 0) {
    return;
  }
  if (mazurka_first.put_off == mazurka_most_put_off) {
    mazurka_first.too_many = 1;
    return;
  }
  const mazurka_initializer first = notes[mazurka_first.put_off];
  struct mazurka_put_off* kept = &mazurka_first.libraries[mazurka_first.put_off++];
  kept->name = one->name;
  kept->base = one->base;
  if (init != NULL) {
    kept->init = (mazurka_initializer)(one->base + init->d_un.d_ptr);
    init->d_un.d_ptr = (uintptr_t)first - one->base;
  }
  put_off_array(one, kept, DT_INIT_ARRAY, DT_INIT_ARRAYSZ, first);
  if (init == NULL && kept->count == 0) first(0, NULL, NULL); /* has an end, but no beginning */
}

__attribute__((constructor)) static void come_first(void) {
  dl_iterate_phdr(take_in, NULL);
  for (size_t at = 0; at < object_count; ++at) {
    if (is_of_system(objects[at].name)) leave_alone(&objects[at]);
  }
  for (size_t at = 0; at < object_count; ++at) {
    const struct object* one = &objects[at];
    if (one->once) continue;
    protect(one, PROT_READ | PROT_WRITE);
    if (*one->path == 0) {
      put_off_array(one, &mazurka_first.program, DT_PREINIT_ARRAY, DT_PREINIT_ARRAYSZ, nothing);
    } else {
      put_off_library(one);
    }
    protect(one, PROT_READ);
  }
}

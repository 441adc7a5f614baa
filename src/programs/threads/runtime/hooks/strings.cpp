// Functions of the C library that read and write strings and memory for the program (teller.hpp).
#include <stdlib.h>

#include <cstring>

#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/machine/library_state.hpp"
#include "programs/threads/runtime/teller.hpp"

using mazurka::threads::native;
using mazurka::threads::Teller;

namespace {

std::size_t length_of(const char* text) { return native().strlen(text); }

// How far two strings are looked at: up to the first difference.
template <typename Same>
std::size_t compared(const char* one, const char* other, std::size_t most, Same&& same) {
  std::size_t at = 0;
  while (at < most && same(one[at], other[at]) && one[at] != 0) ++at;
  return std::min(most, at + 1);
}
bool equal(char one, char other) { return one == other; }
// As in the C locale; others only differ in letters beyond ASCII, and in how far is looked there.
bool equal_letters(char one, char other) {
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return small(one) == small(other);
}

void read_both(const Teller& teller, const void* one, const void* other, std::size_t size) {
  teller.read(one, size);
  teller.read(other, size);
}

char* duplicate(const char* text, std::size_t most = ~std::size_t{0}) {
  const Teller teller;
  teller.read_text(text, most);
  const std::size_t length = Teller::length(text, most);
  auto* copy = static_cast<char*>(malloc(length + 1));
  if (copy == nullptr) return nullptr;
  teller.write(copy, length + 1);
  std::memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

// Where a search ended: at what it found, or at the end of the text.
const char* end_of_search(const char* text, const char* found) {
  return found != nullptr ? found : text + length_of(text);
}

}  // namespace

MAZURKA_FAR_HOOK(std::size_t, strlen, const char* text) {
  Teller{}.read_text(text);
  return length_of(text);
}
MAZURKA_FAR_HOOK(std::size_t, strnlen, const char* text, std::size_t most) {
  Teller{}.read_text(text, most);
  return Teller::length(text, most);
}

// --- copies --------------------------------------------------------------------------------------

#define MAZURKA_COPY_OF_STRING(name)                            \
  MAZURKA_FAR_HOOK(char*, name, char* to, const char* from) {   \
    MAZURKA_OWN(char*, name, char*, const char*);               \
    const Teller teller;                                        \
    teller.read_text(from);                                     \
    if (teller.counts()) teller.write(to, length_of(from) + 1); \
    return own(to, from);                                       \
  }
#define MAZURKA_COPY_OF_SO_MANY(name)                                           \
  MAZURKA_FAR_HOOK(char*, name, char* to, const char* from, std::size_t size) { \
    MAZURKA_OWN(char*, name, char*, const char*, std::size_t);                  \
    const Teller teller;                                                        \
    teller.read_text(from, size);                                               \
    teller.write(to, size);                                                     \
    return own(to, from, size);                                                 \
  }
MAZURKA_COPY_OF_STRING(strcpy)
MAZURKA_COPY_OF_STRING(stpcpy)
MAZURKA_COPY_OF_SO_MANY(strncpy)
MAZURKA_COPY_OF_SO_MANY(stpncpy)

MAZURKA_FAR_HOOK(char*, strcat, char* to, const char* from) {
  const Teller teller;
  teller.read_text(to);
  teller.read_text(from);
  if (teller.counts()) teller.write(to + length_of(to), length_of(from) + 1);
  return native().strcat(to, from);
}
MAZURKA_FAR_HOOK(char*, strncat, char* to, const char* from, std::size_t most) {
  const Teller teller;
  teller.read_text(to);
  teller.read_text(from, most);
  if (teller.counts()) teller.write(to + length_of(to), Teller::length(from, most) + 1);
  return native().strncat(to, from, most);
}
// Their own would be allocated by the C library, at another address in every execution.
MAZURKA_FAR_HOOK(char*, strdup, const char* text) { return duplicate(text); }
MAZURKA_FAR_HOOK(char*, strndup, const char* text, std::size_t most) {
  return duplicate(text, most);
}
MAZURKA_FAR_HOOK(void*, mempcpy, void* to, const void* from, std::size_t size) {
  MAZURKA_OWN(void*, mempcpy, void*, const void*, std::size_t);
  const Teller teller;
  teller.read(from, size);
  teller.write(to, size);
  return own(to, from, size);
}
MAZURKA_FAR_HOOK(void*, memccpy, void* to, const void* from, int last, std::size_t size) {
  MAZURKA_OWN(void*, memccpy, void*, const void*, int, std::size_t);
  const Teller teller;
  if (teller.counts()) {
    const auto* bytes = static_cast<const unsigned char*>(from);
    std::size_t copied = 0;
    while (copied < size && bytes[copied++] != static_cast<unsigned char>(last)) {
    }
    teller.read(from, copied);
    teller.write(to, copied);
  }
  return own(to, from, last, size);
}
MAZURKA_FAR_HOOK(void, bcopy, const void* from, void* to, std::size_t size) {
  const Teller teller;
  teller.read(from, size);
  teller.write(to, size);
  MAZURKA_OWN(void, bcopy, const void*, void*, std::size_t);
  own(from, to, size);
}
MAZURKA_FAR_HOOK(void, bzero, void* to, std::size_t size) {
  MAZURKA_OWN(void, bzero, void*, std::size_t);
  Teller{}.write(to, size);
  own(to, size);
}
MAZURKA_FAR_HOOK(void, explicit_bzero, void* to, std::size_t size) {
  MAZURKA_OWN(void, explicit_bzero, void*, std::size_t);
  Teller{}.write(to, size);
  own(to, size);
}

// --- comparisons ---------------------------------------------------------------------------------

#define MAZURKA_COMPARISON(name, same)                                             \
  MAZURKA_FAR_HOOK(int, name, const char* one, const char* other) {                \
    MAZURKA_OWN(int, name, const char*, const char*);                              \
    const Teller teller;                                                           \
    if (teller.counts())                                                           \
      read_both(teller, one, other, compared(one, other, Teller::no_limit, same)); \
    return own(one, other);                                                        \
  }
#define MAZURKA_COMPARISON_OF_SO_MANY(name, same)                                         \
  MAZURKA_FAR_HOOK(int, name, const char* one, const char* other, std::size_t most) {     \
    MAZURKA_OWN(int, name, const char*, const char*, std::size_t);                        \
    const Teller teller;                                                                  \
    if (teller.counts()) read_both(teller, one, other, compared(one, other, most, same)); \
    return own(one, other, most);                                                         \
  }
#define MAZURKA_COMPARISON_OF_MEMORY(name)                                            \
  MAZURKA_FAR_HOOK(int, name, const void* one, const void* other, std::size_t size) { \
    MAZURKA_OWN(int, name, const void*, const void*, std::size_t);                    \
    read_both(Teller{}, one, other, size);                                            \
    return own(one, other, size);                                                     \
  }
MAZURKA_COMPARISON(strcmp, equal)
MAZURKA_COMPARISON(strcasecmp, equal_letters)
MAZURKA_COMPARISON_OF_SO_MANY(strncmp, equal)
MAZURKA_COMPARISON_OF_SO_MANY(strncasecmp, equal_letters)
MAZURKA_COMPARISON_OF_MEMORY(memcmp)
MAZURKA_COMPARISON_OF_MEMORY(bcmp)

MAZURKA_FAR_HOOK(int, strcoll, const char* one, const char* other) {
  MAZURKA_OWN(int, strcoll, const char*, const char*);
  const Teller teller;
  teller.read_text(one);
  teller.read_text(other);
  return own(one, other);
}

// --- searches ------------------------------------------------------------------------------------

#define MAZURKA_SEARCH_FOR_CHARACTER(name)                             \
  MAZURKA_FAR_HOOK(char*, name, const char* text, int wanted) {        \
    MAZURKA_OWN(char*, name, const char*, int);                        \
    const Teller teller;                                               \
    if (teller.counts()) {                                             \
      teller.read_up_to(text, end_of_search(text, own(text, wanted))); \
    }                                                                  \
    return own(text, wanted);                                          \
  }
#define MAZURKA_SEARCH_FOR_LAST(name)                           \
  MAZURKA_FAR_HOOK(char*, name, const char* text, int wanted) { \
    MAZURKA_OWN(char*, name, const char*, int);                 \
    Teller{}.read_text(text);                                   \
    return own(text, wanted);                                   \
  }
#define MAZURKA_SEARCH_FOR_STRING(name)                                 \
  MAZURKA_FAR_HOOK(char*, name, const char* text, const char* wanted) { \
    MAZURKA_OWN(char*, name, const char*, const char*);                 \
    const Teller teller;                                                \
    teller.read_text(wanted);                                           \
    if (teller.counts()) {                                              \
      const char* found = own(text, wanted);                            \
      if (found == nullptr) teller.read_text(text);                     \
      if (found != nullptr) {                                           \
        const auto before = static_cast<std::size_t>(found - text);     \
        teller.read(text, before + length_of(wanted));                  \
      }                                                                 \
    }                                                                   \
    return own(text, wanted);                                           \
  }
#define MAZURKA_SPAN(name)                                                 \
  MAZURKA_FAR_HOOK(std::size_t, name, const char* text, const char* set) { \
    MAZURKA_OWN(std::size_t, name, const char*, const char*);              \
    const Teller teller;                                                   \
    teller.read_text(set);                                                 \
    if (teller.counts()) teller.read_up_to(text, text + own(text, set));   \
    return own(text, set);                                                 \
  }
MAZURKA_SEARCH_FOR_CHARACTER(strchr)
MAZURKA_SEARCH_FOR_CHARACTER(strchrnul)
MAZURKA_SEARCH_FOR_CHARACTER(index)
MAZURKA_SEARCH_FOR_LAST(strrchr)
MAZURKA_SEARCH_FOR_LAST(rindex)
MAZURKA_SEARCH_FOR_STRING(strstr)
MAZURKA_SEARCH_FOR_STRING(strcasestr)
MAZURKA_SPAN(strspn)
MAZURKA_SPAN(strcspn)

MAZURKA_FAR_HOOK(char*, strpbrk, const char* text, const char* set) {
  MAZURKA_OWN(char*, strpbrk, const char*, const char*);
  const Teller teller;
  teller.read_text(set);
  if (teller.counts()) teller.read_up_to(text, end_of_search(text, own(text, set)));
  return own(text, set);
}
MAZURKA_FAR_HOOK(void*, memchr, const void* bytes, int wanted, std::size_t size) {
  MAZURKA_OWN(void*, memchr, const void*, int, std::size_t);
  const Teller teller;
  if (teller.counts()) {
    const void* found = own(bytes, wanted, size);
    teller.read(bytes, found == nullptr
                           ? size
                           : static_cast<std::size_t>(static_cast<const char*>(found) + 1 -
                                                      static_cast<const char*>(bytes)));
  }
  return own(bytes, wanted, size);
}
MAZURKA_FAR_HOOK(void*, rawmemchr, const void* bytes, int wanted) {
  MAZURKA_OWN(void*, rawmemchr, const void*, int);
  const Teller teller;
  if (teller.counts()) {
    teller.read_up_to(static_cast<const char*>(bytes),
                      static_cast<const char*>(own(bytes, wanted)));
  }
  return own(bytes, wanted);
}
MAZURKA_FAR_HOOK(void*, memrchr, const void* bytes, int wanted, std::size_t size) {
  MAZURKA_OWN(void*, memrchr, const void*, int, std::size_t);
  Teller{}.read(bytes, size);
  return own(bytes, wanted, size);
}
MAZURKA_FAR_HOOK(void*, memmem, const void* bytes, std::size_t size, const void* wanted,
                 std::size_t length) {
  MAZURKA_OWN(void*, memmem, const void*, std::size_t, const void*, std::size_t);
  const Teller teller;
  teller.read(wanted, length);
  teller.read(bytes, size);
  return own(bytes, size, wanted, length);
}

// --- words of a text -----------------------------------------------------------------------------

namespace {

// By hand: the program may have a strpbrk of its own.
const char* first_of(const char* text, const char* set, bool wanted) {
  while (*text != 0) {
    const char* one = set;
    while (*one != 0 && *one != *text) ++one;
    if ((*one != 0) == wanted) return text;
    ++text;
  }
  return text;
}

// Reads the text, writes a zero behind the word, and remembers where it was.
void tell_words(const Teller& teller, const char* text, const char* separators, char** place) {
  if (text == nullptr) {
    teller.read(place, sizeof *place);
    text = *place;
  }
  teller.write(place, sizeof *place);
  teller.read_text(separators);
  if (text == nullptr) return;
  const char* end = first_of(first_of(text, separators, false), separators, true);
  teller.read_up_to(text, end);
  if (*end != 0) teller.write(end, 1);
}

}  // namespace

MAZURKA_FAR_HOOK(char*, strtok_r, char* text, const char* separators, char** place) {
  MAZURKA_OWN(char*, strtok_r, char*, const char*, char**);
  const Teller teller;
  if (teller.counts()) tell_words(teller, text, separators, place);
  return own(text, separators, place);
}
// One place for the whole program, or rank, which belongs to its state: its threads race for it.
MAZURKA_FAR_HOOK(char*, strtok, char* text, const char* separators) {
  MAZURKA_OWN(char*, strtok_r, char*, const char*, char**);
  using namespace mazurka::threads;
  const std::int32_t rank = scheduled() ? runtime->current().rank : -1;
  char** place = rank < 0 ? &place_of_strtok : &library_state(rank).strtok;
  const Teller teller;
  if (teller.counts()) tell_words(teller, text, separators, place);
  return own(text, separators, place);
}
MAZURKA_FAR_HOOK(char*, strsep, char** place, const char* separators) {
  MAZURKA_OWN(char*, strsep, char**, const char*);
  const Teller teller;
  if (teller.counts()) {
    teller.read(place, sizeof *place);
    teller.write(place, sizeof *place);
    teller.read_text(separators);
    if (*place != nullptr) {
      const char* end = first_of(*place, separators, true);
      teller.read_up_to(static_cast<const char*>(*place), end);
      if (*end != 0) teller.write(end, 1);
    }
  }
  return own(place, separators);
}

// --- numbers in a text ---------------------------------------------------------------------------

namespace {

template <typename Number, typename... Base>
Number number_in(Number (*own)(const char*, char**, Base...), const char* text, char** end,
                 Base... base) {
  const Teller teller;
  if (teller.counts()) {
    char* stop = nullptr;
    (void)own(text, &stop, base...);
    teller.read_up_to(text, static_cast<const char*>(stop));
    if (end != nullptr) teller.write(end, sizeof *end);
  }
  return own(text, end, base...);
}

}  // namespace

#define MAZURKA_INTEGER(name, from, type)                                \
  MAZURKA_FAR_HOOK(type, name, const char* text, char** end, int base) { \
    MAZURKA_OWN(type, from, const char*, char**, int);                   \
    return number_in(own, text, end, base);                              \
  }
#define MAZURKA_INTEGERS(name, type) \
  MAZURKA_INTEGER(name, name, type)  \
  MAZURKA_INTEGER(__isoc23_##name, name, type)  // as newer headers call it
#define MAZURKA_REAL(name, type)                               \
  MAZURKA_FAR_HOOK(type, name, const char* text, char** end) { \
    MAZURKA_OWN(type, name, const char*, char**);              \
    return number_in(own, text, end);                          \
  }
#define MAZURKA_SHORT_INTEGER(name, from, type)                                       \
  MAZURKA_FAR_HOOK(type, name, const char* text) {                                    \
    MAZURKA_OWN(long long, from, const char*, char**, int);                           \
    return static_cast<type>(number_in(own, text, static_cast<char**>(nullptr), 10)); \
  }
MAZURKA_INTEGERS(strtol, long)
MAZURKA_INTEGERS(strtoul, unsigned long)
MAZURKA_INTEGERS(strtoll, long long)
MAZURKA_INTEGERS(strtoull, unsigned long long)
MAZURKA_INTEGERS(strtoimax, long)
MAZURKA_INTEGERS(strtoumax, unsigned long)
MAZURKA_REAL(strtod, double)
MAZURKA_REAL(strtof, float)
MAZURKA_REAL(strtold, long double)
MAZURKA_SHORT_INTEGER(atoi, strtoll, int)
MAZURKA_SHORT_INTEGER(atol, strtoll, long)
MAZURKA_SHORT_INTEGER(atoll, strtoll, long long)
MAZURKA_FAR_HOOK(double, atof, const char* text) {
  MAZURKA_OWN(double, strtod, const char*, char**);
  return number_in(own, text, static_cast<char**>(nullptr));
}

// --- sorting -------------------------------------------------------------------------------------

// What is compared is told by the program's own function; that things move is not.
MAZURKA_FAR_HOOK(void, qsort, void* base, std::size_t count, std::size_t size,
                 int (*compare)(const void*, const void*)) {
  MAZURKA_OWN(void, qsort, void*, std::size_t, std::size_t, int (*)(const void*, const void*));
  if (count > 1) Teller{}.write(base, count * size);
  own(base, count, size, compare);
}

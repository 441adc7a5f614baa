// The C library's functions on strings of wide characters (teller.hpp).
#include <stdlib.h>
#include <wchar.h>

#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/teller.hpp"

using mazurka::threads::Teller;

namespace {

std::size_t length_of(const wchar_t* text) { return Teller::length(text, Teller::no_limit); }

std::size_t bytes(std::size_t characters) { return characters * sizeof(wchar_t); }

void tell_comparison(const Teller& teller, const wchar_t* one, const wchar_t* other,
                     std::size_t most) {
  if (!teller.counts()) return;
  std::size_t at = 0;
  while (at < most && one[at] == other[at] && one[at] != 0) ++at;
  at = std::min(most, at + 1);
  teller.read(one, bytes(at));
  teller.read(other, bytes(at));
}

}  // namespace

MAZURKA_FAR_HOOK(std::size_t, wcslen, const wchar_t* text) {
  Teller{}.read_text(text);
  return length_of(text);
}
MAZURKA_FAR_HOOK(std::size_t, wcsnlen, const wchar_t* text, std::size_t most) {
  Teller{}.read_text(text, most);
  return Teller::length(text, most);
}

#define MAZURKA_WIDE_COPY(name)                                        \
  MAZURKA_FAR_HOOK(wchar_t*, name, wchar_t* to, const wchar_t* from) { \
    MAZURKA_OWN(wchar_t*, name, wchar_t*, const wchar_t*);             \
    const Teller teller;                                               \
    teller.read_text(from);                                            \
    if (teller.counts()) teller.write(to, bytes(length_of(from) + 1)); \
    return own(to, from);                                              \
  }
MAZURKA_WIDE_COPY(wcscpy)
MAZURKA_WIDE_COPY(wcpcpy)
MAZURKA_FAR_HOOK(wchar_t*, wcsncpy, wchar_t* to, const wchar_t* from, std::size_t size) {
  MAZURKA_OWN(wchar_t*, wcsncpy, wchar_t*, const wchar_t*, std::size_t);
  const Teller teller;
  teller.read_text(from, size);
  teller.write(to, bytes(size));
  return own(to, from, size);
}
MAZURKA_FAR_HOOK(wchar_t*, wcscat, wchar_t* to, const wchar_t* from) {
  MAZURKA_OWN(wchar_t*, wcscat, wchar_t*, const wchar_t*);
  const Teller teller;
  teller.read_text(to);
  teller.read_text(from);
  if (teller.counts()) teller.write(to + length_of(to), bytes(length_of(from) + 1));
  return own(to, from);
}
// Its own would be allocated by the C library, at another address in every execution.
MAZURKA_FAR_HOOK(wchar_t*, wcsdup, const wchar_t* text) {
  MAZURKA_OWN(wchar_t*, wcscpy, wchar_t*, const wchar_t*);
  const Teller teller;
  teller.read_text(text);
  const std::size_t size = bytes(length_of(text) + 1);
  auto* copy = static_cast<wchar_t*>(malloc(size));
  if (copy == nullptr) return nullptr;
  teller.write(copy, size);
  return own(copy, text);
}

#define MAZURKA_WIDE_BLOCK(name)                                                         \
  MAZURKA_FAR_HOOK(wchar_t*, name, wchar_t* to, const wchar_t* from, std::size_t size) { \
    MAZURKA_OWN(wchar_t*, name, wchar_t*, const wchar_t*, std::size_t);                  \
    const Teller teller;                                                                 \
    teller.read(from, bytes(size));                                                      \
    teller.write(to, bytes(size));                                                       \
    return own(to, from, size);                                                          \
  }
MAZURKA_WIDE_BLOCK(wmemcpy)
MAZURKA_WIDE_BLOCK(wmemmove)
MAZURKA_WIDE_BLOCK(wmempcpy)
MAZURKA_FAR_HOOK(wchar_t*, wmemset, wchar_t* to, wchar_t value, std::size_t size) {
  MAZURKA_OWN(wchar_t*, wmemset, wchar_t*, wchar_t, std::size_t);
  Teller{}.write(to, bytes(size));
  return own(to, value, size);
}

MAZURKA_FAR_HOOK(int, wcscmp, const wchar_t* one, const wchar_t* other) {
  MAZURKA_OWN(int, wcscmp, const wchar_t*, const wchar_t*);
  tell_comparison(Teller{}, one, other, Teller::no_limit);
  return own(one, other);
}
MAZURKA_FAR_HOOK(int, wcsncmp, const wchar_t* one, const wchar_t* other, std::size_t most) {
  MAZURKA_OWN(int, wcsncmp, const wchar_t*, const wchar_t*, std::size_t);
  tell_comparison(Teller{}, one, other, most);
  return own(one, other, most);
}
MAZURKA_FAR_HOOK(int, wmemcmp, const wchar_t* one, const wchar_t* other, std::size_t size) {
  MAZURKA_OWN(int, wmemcmp, const wchar_t*, const wchar_t*, std::size_t);
  const Teller teller;
  teller.read(one, bytes(size));
  teller.read(other, bytes(size));
  return own(one, other, size);
}

MAZURKA_FAR_HOOK(wchar_t*, wcschr, const wchar_t* text, wchar_t wanted) {
  MAZURKA_OWN(wchar_t*, wcschr, const wchar_t*, wchar_t);
  const Teller teller;
  if (teller.counts()) {
    const wchar_t* found = own(text, wanted);
    teller.read_up_to(text, found != nullptr ? found : text + length_of(text));
  }
  return own(text, wanted);
}
MAZURKA_FAR_HOOK(wchar_t*, wcsrchr, const wchar_t* text, wchar_t wanted) {
  MAZURKA_OWN(wchar_t*, wcsrchr, const wchar_t*, wchar_t);
  Teller{}.read_text(text);
  return own(text, wanted);
}
MAZURKA_FAR_HOOK(wchar_t*, wcsstr, const wchar_t* text, const wchar_t* wanted) {
  MAZURKA_OWN(wchar_t*, wcsstr, const wchar_t*, const wchar_t*);
  const Teller teller;
  teller.read_text(wanted);
  teller.read_text(text);
  return own(text, wanted);
}
MAZURKA_FAR_HOOK(wchar_t*, wmemchr, const wchar_t* text, wchar_t wanted, std::size_t size) {
  MAZURKA_OWN(wchar_t*, wmemchr, const wchar_t*, wchar_t, std::size_t);
  Teller{}.read(text, bytes(size));
  return own(text, wanted, size);
}

#include "programs/threads/runtime/format.hpp"

namespace mazurka::threads {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_one_of(char c, const char* set) {
  while (*set != 0 && *set != c) ++set;
  return c != 0 && *set == c;
}

int number(const char*& at) {
  int value = 0;
  while (is_digit(*at)) value = value * 10 + (*at++ - '0');
  return value;
}

Conversion::Length length(const char*& at) {
  using Length = Conversion::Length;
  switch (*at) {
    case 'h': return *++at == 'h' ? (++at, Length::hh) : Length::h;
    case 'l': return *++at == 'l' ? (++at, Length::ll) : Length::l;
    case 'q': ++at; return Length::ll;
    case 'j': ++at; return Length::j;
    case 'z':
    case 'Z': ++at; return Length::z;
    case 't': ++at; return Length::t;
    case 'L': ++at; return Length::upper_l;
    default: return Length::none;
  }
}

/// A set of characters in brackets: to what follows it.
const char* behind_set(const char* at) {
  if (*at == '^') ++at;
  if (*at == ']') ++at;
  while (*at != 0 && *at != ']') ++at;
  return *at == 0 ? at : at + 1;
}

std::size_t text_read(const Teller& teller, const Conversion& one, const void* text) {
  const std::size_t most =
      one.precision < 0 ? ~std::size_t{0} : static_cast<std::size_t>(one.precision);
  if (text == nullptr) return 0;
  if (one.wide()) {
    teller.read_text(static_cast<const wchar_t*>(text), most);
  } else {
    teller.read_text(static_cast<const char*>(text), most);
  }
  return 0;
}

}  // namespace

Conversion next_conversion(const char* format, bool scans) {
  Conversion one;
  const char* at = format;
  while (*at != 0 && !(at[0] == '%' && at[1] != '%')) at += at[0] == '%' ? 2 : 1;
  if (*at == 0) return one;
  ++at;
  if (!scans) {
    while (is_one_of(*at, "-+ #0'I")) ++at;
  }
  if (scans && *at == '*') one.suppressed = true, ++at;
  if (is_digit(*at)) {
    one.width = number(at);
    if (*at == '$') one.numbered = true, ++at;
  } else if (*at == '*') {
    one.width = -2, ++at;
    if (is_digit(*at)) one.numbered = true;
  }
  if (*at == '.') {
    ++at;
    if (*at == '*') {
      one.precision = -2, ++at;
    } else {
      one.precision = number(at);
    }
  }
  if (scans && *at == 'm') one.allocates = true, ++at;
  one.length = length(at);
  one.kind = *at;
  if (*at != 0) ++at;
  if (scans && one.kind == '[') at = behind_set(at);
  one.rest = at;
  return one;
}

// The branches differ in the type that they take. NOLINTBEGIN(bugprone-branch-clone)
void tell_printed(const Teller& teller, const char* format, va_list arguments) {
  using Length = Conversion::Length;
  teller.read_text(format);
  for (Conversion one = next_conversion(format, false); one.kind != 0 && !one.numbered;
       one = next_conversion(one.rest, false)) {
    if (one.width == -2) (void)va_arg(arguments, int);
    if (one.precision == -2) one.precision = va_arg(arguments, int);
    if (is_one_of(one.kind, "diouxXc")) {
      if (one.integer() <= 4 || one.kind == 'c') {
        (void)va_arg(arguments, int);
      } else {
        (void)va_arg(arguments, long);
      }
    } else if (is_one_of(one.kind, "aAeEfFgG")) {
      if (one.length == Length::upper_l) {
        (void)va_arg(arguments, long double);
      } else {
        (void)va_arg(arguments, double);
      }
    } else if (is_one_of(one.kind, "sS")) {
      text_read(teller, one, va_arg(arguments, const void*));
    } else if (one.kind == 'n') {
      teller.write(va_arg(arguments, void*), one.integer());
    } else if (one.kind == 'p') {
      (void)va_arg(arguments, void*);
    } else if (one.kind == 'C') {
      (void)va_arg(arguments, int);
    } else if (one.kind != 'm') {
      return;  // not one that is known: nor are the arguments that follow
    }
  }
}
// NOLINTEND(bugprone-branch-clone)

void tell_scanned(const Teller& teller, const char* format, va_list arguments, int done) {
  teller.read_text(format);
  for (Conversion one = next_conversion(format, true); one.kind != 0 && !one.numbered;
       one = next_conversion(one.rest, true)) {
    if (one.suppressed) continue;
    if (one.kind != 'n' && done-- <= 0) return;
    const void* where = va_arg(arguments, const void*);
    if (one.allocates || one.kind == 'p') {
      teller.write(where, sizeof(void*));
    } else if (is_one_of(one.kind, "diouxXn")) {
      teller.write(where, one.integer());
    } else if (is_one_of(one.kind, "aAeEfFgG")) {
      teller.write(where, one.real());
    } else if (is_one_of(one.kind, "s[S")) {
      teller.write(where,
                   one.wide()
                       ? (Teller::length(static_cast<const wchar_t*>(where), ~std::size_t{0}) + 1) *
                             sizeof(wchar_t)
                       : Teller::length(static_cast<const char*>(where), ~std::size_t{0}) + 1);
    } else if (is_one_of(one.kind, "cC")) {
      const auto count = static_cast<std::size_t>(one.width < 1 ? 1 : one.width);
      teller.write(where, count * (one.wide() ? sizeof(wchar_t) : 1));
    } else {
      return;
    }
  }
}

}  // namespace mazurka::threads

// What a format makes printf read, and scanf write.
//
// The arguments are walked as the C library will walk them. A format that numbers its arguments
// (%2$s) is left alone: they would have to be sorted first.
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include "programs/threads/runtime/teller.hpp"

namespace mazurka::threads {

/// One conversion, without its arguments.
struct Conversion {
  enum class Length : std::uint8_t { none, hh, h, l, ll, j, z, t, upper_l };
  const char* rest = nullptr;  // of the format
  int width = -1;              // -1: not said; -2: the next argument
  int precision = -1;          // the same
  bool suppressed = false;     // scanf's *
  bool allocates = false;      // scanf's m
  bool numbered = false;
  Length length = Length::none;
  char kind = 0;  // 0: the format is over

  /// The size of the integer that it converts.
  [[nodiscard]] std::size_t integer() const {
    switch (length) {
      case Length::hh: return 1;
      case Length::h: return 2;
      case Length::none: return 4;
      default: return 8;
    }
  }
  [[nodiscard]] std::size_t real() const {
    if (length == Length::upper_l) return sizeof(long double);
    return length == Length::l ? sizeof(double) : sizeof(float);
  }
  [[nodiscard]] bool wide() const { return length == Length::l || kind == 'S' || kind == 'C'; }
};

/// The next conversion from here on; `scans`: of scanf.
[[nodiscard]] Conversion next_conversion(const char* format, bool scans);

/// Tells which strings are read, and where %n writes.
void tell_printed(const Teller& teller, const char* format, va_list arguments);
/// Tells what was written: `done` conversions that store something have succeeded.
void tell_scanned(const Teller& teller, const char* format, va_list arguments, int done);

}  // namespace mazurka::threads

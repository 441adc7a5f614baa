// A random program as C or C++ source.
//
// Idea. Many programs go into one file; which of them is run says the first argument. The second,
// if there is one, is a final state: only that one is then an assertion that fails. Without it
// every final state is, each as a finding of its own, since it brings its own place along.
//
// In C++ everything is what the standard library has for it, and pthreads where it has nothing.
#pragma once

#include <span>
#include <string>

#include "native/program.hpp"

namespace mazurka::native {

enum class Language : unsigned char { c, cpp };

struct Style {
  Language language = Language::c;
  bool volatile_plain = false;  // plain variables are volatile, so that no access is optimised away
};

std::string print(std::span<const Program> programs, const Style& style);

}  // namespace mazurka::native

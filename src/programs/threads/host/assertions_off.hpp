// Assertions that were compiled away.
//
// A program that was compiled with NDEBUG has no assertions left, and "verified" says little then.
// The wrappers leave a mark in what they compile with -DNDEBUG (include/mazurka/ndebug.h); a source
// may also define the macro itself. Whether there are assertions to miss is looked up in the text
// of the sources, which the debugging information names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/protocol.hpp"

namespace mazurka::threads {
using namespace host;

/// One line for the report, or empty.
[[nodiscard]] std::string assertions_off(const std::vector<RawModule>& modules);

/// How many assertions the text of a source has, outside of comments.
[[nodiscard]] std::size_t count_assertions(std::string_view source);
/// Whether the text defines NDEBUG itself.
[[nodiscard]] bool defines_ndebug(std::string_view source);

}  // namespace mazurka::threads

// The programs that are installed beside this one.
#pragma once

#include <string>
#include <string_view>

namespace mazurka::cli {

/// Becomes the program of that name, called with these words. Throws host::InputError if it is
/// not there; `what_to_do` then follows.
[[noreturn]] void become(std::string_view name, char** argv, const std::string& what_to_do);

}  // namespace mazurka::cli

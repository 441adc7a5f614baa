// What ends a whole search before all of it is explored, as one worker has met it: a finding where
// one is enough, a program that can not be explored, a process that dies again and again.
#pragma once

#include <string>
#include <vector>

#include "host/launcher.hpp"

namespace mazurka::cluster {

/// Whether what became of a part of the search decides the whole.
[[nodiscard]] bool decides(const host::LaunchResult& result);

/// The result as text, without findings (which are numbers.hpp's), and back. `from_text` throws
/// ArchiveError and WireError.
[[nodiscard]] std::string ending_text(const host::LaunchResult& result);
[[nodiscard]] host::LaunchResult ending_from_text(const std::string& text);

}  // namespace mazurka::cluster

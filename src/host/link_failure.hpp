// A call of the compiler that failed: which of its two jobs it could not do, and what may help.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mazurka::host {

/// The messages end with the linker's: the sources were compiled.
[[nodiscard]] bool is_failed_link(const std::string& messages);

/// The functions that the linker has not found, each once.
[[nodiscard]] std::vector<std::string> undefined_functions(const std::string& messages);

/// One of these is `inline` in one of the C sources: there it is no definition that can be linked
/// with. Empty: none is; else what to do, to go on a sentence with.
[[nodiscard]] std::string hint_for_inline(const std::vector<std::string>& undefined,
                                          const std::vector<std::filesystem::path>& sources);

}  // namespace mazurka::host

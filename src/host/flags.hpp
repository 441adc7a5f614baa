// Which flags of a compiler are taken from a file that somebody else may have written.
//
// A schedule or an exploration carries the flags that its program was compiled with, and a compiler
// runs code when it is told to: plugins, other programs in the place of its own, options for the
// linker. So flags from files are not searched for bad ones; there is a list of good ones. On the
// command line of `mazurka check` every flag is welcome.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mazurka::host {

/// Why the flags are refused: "-fplugin=x.so is not among the flags ...". Empty: they are not.
/// Files and folders in them, relative to `folder`, must belong to the user or to root.
[[nodiscard]] std::string why_refused(const std::vector<std::string>& flags,
                                      const std::filesystem::path& folder);

/// Whether they name more sources, objects or libraries of the program, or files to be written.
[[nodiscard]] bool name_inputs(const std::vector<std::string>& flags);

}  // namespace mazurka::host

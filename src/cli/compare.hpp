// --compare: the same program, explored with one technique after the other.
#pragma once

#include <optional>
#include <vector>

#include "cli/kind.hpp"
#include "cli/options.hpp"

namespace mazurka::cli {

/// The options of each run: those of the command line, with one technique each. An exit code in
/// `failure` if one of them can not be; that has been said then.
[[nodiscard]] std::vector<Options> options_of_each(int argc, const char* const* argv,
                                                   const Options& options,
                                                   std::optional<int>& failure,
                                                   std::string* mistake);

/// Tells the outcome of the first technique, with what all of them took.
int check_each(const std::vector<Options>& all, const Tell& tell);

}  // namespace mazurka::cli

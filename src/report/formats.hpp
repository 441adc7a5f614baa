// The forms in which an outcome can be written to a file: one row each.
//
// A row gives its option to the command line, the help and the manual. Adding a form is a file that
// writes it and a row.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/model/outcome.hpp"

namespace mazurka::report {

struct Format {
  std::string_view option;
  std::string_view help;
  std::string (*write)(const Outcome& outcome) = nullptr;
  bool to_stdout = false;   // with "-" instead of a file; what else goes there is left out then
  bool shows_tree = false;  // of the search: it is kept for it
};

[[nodiscard]] std::span<const Format> formats();

}  // namespace mazurka::report

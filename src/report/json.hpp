// The outcome for programs. docs/json.md describes the schema; schema_version changes with it.
#pragma once

#include <string>

#include "report/model/outcome.hpp"

namespace mazurka::report {

inline constexpr int schema_version = 2;

/// One JSON document, ending in a newline.
[[nodiscard]] std::string json(const Outcome& outcome);

/// The same in one line, without the newline.
[[nodiscard]] std::string compact_json(const Outcome& outcome);

}  // namespace mazurka::report

// What is a Promela model, and what belongs to one.
#pragma once

#include <string>

namespace mazurka::cli {

[[nodiscard]] bool is_promela(const std::string& program);

/// Whether the schedule belongs to a Promela model.
[[nodiscard]] bool is_promela_schedule(const std::string& file);

}  // namespace mazurka::cli

// Refusals in words: which schedule, what was to be expected of the set, and where to look.
#pragma once

#include <string>

#include "demands.hpp"
#include "history.hpp"

namespace certify {

[[nodiscard]] std::string words_for_log(const Histories& history, const NoExecution& wrong);
[[nodiscard]] std::string words_for_nondeterminism(const Histories& history, std::uint32_t process,
                                                   std::uint32_t event);
[[nodiscard]] std::string words_for_too_many_cuts(const Histories& history);
[[nodiscard]] std::string words_for_demand(const Histories& history, const Demand& demand);

}  // namespace certify

// Which options go with which kind of program and with which technique.
//
// What makes no sense is refused with the reason, not ignored: an option without effect would let
// the user believe in something that was not done.
#pragma once

#include <array>
#include <string_view>

#include "cli/options.hpp"

namespace CLI {
class App;
}

namespace mazurka::cli {

inline constexpr std::array<std::string_view, 3> actor_orders{"fifo", "eca", "lca"};

/// Networks of automata are known by the name of their file.
[[nodiscard]] bool is_network(std::string_view program);

/// Fills in what follows from the kind of program (its usual technique, budgets) once the options
/// of `check` have been read. Throws CLI::ValidationError.
void settle(const CLI::App& check, Options& options);

}  // namespace mazurka::cli

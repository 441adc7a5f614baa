// The beginning of a search, which is explored where it is asked for: a short search is over then,
// and of any other it is known what the program needs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "cluster/store.hpp"
#include "host/supervisor.hpp"

namespace mazurka::cluster {

struct Beginning {
  host::Supervised first;  // what became of it
  std::string rest;        // what it has left: a saved exploration
};

/// `file`: where what is left is saved.
[[nodiscard]] Beginning begin(const host::Launch& whole, const std::filesystem::path& file);

/// Whether nothing needs to be done elsewhere.
[[nodiscard]] bool is_all(const Beginning& beginning, const host::Launch& whole);

/// Executions that the whole search may have; none: all there are.
[[nodiscard]] std::optional<std::uint64_t> executions_of(const host::Launch& whole);

/// What the server is told. `shown`: the program, as the user named it.
[[nodiscard]] NewSearch new_search(const std::string& name, const std::string& shown,
                                   const host::Launch& whole, const Beginning& beginning,
                                   const std::string& program);

}  // namespace mazurka::cluster

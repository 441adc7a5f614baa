// Puts a search on the server and watches it, until it is over or somebody wants it to end.
//
// The beginning of the search is explored here: a short one is over then, and of any other it is
// known what the program needs. What is left is put on the server, and workers do the rest. The
// watcher only looks on: if it is killed the search goes on, and the same command finds it again.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cluster/address.hpp"
#include "host/elsewhere.hpp"

namespace mazurka::cluster {

struct WatchOptions {
  Address address;
  std::string shown;                            // the program, as the user named it
  std::string command = "mazurka";              // how the user calls us
  std::function<void(const std::string&)> say;  // what the user should know now, in a line
};

[[nodiscard]] std::unique_ptr<host::Elsewhere> watch_cluster(WatchOptions options);

}  // namespace mazurka::cluster

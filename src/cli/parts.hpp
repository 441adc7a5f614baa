// What takes long to build, and what a check of a compiled program on this machine does not need:
// networks of automata, Promela models, clusters.
//
// There are two programs. `mazurka` has none of these parts; `mazurka-whole`, beside it, has all of
// them, and is what `mazurka` becomes where it needs one. So the first check of a program waits for
// half of Mazurka to be built, and every other one loads half of it.
#pragma once

#include <memory>
#include <span>

#include "cli/kind.hpp"
#include "cli/options.hpp"
#include "host/elsewhere.hpp"

namespace mazurka::automata {
struct Model;
}

namespace mazurka::cli {

struct Parts {
  /// Networks of automata, and Promela models. As Kind::check.
  int (*check_network)(const Options& options, const Tell& tell);
  int (*replay_promela)(const Options& options, const Tell& tell);
  int (*generate_network)(const NetworkToWrite& written);
  int (*convert_network)(const NetworkToWrite& written);
  std::span<const automata::Model> (*models)();

  /// For --cluster.
  std::unique_ptr<host::Elsewhere> (*make_elsewhere)(const Options& options);
  int (*work_for_cluster)(const Options& options);
  int (*show_cluster)(const ClusterOptions& options);
  int (*cancel_in_cluster)(const ClusterOptions& options);
};

/// Those of this program; null: it has none.
[[nodiscard]] const Parts* parts();
/// Once, before anything else.
void set_parts(const Parts& parts);

/// What the user asked for is of one of the parts.
[[nodiscard]] bool needs_parts(const Options& options);
/// The options of the command itself are known by the whole program alone.
[[nodiscard]] bool needs_parts(int argc, const char* const* argv);
/// Becomes the program that has them.
[[noreturn]] void become_whole(char** argv);

}  // namespace mazurka::cli

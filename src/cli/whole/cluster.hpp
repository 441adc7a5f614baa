// The commands of a cluster (cluster/): what workers, watchers and those who look on call.
#pragma once

#include <memory>

#include "cli/options.hpp"
#include "host/elsewhere.hpp"

namespace mazurka::cli {

/// For --cluster.
[[nodiscard]] std::unique_ptr<host::Elsewhere> make_elsewhere(const Options& options);

/// All return the exit code, and throw host::InputError.
[[nodiscard]] int work_for_cluster(const Options& options);
[[nodiscard]] int show_cluster(const ClusterOptions& options);
[[nodiscard]] int cancel_in_cluster(const ClusterOptions& options);

}  // namespace mazurka::cli

#include "cli/whole/cluster.hpp"

#include <chrono>
#include <cstdio>
#include <memory>

#include "cli/outputs.hpp"
#include "cluster/status.hpp"
#include "cluster/watcher.hpp"
#include "cluster/worker.hpp"
#include "programs/threads/host/suppressions.hpp"

namespace mazurka::cli {

namespace {

std::chrono::milliseconds from_seconds(double seconds) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::duration<double>(seconds));
}

}  // namespace

std::unique_ptr<host::Elsewhere> make_elsewhere(const Options& options) {
  return cluster::watch_cluster({.address = cluster::parse_address(options.elsewhere),
                                 .shown = options.program,
                                 .command = options.called_as,
                                 .say = [](const std::string& line) { say("note", line); }});
}

int work_for_cluster(const Options& options) {
  cluster::WorkOptions how;
  how.address = cluster::parse_address(options.cluster.address);
  how.jobs = options.cluster.jobs;
  how.silence = from_seconds(options.cluster.silence);
  if (options.cluster.idle > 0) how.idle = from_seconds(options.cluster.idle);
  how.say = [](const std::string& line) { say("note", line); };
  how.make_judge = [](const std::vector<host::Suppression>& suppressions) {
    const auto judge = std::make_shared<threads::RaceJudge>(suppressions);
    return [judge](const host::RaceQuestion& question) { return judge->judge(question); };
  };
  cluster::work(how);
  return 0;
}

int show_cluster(const ClusterOptions& options) {
  const cluster::Address address = cluster::parse_address(options.address);
  print(stdout, options.json ? cluster::status_json(address) : cluster::status_text(address));
  return 0;
}

int cancel_in_cluster(const ClusterOptions& options) {
  print(stdout, cluster::cancel(cluster::parse_address(options.address), options.search));
  return 0;
}

}  // namespace mazurka::cli

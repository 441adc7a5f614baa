#include "cli/whole/automata.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "cli/values.hpp"
#include "cli/whole/automata_watch.hpp"
#include "cli/whole/promela_check.hpp"
#include "cli/whole/promela_replay.hpp"
#include "host/files.hpp"
#include "host/processor_time.hpp"
#include "programs/automata/document.hpp"
#include "programs/automata/models.hpp"
#include "programs/automata/writer.hpp"
#include "report/progress.hpp"

namespace mazurka::cli {

namespace {

void write_output(const std::string& file, const std::string& text) {
  if (file.empty() || file == "-") {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return;
  }
  host::write_text(file, text);
}

// --- check
// ------------------------------------------------------------------------------------------

Details details_of(const AutomataOutcome& result) {
  if (!result.stateful) return {};
  const stateful::Counts& counts = result.counts;
  const auto states = static_cast<double>(std::max<std::uint64_t>(counts.states, 1));
  return {"stateful",
          {{"variant", result.variant},
           {"order", result.order},
           {"jobs", std::uint64_t{counts.threads}},
           {"nodes", counts.nodes},
           {"states", counts.states},
           {"edges", counts.edges},
           {"subsumed", counts.subsumed},
           {"skipped", counts.skipped},
           {"terminal", counts.terminal},
           {"deadlocks", counts.deadlocks},
           {"asleep", counts.asleep},
           {"cut", counts.cut},
           {"nodes_in_vain", result.nodes_in_vain},
           {"first_set_tests", counts.first_set_tests},
           {"source_sets", counts.source_sets},
           {"work", counts.work},
           {"search_seconds", counts.seconds},
           {"cpu_seconds", counts.cpu_seconds},
           {"first_set_seconds", counts.first_set_seconds},
           {"source_set_seconds", counts.source_set_seconds},
           {"bytes", std::uint64_t{counts.bytes}},
           {"bytes_per_state", static_cast<double>(counts.bytes) / states},
           {"certificate", result.certificate},
           {"maximal_paths", result.maximal_paths},
           {"full_runs", result.full_runs}}};
}

AutomataRequest request_of(const Options& options) {
  AutomataRequest request = options.network;
  request.file = options.program;
  request.technique = options.technique;
  if (!options.order.empty()) request.order = options.order;
  request.seed = options.limits.seed;
  request.limits = options.limits;
  request.max_depth = options.bound_is_default ? 0 : options.limits.max_events;
  request.max_memory = options.max_memory;
  request.jobs = options.jobs;
  request.tree = options.tree;
  return request;
}

/// Shows the nodes of a stateful search, or the executions of a stateless one.
class NetworkProgress {
 public:
  explicit NetworkProgress(report::When when) : line_(when, stderr) {}

  void operator()(SoFar& so_far, double seconds) {
    const Statistics counts = so_far.statistics();
    if (counts.executions > 0) {
      line_.update({counts.executions,
                    counts.asleep,
                    counts.events,
                    counts.deepest,
                    counts.explored,
                    0,
                    seconds,
                    {}});
    } else {
      line_.update_nodes(so_far.nodes, so_far.states, seconds);
    }
  }
  void clear() { line_.clear(); }

 private:
  report::ProgressLine line_;
};

// --- generate
// ---------------------------------------------------------------------------------------

Network generate(const NetworkToWrite& written) {
  const std::vector<int>& sizes = written.sizes;
  if (written.model == "locks") {
    const int locks = sizes.size() > 2 ? sizes[2] : 10;
    if (sizes.size() < 2 || sizes.size() > 3 || sizes[0] < 1 || sizes[0] > 1000 || locks > 1000 ||
        sizes[1] < 1 || sizes[1] > locks) {
      throw NetworkError(
          "expected: locks CLIENTS LOCKS_PER_CLIENT [LOCKS], with at most as many "
          "locks per client as there are locks");
    }
    return automata::multi_locks(sizes[0], sizes[1], locks, written.seed);
  }
  const automata::Model* model = automata::find_model(written.model);
  if (model == nullptr) {
    std::vector<std::string_view> names{"locks"};
    for (const automata::Model& one : automata::models()) names.push_back(one.name);
    throw NetworkError("MODEL: " + none_of(written.model, names));
  }
  if (sizes.size() != 1 || sizes[0] < model->smallest || sizes[0] > model->largest) {
    throw NetworkError(fmt::format("expected one size between {} and {} for model {}",
                                   model->smallest, model->largest, written.model));
  }
  return model->make(sizes[0]);
}

}  // namespace

int check_network(const Options& options, const Tell& tell) {
  NetworkProgress progress(options.progress);
  const double computed_before = host::processor_seconds();
  WatchedCheck check = check_watched(
      request_of(options), [&](SoFar& so_far, double seconds) { progress(so_far, seconds); });
  progress.clear();
  check.result.outcome.processor_seconds = host::processor_seconds() - computed_before;
  check.result.outcome.details = details_of(check.result);
  if (is_promela(options.program)) save_promela_schedules(options, check.result.outcome);
  const int code = tell(check.result.outcome);
  if (!check.still_running) return code;
  std::fflush(nullptr);
  std::_Exit(code);
}

int generate_network(const NetworkToWrite& written) {
  write_output(written.output, automata::write_network(generate(written)));
  return 0;
}

int convert_network(const NetworkToWrite& written) {
  const Network network = automata::load_network(written.file);
  write_output(written.output, written.dot ? automata::processes_to_dot(network)
                                           : automata::write_network(network));
  return 0;
}

}  // namespace mazurka::cli

// A search that is divided at random, as several processes and machines divide it.
//
// Each part goes on for a while elsewhere, in whatever order, and what it leaves is divided again.
// Some parts are lost on the way, and done once more: nothing that they have seen counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/explorer.hpp"
#include "core/session.hpp"
#include "oracle/saved_search.hpp"

namespace mazurka::oracle {

struct PartedSearch {
  /// A program of its own for each part; what is given to it when the part counts.
  struct Part {
    std::unique_ptr<Program> program;
    std::function<void(const Execution&)> performed;  // may be empty
    std::function<void()> counts;                     // may be empty
  };
  std::function<Part()> make_part;
  std::function<std::unique_ptr<Explorer>()> make_explorer;
  std::uint64_t seed = 0;
  std::uint64_t most_executions = 5;  // of a part

  // What it came to.
  Statistics statistics;
  std::vector<Finding> findings;
  std::string problem;
  std::uint64_t parts = 0;
  std::uint64_t lost = 0;

  /// False: `problem` says why.
  bool run() {
    std::mt19937_64 lots(seed);
    std::vector<Task> left(1);
    while (!left.empty() && problem.empty()) {
      std::swap(left[lots() % left.size()], left.back());
      Task task = std::move(left.back());
      left.pop_back();
      std::vector<std::byte> rest;
      Part part = make_part();
      Session session(*part.program,
                      {.max_executions = 1 + lots() % most_executions, .keep_going = true});
      const std::unique_ptr<Explorer> explorer = make_explorer();
      const bool all = perform(task, part, session, *explorer, rest);
      ++parts;
      if (lots() % 8 == 0) {
        ++lost;
        left.push_back(std::move(task));
        continue;
      }
      statistics.add(session.statistics());
      findings.insert(findings.end(), session.findings().begin(), session.findings().end());
      explored += explorer->rest().explored;
      if (part.counts) part.counts();
      if (all) continue;
      if (session.stopped() != Stop::max_executions) problem = "a part of the search gave up";
      const std::size_t pieces = 1 + lots() % 3;
      for (std::size_t number = 0; number < pieces; ++number) {
        left.push_back({rest, number, pieces});
      }
    }
    return problem.empty();
  }

  double explored = 0;  // 1 in the end

 private:
  struct Task {
    std::vector<std::byte> saved;
    std::size_t number = 0;
    std::size_t parts = 0;
  };

  bool perform(const Task& task, const Part& part, Session& session, Explorer& explorer,
               std::vector<std::byte>& rest) {
    save_when_stopped(session, explorer, rest);
    if (part.performed) session.on_execution = part.performed;
    if (task.parts == 0) return explorer.explore(session);
    ArchiveReader archive(task.saved);
    session.load(archive);
    if (!explorer.load(session, archive)) problem = "a part can not be loaded";
    session.count_anew();
    if (!explorer.keep_part(task.number, task.parts)) problem = "the technique has no parts";
    return problem.empty() && explorer.resume();
  }
};

}  // namespace mazurka::oracle

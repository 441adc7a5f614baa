#include "explorers/shorten.hpp"

#include <algorithm>
#include <chrono>
#include <functional>

#include "core/check.hpp"

namespace mazurka {

namespace {

constexpr std::size_t any_number = static_cast<std::size_t>(-1);

class Shortener {
 public:
  Shortener(Program& program, std::uint64_t max_events, ShortenBudget budget)
      : program_(program),
        max_events_(max_events),
        budget_(budget),
        run_(program.vocabulary(), names_, execution_) {}

  std::optional<Shortened> shorten(const Finding& finding) {
    perform(finding.schedule);
    const Finding* again = match(finding.kind, nullptr);
    if (again == nullptr) return std::nullopt;
    best_ = *again;
    left_ = budget_.executions;
    while (merge_blocks() || drop_blocks()) {
    }
    Shortened result;
    left_ = budget_.executions;
    result.fewest = try_all_with_fewer();
    left_ = budget_.executions;
    find_no_return(result);
    MAZURKA_CHECK(!result.no_return || *result.no_return < best_.schedule.size(),
                  "the point of no return is a decision of the schedule");
    result.switches = count_switches(best_.schedule);
    perform(best_.schedule);
    run_.renumber(best_);
    best_.key = finding.key;  // its numbers are those of the exploration
    result.finding = best_;
    return result;
  }

 private:
  enum class Search : std::uint8_t { found, nothing, gave_up };

  bool perform(const std::vector<Decision>& schedule) {
    if (left_ > 0) --left_;
    Schedule request;
    request.prefix = schedule;
    request.record_enabled = true;
    run_.start(request, {max_events_, true, 0});
    program_.run(run_);
    run_.finish_execution();
    if (execution_.ending == Ending::cut) cut_ = true;
    if (execution_.ending == Ending::stalled) left_ = 0;  // each of these costs seconds
    return !run_.divergence();
  }

  [[nodiscard]] bool spent() const {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begun_;
    return left_ == 0 || passed.count() > budget_.seconds;
  }

  /// The finding of the latest execution that is the same defect, or null.
  [[nodiscard]] const Finding* match(FindingKind kind, const std::string* key) {
    for (const Finding& found : run_.findings()) {
      if (found.kind == kind && (key == nullptr || found.key == *key)) return &found;
    }
    return nullptr;
  }

  /// Whether the candidate fails in the same way with fewer switches, or as many and fewer steps.
  bool improves(const std::vector<Decision>& candidate) {
    if (spent() || !perform(candidate)) return false;
    const Finding* found = match(best_.kind, &best_.key);
    if (found == nullptr) return false;
    const std::size_t switches = count_switches(found->schedule);
    const std::size_t known = count_switches(best_.schedule);
    if (switches > known ||
        (switches == known && found->schedule.size() >= best_.schedule.size())) {
      return false;
    }
    MAZURKA_CHECK(found->kind == best_.kind && switches <= known, "a finding gets no worse");
    best_ = *found;
    return true;
  }

  /// Where each uninterrupted run of one process begins; the end last.
  [[nodiscard]] std::vector<std::size_t> blocks() const {
    std::vector<std::size_t> begins;
    for (std::size_t at = 0; at < best_.schedule.size(); ++at) {
      if (at == 0 || best_.schedule[at].process != best_.schedule[at - 1].process) {
        begins.push_back(at);
      }
    }
    begins.push_back(best_.schedule.size());
    return begins;
  }

  /// Moves a later block of a process up to an earlier one, or the earlier one down to the later.
  bool merge_blocks() {
    const std::vector<std::size_t> begin = blocks();
    const auto at = [&](std::size_t block) {
      return best_.schedule.begin() + static_cast<std::ptrdiff_t>(begin[block]);
    };
    for (std::size_t one = 0; one + 2 < begin.size(); ++one) {
      for (std::size_t other = one + 2; other + 1 < begin.size(); ++other) {
        if (at(one)->process != at(other)->process) continue;
        std::vector<Decision> up(best_.schedule.begin(), at(one + 1));
        up.insert(up.end(), at(other), at(other + 1));
        up.insert(up.end(), at(one + 1), at(other));
        up.insert(up.end(), at(other + 1), best_.schedule.end());
        if (improves(up)) return true;
        std::vector<Decision> down(best_.schedule.begin(), at(one));
        down.insert(down.end(), at(one + 1), at(other));
        down.insert(down.end(), at(one), at(one + 1));
        down.insert(down.end(), at(other), best_.schedule.end());
        if (improves(down)) return true;
        break;
      }
    }
    return false;
  }

  bool drop_blocks() {
    const std::vector<std::size_t> begin = blocks();
    for (std::size_t one = 0; one + 1 < begin.size(); ++one) {
      std::vector<Decision> without(best_.schedule);
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(begin[one]),
                    without.begin() + static_cast<std::ptrdiff_t>(begin[one + 1]));
      if (improves(without)) return true;
    }
    return false;
  }

  /// Depth first through all continuations of `root` whose decisions switch at most `most` times,
  /// until one satisfies `wanted`.
  Search search(const std::vector<Decision>& root, std::size_t most,
                const std::function<bool()>& wanted) {
    std::vector<Decision> path = root;
    std::vector<std::vector<Decision>> tried(root.size());
    for (;;) {
      if (spent()) return Search::gave_up;
      if (!perform(path)) return Search::gave_up;
      if (wanted()) return Search::found;
      for (std::size_t at = path.size(); at < execution_.size(); ++at) {
        path.push_back(execution_.steps.decision(at));
      }
      path.resize(execution_.size());
      tried.resize(path.size());
      bool open = false;
      while (!open && path.size() > root.size()) {
        const std::size_t node = path.size() - 1;
        tried[node].push_back(path[node]);
        path.pop_back();
        open = try_another(path, tried[node], most);
        if (!open) tried.pop_back();
      }
      if (!open) return Search::nothing;
    }
  }

  /// Puts a decision on the path that was not tried after it.
  bool try_another(std::vector<Decision>& path, const std::vector<Decision>& tried,
                   std::size_t most) {
    const std::size_t node = path.size();
    MAZURKA_CHECK(!tried.empty() && node < execution_.size(), "something was tried at the node");
    const std::size_t switches = most == any_number ? 0 : count_switches(path);
    const auto untried = [&](Decision decision) {
      return std::find(tried.begin(), tried.end(), decision) == tried.end();
    };
    std::optional<Decision> next;
    const Step step = execution_.steps[node];
    for (std::uint16_t choice = 0; choice < step.choices && !next; ++choice) {
      if (step.process() == tried.back().process && untried({step.process(), choice})) {
        next = Decision{step.process(), choice};
      }
    }
    execution_.enabled[node].for_each([&](ProcessId process) {
      if (next || !untried({process, 0})) return;
      const bool switching = node > 0 && path.back().process != process;
      if (most != any_number && switches + (switching ? 1 : 0) > most) return;
      next = Decision{process, 0};
    });
    if (!next) return false;
    path.push_back(*next);
    return true;
  }

  bool try_all_with_fewer() {
    cut_ = false;
    const std::size_t known = count_switches(best_.schedule);
    for (std::size_t most = 0; most < known; ++most) {
      const Search result = search({}, most, [&] {
        const Finding* found = match(best_.kind, &best_.key);
        if (found == nullptr || count_switches(found->schedule) > most) return false;
        best_ = *found;
        return true;
      });
      if (result == Search::found) return true;
      if (result == Search::gave_up) return false;
    }
    return !cut_;
  }

  void find_no_return(Shortened& result) {
    cut_ = false;
    for (std::size_t at = best_.schedule.size(); at-- > 0;) {
      const std::vector<Decision> root(best_.schedule.begin(),
                                       best_.schedule.begin() + static_cast<std::ptrdiff_t>(at));
      const Search ends_well = search(root, any_number, [&] {
        return run_.findings().empty() && execution_.ending != Ending::cut;
      });
      if (ends_well == Search::gave_up || (ends_well == Search::nothing && cut_)) return;
      if (ends_well == Search::found) {
        result.no_return = at;
        return;
      }
    }
    result.always_fails = true;
  }

  Program& program_;
  std::uint64_t max_events_;
  ShortenBudget budget_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::uint64_t left_ = 0;
  bool cut_ = false;  // an execution was too long: how it goes on is not known
  ProcessNames names_;
  Execution execution_;
  Run run_;
  Finding best_;
};

}  // namespace

std::size_t count_switches(const std::vector<Decision>& schedule) {
  std::size_t count = 0;
  for (std::size_t at = 1; at < schedule.size(); ++at) {
    if (schedule[at].process != schedule[at - 1].process) ++count;
  }
  return count;
}

std::optional<Shortened> shorten(Program& program, const Finding& finding, std::uint64_t max_events,
                                 ShortenBudget budget) {
  return Shortener(program, max_events, budget).shorten(finding);
}

}  // namespace mazurka

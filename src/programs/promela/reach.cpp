#include "programs/promela/reach.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>

#include "core/check.hpp"
#include "programs/promela/local_steps.hpp"
#include "programs/promela/state_store.hpp"

namespace mazurka::promela {

namespace {

using StateId = StateStore::Id;

/// A problem as it is found: after these steps from that state.
struct Seen {
  Problem problem;
  StateId state = 0;
  std::vector<Taken> after;
};

class Reach {
 public:
  Reach(const Model& model, const Settings& settings)
      : settings_(settings),
        machine_(model, {[this](const Configuration& state, const std::vector<Taken>&) {
                           if (trying_) {
                             tried_.push_back(state.bytes);
                           } else {
                             add(state.bytes);
                           }
                         },
                         [this](const std::string& what, const Place& place,
                                const std::vector<Taken>& trail) { fail(what, place, trail); }}),
        model_(model),
        local_(model) {}

  Result run() {
    add(machine_.initial().bytes);
    for (at_ = 0; at_ < store_.size() && !is_over(); ++at_) expand();
    result_.counts.seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
    result_.counts.cpu_seconds = static_cast<double>(std::clock() - cpu_begun_) / CLOCKS_PER_SEC;
    result_.counts.states = store_.size();
    result_.counts.bytes = store_.bytes() + parents_.size() * sizeof(StateId);
    if (result_.end == Result::End::complete && has_enough()) result_.end = Result::End::problem;
    for (const Seen& seen : seen_) result_.problems.push_back(with_path(seen));
    return std::move(result_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool has_enough() const { return !settings_.keep_going && !seen_.empty(); }

  bool is_over() {
    using End = Result::End;
    const auto end = [&](End why) {
      result_.end = why;
      return true;
    };
    if (has_enough()) return end(End::problem);
    if (settings_.max_states != 0 && store_.size() >= settings_.max_states) {
      return end(End::max_states);
    }
    constexpr StateId between_looks = 256;
    if (at_ % between_looks != 0 || !settings_.interrupted) return false;
    result_.counts.states = store_.size();
    return settings_.interrupted(result_.counts) && end(End::interrupted);
  }

  void expand() {
    const std::span<const std::uint8_t> bytes = store_[at_];
    current_.bytes.assign(bytes.begin(), bytes.end());
    machine_.values().lay_out(current_);
    if (settings_.max_depth != 0 && depths_[at_] >= settings_.max_depth) {
      ++result_.counts.cut;
      return;
    }
    if (settings_.local_first && expand_locally()) return;
    if (machine_.expand(current_)) return;
    ++result_.counts.terminal;
    if (machine_.may_end(current_)) return;
    ++result_.counts.invalid;
    if (settings_.allow_invalid_end || result_.counts.invalid > 1) return;
    Seen& seen = seen_.emplace_back();
    seen.problem.kind = Problem::Kind::invalid_end;
    seen.problem.last = current_;
    seen.state = at_;
  }

  /// Whether somebody has moved, and nobody else need to.
  bool expand_locally() {
    for (std::uint32_t process = 0; process < current_.processes.size(); ++process) {
      if (!local_.only(current_.proctype(process), current_.location(process))) continue;
      tried_.clear();
      trying_ = true;
      const std::size_t all = model_.proctypes[current_.proctype(process)]
                                  .locations[current_.location(process)]
                                  .transitions.size();
      for (std::size_t at = 0; at < all; ++at) machine_.expand_one(current_, process, at);
      trying_ = false;
      if (tried_.empty() || std::any_of(tried_.begin(), tried_.end(), [&](const auto& state) {
            return store_.contains(state);
          })) {
        continue;
      }
      for (const std::vector<std::uint8_t>& state : tried_) add(state);
      return true;
    }
    return false;
  }

  void add(std::span<const std::uint8_t> state) {
    const StateStore::Inserted inserted = store_.insert(state);
    const bool first = store_.size() == 1 && inserted.fresh;
    if (!first) ++result_.counts.transitions;
    if (!inserted.fresh) return;
    parents_.push_back(first ? StateStore::nobody : at_);
    if (settings_.max_depth != 0) depths_.push_back(first ? 0 : depths_[at_] + 1);
    MAZURKA_CHECK(parents_.size() == store_.size(), "of each state it is known how it was reached");
  }

  void fail(const std::string& what, const Place& place, const std::vector<Taken>& trail) {
    for (const Seen& one : seen_) {
      const Place& other = one.problem.place;
      if (one.problem.message == what && other.line == place.line && other.file == place.file)
        return;
    }
    Seen& seen = seen_.emplace_back();
    seen.problem.kind = Problem::Kind::assertion;
    seen.problem.message = what;
    seen.problem.place = place;
    seen.state = at_;
    seen.after = trail;
  }

  /// The steps that lead there, executed once more.
  [[nodiscard]] Problem with_path(const Seen& seen) const {
    Problem problem = seen.problem;
    std::vector<StateId> states;
    for (StateId at = seen.state; at != StateStore::nobody; at = parents_[at]) {
      MAZURKA_CHECK(states.empty() || at < states.back(), "a state is found after its parent");
      states.push_back(at);
    }
    std::reverse(states.begin(), states.end());
    for (std::size_t at = 0; at + 1 < states.size(); ++at) {
      append_steps(states[at], store_[states[at + 1]], problem.path);
    }
    if (!seen.after.empty()) append_failure(seen, problem.path);
    return problem;
  }

  [[nodiscard]] Configuration unpacked(StateId id) const {
    const std::span<const std::uint8_t> bytes = store_[id];
    return machine_.unpacked({bytes.begin(), bytes.end()});
  }

  void append_steps(StateId from, std::span<const std::uint8_t> to,
                    std::vector<Taken>& path) const {
    bool found = false;
    Machine again(model_, {[&](const Configuration& state, const std::vector<Taken>& trail) {
                             if (found || !std::equal(state.bytes.begin(), state.bytes.end(),
                                                      to.begin(), to.end())) {
                               return;
                             }
                             found = true;
                             path.insert(path.end(), trail.begin(), trail.end());
                           },
                           [](const std::string&, const Place&, const std::vector<Taken>&) {}});
    again.keep_values(true);
    again.expand(unpacked(from));
    if (!found) throw NetworkError("a step can not be repeated: a defect of Mazurka");
  }

  void append_failure(const Seen& seen, std::vector<Taken>& path) const {
    bool found = false;
    Machine again(
        model_,
        {[](const Configuration&, const std::vector<Taken>&) {},
         [&](const std::string& what, const Place& place, const std::vector<Taken>& trail) {
           if (found || what != seen.problem.message || place.line != seen.problem.place.line) {
             return;
           }
           found = true;
           path.insert(path.end(), trail.begin(), trail.end());
         }});
    again.keep_values(true);
    again.expand(unpacked(seen.state));
    if (!found) throw NetworkError("a failure can not be repeated: a defect of Mazurka");
  }

  const Settings& settings_;
  Machine machine_;
  const Model& model_;
  const LocalSteps local_;
  bool trying_ = false;                           // what a process would lead to is only collected:
  std::vector<std::vector<std::uint8_t>> tried_;  // here
  StateStore store_;
  std::vector<StateId> parents_;
  std::vector<std::uint64_t> depths_;  // where there is a limit
  StateId at_ = 0;
  Configuration current_;
  std::vector<Seen> seen_;
  Result result_;
  Clock::time_point begun_ = Clock::now();
  std::clock_t cpu_begun_ = std::clock();
};

}  // namespace

Result reach(const Model& model, const Settings& settings) { return Reach(model, settings).run(); }

}  // namespace mazurka::promela

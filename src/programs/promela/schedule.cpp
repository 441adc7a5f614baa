#include "programs/promela/schedule.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace mazurka::promela {

namespace {

/// What can follow a state, one by one.
struct Following {
  std::size_t number = 0;
  const std::vector<Taken>& trail;
  const Configuration* state = nullptr;  // null: it fails
  std::string what;                      // then: how ...
  Place place;                           // ... and where
};

class Steps {
 public:
  explicit Steps(const Model& model)
      : machine_(model, {[this](const Configuration& state, const std::vector<Taken>& trail) {
                           visit_({number_++, trail, &state, {}, {}});
                         },
                         [this](const std::string& what, const Place& place,
                                const std::vector<Taken>& trail) {
                           visit_({number_++, trail, nullptr, what, place});
                         }}),
        state_(machine_.initial()) {
    machine_.keep_values(true);
  }

  /// False if nobody can move.
  bool for_each(std::function<void(const Following&)> visit) {
    number_ = 0;
    visit_ = std::move(visit);
    return machine_.expand(state_);
  }
  void go_to(Configuration state) { state_ = std::move(state); }
  [[nodiscard]] const Configuration& state() const { return state_; }
  [[nodiscard]] bool may_end() const { return machine_.may_end(state_); }

 private:
  std::size_t number_ = 0;
  std::function<void(const Following&)> visit_;
  Machine machine_;
  Configuration state_;
};

bool begins_with(std::span<const Taken> path, const std::vector<Taken>& trail) {
  return trail.size() <= path.size() && std::equal(trail.begin(), trail.end(), path.begin(),
                                                   [](const Taken& one, const Taken& other) {
                                                     return one.process == other.process &&
                                                            one.statement == other.statement;
                                                   });
}

[[noreturn]] void can_not_be_repeated() { throw NetworkError("the steps can not be taken again"); }

struct Choice {
  Decision decision;
  std::size_t steps = 0;  // how many of the path it takes
  bool fails = false;
  Configuration state;
};

Choice choice_of(const Following& one) {
  if (one.number > std::numeric_limits<std::uint16_t>::max()) can_not_be_repeated();
  const auto process =
      static_cast<std::uint16_t>(one.trail.empty() ? 0 : one.trail.front().process);
  Choice choice{{ProcessId{process}, static_cast<std::uint16_t>(one.number)},
                one.trail.size(),
                one.state == nullptr,
                {}};
  if (one.state != nullptr) choice.state = *one.state;
  return choice;
}

/// Of those that take the next steps of the path, the one that takes most.
Choice next_choice(Steps& steps, std::span<const Taken> path, const Problem& problem) {
  Choice best;
  steps.for_each([&](const Following& one) {
    const bool fails = one.state == nullptr;
    if (!begins_with(path, one.trail) || one.trail.size() <= best.steps) return;
    if (fails && (one.trail.size() != path.size() || one.what != problem.message)) return;
    best = choice_of(one);
  });
  return best;
}

}  // namespace

std::vector<Decision> schedule_of(const Model& model, const Problem& problem) {
  std::vector<Decision> schedule;
  Steps steps(model);
  std::span<const Taken> path = problem.path;
  while (!path.empty()) {
    const Choice choice = next_choice(steps, path, problem);
    if (choice.steps == 0) can_not_be_repeated();
    schedule.push_back(choice.decision);
    path = path.subspan(choice.steps);
    if (choice.fails) return schedule;
    steps.go_to(choice.state);
  }
  if (problem.kind == Problem::Kind::assertion) can_not_be_repeated();
  // A path that was found in a network leaves out that processes disappear.
  while (true) {
    Choice last;
    if (!steps.for_each([&](const Following& one) {
          if (model.statements[one.trail.front().statement].act != Act::end) can_not_be_repeated();
          last = choice_of(one);
        })) {
      return schedule;
    }
    schedule.push_back(last.decision);
    steps.go_to(last.state);
  }
}

Problem follow(const Model& model, std::span<const Decision> decisions) {
  Problem problem;
  Steps steps(model);
  for (std::size_t at = 0; at < decisions.size(); ++at) {
    const Decision decision = decisions[at];
    Choice taken;
    steps.for_each([&](const Following& one) {
      if (one.number != decision.choice) return;
      taken = choice_of(one);
      problem.path.insert(problem.path.end(), one.trail.begin(), one.trail.end());
      problem.message = one.what;
      problem.place = one.place;
    });
    if (taken.steps == 0 || taken.decision != decision ||
        (taken.fails && at + 1 < decisions.size())) {
      can_not_be_repeated();
    }
    if (taken.fails) {
      problem.kind = Problem::Kind::assertion;
      return problem;
    }
    steps.go_to(std::move(taken.state));
  }
  if (steps.for_each([](const Following&) {}) || steps.may_end()) {
    throw NetworkError("nothing is wrong in the end");
  }
  problem.kind = Problem::Kind::invalid_end;
  problem.last = steps.state();
  return problem;
}

}  // namespace mazurka::promela

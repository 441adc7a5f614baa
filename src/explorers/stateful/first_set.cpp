#include "explorers/stateful/first_set.hpp"

#include <algorithm>
#include <limits>

namespace mazurka::stateful {

namespace {

constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

}  // namespace

FirstSetTest::FirstSetTest(const System& system)
    : system_(system),
      first_waiting_(system.processes(), nobody),
      processes_(system.process_words(), 0) {
  actions_.resize(system.actions());
  rows_.resize(system.rows());
}

void FirstSetTest::visit(std::uint32_t process, LocalState state) {
  if (rows_.insert(system_.row_of(process, state))) reached_.push_back({process, state});
}

void FirstSetTest::wait_for(std::uint32_t partner, std::uint32_t process, LocalState target) {
  waiting_.push_back({process, target, first_waiting_[partner]});
  first_waiting_[partner] = static_cast<std::uint32_t>(waiting_.size() - 1);
}

void FirstSetTest::join(std::uint32_t process) {
  insert(processes_.data(), process);
  for (std::uint32_t at = first_waiting_[process]; at != nobody; at = waiting_[at].next) {
    visit(waiting_[at].process, waiting_[at].target);
  }
}

void FirstSetTest::add(ActionId action) {
  if (!actions_.insert(action)) return;
  ++size_;
  for (const System::Participant& who : system_.participants(action)) {
    if (!in_set(who.process)) join(who.process);
    const LocalState target = system_.target(who, locals_[who.process]);
    if (target != no_target) visit(who.process, target);
  }
}

void FirstSetTest::look_at(const Reached& here) {
  const auto edges = system_.edges(here.process, here.state);
  work_ += 1 + edges.size();
  for (const System::Edge& edge : edges) {
    if (edge.participants > 2) {
      crowds_.push_back({here.process, edge});
      if (paths_ == Paths::any) visit(here.process, edge.target);
      continue;
    }
    const bool alone = edge.participants == 1;
    if (!alone && !actions_.contains(edge.action) && can_now(edge.partner)) add(edge.action);
    if (alone || paths_ == Paths::any || in_set(edge.partner.process)) {
      visit(here.process, edge.target);
    } else {
      wait_for(edge.partner.process, here.process, edge.target);
    }
  }
}

bool FirstSetTest::reached_at(const System::Participant& who) const {
  return std::any_of(reached_.begin(), reached_.end(), [&](const Reached& reached) {
    return reached.process == who.process && system_.target(who, reached.state) != no_target;
  });
}

bool FirstSetTest::follows(std::uint32_t process, ActionId action) const {
  bool sticks = false;
  for (const System::Participant& who : system_.participants(action)) {
    if (who.process == process) continue;
    if (can_now(who)) {
      sticks = true;
    } else if (!reached_at(who)) {
      return false;
    }
  }
  return sticks;
}

// Whether a transition with many participants can be taken depends on all of them: these few are
// tried again whenever nothing else is left to do.
bool FirstSetTest::look_at_crowds() {
  const std::size_t actions = size_;
  const std::size_t reached = reached_.size();
  for (std::size_t at = 0; at < crowds_.size(); ++at) {
    const Crowd crowd = crowds_[at];
    if (!actions_.contains(crowd.edge.action) && follows(crowd.process, crowd.edge.action)) {
      add(crowd.edge.action);
    }
    if (subset(system_.domain(crowd.edge.action), processes_.data(), processes_.size())) {
      visit(crowd.process, crowd.edge.target);
    }
  }
  return size_ != actions || reached_.size() != reached;
}

FirstSetTest::Answer FirstSetTest::operator()(const LocalState* locals,
                                              std::span<const ActionId> enabled,
                                              std::span<const ActionId> start, Paths paths) {
  locals_ = locals;
  paths_ = paths;
  actions_.clear();
  rows_.clear();
  reached_.clear();
  waiting_.clear();
  crowds_.clear();
  std::fill(first_waiting_.begin(), first_waiting_.end(), nobody);
  std::fill(processes_.begin(), processes_.end(), Word{0});
  size_ = 0;
  for (const ActionId action : start) add(action);
  std::size_t touched = 0;
  for (std::size_t at = 0;;) {
    while (touched < enabled.size() &&
           meet(system_.domain(enabled[touched]), processes_.data(), processes_.size())) {
      ++touched;
    }
    if (touched == enabled.size()) return {true, size_};
    if (at < reached_.size()) {
      const Reached here = reached_[at++];
      look_at(here);
    } else if (!look_at_crowds()) {
      return {false, size_};
    }
  }
}

}  // namespace mazurka::stateful

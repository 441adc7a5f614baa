// Unfolding-based DPOR: every configuration once, by what is in conflict with what.
//
// Idea. Executions are configurations of an event structure, the program's unfolding, of which the
// part that was met so far is kept. When everything after C that contains the event e is explored,
// e joins D, the events to avoid, and the next thing to explore after C is an *alternative*: a set
// of known events that is in conflict with all of D. The events to build it from are the extensions
// of the executions seen: the same operations with smaller histories.
//
// Source. Rodríguez, Sousa, Sharma, Kroening (unfolding-based partial order reduction); Nguyen,
// Rodríguez, Sousa, Coti, Petrucci (k-partial alternatives); Pham, Jéron, Quinson (persistent
// operations, extensions found incrementally). Their recursion Explore(C, D, A) is here a walk
// along the current path: C is the path up to a node, A what is left of the alternative that is
// being followed, and D a stack, each event with the node at which it was added.
//
// Neighbours. optimal.cpp reaches the same traces through races and wakeup trees, and needs no
// persistence; its memory is the path's. Here the collected unfolding is kept. The papers' rule for
// it (line 14: keep what is in conflict with C or D) is wrong as worded, for it drops the histories
// of what it keeps, without which no alternative can be put together; and it keeps too much: whole
// subtrees that are done with are in conflict with an older event of D, and can be part of no
// alternative because they contain a newer one. See collect_garbage.
#include <charconv>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/check.hpp"
#include "core/technique.hpp"
#include "explorers/path.hpp"
#include "explorers/unfolding/alternatives.hpp"
#include "explorers/unfolding/event_structure.hpp"
#include "explorers/unfolding/extensions.hpp"

namespace mazurka {
namespace {

using unfolding::Alternatives;
using unfolding::Configuration;
using unfolding::EventId;
using unfolding::EventSet;
using unfolding::EventStructure;

class UnfoldingSearch {
 public:
  UnfoldingSearch(Session& session, std::size_t partial)
      : session_(session),
        optimal_(partial == 0),
        path_(session, Path::Sleepers::kept_asleep, false),
        structure_(session.vocabulary()),
        configuration_(session.vocabulary(), structure_),
        along_(structure_),
        alternatives_(structure_, along_, partial) {
    path_.schedule().as_announced = true;  // an event is an operation, whatever comes of it
  }

  bool run() {
    while (path_.perform()) {
      if (std::string problem = configuration_.take_in(path_.execution(), path_.kept());
          !problem.empty()) {
        session_.refuse(std::move(problem));
        return false;
      }
      if (!followed() || (optimal_ && path_.execution().ending == Ending::asleep)) {
        session_.contradict();
        return false;
      }
      if (session_.stop()) return false;
      const bool more = go_back();
      session_.note_stored(structure_.largest());
      if (!more) return all_explored(session_);
    }
    return false;
  }

 private:
  // Whether the execution did what the alternative asked for.
  [[nodiscard]] bool followed() const {
    if (path_.execution().ending == Ending::cut || path_.execution().ending == Ending::failed) {
      return true;
    }
    for (std::size_t at = 0; at < wanted_.size(); ++at) {
      const std::size_t position = path_.kept() + at;
      if (position >= configuration_.size() || configuration_[position] != wanted_[at]) {
        return false;
      }
    }
    return true;
  }

  // From the end of the path to the deepest node that has an alternative. False: none has.
  bool go_back() {
    along_.follow(configuration_.events());
    for (std::size_t node = configuration_.size(); node-- > 0;) {
      while (!done_at_.empty() && done_at_.back() > node) {
        done_.pop_back();
        done_at_.pop_back();
      }
      MAZURKA_CHECK(done_.size() == done_at_.size(), "each event of D was added at a node");
      done_.push_back(configuration_[node]);
      done_at_.push_back(node);
      auto found = alternatives_.find(node, done_);
      if (!found) continue;
      wanted_ = std::move(*found);
      collect_garbage(node);
      leave(node);
      return true;
    }
    return false;
  }

  void leave(std::size_t node) {
    MAZURKA_CHECK(!wanted_.empty(), "an alternative goes on from the node");
    path_.put_to_sleep(node);
    path_.leave(node);
    for (const EventId event : wanted_) path_.expect(structure_.step(event));
  }

  // Keeps what an alternative at this node or further up could contain, now or later. At a node
  // with the configuration C, an event is of use if it is in conflict with something in D, not with
  // C, and does not have an event of D in its history; D there only grows until the node is left
  // for good. For the nodes further up, the path's own event is about to join D. What C itself is
  // in conflict with need not be excluded, and does not count.
  void collect_garbage(std::size_t node) {
    EventSet wanted;
    for (std::size_t at = 0; at < node; ++at) wanted.insert(configuration_[at]);
    for (const EventId event : done_) wanted.insert(event);
    std::size_t known = 0;  // how much of D there is at the node
    for (std::size_t at = 0; at <= node; ++at) {
      while (known < done_.size() && done_at_[known] <= at) ++known;
      const std::span<const EventId> done(done_.data(), known);
      for (const EventId event : done) {
        if (!along_.excluded(event, at)) keep_useful(at, event, done, at < node, wanted);
      }
      if (at < node) keep_useful(at, configuration_[at], done, true, wanted);
    }
    structure_.keep(wanted);
  }

  // Adds what can exclude `event` at the node.
  void keep_useful(std::size_t node, EventId event, std::span<const EventId> done, bool joins,
                   EventSet& wanted) {
    const auto contains = [&](EventId candidate, EventId one) {
      return candidate == one || structure_.history(candidate).contains(one);
    };
    structure_.conflicts(event).for_each([&](EventId candidate) {
      if (wanted.contains(candidate) || along_.excluded(candidate, node)) return;
      if (joins && contains(candidate, configuration_[node])) return;
      if (std::none_of(done.begin(), done.end(),
                       [&](EventId one) { return contains(candidate, one); })) {
        wanted.insert(candidate);
      }
    });
  }

  Session& session_;
  bool optimal_;
  Path path_;
  EventStructure structure_;
  Configuration configuration_;
  unfolding::AlongPath along_;
  Alternatives alternatives_;
  std::vector<EventId> done_;         // D
  std::vector<std::size_t> done_at_;  // the node at which each was added
  std::vector<EventId> wanted_;       // A: what the next execution does after the node
};

class Unfolding final : public Explorer {
 public:
  explicit Unfolding(std::size_t partial) : partial_(partial) {}
  bool explore(Session& session) override { return UnfoldingSearch(session, partial_).run(); }

 private:
  std::size_t partial_;
};

}  // namespace

std::unique_ptr<Explorer> make_unfolding(const TechniqueOptions& options) {
  std::size_t partial = 0;
  for (const std::string& name : options.names()) {
    if (name != "optimal") std::from_chars(name.data(), name.data() + name.size(), partial);
  }
  return std::make_unique<Unfolding>(partial);
}

}  // namespace mazurka

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

class Search {
 public:
  Search(Session& session, std::size_t partial)
      : session_(session),
        optimal_(partial == 0),
        path_(session, Path::Sleepers::kept_asleep, false),
        structure_(session.vocabulary()),
        configuration_(session.vocabulary(), structure_),
        alternatives_(structure_, partial) {
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
  struct Done {
    EventId event;
    std::size_t node;
  };

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
    std::vector<EventSet> excluded(configuration_.size() + 1);
    EventSet before;
    for (std::size_t at = 0; at < configuration_.size(); ++at) {
      excluded[at + 1] = excluded[at];
      excluded[at + 1] |= structure_.conflicts(configuration_[at]);
      before.insert(configuration_[at]);
    }
    for (std::size_t node = configuration_.size(); node-- > 0;) {
      before.erase(configuration_[node]);
      while (!done_.empty() && done_.back().node > node) done_.pop_back();
      done_.push_back({configuration_[node], node});
      done_events_.clear();
      for (const Done& one : done_) done_events_.push_back(one.event);
      auto found = alternatives_.find(before, excluded[node], done_events_);
      if (!found) continue;
      wanted_ = std::move(*found);
      collect_garbage(before, node, excluded);
      leave(node);
      return true;
    }
    return false;
  }

  void leave(std::size_t node) {
    path_.put_to_sleep(node);
    path_.leave(node);
    for (const EventId event : wanted_) path_.expect(structure_.step(event));
  }

  // Keeps what an alternative at this node or further up could contain, now or later. At a node
  // with the configuration C, an event is of use if it is in conflict with something in D, not with
  // C, and does not have an event of D in its history; D there only grows until the node is left
  // for good. For the nodes further up, the path's own event is about to join D. What C itself is
  // in conflict with need not be excluded, and does not count.
  void collect_garbage(const EventSet& before, std::size_t node,
                       const std::vector<EventSet>& excluded) {
    EventSet wanted = before;
    for (const Done& one : done_) wanted.insert(one.event);
    for (std::size_t at = 0; at <= node; ++at) {
      EventSet useful;
      EventSet useless = excluded[at];
      const auto take_in = [&](EventId event) {
        useful |= structure_.conflicts(event);
        useless.insert(event);
        useless |= structure_.descendants(event);
      };
      for (const Done& one : done_) {
        if (one.node <= at && !excluded[at].contains(one.event)) take_in(one.event);
      }
      if (at < node) take_in(configuration_[at]);
      useful -= useless;
      wanted |= useful;
    }
    structure_.keep(wanted);
  }

  Session& session_;
  bool optimal_;
  Path path_;
  EventStructure structure_;
  Configuration configuration_;
  Alternatives alternatives_;
  std::vector<Done> done_;            // D
  std::vector<EventId> done_events_;  // the same, for the search
  std::vector<EventId> wanted_;       // A: what the next execution does after the node
};

class Unfolding final : public Explorer {
 public:
  explicit Unfolding(std::size_t partial) : partial_(partial) {}
  bool explore(Session& session) override { return Search(session, partial_).run(); }

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
